"""Deleting sessions: who may, what is left to see, and that nothing brings one back."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count

import pytest

from tests.support.divination_runs import ALICE, THREAD, body, execute, submit
from tests.support.ended_runs import ending_of
from tests.support.functions import api_calls
from tests.support.functions.api_calls import Killed
from tests.support.runners.scripted import DONE, Interrupted, Use, completed, install
from yarrow.protocol.problems import Code, Problem
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.delete_session import delete_session
from yarrow.runs.get_history import day_of_session, latest_by_session, whole_session
from yarrow.runs.stream_events import stream_events
from yarrow.store import runs, sessions
from yarrow.worker import journal_writer

pytestmark = pytest.mark.usefixtures("aws")

NEVER_KNOWN = "650e8400-e29b-41d4-a716-446655440000"


def delete(thread: str = THREAD) -> None:
    delete_session("alice", thread)


def test_a_session_may_be_deleted_again_and_again(use: Use) -> None:
    """SES-01, SES-02: Only the first time counts."""
    use(completed("一"), DONE)
    execute(submit().task_id)
    delete()
    deleted = sessions.read(THREAD)
    assert deleted is not None
    assert deleted.deleted_at is not None
    delete()
    delete_session("alice", THREAD.upper())
    assert sessions.read(THREAD) == deleted


def test_a_session_that_never_was_is_as_good_as_deleted() -> None:
    """SES-02: and may be made later."""
    delete_session("alice", NEVER_KNOWN)
    assert submit(threadId=NEVER_KNOWN).created


def test_a_thread_id_that_is_none_is_refused() -> None:
    """SES-05."""
    with pytest.raises(Problem) as caught:
        delete_session("alice", "thread_001")
    assert (caught.value.code, caught.value.status) == (Code.AGENT_SESSION_ID_INVALID, 422)


def test_nobody_deletes_the_session_of_another() -> None:
    """SES-03, SEC-03, C24: nor learns whether it was deleted."""
    submit()
    for _ in range(2):
        before = sessions.read(THREAD)
        with pytest.raises(Problem) as caught:
            delete_session("bob", THREAD)
        assert caught.value.code is Code.AGENT_FORBIDDEN
        assert sessions.read(THREAD) == before
        delete()


FOLLOW_UP = body()["forwardedProps"] | {"runtime_mode": "follow_up"}


REQUESTS: dict[str, Callable[[], object]] = {
    "history": lambda: whole_session(THREAD, "alice"),
    "older history": lambda: day_of_session(ALICE, THREAD, None),
    "events": lambda: stream_events("alice", THREAD, "run-1", None, None),
    "cancel": lambda: cancel_run("alice", THREAD, "run-1"),
    "same submit": lambda: submit(),
    "next submit": lambda: submit(runId="run-2"),
    "follow-up": lambda: submit(runId="run-2", forwardedProps=FOLLOW_UP),
}


def test_of_a_deleted_session_nothing_is_left_to_see(use: Use) -> None:
    """HIS-16, RUN-24, FUP-02, CAN-03, ERR-05: It disappears at once."""
    use(completed("一"), DONE)
    execute(submit().task_id)
    delete()
    for name, ask in REQUESTS.items():
        with pytest.raises(Problem) as caught:
            ask()
        assert (name, caught.value.code) == (name, Code.AGENT_SESSION_NOT_FOUND)
    assert latest_by_session("alice").messages == ()


def test_the_list_of_sessions_goes_on_after_one_that_was_deleted_meanwhile(use: Use) -> None:
    """HIS-03, HIS-16: whoever pages through it does not begin again."""
    use(completed("一"), DONE)
    threads = [f"{number:08d}-e29b-41d4-a716-446655440000" for number in range(3)]
    for thread in threads:
        execute(submit(threadId=thread).task_id)
    first, second = (item.thread_id for item in latest_by_session("alice", "2").messages)
    delete_session("alice", second)
    rest = latest_by_session("alice", "2", second)
    assert [first, second, *(item.thread_id for item in rest.messages)] == threads[::-1]


def test_a_run_of_it_is_cancelled_and_its_worker_brings_nothing_back(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """SES-04, HIS-16: whatever the worker still has to say, however late."""
    monkeypatch.setattr(journal_writer, "FLUSH_SECONDS", 0.0)
    use(completed("一"), DONE)
    execute(submit().task_id)
    runner = Interrupted(3, delete)
    install(monkeypatch, lambda: runner)
    run_key = submit(runId="run-2").task_id
    execute(run_key)
    assert runner.yielded == 3
    assert ending_of(run_key)["code"] == "RUN_CANCELED"
    session = sessions.read(THREAD)
    assert session is not None
    assert session.deleted_at is not None
    assert latest_by_session("alice").messages == ()


def test_a_delete_that_broke_off_is_finished_by_the_next() -> None:
    """SES-02, SES-04: the session was marked, its run not yet cancelled."""
    run_key = submit().task_id
    with api_calls.watched() as calls:
        calls.reset(2, api_calls.killed_after)
        with suppress(Killed):
            delete()
    session = sessions.read(THREAD)
    assert session is not None
    assert session.deleted_at is not None
    assert not runs.must_read(run_key).ended
    delete()
    assert ending_of(run_key)["code"] == "RUN_CANCELED"


def submit_next(thread: str) -> None:
    with suppress(Problem):
        submit(threadId=thread, runId="run-2")


@pytest.mark.parametrize(("one", "other"), [(submit_next, delete), (delete, submit_next)])
def test_of_a_submit_and_a_delete_at_once_no_run_is_left(
    use: Use, one: Callable[[str], None], other: Callable[[str], None]
) -> None:
    """SES-04, RUN-24: the run is refused or cancelled, before whichever call of the one the other comes."""
    use(completed("一"), DONE)
    with api_calls.watched() as calls:
        for at in count(1):
            thread = f"{at:08d}-e29b-41d4-a716-446655440000"
            execute(submit(threadId=thread).task_id)
            calls.reset(at, api_calls.interrupted_by(partial(other, thread)))
            one(thread)
            if not calls.struck:
                break
            calls.reset()
            run = runs.read(runs.key_of("alice", thread, "run-2"))
            assert run is None or ending_of(run.key)["code"] == "RUN_CANCELED"
            assert latest_by_session("alice").messages == ()
    assert at > 2
