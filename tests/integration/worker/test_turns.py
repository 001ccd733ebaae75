"""Runs that outlive their workers: one story over many turns, on virtual time (STP-04, STP-05)."""

import asyncio
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tests.support.divination_runs import THREAD, refusal, submit
from tests.support.ended_runs import ending_of
from tests.support.journals import text
from tests.support.runners.scripted import install
from tests.support.runners.turns import Clock, Execution
from yarrow.agents import bindings
from yarrow.protocol.problems import Code
from yarrow.protocol.runner.api import AgentAPIException, ModelUsage
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.turn import HandOver
from yarrow.runs import end_run, lost_runs
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.stream_events import check_kept
from yarrow.settings import settings
from yarrow.store import journal, runs, sessions, table
from yarrow.store.runner import contexts
from yarrow.store.runs import ModelUse, ReplacedError
from yarrow.worker import execute_run, turns
from yarrow.worker.invocation.isolation import IsolatedRunner
from yarrow.worker.preparation import Prepared

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

MINUTE, HOUR = 60.0, 3_600.0


@pytest.fixture
def now() -> Iterator[Clock]:
    with Clock().installed() as clock:
        yield clock


class Working:
    """Does pieces of work, each in a step, and tells of them; it may sleep after each."""

    def __init__(self, pieces: int, seconds: float, sleeps: float = 0.0) -> None:
        self.pieces, self.seconds, self.sleeps = pieces, seconds, sleeps
        self.made: Counter[int] = Counter()
        self.contexts: list[AgentRunContext] = []

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        self.contexts.append(context)
        for number in range(self.pieces):
            yield said(context, f"{await api.step('work', partial(self._work, number))} ")
            if self.sleeps:
                await api.sleep(seconds=self.sleeps)

    async def _work(self, number: int) -> int:
        self.made[number] += 1
        await asyncio.sleep(self.seconds)
        return number

    @property
    def words(self) -> str:
        """All that it says."""
        return "".join(f"{number} " for number in range(self.pieces))


def said(context: AgentRunContext, content: str) -> AgentRunResult:
    chunk = {"role": "assistant", "content": content}
    return AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})


def begun(monkeypatch: pytest.MonkeyPatch, runner: AgentRunner, minutes: int, now: Clock) -> Execution:
    """The execution of a run that may last for some minutes."""
    install(monkeypatch, lambda: runner)
    agents = bindings.deployed()
    binding = agents["divination"]
    longer = replace(binding, descriptor=replace(binding.descriptor, max_minutes=minutes))
    monkeypatch.setitem(agents, "divination", longer)
    return Execution(submit().task_id, now)


def told(execution: Execution) -> str:
    """What the run said, if events and history agree, and its one end is that it has finished."""
    run_key = execution.data["runKey"]
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
    answers = [message.content for message in sessions.messages(THREAD) if message.role != "user"]
    assert answers == [text(run_key)]
    return text(run_key)


