"""AUT-03: when a job is due, in its time zone, over both changes of daylight saving time."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, cast
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim
from hypothesis import given, settings
from hypothesis import strategies as st

from local.scheduler.expressions import times
from tests.support.automation.time_zones import CHANGES, TIME_ZONES, walked
from tests.support.effort import examples
from yarrow.automation.timing.slots import (
    delay_of,
    end_of,
    is_slot,
    next_slot,
    schedule_expression,
    slot_at,
    slot_name,
    slots_between,
)
from yarrow.protocol.automation.schedule import RunAt, Schedule


def daily(hour: int, minute: int = 0, **members: Any) -> Schedule:
    return Schedule(type="daily", run_at=RunAt(hour=hour, minute=minute), **members)


def weekly(hour: int, minute: int, *weekdays: int) -> Schedule:
    return Schedule(type="weekly", run_at=RunAt(hour=hour, minute=minute), weekdays=weekdays)


def monthly(hour: int, minute: int, *days: int, **members: Any) -> Schedule:
    return Schedule(type="monthly", run_at=RunAt(hour=hour, minute=minute), month_days=days, **members)


def once(day: str, hour: int, minute: int) -> Schedule:
    return Schedule(type="once", run_at=RunAt(hour=hour, minute=minute), date=day)


def by_cron(expression: str, **members: Any) -> Schedule:
    return Schedule(type="cron", cron=expression, **members)


def time_of(schedule: Schedule) -> RunAt:
    assert schedule.run_at is not None
    return schedule.run_at


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


SCHEDULES = st.builds(daily, st.integers(0, 23), st.integers(0, 59)) | st.builds(
    lambda hour, minute, days: weekly(hour, minute, *sorted(days)),
    # Nights, when clocks change.
    st.sampled_from([0, 1, 2, 3, 23]),
    st.sampled_from([0, 15, 30, 59]),
    st.sets(st.integers(1, 7), min_size=1),
)
STARTS = st.builds(lambda change, hours: change - timedelta(hours=hours), st.sampled_from(CHANGES), st.integers(24, 96))


@settings(max_examples=examples(60), deadline=None)
@given(schedule=SCHEDULES, time_zone=st.sampled_from(TIME_ZONES), start=STARTS)
def test_slots_are_those_of_a_clock_on_the_wall(schedule: Schedule, time_zone: str, start: datetime) -> None:
    """The week has a change of clocks in some of the zones."""
    end, at = start + timedelta(days=8), time_of(schedule)
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
    assert slot is not None
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
def test_the_next_slot_is_the_known_one(time_zone: str, at: tuple[int, int], after: str, expected: str) -> None:
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
        (monthly(9, 0, 15, 1), "cron(0 9 1,15 * ? *)"),
        (once("2026-12-24", 7, 5), "at(2026-12-24T07:05:00)"),
        (by_cron("0 9,18 * * 1-5"), "cron(0 9,18 ? * MON,TUE,WED,THU,FRI *)"),
        (by_cron("30 */6 * * *"), "cron(30 0,6,12,18 * * ? *)"),
        (by_cron("0 * * * *"), "cron(0 * * * ? *)"),
        (by_cron("0 8 L 3,jun *"), "cron(0 8 L 3,6 ? *)"),
        # 0 and 7 are Sunday, which Scheduler's 7 is not.
        (by_cron("0 8 * * 0,6"), "cron(0 8 ? * SAT,SUN *)"),
        (by_cron("0 8 * * 7"), "cron(0 8 ? * SUN *)"),
    ],
)
def test_the_expression_names_the_days(schedule: Schedule, expression: str) -> None:
    assert schedule_expression(schedule) == expression


def test_jobs_of_one_time_are_spread_evenly_and_each_has_its_own_minute() -> None:
    """AUT-03: A thousand jobs run at 09:00."""
    jobs = [f"{number:08x}-0000-4000-8000-000000000000" for number in range(1000)]
    delays = [delay_of(job, daily(9), 5) for job in jobs]
    assert delays == [delay_of(job, daily(9), 5) for job in jobs]
    counts = [delays.count(minute) for minute in range(6)]
    assert sum(counts) == 1000
    assert min(counts) > 120
    assert {delay_of(job, daily(9), 0) for job in jobs} == {0}


@settings(max_examples=examples(60), deadline=None)
@given(schedule=SCHEDULES, time_zone=st.sampled_from(TIME_ZONES), start=STARTS, most=st.integers(0, 30), job=st.uuids())
def test_a_delayed_firing_is_of_its_slot(
    schedule: Schedule, time_zone: str, start: datetime, most: int, job: UUID
) -> None:
    """AUT-03: one for each slot, over changes of clocks, as Scheduler fires the delayed wall time."""
    delay = delay_of(str(job), schedule, most)
    at, end = time_of(schedule), start + timedelta(days=8)
    assert 0 <= delay <= most
    assert at.minute + delay <= 59
    assert schedule_expression(schedule, delay).startswith(f"cron({at.minute + delay} {at.hour} ")
    days = schedule.weekdays if schedule.type == "weekly" else range(1, 8)
    fired = walked(time_zone, at.hour, at.minute + delay, days, start, end)
    slots = [slot_at(schedule, time_zone, moment - timedelta(minutes=delay)) for moment in fired]
    expected = list(slots_between(schedule, time_zone, start, end - timedelta(minutes=delay)))
    assert [slot for slot in slots if slot is not None and slot > start] == expected


def test_a_schedule_that_has_ended_has_no_slot() -> None:
    """AUT-03: the end date is the last day, in the schedule's time zone."""
    ending = daily(8, end_date="2026-11-23")
    assert next_slot(ending, "Asia/Shanghai", utc("2026-11-22T23:59")) == utc("2026-11-23T00:00")
    assert next_slot(ending, "Asia/Shanghai", utc("2026-11-23T00:00")) is None
    assert slot_at(ending, "Asia/Shanghai", utc("2026-11-24T00:00")) is None
    assert end_of(ending, "Asia/Shanghai") == utc("2026-11-23T16:00")
    assert end_of(daily(8), "Asia/Shanghai") is None
    assert next_slot(daily(8), "UTC", utc("9999-12-31T09:00")) is None


