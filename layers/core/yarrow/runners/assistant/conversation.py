"""The conversation as the model hears it, cut to what the model can take.

Source: `agent-runner.md` §4.9: a host composes and cuts nothing, so this is the runner's to do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from yarrow.protocol.json_text import dumps
from yarrow.protocol.runner_api import ModelMessage


@dataclass(slots=True)
class Conversation:
    """What was said before, oldest first, and this turn: the user's message and all that has followed it."""

    history: list[ModelMessage] = field(default_factory=list)
    turn: list[ModelMessage] = field(default_factory=list)

    def fitted(self, room: int, not_shown: str) -> "Conversation":
        """What of it takes at most `room` bytes of JSON, as far as that can be had.

        This turn comes first: where it alone is too large, `not_shown` stands in place of what tools answered, in the
        oldest answers first. Every call keeps an answer, for models demand one. Then as much of the latest history as
        there is room for, beginning with a user's message.
        """
        turn = list(self.turn)
        left = room - size_of(turn)
        for index, message in enumerate(turn):
            if left >= 0:
                break
            if message.role == "tool":
                turn[index] = message.model_copy(update={"content": not_shown})
                left += size_of([message]) - size_of([turn[index]])
        history: list[ModelMessage] = []
        for message in reversed(self.history):
            left -= size_of([message])
            if left < 0:
                break
            history.insert(0, message)
        while history and history[0].role != "user":
            del history[0]
        return Conversation(history, turn)


def size_of(messages: Sequence[ModelMessage]) -> int:
    """The bytes of messages as JSON."""
    return sum(
        len(dumps(message.model_dump(mode="json", exclude_none=True)).encode("utf-8", "surrogatepass"))
        for message in messages
    )
