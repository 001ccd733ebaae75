"""The words of devices: their kinds, what they can be told, and which content they can ask for."""

from typing import Literal

AppKind = Literal["apns", "apns_sandbox", "fcm"]
"""Kinds of apps: APNs, its sandbox for builds under development, and Firebase Cloud Messaging."""

Kind = Literal["web", "apns", "apns_sandbox", "fcm"]

EventType = Literal["run.completed", "run.failed", "interrupt.opened"]
"""Of the deployment's events, those that a device can be told."""

Part = Literal["answer", "question"]
"""What an agent has said, which a notification has only if its device asks for it."""
