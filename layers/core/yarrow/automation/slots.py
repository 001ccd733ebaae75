"""When a job is due (AUT-03), as EventBridge Scheduler evaluates its cron expression in the job's time zone.

A wall time that a time zone skips has no slot that day; one that it repeats has one, the first of the two.
https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#daylist-savings-time
"""

import zlib
from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal, Protocol
from zoneinfo import ZoneInfo

_DAYS: Final = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
"""By name: in Scheduler's numbers 1 is Sunday."""

_SEARCHED_DAYS: Final = 30
"""Longer than any schedule is without a slot: a week, and another if its wall time was skipped."""


class TimeOfDay(Protocol):
    """A wall time to the minute."""

    @property
    def hour(self) -> int: ...
    @property
    def minute(self) -> int: ...


class Schedule(Protocol):
    """Every day, or on the `weekdays` of a week, 1 (Monday) to 7."""

    @property
    def type(self) -> Literal["daily", "weekly"]: ...
    @property
    def run_at(self) -> TimeOfDay: ...
    @property
    def weekdays(self) -> Collection[int]: ...


def next_slot(schedule: Schedule, time_zone: str, after: datetime) -> datetime:
    """The first slot later than `after`, which is aware; in UTC.

    Raises ValueError if there is none within a month: a weekly schedule without weekdays, or the end of the calendar.
    """
    zone = ZoneInfo(time_zone)
    # The day before, too: where clocks go back over midnight, a date comes twice.
    day = after.astimezone(zone).date() - timedelta(days=1)
    try:
        for _ in range(_SEARCHED_DAYS):
            slot = _slot_on(day, schedule, zone)
            if slot is not None and slot > after:
                return slot
            day += timedelta(days=1)
    except OverflowError:
        pass
    raise ValueError("the schedule has no further slot")


def slots_between(schedule: Schedule, time_zone: str, after: datetime, until: datetime) -> Iterator[datetime]:
    """The slots later than `after`, up to and including `until`; in UTC."""
    while (after := next_slot(schedule, time_zone, after)) <= until:
        yield after


def slot_at(schedule: Schedule, time_zone: str, moment: datetime) -> datetime | None:
    """The slot that begins in the minute of `moment`, in UTC; None if there is none.

    Of a wall time that comes twice, both moments are the same slot.
    """
    zone = ZoneInfo(time_zone)
    local = moment.astimezone(zone)
    if (local.hour, local.minute) != (schedule.run_at.hour, schedule.run_at.minute):
        return None
    return _slot_on(local.date(), schedule, zone)


def is_slot(schedule: Schedule, time_zone: str, moment: datetime) -> bool:
    """Whether a slot begins in the minute of `moment`."""
    return slot_at(schedule, time_zone, moment) is not None


def slot_name(schedule: Schedule, time_zone: str, moment: datetime) -> str:
    """The local date and time of the slot at `moment` (`2026-11-01T01:30`), which no two slots of a schedule share.

    Raises ValueError if no slot begins in its minute.
    """
    if not is_slot(schedule, time_zone, moment):
        raise ValueError("no slot begins at this moment")
    return moment.astimezone(ZoneInfo(time_zone)).strftime("%Y-%m-%dT%H:%M")


def delay_of(job_id: str, schedule: Schedule, most: int) -> int:
    """Minutes after its slots at which a job fires, 0 to `most`: always the same, and others of other jobs.

    Within the slot's hour, so that clocks that change on the hour skip and repeat both or neither.
    """
    room = min(most, 59 - schedule.run_at.minute)
    return zlib.crc32(job_id.encode()) % (room + 1)


def cron_expression(schedule: Schedule, delay: int = 0) -> str:
    """As EventBridge Scheduler has it: minute, hour, day of month, month, day of week, year.

    `delay` is in minutes, and within the slot's hour.
    """
    at = f"{schedule.run_at.minute + delay} {schedule.run_at.hour}"
    if schedule.type == "daily":
        return f"cron({at} * * ? *)"
    return f"cron({at} ? * {','.join(_DAYS[day - 1] for day in sorted(schedule.weekdays))} *)"


def _slot_on(day: date, schedule: Schedule, zone: ZoneInfo) -> datetime | None:
    if schedule.type == "weekly" and day.isoweekday() not in schedule.weekdays:
        return None
    wall = datetime.combine(day, time(schedule.run_at.hour, schedule.run_at.minute))
    slot = wall.replace(tzinfo=zone).astimezone(UTC)
    there = slot.astimezone(zone).replace(tzinfo=None) == wall
    return slot if there else None
