"""Cron expressions of five fields, as in `crontab(5)`, for the times that a job may have.

cronsim reads them: names of months and days, ranges, steps, and `L` for the last day of the month.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

MAX_LENGTH = 200

_ALL_DAYS = frozenset(range(1, 32))
_ALL_WEEKDAYS = frozenset(range(1, 8))


class UnsupportedCronError(ValueError):
    """The expression is valid, but no schedule of a job can express it. The message is public."""


@dataclass(frozen=True, slots=True)
class Cron:
    """A parsed expression. `weekdays` are 1 (Monday) to 7; at most one of `weekdays` and `days` is restricted.
    `last_day` replaces `days`.
    """

    minute: int
    hours: frozenset[int]
    days: frozenset[int] | None
    last_day: bool
    months: frozenset[int]
    weekdays: frozenset[int] | None


def parse_cron(expression: str) -> Cron:
    """Parse an expression. Raises UnsupportedCronError, and ValueError unless it is a valid one of five fields."""
    from cronsim import CronSim, CronSimError  # here: few functions that read jobs meet a cron expression

    if len(expression) > MAX_LENGTH or len(expression.split()) != 5:
        raise ValueError("must be a cron expression of five fields")
    try:
        parsed = CronSim(expression, datetime(2026, 1, 1, tzinfo=UTC))
    except CronSimError as error:
        raise ValueError(f"must be a cron expression of five fields ({str(error).lower()})") from error
    last_day = CronSim.LAST in parsed.days
    if CronSim.LAST_WEEKDAY in parsed.days or (last_day and len(parsed.days) > 1):
        raise UnsupportedCronError("must have days of the month as numbers, or L alone")
    weekdays = frozenset((day - 1) % 7 + 1 for day in parsed.weekdays if isinstance(day, int))
    if any(not isinstance(day, int) for day in parsed.weekdays):
        raise UnsupportedCronError("must not have # or L in its day of week")
    if len(parsed.minutes) > 1:
        raise UnsupportedCronError("must have one minute: a job runs at most once an hour")
    days = frozenset(parsed.days)
    any_day, any_weekday = days == _ALL_DAYS, weekdays == _ALL_WEEKDAYS
    if not any_day and not any_weekday:
        raise UnsupportedCronError("must not have both a day of month and a day of week")
    return Cron(
        minute=min(parsed.minutes),
        hours=frozenset(parsed.hours),
        days=None if any_day or last_day else days,
        last_day=last_day,
        months=frozenset(parsed.months),
        weekdays=None if any_weekday else weekdays,
    )