def test_a_run_of_forty_minutes_takes_three_turns(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-05: no piece of work is done twice, and nobody waits."""
    runner = Working(40, MINUTE)
    execution = begun(monkeypatch, runner, 45, now)
    assert execution.go() == "Done"
    assert execution.states == ["Work", "Turn"] * 3 + ["Done"]
    assert now.passed == 40 * MINUTE
    assert set(runner.made.values()) == {1}
    assert told(execution) == runner.words


def test_a_run_of_a_day_takes_a_hundred_turns(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-05: and what it stored can be read for thirty days after its end."""
    runner = Working(99, 855)
    execution = begun(monkeypatch, runner, 1_440, now)
    assert execution.go() == "Done"
    assert execution.states.count("Work") == 100
    assert now.passed == 99 * 855 > 23.5 * HOUR
    assert set(runner.made.values()) == {1}
    assert told(execution) == runner.words
    kept_until = now.time() + journal.EVENT_DAYS * 24 * HOUR
    partition = table.run_key_of(execution.data["runKey"])["pk"]
    items = [item for item in table.query(partition, start="E", before="T") if item["sk"] != "RUN"]
    assert {"EVENT", "GRANT", "INPUT", "STEP"} == {item["sk"].partition("#")[0] for item in items}
    assert all(item["expires_at"] > kept_until for item in items)
    now.passed += 29.9 * 24 * HOUR
    check_kept(runs.must_read(execution.data["runKey"]))


def test_a_run_that_sleeps_a_day_works_for_seconds(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-04: it is nobody's while it sleeps."""
    runner = Working(23, 1, HOUR)
    execution = begun(monkeypatch, runner, 1_440, now)
    execution.go("Sleep")
    run = runs.must_read(execution.data["runKey"])
    assert (run.phase, run.attempt, run.turns) == ("running", 1, 1)
    assert execution.go() == "Done"
    assert told(execution) == runner.words
    assert execution.states.count("Sleep") == 23
    assert now.passed - execution.slept < 23 * 3
    assert now.passed == pytest.approx(23 * (HOUR + 1), abs=1)


def test_sleeps_side_by_side_and_beside_a_call(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-04: each wakes at its time, and the call is made once."""
    made: list[str] = []

    class Both:
        async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            async def sleep(name: str, seconds: float) -> str:
                await api.sleep(seconds=seconds)
                return f"{name} {round((now.time() - began) / MINUTE)} "

            async def act() -> str:
                made.append("acted")
                await asyncio.sleep(90)
                return "act "

            began = (await api.now()).timestamp()
            sleeps = sleep("long", 50 * MINUTE), sleep("short", 20 * MINUTE)
            for words in await asyncio.gather(*sleeps, api.step("act", act)):
                yield said(context, words)

    execution = begun(monkeypatch, Both(), 90, now)
    assert execution.go() == "Done"
    assert told(execution) == "long 50 short 50 act "
    assert made == ["acted"]
    assert execution.states.count("Sleep") == 2
    assert now.passed == pytest.approx(50 * MINUTE)


def test_a_sleeping_run_ends_at_once_when_it_is_cancelled(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-04: and the worker that would have woken it does nothing."""
    runner = Working(2, 1, HOUR)
    execution = begun(monkeypatch, runner, 180, now)
    execution.go("Sleep")
    assert cancel_run("alice", THREAD, "run-1").phase == "canceled"
    assert ending_of(execution.data["runKey"])["code"] == "RUN_CANCELED"
    assert execution.go() == "Done"
    assert runner.made == {0: 1}


def test_each_turn_has_the_context_of_the_first(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-06: what the run itself has stored since is not in it, or its calls would be others."""

    class Counting(Working):
        async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            await api.state.set("conversation", "count", context.state.conversation.get("count", 0) + 1)
            async for result in super().run(context, api):
                yield result
            yield said(context, str(await api.state.get("conversation", "count")))

    runner = Counting(3, 1, HOUR)
    execution = begun(monkeypatch, runner, 600, now)
    execution.go()
    assert told(execution) == "0 1 2 1"
    assert len(runner.contexts) == 4
    assert all(context == runner.contexts[0] for context in runner.contexts)


def test_its_deadline_is_the_runs(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """RNR-70: over all turns, and no sleep goes beyond it."""

    class Endless(Working):
        async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            deadlines.append(context.runtime.deadline_at)
            with pytest.raises(AgentAPIException, match=r"^deadline_exceeded"):
                await api.sleep(seconds=31 * MINUTE)
            async for result in super().run(context, api):
                yield result

    deadlines: list[float | None] = []
    execution = begun(monkeypatch, Endless(1_000, MINUTE), 30, now)
    assert execution.go() == "Done"
    assert ending_of(execution.data["runKey"])["code"] == "runner.timeout"
    assert now.passed == pytest.approx(30 * MINUTE)
    assert len(deadlines) == 3
    assert len(set(deadlines)) == 1


def test_a_run_has_so_many_workers_at_most(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-05: no execution exceeds its history."""
    monkeypatch.setattr(turns, "MAX_WORKERS", 3)
    execution = begun(monkeypatch, Working(9, 1, HOUR), 1_440, now)
    assert execution.go() == "Done"
    assert ending_of(execution.data["runKey"])["code"] == "runner.too_many_turns"
    assert execution.states.count("Work") == 3


def test_what_models_used_counts_in_all_turns(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """RNR-52: with calls that were cut off, and have no step."""
    found: list[ModelUse] = []
    work = execute_run._work

    async def spending(run: runs.Run, writer: Any, prepared: Prepared, orchestrator: Any) -> HandOver | None:
        found.append(prepared.budget.used())
        await prepared.budget.admit()
        prepared.budget.spend(ModelUsage(input_tokens=100, output_tokens=20))
        return await work(run, writer, prepared, orchestrator)

    monkeypatch.setattr(execute_run, "_work", spending)
    execution = begun(monkeypatch, Working(3, 1, HOUR), 600, now)
    execution.go()
    assert found == [(0, 0), (1, 120), (2, 240), (3, 360)]


# ---- Lost or asleep --------------------------------------------------------------------------------------------------
def ends_after(run_key: str, monkeypatch: pytest.MonkeyPatch, now: Clock, most: float) -> float:
    """After how many seconds a reader that looks now and then takes the run for lost."""
    monkeypatch.setattr("time.monotonic", now.time)
    watch, began = lost_runs.LivenessWatch(run_key), now.time()
    while not runs.must_read(run_key).ended and now.time() - began < most:
        now.passed += lost_runs.CHECK_EVERY_SECONDS
        watch.check()
    return now.time() - began


def test_a_run_that_sleeps_is_not_lost_before_it_should_have_woken(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-05, CMP-11: then it has as long as a run whose first worker is awaited."""
    execution = begun(monkeypatch, Working(2, 1, HOUR), 180, now)
    execution.go("Turn")
    patience = lost_runs.PATIENCE_SECONDS["queued"]
    assert ends_after(execution.data["runKey"], monkeypatch, now, 3 * HOUR) == pytest.approx(HOUR + patience, abs=10)
    assert ending_of(execution.data["runKey"])["code"] == "RUN_LOST"


def test_a_run_whose_turn_has_ended_waits_for_the_next_one(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    execution = begun(monkeypatch, Working(40, MINUTE), 45, now)
    execution.go("Turn")
    patience = lost_runs.PATIENCE_SECONDS["queued"]
    assert ends_after(execution.data["runKey"], monkeypatch, now, HOUR) == pytest.approx(patience, abs=10)


def test_a_long_run_is_not_overdue_before_its_end(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """CMP-11, CMP-12: for a submit, nor free as a slot of its user."""
    monkeypatch.setitem(settings.__dict__, "runs_per_user", 1)
    execution = begun(monkeypatch, Working(9, 1, 2 * HOUR), 1_440, now)
    execution.go("Sleep", times=9)
    assert refusal(runId="run-2") == Code.AGENT_RUN_IN_PROGRESS
    assert refusal(runId="run-2", threadId=str(uuid.uuid4())) == Code.AGENT_RUN_LIMIT
    now.passed += 9 * HOUR
    submit(runId="run-2")
    assert ending_of(execution.data["runKey"])["code"] == "RUN_LOST"


# ---- Races -----------------------------------------------------------------------------------------------------------
def test_a_worker_that_was_replaced_hands_nothing_over(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-05: the run is the later worker's."""
    runner = Working(2, 1, HOUR)
    execution = begun(monkeypatch, runner, 180, now)
    run_key = execution.data["runKey"]
    hand_over = runs.hand_over

    def replaced(run: runs.Run, *given: Any) -> bool:
        runs.claim(run_key)
        return hand_over(run, *given)

    with monkeypatch.context() as patched:
        patched.setattr(runs, "hand_over", replaced)
        with pytest.raises(ReplacedError):
            execute_run.work(run_key)
    run = runs.must_read(run_key)
    assert (run.attempt, run.turns, run.resumes_at) == (2, 0, None)


def test_a_run_that_was_cancelled_meanwhile_is_not_handed_over(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    execution = begun(monkeypatch, Working(2, 1, HOUR), 180, now)
    run_key = execution.data["runKey"]
    keep = contexts.keep

    def cancelled(*given: Any) -> None:
        keep(*given)
        end_run.end_with_error(run_key, end_run.CANCELED)

    monkeypatch.setattr(contexts, "keep", cancelled)
    assert execution.go() == "Done"
    assert ending_of(run_key)["code"] == "RUN_CANCELED"


def test_an_installed_runner_is_stopped_and_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-05, RNR-72: on the loop of its own, in real time."""
    monkeypatch.setitem(settings.__dict__, "turn_seconds", 0.2)
    runner = Working(6, 0.05)
    install(monkeypatch, lambda: IsolatedRunner(runner))
    monkeypatch.setattr("yarrow.worker.preparation.MINUTE", 60.0)
    run_key = submit().task_id
    worked = 1
    while execute_run.work(run_key) is not None:
        worked += 1
    assert worked > 1
    assert text(run_key) == runner.words
    assert set(runner.made.values()) == {1}
