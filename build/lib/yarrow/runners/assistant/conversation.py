"""The conversation as the model hears it, cut to what the model can take.

Source: `agent-runner.md` §4.9: a host composes and cuts nothing, so this is the runner's to do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from yarrow.formats.json_text import dumps
from yarrow.protocol.runner.api import ModelMessage


@dataclass(slots=True)
class Conversation:
    """What was said before, oldest first, and this turn: the user's message and all that has followed it."""

    history: list[ModelMessage] = field(default_factory=list)
    turn: list[ModelMessage] = field(default_factory=list)

    def fitted(self, room: int, not_shown: str) -> "Conversation":
        """What of it takes at most `room` bytes of JSON, as far as that can be had.

        This turn comes first: where it alone is too large, `not_shown` stands in place of what tools answered, in the
        oldest answers first. Every call keeps an answer, for models demand one. Then as much of the latest history as
        there is room for, beginning with a user's message; where it is too large, what tools answered is left out in
        the same way until it takes no more than half of that.
        """
        turn = _shortened(self.turn, size_of(self.turn) - room, not_shown)
        left = room - size_of(turn)
        answers = size_of([each for each in self.history if each.role == "tool"])
        history = _shortened(self.history, min(size_of(self.history) - left, answers - left // 2), not_shown)
        left -= size_of(history)
        while history and (left < 0 or history[0].role != "user"):
            left += size_of([history.pop(0)])
        return Conversation(history, turn)

    def without_tools(self) -> "Conversation":
        """The same without the calls of the history: some providers refuse them from whom they are offered no tools."""
        said = [each.model_copy(update={"tool_calls": ()}) for each in self.history if each.role != "tool"]
        return Conversation([each for each in said if each.content], list(self.turn))

    def in_words(self) -> "Conversation":
        """The same without the pictures of the history as well."""
        said = [each.model_copy(update={"content": _words(each)}) for each in self.without_tools().history]
        return Conversation([each for each in said if each.content], list(self.turn))


def _shortened(messages: Sequence[ModelMessage], excess: int, not_shown: str) -> list[ModelMessage]:
    """Messages that take so many bytes less, as far as the oldest answers of tools can be left out for it."""
    kept = list(messages)
    for index, message in enumerate(kept):
        if excess <= 0:
            break
        if message.role == "tool":
            kept[index] = message.model_copy(update={"content": not_shown})
            excess -= size_of([message]) - size_of([kept[index]])
    return kept


def _words(message: ModelMessage) -> str | None:
    if isinstance(message.content, tuple):
        return "\n".join(part["text"] for part in message.content if part["type"] == "text")
    return message.content


def size_of(messages: Sequence[ModelMessage]) -> int:
    """The bytes of messages as JSON."""
    return sum(
        len(dumps(message.model_dump(mode="json", exclude_none=True)).encode("utf-8", "surrogatepass"))
        for message in messages
    )
