"""A week of jobs on a moved clock (AUT-03): one run for every due slot, whatever Scheduler, Lambda and AWS do.

The slots that must have run are found by looking at a clock on the wall every minute; Scheduler's cron expressions are
evaluated by the local stack's reader of them.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from local.stack import Stack
from tests.support.automation.job_week import DEPLOYMENT, FiredJob, Firing, JobPlan, JobWeek
from tests.support.automation.time_zones import CHANGES, TIME_ZONES
from tests.support.effort import examples
from tests.support.functions import api_calls
from tests.support.functions.deployment import configured
from yarrow.automation.run_job import run_job

MOST_CALLS = 40


@pytest.fixture(scope="module", autouse=True)
def deployment(stack: Stack) -> Iterator[None]:
    with configured(stack, **DEPLOYMENT):
        yield


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


PLANS = st.builds(
    JobPlan,
    st.sampled_from(TIME_ZONES),
    # Nights, when clocks change.
    st.sampled_from([0, 1, 2, 3, 12, 23]),
    st.sampled_from([0, 15, 30, 59]),
    st.one_of(st.just(()), st.sets(st.integers(1, 7), min_size=1).map(lambda days: tuple(sorted(days)))),
)
FAULTS = (api_calls.killed_before, api_calls.killed_after, api_calls.refused, api_calls.unanswered)
FIRINGS = st.builds(
    Firing,
    st.sampled_from([0, 0, 0, 0.5, 7, 59, 60, 61, 600, 3000]).map(minutes),
    st.integers(1, 16),
    st.one_of(st.none(), st.sampled_from(FAULTS)),
)


@settings(
    max_examples=examples(20),
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],  # an example is long enough to read, and shrinks for minutes
    suppress_health_check=list(HealthCheck),
)
@given(
    change=st.sampled_from(CHANGES),
    plans=st.lists(PLANS, min_size=1, max_size=3),
    firings=st.lists(st.lists(FIRINGS, min_size=1, max_size=3), min_size=1, max_size=12),
)
def test_one_run_for_every_due_slot(change: datetime, plans: list[JobPlan], firings: list[list[Firing]]) -> None:
    """Slots fire once, twice, late and out of order, with a fault at any call."""
    with JobWeek(change - timedelta(days=3)).installed() as week:
        made = [week.create(plan) for plan in plans]
        for number, (slot, target_input) in enumerate(week.due()):
            for firing in firings[number % len(firings)]:
                week.deliver(slot, target_input, firing)
        week.run()
        for job in made:
            week.check(job)


@pytest.mark.parametrize(
    "change", [CHANGES[0], CHANGES[3], CHANGES[5], CHANGES[7]], ids=lambda change: f"{change:%m-%d}"
)
def test_nine_time_zones_over_a_change(change: datetime) -> None:
    """Daily and weekly, in all of them at once, each slot fired twice: now and later."""
    with JobWeek(change - timedelta(days=3)).installed() as week:
        wall = [change.astimezone(UTC) + minutes(offset) for offset in (-30, 0, 30)]
        made: list[FiredJob] = []
        for number, zone in enumerate(TIME_ZONES):
            local = JobPlan(zone, 0, 0).local(wall[number % 3])
            made.append(week.create(JobPlan(zone, local.hour, local.minute), f"user-{number}"))
            made.append(week.create(JobPlan(zone, 2, 30, (6, 7)), f"user-{number}"))
        for slot, target_input in week.due():
            week.deliver(slot, target_input)
            week.deliver(slot, target_input, Firing(minutes(20)))
        week.run()
        for job in made:
            week.check(job)
            assert job.punctual == {slot for slot in job.slots if slot <= week.end}


AUTUMN = JobPlan("America/New_York", 1, 30)
SLOT = datetime(2026, 11, 1, 5, 30, tzinfo=UTC)


def fired(firing: Firing, *others: Firing) -> tuple[JobWeek, int]:
    """A day with one slot, whose wall time comes twice, delivered so; and how many calls a delivery makes."""
    with JobWeek(SLOT - timedelta(hours=5), days=1).installed() as week:
        job = week.create(AUTUMN)
        ((slot, target_input),) = week.due()
        assert slot == SLOT
        for other in (firing, *others):
            week.deliver(slot, target_input, other)
        week.run()
        week.check(job)
        return week, len(week.runs_of(job))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_firing_that_breaks_at_any_call(fault: api_calls.Fault) -> None:
    """Lambda tries again, and there is one run."""
    for at in range(1, MOST_CALLS):
        week, count = fired(Firing(at_call=at, fault=fault))
        assert count == 1
        if week.calls < at:
            assert at > 8
            return
    raise AssertionError("a firing makes too many calls")


@pytest.mark.parametrize("fault", [api_calls.killed_before, api_calls.killed_after], ids=["before", "after"])
def test_a_firing_that_dies_and_is_tried_again_too_late(fault: api_calls.Fault) -> None:
    """What it began within the hour is a run that is noted; what it did not begin is skipped and noted."""
    outcomes = set[int]()
    for at in range(1, MOST_CALLS):
        week, count = fired(Firing(minutes(59.5), at, fault))
        outcomes.add(count)
        if week.calls < at:
            break
    assert outcomes == {0, 1}


def test_a_second_firing_between_any_two_calls_of_the_first() -> None:
    """Two at the same time are one run."""
    for at in range(1, MOST_CALLS):
        with JobWeek(SLOT - timedelta(hours=5), days=1).installed() as week:
            job = week.create(AUTUMN)
            ((slot, target_input),) = week.due()
            again = partial(week.invoke, target_input, slot)
            week.deliver(slot, target_input, Firing(at_call=at, fault=api_calls.interrupted_by(again)))
            week.run()
            week.check(job)
            if week.calls < at:
                assert at > 8
                return
    raise AssertionError("a firing makes too many calls")


def test_the_other_moment_of_a_repeated_wall_time_is_the_same_slot() -> None:
    """Should Scheduler take that one, or both."""
    with JobWeek(SLOT - timedelta(hours=5), days=1).installed() as week:
        job = week.create(AUTUMN)
        ((slot, target_input),) = week.due()
        week.deliver(slot, target_input)
        week.run()
        week.clock.now = slot + timedelta(hours=1)
        week.invoke(target_input, week.clock.now)
        week.check(job)
        assert len(week.runs_of(job)) == 1


def test_old_slots_are_no_burst() -> None:
    """After an outage of days all but the slots of the last hour are skipped and noted."""
    with JobWeek(SLOT - timedelta(days=4)).installed() as week:
        job = week.create(JobPlan("Europe/Berlin", 12, 0))
        due = week.due()
        back = due[-1][0] + minutes(30)
        for slot, target_input in due:
            week.deliver(slot, target_input, Firing(back - slot))
        week.run()
        week.check(job)
        assert len(due) == 7
        assert list(week.noted(job).values()).count("skipped") == 6
        assert len(week.runs_of(job)) == 1


def test_a_slot_whose_session_is_busy_waits_within_the_hour() -> None:
    """A run that was asked for at once is still active; another schedule, for once, tries again."""
    with JobWeek(SLOT - timedelta(hours=5), days=1).installed() as week:
        job = week.create(AUTUMN)
        ((slot, target_input),) = week.due()
        week.clock.now = slot - minutes(1)
        question = run_job(b"", "alice", job.id).run_id
        for late in range(0, 30, 5):
            week.clock.now = slot + minutes(late)
            week.invoke(target_input, slot)
            assert week.runs_of(job).keys() == {question}
            again = [pair for pair in week.due() if pair[0] > slot]
            assert again[-1][0] == week.clock.now + minutes(5)
            # The one that fires now is another, which Scheduler deletes when it likes.
            assert late == 0 or again[-2][0] == week.clock.now
        moment, target_input = again[-1]
        assert week.runs_of(job)[question]["phase"]["S"] == "queued"
        week.deliver(slot, target_input, Firing(moment - slot))  # which ends the other
        week.run()
        assert week.runs_of(job).keys() == {question, f"job-{job.id}-202611010130"}
