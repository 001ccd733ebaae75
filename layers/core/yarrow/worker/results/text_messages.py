"""A runner's text as text message events: pieces in; START, CONTENT and END out.

A worker that takes over reruns its agent. Its messages are matched with the journal's in order: only text that was not
stored is emitted, and where it differs the old message is closed and a new one begins.
"""

import uuid
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from yarrow.observability.logs import logger
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.runner.vocabulary import CUT

MAX_DELTA_LENGTH = 16_384
"""Characters of one text or arguments delta; longer ones are split."""


@dataclass(frozen=True, slots=True)
class Message:
    """A completed message."""

    message_id: str
    content: str


class TextMessages:
    """The assistant's messages of one run. Every method yields the events to store."""

    def __init__(self, order: EventOrder, ids: events.RunIds) -> None:
        self.last: Message | None = None
        """The last completed message."""
        self.outputs: dict[str, dict[str, Any]] = {}
        """Structured outputs by message id."""
        self.max_length: int | None = None
        """Characters shown of a message; longer ones are cut (RNR-20)."""
        self._order = order
        self._ids = ids
        self._journalled = deque(order.texts.text)
        self._message_id: str | None = None
        self._received = ""
        """The message so far as received."""
        self._shown_text = ""
        """The message so far as shown."""
        self._is_final = False

    def append(self, piece: str, *, is_final: bool = False) -> Iterator[events.Event]:
        """Append to the message, or begin one; after a final piece the next begins another message.

        END is deferred: a whole message may follow that repeats the pieces and has an output.
        """
        if piece:
            if self._is_final:
                yield from self.end()
            self._received += piece
            yield from self._catch_up()
        self._is_final = self._is_final or is_final

    def complete(self, content: str, output: dict[str, Any] | None) -> Iterator[events.Event]:
        """End the message after emitting the rest of `content`.

        If `content` does not extend the text so far, that text stays: nothing is shown twice (RNR-35).
        """
        if content and content.startswith(self._received):
            self._received = content
            yield from self._catch_up()
        yield from self.end(output)

    def end(self, output: dict[str, Any] | None = None) -> Iterator[events.Event]:
        """End the message, if there is one; `output` becomes members of its END, except framing members."""
        self._is_final = False
        if not self._received:
            return
        yield from self._catch_up(is_whole=True)
        if self._message_id is None:
            raise RuntimeError("a message has text but no START")
        if self._shown_text != self._order.texts.text[self._message_id]:  # an earlier worker stored other text
            yield from self._start_new()
        if self._message_id in self._order.texts.open:
            extras: Mapping[str, Any] = {
                name: value for name, value in (output or {}).items() if name not in events.FRAMING
            }
            yield events.TextMessageEnd(**self._ids, message_id=self._message_id, **extras)
        if self._shown_text != self._received:
            logger.warning("a message was cut", extra={"characters": len(self._received)})
        self.last = Message(self._message_id, self._shown_text)
        if output is not None:
            self.outputs[self._message_id] = output
        self._message_id, self._received, self._shown_text = None, "", ""

    def _catch_up(self, *, is_whole: bool = False) -> Iterator[events.Event]:
        """Emit what is to be shown and is not in the journal."""
        self._shown_text = self._shown(is_whole=is_whole)
        if self._message_id is None and self._journalled:
            self._message_id = self._journalled.popleft()
        stored = "" if self._message_id is None else self._order.texts.text[self._message_id]
        if stored.startswith(self._shown_text):
            return
        if self._message_id in self._order.texts.open and self._shown_text.startswith(stored):
            yield from self._emit(self._message_id, after=len(stored))
        else:
            yield from self._start_new()

    def _shown(self, *, is_whole: bool) -> str:
        """The shown part of the message. Its last character is withheld until it is known whether the text is cut."""
        length, limit = len(self._received), self.max_length
        if limit is None or length < limit or (length == limit and is_whole):
            return self._received
        return self._received[: limit - 1] + (CUT if length > limit else "")

    def _start_new(self) -> Iterator[events.Event]:
        for message_id in list(self._order.texts.open):
            yield events.TextMessageEnd(**self._ids, message_id=message_id)
        self._journalled.clear()
        self._message_id = str(uuid.uuid4())
        yield events.TextMessageStart(**self._ids, message_id=self._message_id)
        yield from self._emit(self._message_id)

    def _emit(self, message_id: str, *, after: int = 0) -> Iterator[events.Event]:
        for start in range(after, len(self._shown_text), MAX_DELTA_LENGTH):
            delta = self._shown_text[start : start + MAX_DELTA_LENGTH]
            yield events.TextMessageContent(**self._ids, message_id=message_id, delta=delta)
