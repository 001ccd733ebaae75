"""TEXT_MESSAGE_CONTENT, written as it is made: most events of a run are these, and only their text differs."""

from json.encoder import encode_basestring
from typing import TYPE_CHECKING, NamedTuple

from yarrow.formats import json_text
from yarrow.protocol.events.framing import RunIds
from yarrow.protocol.events.plain_event import PlainEvent

if TYPE_CHECKING:
    from yarrow.protocol.events.base import BaseEvent


class TextPiece(NamedTuple):
    """One event; `line` is its JSON."""

    message_id: str
    delta: str
    line: str

    @property
    def type(self) -> str:
        return "TEXT_MESSAGE_CONTENT"


class TextPieces:
    """Makes those of one message."""

    def __init__(self, ids: RunIds, message_id: str) -> None:
        self.message_id = message_id
        framing = {"threadId": ids["thread_id"], "runId": ids["run_id"], "messageId": message_id, "delta": "x"}
        self._opening = json_text.dumps({"type": "TEXT_MESSAGE_CONTENT", **framing}).removesuffix('"x"}')

    def of(self, delta: str) -> TextPiece:
        """As `encode` writes it; `delta` is not empty and has no lone surrogates."""
        return TextPiece(self.message_id, delta, f"{self._opening}{encode_basestring(delta)}}}")


def line_of(event: "BaseEvent | TextPiece | PlainEvent") -> str:
    """The JSON of any event."""
    return event.line if isinstance(event, TextPiece | PlainEvent) else event.model_dump_json()
