"""When a job is due (AUT-03), as EventBridge Scheduler evaluates its expression in the job's time zone. A wall time
that a time zone skips has no slot that day; one that it repeats has one, the first of the two.

https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#daylist-savings-time
"""

import zlib
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from yarrow.automation.timing.recurrence import Recurrence
from yarrow.protocol.automation.schedule import Schedule

_SEARCHED_DAYS: Final = 9 * 366
"""A 29 February may be eight years after another."""


def next_slot(schedule: Schedule, time_zone: str, after: datetime) -> datetime | None:
    """Return the first slot after `after`, which is aware; in UTC."""
    recurrence, zone = Recurrence.of(schedule), ZoneInfo(time_zone)
    # Start a day early: where clocks go back over midnight, a date occurs twice.
    day = after.astimezone(zone).date() - timedelta(days=1)
    if recurrence.once is not None:
        day = max(day, recurrence.once)
    try:
        for _ in range(_SEARCHED_DAYS):
            if recurrence.end is not None and day > recurrence.end:
                return None
            for slot in _slots_on(day, recurrence, zone):
                if slot > after:
                    return slot
            day += timedelta(days=1)
    except OverflowError:
        pass
    return None


def slots_between(schedule: Schedule, time_zone: str, after: datetime, until: datetime) -> Iterator[datetime]:
    """Yield the slots after `after`, up to and including `until`; in UTC."""
    while (slot := next_slot(schedule, time_zone, after)) is not None and slot <= until:
        yield slot
        after = slot


def slot_at(schedule: Schedule, time_zone: str, moment: datetime) -> datetime | None:
    """Return the slot that begins in the minute of `moment`, in UTC. Both moments of a repeated wall time are the same
    slot.
    """
    recurrence, zone = Recurrence.of(schedule), ZoneInfo(time_zone)
    wall = moment.astimezone(zone).replace(second=0, microsecond=0, tzinfo=None, fold=0)
    return _slot(wall, zone) if wall in recurrence.walls(wall.date()) else None


def is_slot(schedule: Schedule, time_zone: str, moment: datetime) -> bool:
    return slot_at(schedule, time_zone, moment) is not None


def slot_name(schedule: Schedule, time_zone: str, moment: datetime) -> str:
    """Return the slot's local date and time (`2026-11-01T01:30`), which no two slots of a schedule share. Raises
    ValueError if none begins in that minute.
    """
    if not is_slot(schedule, time_zone, moment):
        raise ValueError("no slot begins at this moment")
    return moment.astimezone(ZoneInfo(time_zone)).strftime("%Y-%m-%dT%H:%M")


def delay_of(job_id: str, schedule: Schedule, most: int) -> int:
    """Return how many minutes after its slots a job fires, from 0 to `most`: a fixed offset per job. It stays within
    the slot's hour, so a clock change on the hour skips or repeats both or neither.
    """
    room = min(most, 59 - Recurrence.of(schedule).minute)
    return zlib.crc32(job_id.encode()) % (room + 1)


def schedule_expression(schedule: Schedule, delay: int = 0) -> str:
    """`delay` is in minutes, within the slot's hour."""
    return Recurrence.of(schedule).expression(delay)


def end_of(schedule: Schedule, time_zone: str) -> datetime | None:
    """Return the midnight after the last day, in UTC; None without `end_date`."""
    if schedule.end_date is None:
        return None
    after = datetime.combine(date.fromisoformat(schedule.end_date) + timedelta(days=1), datetime.min.time())
    return after.replace(tzinfo=ZoneInfo(time_zone)).astimezone(UTC)


def _slots_on(day: date, recurrence: Recurrence, zone: ZoneInfo) -> Iterator[datetime]:
    for wall in recurrence.walls(day):
        if (slot := _slot(wall, zone)) is not None:
            yield slot


def _slot(wall: datetime, zone: ZoneInfo) -> datetime | None:
    slot = wall.replace(tzinfo=zone).astimezone(UTC)
    return slot if slot.astimezone(zone).replace(tzinfo=None, fold=0) == wall else None
