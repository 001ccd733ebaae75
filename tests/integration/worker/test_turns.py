"""Runs that outlive their workers: one story over many turns, on virtual time (STP-04, STP-05)."""

import asyncio
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError

from functions.end_run.app import handler as ended
from functions.execute_run.app import handler
from tests.support.divination_runs import THREAD, refusal, submit
from tests.support.ended_runs import ending_of
from tests.support.journals import text
from tests.support.run_lives import CONTEXT
from tests.support.runners.scripted import install
from tests.support.runners.turns import Clock, Execution
from tests.support.state_machine import TURN_MACHINE_ARN
from yarrow.agents import bindings
from yarrow.protocol.problems import Code
from yarrow.protocol.runner.api import AgentAPIException, ModelUsage
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import end_run, lost_runs
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.start_execution import execution_arn, start_turn
from yarrow.runs.stream_events import check_kept
from yarrow.settings import settings
from yarrow.store import clients, journal, runs, sessions, table
from yarrow.store.runner import contexts
from yarrow.store.runs import ModelUse, ReplacedError
from yarrow.worker import execute_run, heartbeat, turns
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
    run_key = execution.run_key
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
    answers = [message.content for message in sessions.messages(THREAD) if message.role != "user"]
    assert answers == [text(run_key)]
    return text(run_key)


