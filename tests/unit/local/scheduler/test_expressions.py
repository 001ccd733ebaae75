"""Schedule expressions, as EventBridge Scheduler evaluates them."""

from datetime import UTC, datetime, timedelta

import pytest

from local.scheduler.expressions import one_time, times

START = datetime(2026, 3, 6, 12, tzinfo=UTC)  # a Friday


def fired(expression: str, time_zone: str = "UTC", days: float = 4) -> list[str]:
    found = times(expression, time_zone, START)(START, START + timedelta(days=days))
    return [moment.strftime("%d %H:%M") for moment in found]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("cron(0 12 * * ? *)", ["07 12:00", "08 12:00", "09 12:00", "10 12:00"]),
        (
            "cron(15,45 8-9 ? * MON-TUE *)",
            ["09 08:15", "09 08:45", "09 09:15", "09 09:45", "10 08:15", "10 08:45", "10 09:15", "10 09:45"],
        ),
        ("cron(0 0/8 ? MAR 7,1 2026)", ["07 00:00", "07 08:00", "07 16:00", "08 00:00", "08 08:00", "08 16:00"]),
        ("cron(30 23 8 3 ? *)", ["08 23:30"]),
        ("cron(0 0 * * ? 2025)", []),
        ("cron(0 0 L * ? *)", []),
        ("cron(*/30 13 6 * ? *)", ["06 13:00", "06 13:30"]),
        ("rate(2 days)", ["08 12:00", "10 12:00"]),
        ("rate(1 day)", ["07 12:00", "08 12:00", "09 12:00", "10 12:00"]),
        ("at(2026-03-07T08:30:00)", ["07 08:30"]),
        ("at(2026-03-06T12:00:00)", []),
    ],
)
def test_an_expression_fires_at_its_times(expression: str, expected: list[str]) -> None:
    """Times are later than the first moment, not later than the second."""
    assert fired(expression) == expected


def test_l_is_the_last_day_of_the_month() -> None:
    assert fired("cron(0 12 L * ? *)", days=60) == ["31 12:00", "30 12:00"]


def test_the_time_zone_decides() -> None:
    """New York has no 02:30 on the 8th."""
    assert fired("cron(30 2 * * ? *)", "America/New_York") == ["07 07:30", "09 06:30", "10 06:30"]
    assert fired("at(2026-03-07T08:30:00)", "Asia/Shanghai") == ["07 00:30"]


def test_one_that_fires_once_is_known() -> None:
    assert one_time("at(2026-03-07T08:30:00)", "Asia/Shanghai") == datetime(2026, 3, 7, 0, 30, tzinfo=UTC)
    assert one_time("rate(1 day)", "UTC") is None


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "cron(0 12 * * ?)",
        "cron(60 12 * * ? *)",
        "cron(0 12 LW * ? *)",
        "cron(0 12 ? * 5L *)",
        "cron(0 12 ? * MON#1 *)",
        "cron(0/0 12 * * ? *)",
        "cron(0 12 ? * FRI-MON *)",
        "rate(0 days)",
        "rate(1 week)",
        "at(tomorrow)",
        "every day",
    ],
)
def test_what_is_not_supported_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        times(expression, "UTC")
