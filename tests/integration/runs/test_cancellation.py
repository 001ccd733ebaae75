"""Cancelling runs: before, during and after their work, and what is refused."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from tests.support.divination_runs import THREAD, execute, submit
from tests.support.ended_runs import ending_of
from tests.support.functions import api_calls
from tests.support.journals import stored, types
from tests.support.runners.scripted import DONE, Interrupted, Use, completed, delta, install
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import end_run
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.delete_session import delete_session
from yarrow.settings import settings
from yarrow.store import clients, objects, runs, sessions
from yarrow.store.runner import persistent_state
from yarrow.store.runner.persistent_state import StateSpace
from yarrow.worker import execute_run, heartbeat, journal_writer
from yarrow.worker.invocation.isolation import IsolatedRunner
from yarrow_agents.divination import runner as divination

pytestmark = pytest.mark.usefixtures("aws")


def cancel(run_id: str = "run-1", thread_id: str = THREAD) -> runs.Run:
    return cancel_run("alice", thread_id, run_id)


def status_of_execution(run_key: str) -> str:
    machine = settings.state_machine_arn
    listed = clients.step_functions().list_executions(stateMachineArn=machine)["executions"]
    (status,) = (entry["status"] for entry in listed if entry["name"] == run_key)
    return status


def test_a_run_that_has_not_begun_is_never_worked_on(use: Use) -> None:
    """CAN-01, CAN-05, CAN-06, EVT-28: its terminal event says who ended it; its execution is stopped."""
    runner = use(completed("一"), DONE)
    run_key = submit().task_id
    assert cancel().phase == "canceled"
    assert cancel().phase == "canceled"  # a client that lost the answer asks again
    assert stored(run_key)[1:] == [
        {
            "type": "RUN_ERROR",
            "threadId": THREAD,
            "runId": "run-1",
            "message": "run canceled by user",
            "code": "RUN_CANCELED",
        }
    ]
    assert status_of_execution(run_key) == "ABORTED"
    execute_run.work(run_key)
    assert runner.contexts == []
    assert ending_of(run_key)["code"] == "RUN_CANCELED"


def test_a_worker_stops_at_its_next_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """CAN-04, EVT-17: what was said stays and is closed; the runner is closed too, and its run not finished."""
    monkeypatch.setattr(journal_writer, "FLUSH_SECONDS", 0.0)
    for at in (1, 2, 8):
        run_id = f"run-{at}"
        runner = Interrupted(at, partial(cancel, run_id))

        def create(runner: Interrupted = runner) -> Interrupted:
            return runner

        install(monkeypatch, create)
        run_key = submit(runId=run_id).task_id
        execute(run_key)
        assert (runner.yielded, runner.closed) == (at, True)
        assert types(run_key).count("TEXT_MESSAGE_CONTENT") == at - 1
        assert ending_of(run_key)["code"] == "RUN_CANCELED"
    assert [message.role for message in sessions.messages(THREAD)] == ["user"]  # the same message, asked again


def test_a_worker_whose_runner_is_silent_is_stopped_by_its_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """CAN-04: it has no event to store, and finds out all the same."""
    closed = []

    class Silent:
        async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            try:
                await asyncio.to_thread(cancel)
                await asyncio.Event().wait()
                yield AgentRunResult(run_id=context.run_id, type="run.completed")
            finally:
                closed.append(True)

    install(monkeypatch, Silent)
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 0.02)
    run_key = submit().task_id
    execute(run_key)
    assert closed == [True]
    assert ending_of(run_key)["code"] == "RUN_CANCELED"


ENDS: dict[str, Callable[[str], object]] = {
    "cancelled": lambda _: cancel(),
    "deleted": lambda _: delete_session("alice", THREAD),
    "taken over": runs.claim,
}


@pytest.mark.parametrize("end", ENDS)
def test_what_a_runner_asks_for_after_its_run_is_refused_and_not_kept(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C51, RNR-64: at its next call, in this process, too; before anybody has had the time to tell it."""
    monkeypatch.setattr(heartbeat, "WATCH_SECONDS", 60)  # what refuses the calls is not the watch
    codes: list[str] = []
    space: list[StateSpace] = []

    class Late:
        async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            space.append(StateSpace(divination.RUNNER.manifest.id, "divination", "conversation", THREAD))
            await api.state.set("conversation", "before", 1)
            await asyncio.to_thread(ENDS[end], context.run_id)
            for call in (api.state.set("conversation", "after", 1), api.state.delete("conversation", "before")):
                with pytest.raises(AgentAPIException) as refused:
                    await call
                codes.append(refused.value.error.code)
            data = {"artifact_type": "file", "mime_type": "text/plain", "content_base64": "YQ=="}
            yield AgentRunResult(run_id=context.run_id, type="artifact.created", data=data)

    install(monkeypatch, Late)
    run_key = submit().task_id
    with suppress(runs.ReplacedError):  # of a worker that was replaced, the state machine is told
        execute(run_key)
    assert codes == ["unauthorized", "unauthorized"]
    assert persistent_state.read_all(space[0]) == {"before": 1}
    assert "artifact.created" not in str(stored(run_key))
    assert objects.keys("artifacts/") == ([], False)


