"""The cap on a user's active runs: so many and no more, whatever comes at once, and room as soon as one has ended."""

import json
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.divination_runs import ALICE, BOB, body
from tests.support.functions.calls import invoke
from tests.support.functions.payloads import Case
from tests.support.runners.scripted import DONE, Scripted, completed, install
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.runs import end_run, lost_runs
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.delete_session import delete_session
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.settings import settings
from yarrow.store import clients, clock, runs, sessions, table
from yarrow.store.limits import run_slots, stream_slots
from yarrow.worker import execute_run

pytestmark = pytest.mark.usefixtures("aws")

MOST = 3


@pytest.fixture(autouse=True)
def cap(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "runs_per_user", MOST)


def begin(caller: Caller = ALICE, thread: str | None = None) -> TaskAccepted:
    """Return a run in a session of its own."""
    arguments = body(threadId=thread or str(uuid.uuid4()))
    return submit_run(json.dumps(arguments).encode(), caller)


def is_refused(caller: Caller = ALICE) -> bool:
    """Whether one run more is one too many."""
    try:
        begin(caller)
    except Problem as problem:
        if problem.code is Code.AGENT_RUN_LIMIT:
            return True
        raise
    return False


def named(user: str = "alice") -> frozenset[str]:
    return run_slots.stored(table.get(run_slots.key(user)))


def test_a_user_has_so_many_active_runs_at_once() -> None:
    """CMP-12: of one more nothing is stored and nothing is started; other users are not concerned."""
    accepted = {begin().task_id for _ in range(MOST)}
    thread = str(uuid.uuid4())
    with pytest.raises(Problem, match="too many active runs"):
        begin(thread=thread)
    assert sessions.read(thread) is None
    assert runs.read(runs.key_of("alice", thread, "run-1")) is None
    assert named() == accepted
    executions = clients.step_functions().list_executions(stateMachineArn=settings.state_machine_arn)["executions"]
    assert {execution["name"] for execution in executions} == accepted
    assert not is_refused(BOB)


def test_an_accepted_run_may_be_submitted_again_at_the_cap() -> None:
    """RUN-23."""
    first = begin()
    for _ in range(MOST - 1):
        begin()
    assert begin(thread=first.thread_id) == first
    assert is_refused()


@pytest.mark.parametrize("function", ["submit_run", "send_message"])
def test_both_doors_refuse(function: str) -> None:
    """CMP-12, EVT-06, EVT-19, ERR-01: and no stream is left open for what was refused."""
    case = Case()
    for _ in range(MOST):
        begin(Caller(case.user))
    answer = invoke(function, case.payload(f"api_gateway_{function}"))
    assert (answer.status, answer.document["code"]) == (429, "AGENT_RUN_LIMIT")
    assert answer.document["params"] == {"limit": MOST}
    assert stream_slots.acquire(case.user, 1) is not None


def lose(run: TaskAccepted) -> None:
    """A reader looks twice and sees no sign of life."""
    watch = lost_runs.LivenessWatch(run.task_id)
    watch.check()
    watch.check()


ENDINGS: dict[str, Callable[[TaskAccepted], object]] = {
    "finished": lambda run: execute_run.work(run.task_id),
    "failed": lambda run: end_run.fail(run.task_id, "ValueError"),
    "canceled": lambda run: cancel_run("alice", run.thread_id, run.run_id),
    "deleted": lambda run: delete_session("alice", run.thread_id),
    "lost": lose,
}


@pytest.mark.parametrize("how", ENDINGS)
def test_there_is_room_as_soon_as_a_run_has_ended(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12, CAN-01, SES-04: whoever ended it, and for one run, not for more."""
    install(monkeypatch, lambda: Scripted(completed("好"), DONE))
    monkeypatch.setattr(lost_runs, "CHECK_EVERY_SECONDS", 0.0)
    monkeypatch.setitem(lost_runs.PATIENCE_SECONDS, "queued", 0.0)
    first, *others = (begin() for _ in range(MOST))
    assert is_refused()
    ENDINGS[how](first)
    latest = begin()
    assert named() == {latest.task_id, *(other.task_id for other in others)}
    assert is_refused()


LONGEST = run_slots.MARGIN + timedelta(minutes=runs.MAX_MINUTES)


def test_a_run_that_nobody_ends_counts_no_longer_than_one_can_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-11."""
    with monkeypatch.context() as patched:
        patched.setattr(clock, "now_iso", lambda: long_ago(LONGEST + timedelta(minutes=1)))
        begin()
        patched.setattr(clock, "now_iso", lambda: long_ago(LONGEST - timedelta(minutes=1)))
        for _ in range(MOST - 1):
            begin()
    assert not is_refused()
    assert is_refused()


def long_ago(age: timedelta) -> str:
    return (datetime.now(UTC) - age).isoformat()


def test_without_a_cap_runs_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12."""
    monkeypatch.setitem(settings.__dict__, "runs_per_user", 0)
    for _ in range(MOST + 1):
        begin()
    assert named() == frozenset()


def test_a_cap_may_be_lowered_below_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12."""
    monkeypatch.setitem(settings.__dict__, "runs_per_user", 2 * MOST)
    accepted = [begin() for _ in range(2 * MOST)]
    monkeypatch.setitem(settings.__dict__, "runs_per_user", MOST)
    for run in accepted[: MOST + 1]:
        assert is_refused()
        end_run.fail(run.task_id, "ValueError")
    assert not is_refused()


@pytest.mark.parametrize("ended", [0, 1, MOST])
def test_of_many_submits_at_once_no_more_are_taken_than_there_is_room_for(ended: int) -> None:
    """CMP-12: each in a session of its own; also where room has to be made first."""
    for _ in range(ended):
        end_run.fail(begin().task_id, "ValueError")
    with ThreadPoolExecutor(8) as pool:
        refused = list(pool.map(lambda _: is_refused(), range(3 * MOST)))
    assert refused.count(False) == MOST
    assert sum(not runs.must_read(text).ended for text in named()) == MOST