def test_a_schedule_for_once_has_one_slot() -> None:
    schedule, due = once("2031-12-24", 7, 5), utc("2031-12-23T23:05")
    assert list(slots_between(schedule, "Asia/Shanghai", utc("2026-11-22T00:00"), utc("2040-01-01T00:00"))) == [due]
    assert (slot_at(schedule, "Asia/Shanghai", due), next_slot(schedule, "Asia/Shanghai", due)) == (due, None)
    # No 02:30 on that day.
    assert next_slot(once("2026-03-08", 2, 30), "America/New_York", utc("2026-01-01T00:00")) is None


def test_a_month_without_the_day_has_no_slot() -> None:
    slots = list(slots_between(monthly(9, 0, 31), "UTC", utc("2026-01-31T09:00"), utc("2026-08-01T00:00")))
    assert slots == [utc(f"2026-{month}-31T09:00") for month in ("03", "05", "07")]
    last = by_cron("0 9 L * *")
    slots = list(slots_between(last, "UTC", utc("2028-01-31T09:00"), utc("2028-05-01T00:00")))
    assert slots == [utc(f"2028-{day}T09:00") for day in ("02-29", "03-31", "04-30")]
    assert next_slot(by_cron("0 9 29 2 *"), "UTC", utc("2096-03-01T00:00")) == utc("2104-02-29T09:00")


def _field(first: int, last: int) -> st.SearchStrategy[str]:
    values = st.lists(st.integers(first, last), min_size=1, max_size=3, unique=True)
    steps = st.integers(2, last).map(lambda step: f"*/{step}")
    return st.just("*") | values.map(lambda found: ",".join(map(str, found))) | steps


CRONS = st.builds(
    lambda minute, hours, days, months: f"{minute} {hours} {days[0]} {months} {days[1]}",
    st.integers(0, 59),
    _field(0, 23),
    st.tuples(_field(1, 28), st.just("*")) | st.tuples(st.just("*"), _field(0, 7)),
    _field(1, 12),
)


@settings(max_examples=examples(150), deadline=None)
@given(expression=CRONS, day=st.dates(date(2026, 1, 1), date(2030, 1, 1)))
def test_a_cron_expression_has_the_slots_that_its_library_finds(expression: str, day: date) -> None:
    """AUT-03: Without changes of clocks they are those of cronsim."""
    start = datetime.combine(day, datetime.min.time(), UTC)
    expected = CronSim(expression, start)
    schedule, after = by_cron(expression), start
    for _ in range(12):
        slot = next_slot(schedule, "UTC", after)
        assert slot is not None
        assert slot == next(expected)
        after = slot


@settings(max_examples=examples(50), deadline=None)
@given(
    schedule=CRONS.map(by_cron)
    | st.builds(lambda days: monthly(2, 30, *days), st.sets(st.integers(1, 31), min_size=1)),
    time_zone=st.sampled_from(TIME_ZONES),
    start=STARTS,
    job=st.uuids(),
)
def test_scheduler_fires_all_slots_of_its_expression(
    schedule: Schedule, time_zone: str, start: datetime, job: UUID
) -> None:
    """AUT-03: over changes of clocks, each delayed as its job is."""
    delay = delay_of(str(job), schedule, 5)
    expression = schedule_expression(schedule, delay)
    assert len(expression) <= 256
    end, late = start + timedelta(days=40), timedelta(minutes=delay)
    fired = list(times(expression, time_zone)(start + late, end + late))
    slots = [cast("datetime", slot_at(schedule, time_zone, moment - late)) for moment in fired]
    assert [slot for slot in slots if slot > start] == list(slots_between(schedule, time_zone, start, end))
    names = [slot_name(schedule, time_zone, slot) for slot in slots]
    assert len(set(names)) == len(names)
    assert [f"{slot.astimezone(ZoneInfo(time_zone)):%Y-%m-%dT%H:%M}" for slot in slots] == names
