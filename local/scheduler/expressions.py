"""Evaluates `cron(…)`, `rate(…)` and `at(…)` (EventBridge Scheduler User Guide, "Schedule types").

A local time that a time zone skips does not fire, one that it repeats fires once. `W` and `#` are not
supported, `L` only as the day of month.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

Times = Callable[[datetime, datetime], Iterator[datetime]]
"""Gives the times later than the first moment, up to and including the second, in UTC and in their order."""

_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_FIELDS: Sequence[tuple[int, int, Sequence[str]]] = (
    (0, 59, ()),
    (0, 23, ()),
    (1, 31, ()),
    (1, 12, _MONTHS),
    (1, 7, _DAYS),
    (1970, 2199, ()),
)
"""First and last value of each field, and the names of values from the first."""
_UNITS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1)}
_DAY = timedelta(days=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def times(expression: str, time_zone: str, anchor: datetime = _EPOCH) -> Times:
    """Yield when a schedule fires; `anchor` is when a rate begins. Raises ValueError for unsupported expressions."""
    kind, _, rest = expression.partition("(")
    if not rest.endswith(")"):
        raise ValueError(f"{expression!r} is not a schedule expression")
    fields = rest[:-1].split()
    match kind, fields:
        case "cron", [_, _, _, _, _, _]:
            return _cron(fields, ZoneInfo(time_zone))
        case "rate", [number, unit] if number.isdigit() and unit.removesuffix("s") in _UNITS:
            return _rate(int(number) * _UNITS[unit.removesuffix("s")], anchor)
        case "at", [moment]:
            once = parsed_time(moment, time_zone)
            return lambda after, until: iter([once] if after < once <= until else [])
        case _:
            raise ValueError(f"{expression!r} is not a schedule expression that is supported locally")


def parsed_time(moment: str, time_zone: str) -> datetime:
    """Parse the time of `at(2026-11-01T01:30:00)`."""
    return datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(time_zone)).astimezone(UTC)


def one_time(expression: str, time_zone: str) -> datetime | None:
    """Return when a one-time schedule fires; None for others."""
    match = re.fullmatch(r"at\((.*)\)", expression)
    return parsed_time(match[1].strip(), time_zone) if match else None


def _rate(every: timedelta, anchor: datetime) -> Times:
    if not every:
        raise ValueError("a rate must be positive")

    def between(after: datetime, until: datetime) -> Iterator[datetime]:
        due = anchor + max((after - anchor) // every + 1, 1) * every
        while due <= until:
            yield due
            due += every

    return between


def _cron(fields: Sequence[str], zone: ZoneInfo) -> Times:
    is_last = fields[2] == "L"
    minutes, hours, days, months, weekdays, years = (
        _values(field, *limits)
        for field, limits in zip([*fields[:2], "*" if is_last else fields[2], *fields[3:]], _FIELDS, strict=True)
    )

    def on(day: date) -> Iterator[datetime]:
        for hour in sorted(hours):
            for minute in sorted(minutes):
                wall = datetime.combine(day, time(hour, minute))
                due = wall.replace(tzinfo=zone).astimezone(UTC)
                if due.astimezone(zone).replace(tzinfo=None) == wall:
                    yield due

    def matches(day: date) -> bool:
        if is_last and (day + _DAY).day != 1:
            return False
        weekday = day.isoweekday() % 7 + 1
        return day.day in days and day.month in months and weekday in weekdays and day.year in years

    def between(after: datetime, until: datetime) -> Iterator[datetime]:
        day, last = after.astimezone(zone).date() - _DAY, until.astimezone(zone).date()
        while day <= last:
            if matches(day):
                yield from (due for due in sorted(on(day)) if after < due <= until)
            day += _DAY

    return between


def _values(field: str, first: int, last: int, names: Sequence[str]) -> frozenset[int]:
    found: set[int] = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        low, _, high = span.partition("-")
        if low in ("*", "?"):
            low, high = str(first), str(last)
        start = _value(low, first, names)
        # `5/10` means from 5 on.
        end = _value(high, first, names) if high else last if step else start
        if not first <= start <= end <= last or (step and not (step.isdigit() and int(step))):
            raise ValueError(f"{field!r} is not a cron field that is supported locally")
        found.update(range(start, end + 1, int(step or 1)))
    return frozenset(found)


def _value(text: str, first: int, names: Sequence[str]) -> int:
    if text.upper() in names:
        return first + names.index(text.upper())
    if not text.isdigit():
        raise ValueError(f"{text!r} is not a cron value that is supported locally")
    return int(text)
