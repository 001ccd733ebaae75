"""A tool's answer with a card for clients."""

from dataclasses import dataclass
from typing import Any

from yarrow.protocol.ui_schema.hints import Card


@dataclass(frozen=True, slots=True)
class Answer:
    """A tool's result as JSON, and its card, if it has one."""

    result: Any
    card: Card | None = None
