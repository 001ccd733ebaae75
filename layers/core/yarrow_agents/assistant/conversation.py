"""The conversation as sent to the model.

Source: `agent-runner.md` §4.9: the host neither composes nor cuts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from yarrow.formats.json_text import dumps
from yarrow.protocol.runner.api import ModelMessage
from yarrow.protocol.runner.vocabulary import UNOPENED

RESULT_PICTURES: Final = 4
"""The most pictures of tool results in a request, as many as one result has."""


@dataclass(slots=True)
class Conversation:
    """`turn` is the user's message and everything after it; `history` is before, oldest first."""

    history: list[ModelMessage] = field(default_factory=list)
    turn: list[ModelMessage] = field(default_factory=list)

    def fitted(self, room: int, not_shown: str) -> "Conversation":
        """Return the part that fits `room` bytes of JSON, as far as possible.

        The turn comes first; if it is too large, `not_shown` replaces its tool results, oldest first (models require a
        result for every call). Then recent history from a user message on; its oldest reasoning is left out first,
        and its tool results are replaced until they take half of the rest at most.
        """
        turn = _shortened(self.turn, size_of(self.turn) - room, not_shown)
        left = room - size_of(turn)
        history = _without_reasoning(self.history, size_of(self.history) - left)
        answers = size_of([message for message in history if message.role == "tool"])
        history = _shortened(history, min(size_of(history) - left, answers - left // 2), not_shown)
        left -= size_of(history)
        while history and (left < 0 or history[0].role != "user"):
            left += size_of([history.pop(0)])
        return Conversation(history, turn)

    def without_tools(self) -> "Conversation":
        """Leave out the history's calls, which some providers refuse without tools."""
        messages = [message.model_copy(update={"tool_calls": ()}) for message in self.history if message.role != "tool"]
        return Conversation([message for message in messages if message.content], list(self.turn))

    def in_words(self) -> "Conversation":
        """Leave out the history's calls, pictures and reasoning."""
        words = self.without_tools().history
        messages = [message.model_copy(update={"content": _words(message), "reasoning": ()}) for message in words]
        return Conversation([message for message in messages if message.content], list(self.turn))


def with_latest_pictures(turn: Sequence[ModelMessage]) -> list[ModelMessage]:
    """Put a line in place of the pictures of tool results before the latest RESULT_PICTURES: each costs tokens again
    with every answer of the model.
    """
    left = RESULT_PICTURES
    kept = list(turn)
    for index in reversed(range(len(kept))):
        message = kept[index]
        if message.role != "tool" or not isinstance(message.content, tuple):
            continue
        parts = []
        for part in reversed(message.content):
            is_shown = part["type"] == "text" or left > 0
            left -= part["type"] != "text"
            parts.append(part if is_shown else {"type": "text", "text": UNOPENED.format(kind="image")})
        kept[index] = message.model_copy(update={"content": tuple(reversed(parts))})
    return kept


def _without_reasoning(messages: Sequence[ModelMessage], excess: int) -> list[ModelMessage]:
    """Leave out the oldest reasoning until `excess` bytes are saved."""
    kept = list(messages)
    for index, message in enumerate(kept):
        if excess <= 0:
            break
        if message.reasoning:
            kept[index] = message.model_copy(update={"reasoning": ()})
            excess -= size_of([message]) - size_of([kept[index]])
    return kept


def _shortened(messages: Sequence[ModelMessage], excess: int, not_shown: str) -> list[ModelMessage]:
    """Replace the oldest tool results until `excess` bytes are saved."""
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
    """Return the size of messages in bytes of JSON."""
    return sum(
        len(dumps(message.model_dump(mode="json", exclude_none=True)).encode("utf-8", "surrogatepass"))
        for message in messages
    )
