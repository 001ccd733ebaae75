"""The states of questions under any order of answers, cancels, messages, deletions and time (ASK-02 … ASK-07)."""

import asyncio
import itertools
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.support.divination_runs import execute, submit
from tests.support.effort import examples
from tests.support.runners.asking import Asker, answered, cancelled
from tests.support.runners.scripted import stand_in
from yarrow.protocol.interrupts import ResumeEntry
from yarrow.protocol.problems import Problem
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.delete_session import delete_session
from yarrow.runs.list_interrupts import MAX_PAGE, list_interrupts
from yarrow.runs.submit_run import TaskAccepted
from yarrow.settings import settings as product_settings
from yarrow.store import questions, runs, sessions
from yarrow.worker.invocation.registry import registry

EXPIRIES: Final = (60, 3_600)
PICKS: Final = st.integers(min_value=0, max_value=5)


class States(RuleBasedStateMachine):
    """One session. `states` is how each question has ended, by id, `open` until then; `taken` who took which answer."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.thread = str(uuid.uuid4())
        self.states: dict[str, str] = {}
        self.closes: dict[str, datetime] = {}
        self.taken: dict[str, tuple[str, str]] = {}
        """Digest and run of an answer, by question."""
        self.is_deleted = False
        self.offset = timedelta(0)
        self.numbers = itertools.count(1)

    def teardown(self) -> None:
        self.patch.undo()

    @initialize(expiries=st.lists(st.sampled_from(EXPIRIES), min_size=1, max_size=3))
    def ask(self, expiries: list[int]) -> None:
        async def act(_: Asker, api: AgentRunAPIProxy) -> Any:
            asked = (api.ask(f"Question {n}?", expires_in=seconds) for n, seconds in enumerate(expiries))
            return " ".join(answer.status for answer in await asyncio.gather(*asked))

        machine = self

        class Later(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> Any:
                return datetime.now(tz) + machine.offset

        self.patch.setattr(registry, "find", lambda _: stand_in(lambda: Asker(act)))
        self.patch.setattr(questions, "datetime", Later)
        self.patch.setattr(sessions, "datetime", Later)
        self._run(submit(threadId=self.thread, runId="run-1"))

    @rule(pick=PICKS, approved=st.booleans())
    def answer(self, pick: int, approved: bool) -> None:
        name = self._picked(pick)
        entry = ResumeEntry(name, "resolved", {"approved": approved})
        self._give(entry, "answered" if approved else "refused", lambda: answered(name, {"approved": approved}))

    @rule(pick=PICKS)
    def cancel(self, pick: int) -> None:
        name = self._picked(pick)
        status = "expired" if self._is_over(name) else "cancelled"
        self._give(ResumeEntry(name, "cancelled"), status, lambda: cancelled(name))

    @rule()
    def leave(self) -> None:
        """Send another message: it is refused while a question is open that has not expired."""
        left = [name for name, state in self.states.items() if state == "open"]
        code = self._code(lambda: self._run(submit(threadId=self.thread, runId=f"other-{next(self.numbers)}")), left)
        if self.is_deleted:
            assert code == "AGENT_SESSION_NOT_FOUND"
        else:
            assert code == ("AGENT_INTERRUPT_OPEN" if any(not self._is_over(name) for name in left) else None)

    @rule(seconds=st.sampled_from((30, 100, 4_000)))
    def wait(self, seconds: int) -> None:
        self.offset += timedelta(seconds=seconds)

    @rule()
    def delete(self) -> None:
        delete_session("alice", self.thread)
        self.is_deleted = True
        self._end_open("cancelled")

    @invariant()
    def is_stored(self) -> None:
        names = list(self.states)
        found = zip(names, questions.read("alice", names), strict=True)
        assert {name: question and (question.ended or "open") for name, question in found} == self.states
        waits = {name for name, state in self.states.items() if state == "open"}
        listed = {item.id for item in list_interrupts("alice", str(MAX_PAGE)).interrupts} & self.states.keys()
        assert listed == {name for name in waits if not self._is_over(name)}
        session = sessions.read(self.thread)
        if session is not None and not self.is_deleted:
            assert {line.id for line in session.open_questions} == waits
            assert session.active_run is None

    def _give(self, entry: ResumeEntry, status: str, act: Callable[[], TaskAccepted]) -> None:
        """Give an answer, and check what becomes of it."""
        name, before = entry.interrupt_id, self.taken.get(entry.interrupt_id)
        is_open, is_over = self.states[name] == "open", self._is_over(name)
        accepted: list[TaskAccepted] = []
        code = self._code(lambda: accepted.append(act()), [])
        if self.is_deleted:
            assert code in ("AGENT_SESSION_NOT_FOUND", "AGENT_INTERRUPT_ANSWERED", "AGENT_INTERRUPT_EXPIRED")
        elif is_open and entry.status == "resolved" and is_over:
            assert code == "AGENT_INTERRUPT_EXPIRED"
        elif is_open:
            assert code is None
            self.states[name], self.taken[name] = status, (entry.digest, accepted[0].task_id)
            self._run(accepted[0])
        elif before is not None and before[0] == entry.digest:
            assert accepted[0].task_id == before[1]
        elif before is None and self.states[name] == "expired":
            assert code == "AGENT_INTERRUPT_EXPIRED"
        else:
            assert code == "AGENT_INTERRUPT_ANSWERED"

    def _run(self, accepted: TaskAccepted) -> None:
        """Let a run go on until its end: other questions that have expired meanwhile are closed by it."""
        run = runs.must_read(accepted.task_id)
        for name, state in self.states.items():
            if state == "open" and (self._is_over(name) or not run.earlier):
                self.states[name] = "expired"
        execute(accepted.task_id)
        for line in sessions.must_read(self.thread).open_questions:
            self.states.setdefault(line.id, "open")
            self.closes.setdefault(line.id, datetime.fromisoformat(line.closes_at))

    def _end_open(self, status: str) -> None:
        for name, state in self.states.items():
            if state == "open":
                self.states[name] = "expired" if self._is_over(name) else status

    def _code(self, act: Callable[[], object], left: list[str]) -> str | None:
        """Return the code with which something is refused."""
        try:
            act()
        except Problem as problem:
            return problem.code.name
        assert all(self.states[name] != "open" for name in left)
        return None

    def _picked(self, pick: int) -> str:
        return list(self.states)[pick % len(self.states)]

    def _is_over(self, name: str) -> bool:
        return self.closes[name] <= datetime.now(self.closes[name].tzinfo) + self.offset


@pytest.mark.usefixtures("aws")
@pytest.mark.moto
def test_any_order_leaves_each_question_in_one_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-04, ASK-07: on moto, whose transactions are another implementation than the local stack's."""
    for name in ("runs_per_minute", "run_bytes_per_minute", "runs_per_user"):
        monkeypatch.setitem(product_settings.__dict__, name, 10**9)  # all runs are one user's
    run_state_machine_as_test(
        States,
        settings=settings(
            max_examples=examples(8),
            stateful_step_count=10,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
