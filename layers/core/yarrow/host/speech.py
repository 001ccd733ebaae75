"""A runner's words as text messages: pieces in, START, CONTENT and END events out.

A worker that takes over from one that died hears its runner from the beginning again. Its first message is matched
with the first in the journal, and so on: what was said already is not said twice, and where the words differ the old
message is closed and a new one begins.
"""

import uuid
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from yarrow.protocol import events
from yarrow.protocol.event_order import EventOrder

MAX_DELTA_LENGTH = 16_384
"""Characters in one TEXT_MESSAGE_CONTENT; a longer piece becomes several."""


class Speech:
    """The assistant's messages of one run, one after another. Every method yields the events to store."""

    def __init__(self, order: EventOrder, ids: events.RunIds) -> None:
        self._order = order
        self._ids = ids
        self._journalled = deque(order.texts)
        self._message_id: str | None = None
        self._said = ""

    def say(self, piece: str) -> Iterator[events.Event]:
        """Go on with the message, or begin one."""
        if not piece:
            return
        self._said += piece
        if self._message_id is None and self._journalled:
            self._message_id = self._journalled.popleft()
        stored = "" if self._message_id is None else self._order.texts[self._message_id]
        if self._message_id is not None and stored.startswith(self._said):
            return
        if self._message_id not in self._order.open_texts or not self._said.startswith(stored):
            yield from self._close_open()
            self._message_id, stored = str(uuid.uuid4()), ""
            yield events.TextMessageStart(**self._ids, message_id=self._message_id)
        for start in range(len(stored), len(self._said), MAX_DELTA_LENGTH):
            delta = self._said[start : start + MAX_DELTA_LENGTH]
            yield events.TextMessageContent(**self._ids, message_id=self._message_id, delta=delta)

    def complete(self, content: str, output: Mapping[str, Any]) -> Iterator[events.Event]:
        """End the message; what of `content` was not said yet is said first, and `output` rides on the END."""
        if content.startswith(self._said):
            yield from self.say(content[len(self._said) :])
        if self._message_id is not None and self._message_id in self._order.open_texts:
            yield events.TextMessageEnd(**self._ids, message_id=self._message_id, **output)

    def take_completed(self) -> tuple[str, str] | None:
        """The id and the text of the message just completed; the next piece begins another. None if it was empty."""
        message_id, self._message_id, self._said = self._message_id, None, ""
        return None if message_id is None else (message_id, self._order.texts[message_id])

    def _close_open(self) -> Iterator[events.Event]:
        for message_id in list(self._order.open_texts):
            yield events.TextMessageEnd(**self._ids, message_id=message_id)
