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
    metadata: dict[str, Any] = field(default_factory=dict)
    subagent: str | None = None
    """The nested agent that speaks."""


class Texts:
    """The messages that are open. The first is shown as it comes, the others when those before them have ended."""

    def __init__(self) -> None:
        self._open: dict[str, _Text] = {}

    def start(self, message_id: str, subagent: str | None = None) -> None:
        self._open.setdefault(message_id, _Text(subagent=subagent))

    def add(self, message_id: str, piece: str) -> Iterator[Result]:
        """Append a piece; a message that was not started begins with it."""
        self.start(message_id)
        self._open[message_id].pieces.append(piece)
        if piece and message_id == next(iter(self._open)):
            yield _delta(piece, self._open[message_id].subagent)

    def describe(self, message_id: str, metadata: dict[str, Any]) -> None:
        """Add to the metadata of an open message."""
        if message_id in self._open:
            self._open[message_id].metadata |= metadata

    def end(self, message_id: str) -> Iterator[Result]:
        """End a message, and those behind it that have ended already."""
        if message_id in self._open:
            self._open[message_id].is_open = False
        while self._open:
            first = next(iter(self._open))
            if self._open[first].is_open:
                return
            ended = self._open.pop(first)
            yield from _completed("".join(ended.pieces), ended.subagent, ended.metadata)
            waiting = next(iter(self._open.values()), None)
            if waiting is not None and (text := "".join(waiting.pieces)):
                yield _delta(text, waiting.subagent)

    def cut(self) -> Iterator[Result]:
        """End what is shown, since a call of a tool ends a runner's message; the rest is another message."""
        if self._open:
            shown = next(iter(self._open.values()))
            yield from _completed("".join(shown.pieces), shown.subagent)
            shown.pieces.clear()

    def end_all(self) -> Iterator[Result]:
        for message_id in list(self._open):
            yield from self.end(message_id)


def attribution(subagent: str | None) -> dict[str, str]:
    """Return the member of a result that attributes it to a nested agent."""
    return {"subagent_run_id": subagent} if subagent else {}


def _delta(text: str, subagent: str | None) -> Result:
    return "message.delta", {"chunk": {"role": "assistant", "content": text}, **attribution(subagent)}


def _completed(text: str, subagent: str | None, metadata: dict[str, Any] | None = None) -> Iterator[Result]:
    if text:
        output = {"output": metadata} if metadata else {}
        yield (
            "message.completed",
            {"message": {"role": "assistant", "content": text}, **output, **attribution(subagent)},
        )
