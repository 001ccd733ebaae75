"""Notes of what one run does with tools, for agents of later runs to hear (MSG-08).

They are the runner's own view: what it called, and what it heard, cut to what a model reads of it. A worker that takes
over hears its runner from the beginning, and so takes notes of its own.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.runner.vocabulary import CUT, RESULT_CHARACTERS
from yarrow.store.turns import Call, Step, Turn

MAX_TURN_BYTES: Final = 256 * 1024
"""The JSON of all that is kept of one run, which goes into one item; of what is more, the oldest is let go of."""


class ToolHistory:
    """The notes of one run."""

    def __init__(self, results: Iterable[Mapping[str, Any]] = ()) -> None:
        """`results` are what the client's tools answered, as the run's event has them."""
        self._answers = {each["tool_call_id"]: _cut(result_text(each)) for each in results}
        self._steps: list[tuple[str | None, list[str]]] = []
        self._calls: dict[str, Call] = {}
        self._has_result = False
        """Whether a tool has answered since the last call: what is called then is called because of it."""

    def call(self, call_id: str, name: str, parameters: Mapping[str, Any], message_id: str | None) -> None:
        """Note a call, once; `message_id` is that of the last message the run ended before."""
        if call_id in self._calls:
            return
        if not self._steps or self._has_result or self._steps[-1][0] != message_id:
            self._steps.append((message_id, []))
            self._has_result = False
        self._steps[-1][1].append(call_id)
        self._calls[call_id] = Call(call_id, name, json_text.dumps(parameters))

    def answer(self, call_id: str, content: str) -> None:
        """Note what the tool of a call answered first."""
        self._has_result = True
        if self._calls[call_id].result is None:
            self._calls[call_id] = self._calls[call_id]._replace(result=_cut(content))

    def turn(self) -> Turn | None:
        """What is to be kept; None where no tool was called or has answered."""
        dropped = range(len(self._answers) + len(self._calls))
        least = bisect_left(dropped, True, key=lambda number: _fits(self._without(number)))
        turn = self._without(least)
        return turn if turn.steps or turn.answers else None

    def _without(self, oldest: int) -> Turn:
        """All but so many: the client's answers are older than every call."""
        answers = dict(islice(self._answers.items(), oldest, None))
        kept = set(islice(self._calls, max(0, oldest - len(self._answers)), None))
        steps = (
            Step(message_id, tuple(self._calls[name] for name in names if name in kept))
            for message_id, names in self._steps
        )
        return Turn(tuple(step for step in steps if step.calls), answers)


def result_text(result: Mapping[str, Any]) -> str:
    """What a tool of the client answered, as text (MSG-05)."""
    content = str(result["content"])
    return content if result.get("error") is None else f"error: {result['error']}\n{content}"


def _fits(turn: Turn) -> bool:
    return len(turn.to_json().encode()) <= MAX_TURN_BYTES


def _cut(content: str) -> str:
    return content if len(content) <= RESULT_CHARACTERS else content[:RESULT_CHARACTERS] + CUT
