"""A runner's text as TEXT_MESSAGE events.

A worker that takes over reruns the agent and matches its messages with the journal's in order. Only missing text is
emitted; if it differs, the stored message is closed and a new one begins. A message that a question cut off goes on as
another one.
"""

import uuid
from collections import deque
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any, Final

from yarrow.formats.growing_text import GrowingText
from yarrow.observability.logs import logger
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.runner.vocabulary import CUT

_RANDOM: Final = 4
"""The version of the ids of messages without one of their own: separate messages have derived ids."""

MAX_DELTA_LENGTH = 16_384
"""Characters of one text or arguments delta."""


@dataclass(frozen=True, slots=True)
class CompletedMessage:
    """A completed message."""

    message_id: str
    content: str


class TextMessages:
    """The assistant's messages of one run. Methods yield the events to store.

    `earlier` are the ids of the messages of runs that it continues, which are all closed.
    """

    def __init__(self, order: EventOrder, ids: events.RunIds, earlier: Set[str] = frozenset()) -> None:
        self.last: CompletedMessage | None = None
        """The last completed message."""
        self.outputs: dict[str, dict[str, Any]] = {}
        """Structured outputs by message id."""
        self.max_length: int | None = None
        """Characters shown of a message; longer ones are cut (RNR-20)."""
        self.owner: str | None = None
        """The nested agent that speaks; it changes between messages only. In a rerun it may have ended before: then
        only its stored messages are its own.
        """
        self._order = order
        self._ids = ids
        self._earlier = earlier
        self._journalled = deque(order.texts.text)
        self._message_id: str | None = None
        self._before = ""
        """The part of the message that an earlier run has shown as another message."""
        self._received = GrowingText()
        """The message so far as received."""
        self._shown = GrowingText()
        """The message so far as shown. The stored one is as long or longer, and begins with it."""
        self._is_final = False

    def append(self, piece: str, *, is_final: bool = False) -> Iterator[events.Event]:
        """Add a piece. A final one defers END: a whole message may follow that repeats it and has an output."""
        if piece:
            if self._is_final:
                yield from self.end()
            self._received.append(piece)
            yield from self._show(piece if self._is_short() else self._withheld())
        self._is_final = self._is_final or is_final

    def complete(self, content: str, output: dict[str, Any] | None) -> Iterator[events.Event]:
        """End the message; text that `content` does not extend stays (RNR-35)."""
        received = str(self._received)
        content = content.removeprefix(self._before)
        if content.startswith(received) and content != received:
            self._received.append(content[len(received) :])
            yield from self._show(self._withheld())
        yield from self.end(output)

    def end(self, output: dict[str, Any] | None = None) -> Iterator[events.Event]:
        """End the message, if there is one; END carries `output` except framing members.

        An output without text, such as a card, is a message that begins and ends.
        """
        self._is_final = False
        if not self._received and not output:
            return
        yield from self._show(self._withheld(is_whole=True))
        if self._message_id is None:
            yield from self._start_new()
        if self._message_id is None:
            raise RuntimeError("a message has no START")
        if len(self._shown) < len(self._order.texts.text[self._message_id]):  # an earlier worker stored other text
            yield from self._start_new()
        if self._message_id in self._order.texts.open:
            shown_output = {name: value for name, value in (output or {}).items() if name not in events.FRAMING}
            yield events.TextMessageEnd(**self._ids, message_id=self._message_id, output=shown_output)
        text = str(self._shown)
        if text != str(self._received):
            logger.warning("a message was cut", extra={"characters": len(self._received)})
        self.last = CompletedMessage(self._message_id, text)
        if output is not None:
            self.outputs[self._message_id] = output
        self._message_id, self._received, self._shown, self._before = None, GrowingText(), GrowingText(), ""

    def id_of(self, message_id: str, content: str) -> str:
        """Return the id for `whole`: another one if an earlier worker stored a different message under it."""
        texts, visible = self._order.texts, self._cut(content, is_whole=True)
        while message_id in texts.text:
            stored = str(texts.text[message_id])
            if stored == visible or (message_id in texts.open and visible.startswith(stored)):
                break
            message_id = str(uuid.uuid5(uuid.UUID(message_id), "again"))
        return message_id

    def whole(self, message_id: str, content: str) -> Iterator[events.Event]:
        """Emit a separate message; `message_id` is the same from each worker."""
        yield from self.end()
        self._received.append(content)
        if message_id in self._order.texts.text:
            self._message_id = message_id
            while message_id in self._journalled:
                self._journalled.popleft()
        else:
            self._shown.append(self._cut(content, is_whole=True))
            yield from self._start_new(message_id)
        yield from self.end()

    def _show(self, piece: str) -> Iterator[events.Event]:
        """Show more of the message: what an earlier worker has not stored is emitted."""
        if self._message_id is None:
            self._message_id = self._next_journalled()
        start = len(self._shown)
        self._shown.append(piece)
        is_open = self._message_id in self._order.texts.open
        stored = GrowingText() if self._message_id is None else self._order.texts.text[self._message_id]
        if len(stored) > start:
            text = str(stored)
            if text.startswith(piece, start):
                return
            missing = piece[len(text) - start :]
            extends = piece.startswith(text[start:])
        elif not piece:
            return
        else:
            missing, extends = piece, len(stored) == start
        if self._message_id is not None and is_open and extends:
            yield from self._emit(self._message_id, missing)
        elif self._message_id in self._earlier and extends:
            yield from self._go_on(missing)
        else:
            yield from self._start_new()

    def _next_journalled(self) -> str | None:
        """Take the next stored message of the one who speaks that is not a separate one, if any.

        Nested agents may take turns in another order.
        """
        owners = self._order.owners
        own = (name for name in self._journalled if owners.get(name) == self.owner)
        found = next((name for name in own if uuid.UUID(name).version == _RANDOM), None)
        if found is not None:
            self._journalled.remove(found)
        return found

    def _go_on(self, missing: str) -> Iterator[events.Event]:
        """Show the rest of a message, which a question cut off in an earlier run, as another message."""
        self._before += str(self._order.texts.text[str(self._message_id)])
        self._message_id, self._received, self._shown = None, GrowingText(missing), GrowingText()
        yield from self._show(missing)

    def _is_short(self) -> bool:
        """Whether all that was received may be shown already."""
        return self.max_length is None or len(self._received) < self.max_length

    def _withheld(self, *, is_whole: bool = False) -> str:
        """Return text that may be shown and is not yet."""
        if self.max_length is not None and len(self._shown) >= self.max_length:
            return ""
        return self._cut(str(self._received), is_whole=is_whole)[len(self._shown) :]

    def _cut(self, text: str, *, is_whole: bool) -> str:
        """Cut a text to `max_length`. Its last character is withheld until it is known whether the text is cut."""
        length, limit = len(text), self.max_length
        if limit is None or length < limit or (length == limit and is_whole):
            return text
        return text[: limit - 1] + (CUT if length > limit else "")

    def _start_new(self, message_id: str | None = None) -> Iterator[events.Event]:
        for open_id in list(self._order.texts.open):
            yield events.TextMessageEnd(**self._ids, message_id=open_id)
        self._journalled.clear()
        self._message_id = message_id or str(uuid.uuid4())
        yield events.TextMessageStart(
            **self._ids, message_id=self._message_id, subagent_run_id=self._order.active(self.owner)
        )
        yield from self._emit(self._message_id, str(self._shown))

    def _emit(self, message_id: str, text: str) -> Iterator[events.Event]:
        for start in range(0, len(text), MAX_DELTA_LENGTH):
            delta = text[start : start + MAX_DELTA_LENGTH]
            yield events.TextMessageContent(**self._ids, message_id=message_id, delta=delta)
