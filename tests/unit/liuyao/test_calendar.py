"""The four pillars of an instant (DIV-19, DIV-20), by their own laws; oracles are in the contract tests."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuyao.calendar import _MONTHS, CYCLE, VOIDS, DayChange, pillars
from liuyao.elements import BRANCHES, STEMS
from liuyao.plain_cast import FIRST_YEAR, LAST_YEAR

EARLIEST, LATEST = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC), datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)

offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
instants = st.datetimes(
    (EARLIEST + DAY).replace(tzinfo=None), (LATEST - 2 * DAY).replace(tzinfo=None), timezones=st.just(UTC)
)
moments = st.builds(datetime.astimezone, instants, offsets)
schools = st.sampled_from(DayChange)
# The months that open within 1900 – 2100.
openings = st.sampled_from([EPOCH + second * SECOND for second in _MONTHS]).filter(
    lambda opening: EARLIEST < opening < LATEST
)


def names(moment: datetime, school: DayChange = DayChange.ELEVEN_PM) -> list[str]:
    return [CYCLE[place] for place in pillars(moment, school)]


@contextmanager
def host_zone(name: str) -> Iterator[None]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = name
    time.tzset()
    try:
        yield
    finally:
        os.environ.pop("TZ")
        if before is not None:
            os.environ["TZ"] = before
        time.tzset()


def test_the_example_has_the_pillars_of_its_day() -> None:
    """DIV-19, DIV-20."""
    assert names(datetime.fromisoformat("2026-04-03T20:30:00+08:00")) == ["丙午", "辛卯", "丁未", "庚戌"]


def test_the_day_of_2000_01_01_is_the_known_one() -> None:
    assert names(datetime(2000, 1, 1, 12, tzinfo=UTC))[2] == "戊午"


def test_the_cycle_runs_through_sixty_pairs() -> None:
    assert len(set(CYCLE)) == 60
    assert (CYCLE[0], CYCLE[59]) == ("甲子", "癸亥")


def test_each_decade_is_void_of_the_two_branches_it_does_not_reach() -> None:
    for decade in range(0, 60, 10):
        reached = {pillar[1] for pillar in CYCLE[decade : decade + 10]}
        assert {frozenset(void) for void in VOIDS[decade : decade + 10]} == {frozenset(BRANCHES) - reached}
    assert VOIDS[::10] == ("戌亥", "申酉", "午未", "辰巳", "寅卯", "子丑")


@pytest.mark.parametrize(
    ("clock", "eleven_pm", "midnight"),
    [
        ("22:59:59", ("丁未", "辛亥"), ("丁未", "辛亥")),
        ("23:00:00", ("戊申", "壬子"), ("丁未", "壬子")),
        ("23:59:59", ("戊申", "壬子"), ("丁未", "壬子")),
        ("00:00:00", ("丁未", "庚子"), ("丁未", "庚子")),
        ("00:59:59", ("丁未", "庚子"), ("丁未", "庚子")),
        ("01:00:00", ("丁未", "辛丑"), ("丁未", "辛丑")),
    ],
)
def test_the_schools_differ_in_the_day_of_the_last_hour_alone(
    clock: str, eleven_pm: tuple[str, str], midnight: tuple[str, str]
) -> None:
    moment = datetime.fromisoformat(f"2026-04-03T{clock}+08:00")
    assert tuple(names(moment)[2:]) == eleven_pm
    assert tuple(names(moment, DayChange.MIDNIGHT)[2:]) == midnight


@given(openings, offsets, schools)
def test_a_month_begins_with_the_very_second_of_its_term(
    opening: datetime, offset: timezone, school: DayChange
) -> None:
    """DIV-20: one second before it does not; the instant itself is of the new month."""
    before = pillars((opening - SECOND).astimezone(offset), school)
    at = pillars(opening.astimezone(offset), school)
    after = pillars((opening + SECOND).astimezone(offset), school)
    assert at.month == after.month == (before.month + 1) % 60
    opens_year = CYCLE[at.month][1] == "寅"
    assert at.year == after.year == (before.year + opens_year) % 60


@given(moments, schools)
def test_the_month_stem_follows_the_year_stem(moment: datetime, school: DayChange) -> None:
    # 五虎遁: 甲己之年丙作首.
    year, month, _, _ = names(moment, school)
    since_yin = (BRANCHES.index(month[1]) - 2) % 12
    assert STEMS.index(month[0]) == (STEMS.index(year[0]) % 5 * 2 + 2 + since_yin) % 10


@given(moments)
def test_the_hour_stem_follows_the_day_stem(moment: datetime) -> None:
    # 五鼠遁: 甲己还加甲.
    _, _, day, hour = names(moment)
    assert STEMS.index(hour[0]) == (STEMS.index(day[0]) % 5 * 2 + BRANCHES.index(hour[1])) % 10
    assert BRANCHES.index(hour[1]) == (moment.hour + 1) // 2 % 12


@given(moments, schools)
def test_days_follow_one_another(moment: datetime, school: DayChange) -> None:
    assert pillars(moment + DAY, school).day == (pillars(moment, school).day + 1) % 60


@given(instants, offsets, offsets)
def test_year_and_month_are_the_same_everywhere_on_earth(moment: datetime, here: timezone, there: timezone) -> None:
    assert pillars(moment.astimezone(here))[:2] == pillars(moment.astimezone(there))[:2]


@given(instants, offsets, offsets)
def test_day_and_hour_are_those_of_the_wall_clock(moment: datetime, here: timezone, there: timezone) -> None:
    """DIV-20."""
    assert pillars(moment.replace(tzinfo=here))[2:] == pillars(moment.replace(tzinfo=there))[2:]


@given(moments, schools)
def test_the_zone_of_the_host_plays_no_part(moment: datetime, school: DayChange) -> None:
    """DIV-20."""
    found = []
    for name in ("UTC", "America/Los_Angeles", "Asia/Kolkata"):
        with host_zone(name):
            found.append(pillars(moment, school))
    assert found == [found[0]] * 3


@pytest.mark.parametrize("year", [1898, 2103])
def test_no_pillar_is_guessed_outside_the_table(year: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        pillars(datetime(year, 6, 1, tzinfo=UTC))
