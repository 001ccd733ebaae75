"""A runner's reasoning as REASONING events, one span with one message each. A worker that takes over matches its
reasoning with the journal's in order: what is complete there stays, since models never think the same twice.
"""

import uuid
from collections import deque
from collections.abc import Iterator

from yarrow.formats.growing_text import GrowingText
from yarrow.observability.logs import logger
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.worker.results.text_messages import MAX_DELTA_LENGTH

MAX_ENCRYPTED_LENGTH = 192 * 1024
"""Characters; a longer one is left out. An event has at most 320 KiB."""


class Reasoning:
    """Methods yield the events to store."""

    def __init__(self, order: EventOrder, ids: events.RunIds) -> None:
        self.is_open = False
        """Whether some was received and is not complete."""
        self.owner: str | None = None
        """The nested agent that reasons; it changes between messages only."""
        self._order = order
        self._ids = ids
        self._journalled = deque(order.thoughts.text)
        self._message_id = ""
        self._received = GrowingText()
        self._is_caught_up = False
        """Whether the journal has just what was received."""

    def append(self, piece: str) -> Iterator[events.Event]:
        if not piece:
            return
        yield from self._begin()
        self._received.append(piece)
        if self._is_caught_up:
            yield from self._emit(piece)
        elif self._message_id in self._order.thoughts.open:
            yield from self._catch_up()

    def complete(self, content: str, encrypted_value: str | None) -> Iterator[events.Event]:
        """End the reasoning; text that `content` does not extend stays."""
        received = str(self._received)
        if content.startswith(received):
            yield from self.append(content[len(received) :])
        if encrypted_value is not None and not self.is_open:
            yield from self._begin()  # the provider sends no text of it
        if self.is_open:
            yield from self._end(encrypted_value)

    def end(self) -> Iterator[events.Event]:
        if self.is_open:
            yield from self._end(None)

    def _begin(self) -> Iterator[events.Event]:
        if self.is_open:
            return
        self.is_open = True
        owners = self._order.owners
        journalled = next((name for name in self._journalled if owners.get(name) == self.owner), None)
        if journalled is not None:
            self._journalled.remove(journalled)
            self._message_id, self._is_caught_up = journalled, False
        else:
            yield from self._start_new()

    def _start_new(self) -> Iterator[events.Event]:
        begun = [name for name in self._order.reasoning.open if name not in self._order.thoughts.text]
        self._message_id, self._is_caught_up = begun[0] if begun else str(uuid.uuid4()), True
        owner = self._order.active(self.owner)
        if not begun:
            yield events.ReasoningStart(**self._ids, message_id=self._message_id, subagent_run_id=owner)
        yield events.ReasoningMessageStart(**self._ids, message_id=self._message_id, subagent_run_id=owner)

    def _catch_up(self, *, is_whole: bool = False) -> Iterator[events.Event]:
        """Emit what the journal lacks; if it has other text, end that and begin anew."""
        stored, received = str(self._order.thoughts.text[self._message_id]), str(self._received)
        if received.startswith(stored):
            self._is_caught_up = True
            yield from self._emit(received[len(stored) :])
        elif is_whole or not stored.startswith(received):
            yield from self._close()
            self._journalled.clear()
            yield from self._start_new()
            yield from self._emit(received)

    def _end(self, encrypted_value: str | None) -> Iterator[events.Event]:
        if not self._is_caught_up and self._message_id in self._order.thoughts.open:
            yield from self._catch_up(is_whole=True)
        is_same = self._order.thoughts.text[self._message_id] == self._received
        yield from self._close(encrypted_value if is_same and self._message_id not in self._order.encrypted else None)
        self.is_open, self._received = False, GrowingText()

    def _close(self, encrypted_value: str | None = None) -> Iterator[events.Event]:
        if self._message_id in self._order.thoughts.open:
            yield events.ReasoningMessageEnd(**self._ids, message_id=self._message_id)
        if encrypted_value is not None and len(encrypted_value) <= MAX_ENCRYPTED_LENGTH:
            yield events.ReasoningEncryptedValue(
                **self._ids, entity_id=self._message_id, encrypted_value=encrypted_value
            )
        elif encrypted_value is not None:
            logger.warning("an encrypted value was left out", extra={"characters": len(encrypted_value)})
        if self._message_id in self._order.reasoning.open:
            yield events.ReasoningEnd(**self._ids, message_id=self._message_id)

    def _emit(self, text: str) -> Iterator[events.Event]:
        for start in range(0, len(text), MAX_DELTA_LENGTH):
            yield events.ReasoningMessageContent(
                **self._ids, message_id=self._message_id, delta=text[start : start + MAX_DELTA_LENGTH]
            )
