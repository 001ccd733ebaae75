"""Slots found the slow way, and the time zones in which finding them is hard."""

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

TIME_ZONES = (
    "UTC",
    "Asia/Shanghai",  # no daylight saving time
    "Asia/Kathmandu",  # 5:45 ahead
    "America/New_York",
    "Europe/Berlin",
    "America/Santiago",  # no midnight, or two; in the south
    "Africa/Cairo",  # no midnight; a Friday
    "Australia/Lord_Howe",  # half an hour
    "Antarctica/Troll",  # two hours
)

CHANGES = (
    datetime(2026, 3, 8, 7, tzinfo=UTC),  # New York
    datetime(2026, 3, 29, 1, tzinfo=UTC),  # Berlin, Troll
    datetime(2026, 4, 4, 15, tzinfo=UTC),  # Lord Howe
    datetime(2026, 4, 5, 3, tzinfo=UTC),  # Santiago
    datetime(2026, 4, 23, 22, tzinfo=UTC),  # Cairo
    datetime(2026, 9, 6, 4, tzinfo=UTC),  # Santiago
    datetime(2026, 10, 3, 15, 30, tzinfo=UTC),  # Lord Howe
    datetime(2026, 10, 25, 1, tzinfo=UTC),  # Berlin, Troll
    datetime(2026, 10, 29, 21, tzinfo=UTC),  # Cairo
    datetime(2026, 11, 1, 6, tzinfo=UTC),  # New York
)

_QUARTER = 15
"""Minutes of which the offsets of all these are multiples."""


def walked(
    time_zone: str, hour: int, minute: int, weekdays: Collection[int], after: datetime, until: datetime
) -> Iterator[datetime]:
    """The slots later than `after`, up to and including `until`: whenever a clock on the wall may show one, look.

    `weekdays` are ISO's. `after` is a whole minute at which no wall time repeats.
    """
    zone, seen = ZoneInfo(time_zone), set[tuple[int, int, int]]()
    now = after + timedelta(minutes=(minute - after.minute) % _QUARTER or _QUARTER)
    while now <= until:
        local = now.astimezone(zone)
        day = local.timetuple()[:3]
        if (local.hour, local.minute) == (hour, minute) and local.isoweekday() in weekdays and day not in seen:
            seen.add(day)
            yield now
        now += timedelta(minutes=_QUARTER)
