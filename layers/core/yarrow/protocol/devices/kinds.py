"""The words of devices: their kinds, what they can be told, and which content they can ask for."""

from typing import Literal

Kind = Literal["web"]

EventType = Literal["run.completed", "run.failed", "interrupt.opened"]
"""Of the deployment's events, those that a device can be told."""

Part = Literal["answer", "question"]
"""What an agent has said, which a notification has only if its device asks for it."""
