"""The text messages of an AG-UI stream, which may interleave, as the messages of a runner, which do not."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Result = tuple[str, dict[str, Any]]
"""Type and data of a runner's result."""


@dataclass(slots=True)
class _Text:
    pieces: list[str] = field(default_factory=list)
    is_open: bool = True


class Texts:
    """The messages that are open. The first is shown as it comes, the others when those before them have ended."""

    def __init__(self) -> None:
        self._open: dict[str, _Text] = {}

    def start(self, message_id: str) -> None:
        self._open.setdefault(message_id, _Text())

    def add(self, message_id: str, piece: str) -> Iterator[Result]:
        """Append a piece; a message that was not started begins with it."""
        self.start(message_id)
        self._open[message_id].pieces.append(piece)
        if piece and message_id == next(iter(self._open)):
            yield _delta(piece)

    def end(self, message_id: str) -> Iterator[Result]:
        """End a message, and those behind it that have ended already."""
        if message_id in self._open:
            self._open[message_id].is_open = False
        while self._open:
            first = next(iter(self._open))
            if self._open[first].is_open:
                return
            yield from _completed("".join(self._open.pop(first).pieces))
            if self._open and (text := "".join(next(iter(self._open.values())).pieces)):
                yield _delta(text)

    def cut(self) -> Iterator[Result]:
        """End what is shown, since a call of a tool ends a runner's message; the rest is another message."""
        if self._open:
            shown = next(iter(self._open.values()))
            yield from _completed("".join(shown.pieces))
            shown.pieces.clear()

    def end_all(self) -> Iterator[Result]:
        for message_id in list(self._open):
            yield from self.end(message_id)


def _delta(text: str) -> Result:
    return "message.delta", {"chunk": {"role": "assistant", "content": text}}


def _completed(text: str) -> Iterator[Result]:
    if text:
        yield "message.completed", {"message": {"role": "assistant", "content": text}}