def test_a_run_of_forty_minutes_takes_three_turns(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-05: no piece of work is done twice, and nobody waits."""
    runner = Working(40, MINUTE)
    execution = begun(monkeypatch, runner, 45, now)
    assert execution.go() == "Work"
    assert execution.states == ["Work", *(["Sleep", "Work"] * 2)]
    assert now.passed == 40 * MINUTE
    assert set(runner.made.values()) == {1}
    assert told(execution) == runner.words


def test_a_run_of_a_day_takes_a_hundred_turns(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-05: and what it stored can be read for thirty days after its end."""
    # Not 95,000 looks at the run between beats: the test of forty minutes has enough of them.
    monkeypatch.setattr(heartbeat, "WATCH_SECONDS", heartbeat.BEAT_SECONDS)
    runner = Working(99, 855)
    execution = begun(monkeypatch, runner, 1_440, now)
    assert execution.go() == "Work"
    assert execution.states.count("Work") == 100
    assert now.passed == 99 * 855 > 23.5 * HOUR
    assert set(runner.made.values()) == {1}
    assert told(execution) == runner.words
    kept_until = now.time() + journal.EVENT_DAYS * 24 * HOUR
    partition = table.run_key_of(execution.run_key)["pk"]
    items = [item for item in table.query(partition, start="E", before="T") if item["sk"] != "RUN"]
    assert {"EVENT", "GRANT", "INPUT", "STEP"} == {item["sk"].partition("#")[0] for item in items}
    assert all(item["expires_at"] > kept_until for item in items)
    now.passed += 29.9 * 24 * HOUR
    check_kept(runs.must_read(execution.run_key))


def test_a_run_that_sleeps_a_day_works_for_seconds(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-04: it is nobody's while it sleeps."""
    runner = Working(23, 1, HOUR)
    execution = begun(monkeypatch, runner, 1_440, now)
    execution.go("Sleep")
    run = runs.must_read(execution.run_key)
    assert (run.phase, run.attempt, run.turns) == ("running", 1, 1)
    assert execution.go() == "Work"
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
    assert execution.go() == "Work"
    assert told(execution) == "long 50 short 50 act "
    assert made == ["acted"]
    assert execution.states.count("Sleep") == 2
    assert now.passed == pytest.approx(50 * MINUTE)


def test_a_sleeping_run_ends_at_once_when_it_is_cancelled(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-04: with its execution; a worker that would have woken it does nothing."""
    runner = Working(2, 1, HOUR)
    execution = begun(monkeypatch, runner, 180, now)
    execution.go("Sleep")
    assert cancel_run("alice", THREAD, "run-1").phase == "canceled"
    assert status(runs.must_read(execution.run_key)) == "ABORTED"
    assert ending_of(execution.run_key)["code"] == "RUN_CANCELED"
    assert execution.go() == "Work"
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
    assert execution.go() == "Work"
    assert ending_of(execution.run_key)["code"] == "runner.timeout"
    assert now.passed == pytest.approx(30 * MINUTE)
    assert len(deadlines) == 3
    assert len(set(deadlines)) == 1


def test_a_run_has_so_many_workers_at_most(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-05: no place in its journal has more empty items than a reader looks through."""
    monkeypatch.setattr(turns, "MAX_WORKERS", 3)
    execution = begun(monkeypatch, Working(9, 1, HOUR), 1_440, now)
    assert execution.go() == "Work"
    assert ending_of(execution.run_key)["code"] == "runner.too_many_turns"
    assert execution.states.count("Work") == 3


def test_what_models_used_counts_in_all_turns(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """RNR-52: with calls that were cut off, and have no step."""
    found: list[ModelUse] = []
    work = execute_run._work

    async def spending(run: runs.Run, writer: Any, prepared: Prepared, orchestrator: Any) -> runs.Run | None:
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
    execution.go("Work")
    patience = lost_runs.PATIENCE_SECONDS["queued"]
    assert ends_after(execution.run_key, monkeypatch, now, 3 * HOUR) == pytest.approx(HOUR + patience, abs=10)
    assert ending_of(execution.run_key)["code"] == "RUN_LOST"


def test_a_run_whose_turn_has_ended_waits_for_the_next_one(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    execution = begun(monkeypatch, Working(40, MINUTE), 45, now)
    execution.go("Work")
    patience = lost_runs.PATIENCE_SECONDS["queued"]
    assert ends_after(execution.run_key, monkeypatch, now, HOUR) == pytest.approx(patience, abs=10)


def test_a_long_run_is_not_overdue_before_its_end(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """CMP-11, CMP-12: for a submit, nor free as a slot of its user."""
    monkeypatch.setitem(settings.__dict__, "runs_per_user", 1)
    execution = begun(monkeypatch, Working(9, 1, 2 * HOUR), 1_440, now)
    execution.go("Sleep", times=9)
    assert refusal(runId="run-2") == Code.AGENT_RUN_IN_PROGRESS
    assert refusal(runId="run-2", threadId=str(uuid.uuid4())) == Code.AGENT_RUN_LIMIT
    now.passed += 9 * HOUR
    submit(runId="run-2")
    assert ending_of(execution.run_key)["code"] == "RUN_LOST"


# ---- Races -----------------------------------------------------------------------------------------------------------
def test_a_worker_that_was_replaced_hands_nothing_over(monkeypatch: pytest.MonkeyPatch, now: Clock) -> None:
    """STP-05: the run is the later worker's."""
    runner = Working(2, 1, HOUR)
    execution = begun(monkeypatch, runner, 180, now)
    run_key = execution.run_key
    hand_over = runs.hand_over

    def replaced(run: runs.Run, *given: Any) -> runs.Run | None:
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
    run_key = execution.run_key
    keep = contexts.keep

    def cancelled(*given: Any) -> None:
        keep(*given)
        end_run.end_with_error(run_key, end_run.CANCELED)

    monkeypatch.setattr(contexts, "keep", cancelled)
    assert execution.go() == "Work"
    assert ending_of(run_key)["code"] == "RUN_CANCELED"


def status(run: runs.Run) -> str:
    """The status of the execution of the run's turn. Raises ClientError if it has not been started."""
    return clients.step_functions().describe_execution(executionArn=execution_arn(run))["status"]


def task(execution: Execution, task: str, turn: int) -> None:
    """Do a task of the execution of a turn, as the state machine does when it tries it again."""
    event = {"task": task, "runKey": execution.run_key, "turn": turn, "turnMachine": TURN_MACHINE_ARN}
    handler({**event, "error": "States.Timeout"}, CONTEXT)


class StartFailedError(Exception):
    """What a start of an execution that fails raises here."""


@pytest.fixture
def handed_over(monkeypatch: pytest.MonkeyPatch, now: Clock) -> Execution:
    """A run that sleeps for an hour in its second turn, whose worker died before it could start that."""
    execution = begun(monkeypatch, Working(2, 1, HOUR), 180, now)
    with monkeypatch.context() as patched:
        patched.setattr("functions.execute_run.app.start_turn", Mock(side_effect=StartFailedError))
        with pytest.raises(Exception, match=r"^see the log"):
            task(execution, "work", 0)
    run = runs.must_read(execution.run_key)
    assert (run.attempt, run.turns, run.rests) == (1, 1, True)
    with pytest.raises(ClientError, match="ExecutionDoesNotExist"):
        status(run)
    return execution


@pytest.mark.parametrize("what", ["work", "fail"])
def test_a_turn_that_no_execution_was_started_for_is_started(handed_over: Execution, what: str, now: Clock) -> None:
    """STP-05: by the execution of the turn before, however often it tries; the run neither works nor ends then."""
    for _ in range(3):
        task(handed_over, what, 0)
    run = runs.must_read(handed_over.run_key)
    assert (run.phase, run.attempt, run.turns) == ("running", 1, 1)
    assert status(run) == "RUNNING"
    assert handed_over.go() == "Work"
    assert told(handed_over) == "0 1 "
    assert handed_over.slept == pytest.approx(2 * HOUR, abs=5)


def test_an_execution_that_failed_after_it_handed_over_has_the_next_turn_started(handed_over: Execution) -> None:
    """RUN-27, STP-05: EventBridge tells of it, once or twice; a failed turn that had not ends the run."""
    for _ in range(2):
        ended({"detail": {"name": handed_over.run_key, "status": "FAILED"}}, CONTEXT)
    run = runs.must_read(handed_over.run_key)
    assert (run.phase, status(run)) == ("running", "RUNNING")
    ended({"detail": {"name": execution_arn(run).rpartition(":")[2], "status": "ABORTED"}}, CONTEXT)
    assert ending_of(handed_over.run_key)["code"] == "RUN_FAILED"


@pytest.mark.parametrize("what", ["work", "fail"])
def test_an_earlier_turn_does_nothing_to_a_later_one(handed_over: Execution, what: str) -> None:
    """STP-05: its task may be tried again while the next turn works, and after the end."""
    claimed = runs.claim(handed_over.run_key, 1)
    task(handed_over, what, 0)
    run = runs.must_read(handed_over.run_key)
    assert claimed == run
    with pytest.raises(ClientError, match="ExecutionDoesNotExist"):
        status(run)
    end_run.end_with_error(handed_over.run_key, end_run.CANCELED)
    task(handed_over, what, 0)
    with pytest.raises(ClientError, match="ExecutionDoesNotExist"):
        status(run)


def test_a_cancel_before_the_next_turn_is_started_leaves_nothing_to_do(handed_over: Execution) -> None:
    """STP-04: the execution that a worker starts after it finds the run ended."""
    run = runs.must_read(handed_over.run_key)
    assert cancel_run("alice", THREAD, "run-1").phase == "canceled"
    start_turn(run, TURN_MACHINE_ARN)
    task(handed_over, "work", 1)
    assert runs.must_read(handed_over.run_key).attempt == 1


def test_an_installed_runner_is_stopped_and_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-05, RNR-72: on the loop of its own, in real time."""
    monkeypatch.setitem(settings.__dict__, "turn_seconds", 0.2)
    runner = Working(6, 0.05)
    install(monkeypatch, lambda: IsolatedRunner(runner))
    monkeypatch.setattr("yarrow.worker.preparation.MINUTE", 60.0)
    run_key = submit().task_id
    turn = 0
    while (resting := execute_run.work(run_key, turn)) is not None:
        turn = resting.turns
    assert turn >= 1
    assert text(run_key) == runner.words
    assert set(runner.made.values()) == {1}
