"""AUT-03: when a job is due, in its time zone, over both changes of daylight saving time."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.automation.time_zones import CHANGES, TIME_ZONES, walked
from tests.support.effort import examples
from yarrow.automation.slots import (
    cron_expression,
    delay_of,
    is_slot,
    next_slot,
    slot_at,
    slot_name,
    slots_between,
)


@dataclass(frozen=True)
class At:
    hour: int
    minute: int


@dataclass(frozen=True)
class Schedule:
    type: Literal["daily", "weekly"]
    run_at: At
    weekdays: tuple[int, ...] = ()


def daily(hour: int, minute: int = 0) -> Schedule:
    return Schedule("daily", At(hour, minute))


def weekly(hour: int, minute: int, *weekdays: int) -> Schedule:
    return Schedule("weekly", At(hour, minute), weekdays)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


SCHEDULES = st.builds(Schedule, st.just("daily"), st.builds(At, st.integers(0, 23), st.integers(0, 59))) | st.builds(
    Schedule,
    st.just("weekly"),
    # Nights, when clocks change.
    st.builds(At, st.sampled_from([0, 1, 2, 3, 23]), st.sampled_from([0, 15, 30, 59])),
    st.sets(st.integers(1, 7), min_size=1).map(lambda days: tuple(sorted(days))),
)
STARTS = st.builds(lambda change, hours: change - timedelta(hours=hours), st.sampled_from(CHANGES), st.integers(24, 96))


@settings(max_examples=examples(60), deadline=None)
@given(schedule=SCHEDULES, time_zone=st.sampled_from(TIME_ZONES), start=STARTS)
def test_slots_are_those_of_a_clock_on_the_wall(schedule: Schedule, time_zone: str, start: datetime) -> None:
    """Over a week with a change of clocks in some of the zones."""
    end, at = start + timedelta(days=8), schedule.run_at
    days = schedule.weekdays if schedule.type == "weekly" else range(1, 8)
    expected = list(walked(time_zone, at.hour, at.minute, days, start, end))
    assert list(slots_between(schedule, time_zone, start, end)) == expected
    names = [slot_name(schedule, time_zone, slot) for slot in expected]
    assert len(set(names)) == len(names)
    assert all(name.endswith(f"T{at.hour:02}:{at.minute:02}") for name in names)


@settings(max_examples=examples(150), deadline=None)
@given(schedule=SCHEDULES, time_zone=st.sampled_from(TIME_ZONES), start=STARTS, seconds=st.integers(0, 700_000))
def test_the_next_slot_is_later_and_the_first(
    schedule: Schedule, time_zone: str, start: datetime, seconds: int
) -> None:
    after = start + timedelta(seconds=seconds)
    slot = next_slot(schedule, time_zone, after)
    assert slot > after
    assert slot.tzinfo is UTC
    assert slot_at(schedule, time_zone, slot) == slot
    assert next_slot(schedule, time_zone, slot - timedelta(microseconds=1)) == slot
    assert list(slots_between(schedule, time_zone, after, slot)) == [slot]
    assert not list(slots_between(schedule, time_zone, after, slot - timedelta(microseconds=1)))


@pytest.mark.parametrize(
    ("time_zone", "at", "after", "expected"),
    [
        ("Asia/Shanghai", (8, 30), "2026-11-22T00:29:59", "2026-11-22T00:30"),
        ("Asia/Shanghai", (8, 30), "2026-11-22T00:30", "2026-11-23T00:30"),
        # New York goes from 02:00 to 03:00 on 8 March: no 02:30 that day.
        ("America/New_York", (2, 30), "2026-03-07T08:00", "2026-03-09T06:30"),
        ("America/New_York", (3, 0), "2026-03-08T05:00", "2026-03-08T07:00"),
        # From 02:00 to 01:00 on 1 November: 01:30 is at 05:30 and 06:30, and due at the first.
        ("America/New_York", (1, 30), "2026-11-01T00:00", "2026-11-01T05:30"),
        ("America/New_York", (1, 30), "2026-11-01T05:30", "2026-11-02T06:30"),
        # From Saturday 24:00 back to 23:00 on 4 April.
        ("America/Santiago", (23, 30), "2026-04-04T12:00", "2026-04-05T02:30"),
        ("America/Santiago", (23, 30), "2026-04-05T03:10", "2026-04-06T03:30"),
        # From Saturday 24:00 to 01:00 on 6 September.
        ("America/Santiago", (0, 0), "2026-09-05T12:00", "2026-09-07T03:00"),
        # 30 December 2011 was no day in Samoa.
        ("Pacific/Apia", (9, 0), "2011-12-29T19:00", "2011-12-30T19:00"),
    ],
)
def test_known_slots(time_zone: str, at: tuple[int, int], after: str, expected: str) -> None:
    assert next_slot(daily(*at), time_zone, utc(after)) == utc(expected)


def test_a_weekly_slot_that_the_clocks_skip_is_a_week_later() -> None:
    slot = next_slot(weekly(2, 30, 7), "America/New_York", utc("2026-03-07T00:00"))
    assert slot == utc("2026-03-15T06:30")


def test_both_moments_of_a_repeated_wall_time_are_one_slot() -> None:
    """Whichever of them Scheduler takes, and even if both, there is one run."""
    schedule, zone = daily(1, 30), "America/New_York"
    first, second = utc("2026-11-01T05:30"), utc("2026-11-01T06:30:20")
    assert slot_at(schedule, zone, first) == slot_at(schedule, zone, second) == first
    assert slot_name(schedule, zone, first) == slot_name(schedule, zone, second) == "2026-11-01T01:30"


@pytest.mark.parametrize(
    ("schedule", "moment"),
    [
        (daily(8), "2026-11-22T08:01"),
        (daily(8), "2026-11-22T07:59:59"),
        (weekly(8, 0, 1, 2), "2026-11-22T08:00"),  # a Sunday
    ],
)
def test_another_moment_is_no_slot(schedule: Schedule, moment: str) -> None:
    """Of a schedule that was changed meanwhile, say."""
    assert not is_slot(schedule, "UTC", utc(moment))
    with pytest.raises(ValueError, match="no slot"):
        slot_name(schedule, "UTC", utc(moment))


def test_a_slot_has_the_same_name_all_its_minute() -> None:
    assert slot_name(weekly(8, 0, 7), "UTC", utc("2026-11-22T08:00:59")) == "2026-11-22T08:00"


@pytest.mark.parametrize(
    ("schedule", "expression"),
    [
        (daily(8, 5), "cron(5 8 * * ? *)"),
        (weekly(0, 0, 7, 1), "cron(0 0 ? * MON,SUN *)"),
        (weekly(23, 59, 1, 2, 3, 4, 5, 6, 7), "cron(59 23 ? * MON,TUE,WED,THU,FRI,SAT,SUN *)"),
    ],
)
def test_the_expression_names_the_days(schedule: Schedule, expression: str) -> None:
    assert cron_expression(schedule) == expression


def test_jobs_of_one_time_are_spread_evenly_and_each_has_its_own_minute() -> None:
    """AUT-03: 09:00 of a thousand jobs."""
    jobs = [f"{number:08x}-0000-4000-8000-000000000000" for number in range(1000)]
    delays = [delay_of(each, daily(9), 5) for each in jobs]
    assert delays == [delay_of(each, daily(9), 5) for each in jobs]
    counts = [delays.count(minute) for minute in range(6)]
    assert sum(counts) == 1000
    assert min(counts) > 120
    assert {delay_of(each, daily(9), 0) for each in jobs} == {0}


@settings(max_examples=examples(60), deadline=None)
@given(schedule=SCHEDULES, time_zone=st.sampled_from(TIME_ZONES), start=STARTS, most=st.integers(0, 30), job=st.uuids())
def test_a_delayed_firing_is_of_its_slot(
    schedule: Schedule, time_zone: str, start: datetime, most: int, job: UUID
) -> None:
    """AUT-03: one for each slot, over changes of clocks, as Scheduler fires the delayed wall time."""
    delay = delay_of(str(job), schedule, most)
    at, end = schedule.run_at, start + timedelta(days=8)
    assert 0 <= delay <= most
    assert at.minute + delay <= 59
    assert cron_expression(schedule, delay).startswith(f"cron({at.minute + delay} {at.hour} ")
    days = schedule.weekdays if schedule.type == "weekly" else range(1, 8)
    fired = walked(time_zone, at.hour, at.minute + delay, days, start, end)
    slots = [slot_at(schedule, time_zone, moment - timedelta(minutes=delay)) for moment in fired]
    expected = list(slots_between(schedule, time_zone, start, end - timedelta(minutes=delay)))
    assert [each for each in slots if each is not None and each > start] == expected


def test_a_schedule_without_days_has_no_slot() -> None:
    with pytest.raises(ValueError, match="no further slot"):
        next_slot(weekly(8, 0), "UTC", utc("2026-11-22T08:00"))
    with pytest.raises(ValueError, match="no further slot"):
        next_slot(daily(8), "UTC", utc("9999-12-31T09:00"))
