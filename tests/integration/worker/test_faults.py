"""Runs whose parts fail, die, come twice, come late or come at the same time: no run is lost, doubled or left open."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from itertools import product
from typing import Any, Self

import pytest
from botocore.exceptions import ClientError
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from tests.support.effort import examples
from tests.support.ended_runs import ending_of
from tests.support.functions import api_calls
from tests.support.functions.api_calls import ApiCalls, Fault, Killed, interrupted_by
from tests.support.run_lives import Life, lives
from tests.support.runners.scripted import DONE, Scripted, completed, delta, install
from yarrow.protocol.problems import Code, Problem
from yarrow.runs import lost_runs
from yarrow.settings import settings
from yarrow.store import clock, runs, table
from yarrow.store.limits import run_slots, stream_slots
from yarrow.store.runs import ReplacedError
from yarrow.worker import journal_writer

pytestmark = [pytest.mark.usefixtures("aws", "script"), pytest.mark.memory]
"""On moto alone: what counts here is which calls are made, and they are the same to every engine."""

SCRIPT = (
    delta("天"),
    ("state.updated", {"scope": "conversation", "key": "k", "value": 1}),
    completed("天地"),
    DONE,
)

FAILURE = ("run.failed", {"code": "agent.tired", "message": "try later", "retryable": True})

FAULTS = (
    api_calls.refused,
    api_calls.unanswered,
    api_calls.asked_twice,
    api_calls.collided,
    api_calls.killed_before,
    api_calls.killed_after,
)

END_STATUSES = {"FAILED": "RUN_FAILED", "TIMED_OUT": "RUN_TIMEOUT", "ABORTED": "RUN_FAILED"}
"""How an execution may end without its last state, and what its run ends with."""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> None:
    """A runner with something of everything, every event of which is stored by itself; readers without patience."""
    install(monkeypatch, lambda: Scripted(*SCRIPT))
    monkeypatch.setattr(journal_writer, "FLUSH_SECONDS", 0.0)
    monkeypatch.setattr(lost_runs, "CHECK_EVERY_SECONDS", 0.0)
    for phase in ("queued", "running"):
        monkeypatch.setitem(lost_runs.PATIENCE_SECONDS, phase, 0.0)


@pytest.fixture
def calls(aws: None) -> Iterator[ApiCalls]:
    with api_calls.watched() as calls:
        yield calls


@pytest.mark.parametrize(
    ("fault", "harmless"),
    [
        (api_calls.refused, False),
        (api_calls.unanswered, False),
        (api_calls.asked_twice, True),
        (api_calls.collided, True),
    ],
)
def test_a_run_ends_once_whichever_of_its_calls_fails(calls: ApiCalls, fault: Fault, *, harmless: bool) -> None:
    """CMP-11, EVT-08, EVT-27: Each call of a run fails, from the submit to the end. A repeat or a collision costs
    nothing."""
    for life in lives(calls, lambda _: fault, "submit_again", "execute"):
        terminal = life.check()
        if harmless:
            assert terminal["type"] == "RUN_FINISHED"


RESCUES = {"EventBridge": Life.end_run, "a reader": Life.lose_patience, "Step Functions": Life.execute}


@pytest.mark.parametrize("rescue", RESCUES)
def test_a_process_may_die_at_any_moment(calls: ApiCalls, rescue: str) -> None:
    """CMP-11, EVT-08: whoever comes next ends the run, or goes on with it where it was."""
    for life in lives(calls, lambda _: api_calls.killed_after, "execute", before=("submit",)):
        ended_before = runs.must_read(life.key).ended
        RESCUES[rescue](life)
        terminal = life.check()
        assert terminal["type"] == ("RUN_FINISHED" if ended_before or rescue == "Step Functions" else "RUN_ERROR")


@pytest.mark.parametrize(
    ("other", "ending"),
    [
        ("cancel", "RUN_CANCELED"),
        ("delete", "RUN_CANCELED"),
        ("end_run", "RUN_TIMEOUT"),
        ("execute", "RUN_FINISHED"),
    ],
)
def test_anybody_may_come_between_two_calls_of_a_run(calls: ApiCalls, other: str, ending: str) -> None:
    """CAN-04, CAN-05, CAN-06, SES-04, CMP-11: also a second execution, all of it, whose worker shuts out the first."""
    for life in lives(calls, lambda life: interrupted_by(getattr(life, other)), "execute", before=("submit",)):
        terminal = life.check()
        assert terminal.get("code", terminal["type"]) == ending


@pytest.mark.parametrize("other", ["cancel", "delete", "end_run"])
def test_a_run_may_go_on_while_somebody_ends_it(calls: ApiCalls, other: str) -> None:
    """CAN-04, CAN-05, SES-04, CMP-11: The order is reversed."""
    for life in lives(calls, lambda life: interrupted_by(life.work), other, before=("submit",)):
        life.execute()
        life.check()


def test_two_workers_may_come_between_any_two_calls_of_each_other(calls: ApiCalls) -> None:
    """CMP-11, EVT-27: the second begins at any moment of the first, and is interrupted at any moment by a third."""

    def begin_another(life: Life, number: int) -> None:
        calls.reset(number, interrupted_by(life.work))
        life.work()

    for first, second in product(range(2, 9, 2), range(1, 9)):
        life = Life()
        life.submit()
        calls.reset(first, interrupted_by(partial(begin_another, life, second)))
        with suppress(ReplacedError):
            life.work()
        calls.reset()
        assert life.check()["type"] == "RUN_FINISHED"


class AnyOrder(RuleBasedStateMachine):
    """Every delivery of every message about one run: late, twice, or before what it should follow."""

    def __init__(self) -> None:
        super().__init__()
        self.life = Life()
        self.life.submit()

    def attempt(self, act: Callable[[], None]) -> None:
        """Errors go back to whoever called; nothing but what is stored counts here."""
        with suppress(LookupError, Problem):
            act()

    @rule(run_id=st.sampled_from(["run-1", "run-2"]))
    def submit(self, run_id: str) -> None:
        self.attempt(lambda: self.life.submit(run_id))

    @rule(results=st.integers(0, 2 * len(SCRIPT)), end=st.sampled_from([FAILURE, Killed()]))
    def work(self, results: int, end: Any) -> None:
        """The runner gives that many results, all there are or fewer; then it fails, or dies with its process."""
        with pytest.MonkeyPatch.context() as patch:
            install(patch, lambda: Scripted(*SCRIPT[:results], end))
            with suppress(Killed):
                self.attempt(self.life.work)

    @rule(end=st.sampled_from(["cancel", "delete", "fail", "lose_patience", *END_STATUSES]))
    def end(self, end: str) -> None:
        """Somebody finds that it must not go on."""
        self.attempt(partial(self.life.end_run, end) if end in END_STATUSES else getattr(self.life, end))

    def teardown(self) -> None:
        """The state machine comes to its end, once more."""
        self.life.execute()
        ending_of(self.life.key)


def test_messages_about_a_run_may_come_in_any_order(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-11, EVT-08, CAN-05, SES-04."""
    for name in ("runs_per_minute", "run_bytes_per_minute", "runs_per_user"):
        monkeypatch.setitem(settings.__dict__, name, 10**9)  # all runs are one user's
    run_state_machine_as_test(
        AnyOrder,
        settings=hypothesis_settings(
            max_examples=examples(20),
            stateful_step_count=8,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )


@pytest.mark.parametrize(("status", "code"), END_STATUSES.items())
def test_an_execution_that_ends_without_its_last_state_ends_its_run(status: str, code: str) -> None:
    """CMP-11: the event of EventBridge, delivered twice, while the worker may still be at it."""
    life = Life()
    life.submit()
    assert runs.claim(life.key)
    life.end_run(status)
    life.end_run(status)
    life.work()
    assert life.check()["code"] == code


def test_a_run_whose_start_was_lost_is_started_when_the_next_is_refused(calls: ApiCalls) -> None:
    """CMP-11, CMP-12: its client did not repeat it, and comes with another run instead."""
    life = Life()
    calls.reset(3, api_calls.refused)
    with pytest.raises(ClientError):
        life.submit()
    assert calls.made[-1] == "StartExecution"
    calls.reset()
    with pytest.raises(Problem) as caught:
        life.submit("run-2")
    assert caught.value.code is Code.AGENT_RUN_IN_PROGRESS
    assert calls.made[-1] == "StartExecution"


@pytest.mark.parametrize("off", [-1, 1])
def test_a_clock_that_is_an_hour_off_makes_nobody_give_up_a_run(monkeypatch: pytest.MonkeyPatch, off: int) -> None:
    """CMP-11, CMP-12: of two submits, one is an hour late and the other an hour early, or the other way about."""
    life = Life()
    monkeypatch.setattr(clock, "now_iso", lambda: at(hours=-off).isoformat())
    life.submit()
    monkeypatch.setattr(clock, "datetime", clock_that_is(hours=off))
    with pytest.raises(Problem) as caught:
        life.submit("run-2")
    assert caught.value.code is Code.AGENT_RUN_IN_PROGRESS
    life.execute()
    assert life.check()["type"] == "RUN_FINISHED"


def test_a_run_that_nobody_ended_gives_way_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-11, CMP-12: It is older than any execution, whatever the clocks."""
    life = Life()
    monkeypatch.setattr(clock, "now_iso", lambda: at(hours=-3).isoformat())
    life.submit()
    life.submit("run-2")
    assert ending_of(life.key)["code"] == "RUN_LOST"


def at(*, hours: float) -> datetime:
    return datetime.now(UTC) + timedelta(hours=hours)


def clock_that_is(*, hours: float) -> type[datetime]:
    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls.fromtimestamp((datetime.now(tz) + timedelta(hours=hours)).timestamp(), tz)

    return Wrong


@pytest.mark.parametrize("fault", FAULTS)
def test_a_run_counts_among_its_users_whatever_happens_to_its_submit(
    calls: ApiCalls, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    """CMP-11, CMP-12, RUN-23: each call of a submit that has to make room first; what is not stored is not counted."""
    monkeypatch.setitem(settings.__dict__, "runs_per_user", 1)
    Life().submit_and_end()
    for life in lives(calls, lambda _: fault, "submit_again"):
        stored = runs.read(life.key) is not None
        assert (life.key in run_slots.stored(table.get(run_slots.key("alice")))) == stored
        life.submit_and_end()


def test_the_last_room_may_be_taken_between_two_calls_of_a_submit(
    calls: ApiCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CMP-12: of two runs of a user who may have one, in sessions of their own."""
    monkeypatch.setitem(settings.__dict__, "runs_per_user", 1)
    first, second = Life(), Life()
    calls.reset(2, interrupted_by(first.submit))
    with pytest.raises(Problem) as caught:
        second.submit()
    assert calls.made[1] == "TransactWriteItems"
    assert caught.value.code is Code.AGENT_RUN_LIMIT
    assert runs.read(second.key) is None


def test_a_stream_slot_asked_for_twice_is_taken_once(calls: ApiCalls) -> None:
    """EVT-06: the answer to the first was lost."""
    calls.reset(2, api_calls.asked_twice)
    assert stream_slots.acquire("bob", 2) is not None
    # None is there, it is made, and it is there: the slot is found in it.
    assert calls.made == ["UpdateItem"] * 3
    calls.reset(1, api_calls.asked_twice)
    assert stream_slots.acquire("bob", 2) is not None
    assert calls.made == ["UpdateItem"]
    assert stream_slots.acquire("bob", 2) is None