def test_a_runner_that_swallows_its_cancellation_can_do_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """C51, RNR-72: in a thread of its own, as installed runners are."""
    monkeypatch.setattr(heartbeat, "WATCH_SECONDS", 0.02)
    codes: list[str] = []
    over = threading.Event()

    class Stubborn:
        async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            with suppress(asyncio.CancelledError):
                await asyncio.to_thread(cancel)
                await asyncio.Event().wait()
            for call in (api.state.get("conversation", "a"), api.state.set("conversation", "a", 1)):
                with pytest.raises(AgentAPIException) as refused:
                    await call
                codes.append(refused.value.error.code)
            over.set()
            yield AgentRunResult(run_id=context.run_id, type=delta("late")[0], data=delta("late")[1])

    install(monkeypatch, lambda: IsolatedRunner(Stubborn()))
    run_key = submit().task_id
    execute(run_key)
    assert over.wait(10)
    assert codes == ["unauthorized", "unauthorized"]
    assert "late" not in str(stored(run_key))
    assert ending_of(run_key)["code"] == "RUN_CANCELED"


def test_a_run_that_has_ended_stays_as_it_is(use: Use) -> None:
    """CAN-05: finished, failed or cancelled; the cancel is accepted."""
    use(completed("一"), DONE)
    ends: dict[str, Callable[[str], object]] = {
        "finished": execute,
        "failed": lambda run_key: end_run.fail(run_key, "ValueError"),
        "canceled": lambda _: cancel("canceled"),
    }
    for run_id, end in ends.items():
        run_key = submit(runId=run_id).task_id
        end(run_key)
        events, run, messages = stored(run_key), runs.must_read(run_key), list(sessions.messages(THREAD))
        assert run.phase == run_id
        assert cancel(run_id) == run
        assert (stored(run_key), runs.must_read(run_key), list(sessions.messages(THREAD))) == (events, run, messages)


def test_a_run_that_finished_has_its_execution_left_alone(use: Use) -> None:
    """CAN-05: it may be about to report its success."""
    use(completed("一"), DONE)
    run_key = submit().task_id
    execute(run_key)
    cancel()
    assert status_of_execution(run_key) == "RUNNING"  # nothing executes it in this test


def test_the_session_takes_the_next_run_at_once() -> None:
    """CAN-05, CMP-12, HIS-17, HIS-18."""
    for number in range(1, 4):
        submit(runId=f"run-{number}", messages=[{"id": f"msg-{number}", "role": "user", "content": "?"}])
        cancel(f"run-{number}")
    assert [(message.seq, message.role) for message in sessions.messages(THREAD)] == [
        (1, "user"),
        (2, "user"),
        (3, "user"),
    ]


NOT_STOPPED = [
    ClientError({"Error": {"Code": "ThrottlingException"}}, "StopExecution"),
    ClientError({"Error": {"Code": "AccessDeniedException"}}, "StopExecution"),
    EndpointConnectionError(endpoint_url="https://states"),
]


def test_a_cancel_holds_though_the_execution_could_not_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """CAN-01, CAN-05: the execution finds the run ended; a second cancel stops it."""
    for number, error in enumerate(NOT_STOPPED):
        run_id = f"run-{number}"
        run_key = submit(runId=run_id).task_id
        with monkeypatch.context() as patched:
            patched.setattr(clients.step_functions(), "stop_execution", Mock(side_effect=error))
            cancel(run_id)
        assert ending_of(run_key)["code"] == "RUN_CANCELED"
        assert status_of_execution(run_key) == "RUNNING"
        cancel(run_id)
        assert status_of_execution(run_key) == "ABORTED"


def test_a_run_may_be_cancelled_before_its_execution_was_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """CAN-05, CAN-06: the submit has stored it, and is about to start it."""
    monkeypatch.setattr(clients.step_functions(), "start_execution", Mock())
    run_key = submit().task_id
    cancel()
    assert ending_of(run_key)["code"] == "RUN_CANCELED"


def test_of_a_cancel_and_a_completion_at_once_one_wins(use: Use) -> None:
    """CAN-05, EVT-08: and history agrees with it, whichever it is."""
    use(completed("一"), DONE)
    with api_calls.watched(), ThreadPoolExecutor(2) as pool:
        for number in range(10):
            run_id = f"run-{number}"
            run_key = submit(runId=run_id).task_id
            both: list[Future[Any]] = [pool.submit(execute_run.work, run_key), pool.submit(cancel, run_id)]
            for done in both:
                done.result()
            ending_of(run_key)


REFUSED = [
    ("alice", "650e8400-e29b-41d4-a716-446655440000", "run-1", Code.AGENT_SESSION_NOT_FOUND),
    ("bob", THREAD, "run-1", Code.AGENT_FORBIDDEN),
    ("alice", THREAD, "run-2", Code.AGENT_RUN_NOT_FOUND),
    ("alice", THREAD, None, Code.AGENT_INVALID_RUN_ID),
    ("alice", THREAD, "", Code.AGENT_INVALID_RUN_ID),
    ("alice", THREAD, "x" * 129, Code.AGENT_INVALID_RUN_ID),
    ("alice", "thread_001", "run-1", Code.AGENT_SESSION_ID_INVALID),
]


def test_other_cancels_are_refused() -> None:
    """CAN-02, CAN-03, SEC-03: and the run goes on."""
    run_key = submit().task_id
    for user, thread, run, code in REFUSED:
        with pytest.raises(Problem) as caught:
            cancel_run(user, thread, run)
        assert (user, thread, run, caught.value.code) == (user, thread, run, code)
    assert not runs.must_read(run_key).ended
