"""The questions of one run as its runner asks them (ASK-01).

A question is a step whose result is the answer. While there is none, the call that asks does not return: the worker's
turn ends once nothing else that the runner began is under way, and so does the run.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from yarrow.protocol.interrupts import MAX_OPEN
from yarrow.protocol.questions import response_schema
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.questions import OPEN, Answer, Question
from yarrow.services.steps.step_log import Call, Document, StepLog
from yarrow.store import clock
from yarrow.store.sessions import OpenQuestion


@dataclass(frozen=True, slots=True)
class WaitingQuestion:
    """A question that waits for its answer. `earlier` is its line of the session if an earlier run asked it too."""

    call: Call
    question: Question
    schema: Mapping[str, Any]
    began_at: str
    earlier: OpenQuestion | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    """What clients get to know besides."""


NOBODY: Final[tuple[OpenQuestion, ...]] = ()


class RunQuestions:
    """The questions of one run.

    `left_open` returns those that earlier runs of the log left open; it may block, and is called once.
    """

    def __init__(self, steps: StepLog, left_open: Callable[[], Iterable[OpenQuestion]] = lambda: NOBODY) -> None:
        self.asked: list[WaitingQuestion] = []
        """The questions that wait, in the order in which they were asked."""
        self.is_waiting = False
        """Whether the runner was stopped while it waited for answers."""
        self._steps = steps
        self._left_open = left_open
        self._lines: dict[str, OpenQuestion] | None = None

    async def ask(
        self,
        call: Call,
        question: Question,
        schema: Mapping[str, Any] | None = None,
        details: Mapping[str, Any] | None = None,
        *,
        in_turn: bool = False,
    ) -> Document:
        """Return the answer, if an earlier run has it; else note the question, and return that it is open.

        One too many at once is left to the run that goes on if it is `in_turn`. Raises AgentAPIException
        `invalid_argument` for a question that cannot be answered, `rate_limited` for another one too many.
        """
        earlier = await self._steps.recorded(call)
        if earlier is not None:
            return self._steps.result_of(earlier)
        try:
            schema = response_schema(question) if schema is None else schema
        except ValueError as error:
            raise AgentAPIException("invalid_argument", f"question: {error}") from None
        line = (await self._lines_by_step()).get(call.id)
        if line is not None and line.is_over:
            step = await self._steps.begin(call)
            document = Answer(status="expired").model_dump(mode="json")
            return self._steps.result_of(await self._steps.end(step, document, outcome="expired"))
        if len(self.asked) == MAX_OPEN and in_turn:
            return {OPEN: True}
        if len(self.asked) == MAX_OPEN:
            raise AgentAPIException("rate_limited", f"a run asks at most {MAX_OPEN} questions at once")
        self.asked.append(
            WaitingQuestion(call, question, schema, clock.now_iso(), line, {} if details is None else details)
        )
        self.asked.sort(key=lambda one: one.call.number)  # calls side by side come here in any order
        return {OPEN: True}

    async def _lines_by_step(self) -> dict[str, OpenQuestion]:
        if self._lines is None:
            lines = await asyncio.to_thread(self._left_open)
            self._lines = {line.step: line for line in lines}
        return self._lines
