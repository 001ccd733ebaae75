"""A runner's text as TEXT_MESSAGE events.

A worker that takes over reruns the agent and matches its messages with the journal's in order. Only missing text is
emitted; if it differs, the stored message is closed and a new one begins.
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
"""Characters of one text or arguments delta."""


@dataclass(frozen=True, slots=True)
class Message:
    """A completed message."""

    message_id: str
    content: str


class TextMessages:
    """The assistant's messages of one run. Methods yield the events to store."""

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
        """A final piece defers END: a whole message may follow that repeats it and has an output."""
        if piece:
            if self._is_final:
                yield from self.end()
            self._received += piece
            yield from self._catch_up()
        self._is_final = self._is_final or is_final

    def complete(self, content: str, output: dict[str, Any] | None) -> Iterator[events.Event]:
        """End the message; text that `content` does not extend stays (RNR-35)."""
        if content and content.startswith(self._received):
            self._received = content
            yield from self._catch_up()
        yield from self.end(output)

    def end(self, output: dict[str, Any] | None = None) -> Iterator[events.Event]:
        """If there is one; END carries `output` except framing members."""
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

    def id_of(self, message_id: str, content: str) -> str:
        """The id for `whole`: another one when an earlier worker's message of that id is no beginning of this."""
        texts, shown = self._order.texts, self._cut(content, is_whole=True)
        while (stored := texts.text.get(message_id)) is not None:
            if stored == shown or (message_id in texts.open and shown.startswith(stored)):
                break
            message_id = str(uuid.uuid5(uuid.UUID(message_id), "again"))
        return message_id

    def whole(self, message_id: str, content: str) -> Iterator[events.Event]:
        """A message of its own; `message_id` is the same from each worker."""
        yield from self.end()
        self._received = content
        if message_id in self._order.texts.text:
            self._message_id = message_id
            while self._journalled and self._journalled.popleft() != message_id:
                pass
        else:
            self._shown_text = self._cut(self._received, is_whole=True)
            yield from self._start_new(message_id)
        yield from self.end()

    def _catch_up(self, *, is_whole: bool = False) -> Iterator[events.Event]:
        self._shown_text = self._cut(self._received, is_whole=is_whole)
        if self._message_id is None and self._journalled:
            self._message_id = self._journalled.popleft()
        stored = "" if self._message_id is None else self._order.texts.text[self._message_id]
        if stored.startswith(self._shown_text):
            return
        if self._message_id in self._order.texts.open and self._shown_text.startswith(stored):
            yield from self._emit(self._message_id, after=len(stored))
        else:
            yield from self._start_new()

    def _cut(self, text: str, *, is_whole: bool) -> str:
        """The last character is withheld until it is known whether the text is cut."""
        length, limit = len(text), self.max_length
        if limit is None or length < limit or (length == limit and is_whole):
            return text
        return text[: limit - 1] + (CUT if length > limit else "")

    def _start_new(self, message_id: str | None = None) -> Iterator[events.Event]:
        for each in list(self._order.texts.open):
            yield events.TextMessageEnd(**self._ids, message_id=each)
        self._journalled.clear()
        self._message_id = message_id or str(uuid.uuid4())
        yield events.TextMessageStart(**self._ids, message_id=self._message_id)
        yield from self._emit(self._message_id)

    def _emit(self, message_id: str, *, after: int = 0) -> Iterator[events.Event]:
        for start in range(after, len(self._shown_text), MAX_DELTA_LENGTH):
            delta = self._shown_text[start : start + MAX_DELTA_LENGTH]
            yield events.TextMessageContent(**self._ids, message_id=message_id, delta=delta)
