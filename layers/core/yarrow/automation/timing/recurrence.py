"""The days and hours of a job's schedule, and how EventBridge Scheduler writes them."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Final, Self

from yarrow.formats.cron import parse_cron
from yarrow.protocol.automation.schedule import Schedule

_DAYS: Final = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
"""In Scheduler's numbers 1 is Sunday."""

_ALL_HOURS: Final = frozenset(range(24))
_ALL_MONTHS: Final = frozenset(range(1, 13))


@dataclass(frozen=True, slots=True)
class Recurrence:
    """One minute of some hours, on the days that are in all of its sets; None is any day. `weekdays` are ISO's."""

    minute: int
    hours: frozenset[int]
    days: frozenset[int] | None = None
    last_day: bool = False
    months: frozenset[int] = _ALL_MONTHS
    weekdays: frozenset[int] | None = None
    once: date | None = None
    end: date | None = None

    @classmethod
    def of(cls, schedule: Schedule) -> Self:
        end = None if schedule.end_date is None else date.fromisoformat(schedule.end_date)
        if schedule.cron is not None:
            cron = parse_cron(schedule.cron)
            return cls(cron.minute, cron.hours, cron.days, cron.last_day, cron.months, cron.weekdays, end=end)
        at = schedule.run_at
        if at is None:
            raise ValueError("the schedule has no time of day")
        once = None if schedule.date is None else date.fromisoformat(schedule.date)
        return cls(
            at.minute,
            frozenset([at.hour]),
            days=frozenset(schedule.month_days) or None,
            weekdays=frozenset(schedule.weekdays) or None,
            once=once,
            end=once or end,
        )

    def is_on(self, day: date) -> bool:
        """Return whether there are times on that day, ignoring clock changes."""
        if (self.end is not None and day > self.end) or (self.once is not None and day != self.once):
            return False
        if self.last_day and day.day != monthrange(day.year, day.month)[1]:
            return False
        return (
            (self.days is None or day.day in self.days)
            and day.month in self.months
            and (self.weekdays is None or day.isoweekday() in self.weekdays)
        )

    def walls(self, day: date) -> list[datetime]:
        """Return the wall-clock times of a day, in order."""
        return (
            [datetime.combine(day, time(hour, self.minute)) for hour in sorted(self.hours)] if self.is_on(day) else []
        )

    def expression(self, delay: int) -> str:
        """Return EventBridge Scheduler's `at(…)`, or `cron(…)` of minute, hour, day of month, month, weekday, year.
        `delay` is in minutes, within the hour. The end date is not in it.
        """
        minute = self.minute + delay
        if self.once is not None:
            return f"at({self.once.isoformat()}T{min(self.hours):02}:{minute:02}:00)"
        hours = "*" if self.hours == _ALL_HOURS else _listed(self.hours)
        months = "*" if self.months == _ALL_MONTHS else _listed(self.months)
        if self.weekdays is not None:
            return f"cron({minute} {hours} ? {months} {','.join(_DAYS[day - 1] for day in sorted(self.weekdays))} *)"
        days = "L" if self.last_day else "*" if self.days is None else _listed(self.days)
        return f"cron({minute} {hours} {days} {months} ? *)"


def _listed(values: frozenset[int]) -> str:
    return ",".join(map(str, sorted(values)))
