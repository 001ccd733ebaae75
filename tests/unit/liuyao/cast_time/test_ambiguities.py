"""Which times could have other pillars, to the second."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuyao.calendar import _MONTHS, CYCLE, DayChange, pillars
from liuyao.cast_time.ambiguities import Alternative, Ambiguity, alternatives
from liuyao.plain_cast import FIRST_YEAR, LAST_YEAR

CHINA = timezone(timedelta(hours=8))
IN_SUMMER = timezone(timedelta(hours=9))
SHANGHAI = ZoneInfo("Asia/Shanghai")
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
MARGIN = 180  # seconds

SUMMERS = {
    1986: ("05-04", "09-14"),
    1987: ("04-12", "09-13"),
    1988: ("04-17", "09-11"),
    1989: ("04-16", "09-17"),
    1990: ("04-15", "09-16"),
    1991: ("04-14", "09-15"),
}
"""First and last days of summer time, `Rule PRC` of the tz database: at 02:00 of the clock."""

EARLIEST, LATEST = (datetime(year, 1, 3, tzinfo=UTC) for year in (FIRST_YEAR, LAST_YEAR))
openings = st.sampled_from([datetime.fromtimestamp(month, UTC) for month in _MONTHS]).filter(
    lambda opening: EARLIEST < opening < LATEST
)
offsets = st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.builds(
    lambda at, offset: at.replace(microsecond=0).astimezone(offset),
    st.datetimes(EARLIEST.replace(tzinfo=None), LATEST.replace(tzinfo=None), timezones=st.just(UTC)),
    offsets,
)
near = st.integers(-400, 400)
"""Seconds from an edge."""


def found(moment: datetime, civil: datetime | None = None) -> dict[Ambiguity, Alternative]:
    return {alternative.ambiguity: alternative for alternative in alternatives(moment, civil)}


def of_clock(clock: str) -> dict[Ambiguity, Alternative]:
    """Return the ambiguities of a time of 3 April 2026, far from any 节."""
    return found(datetime.fromisoformat(f"2026-04-03T{clock}+08:00"))


@pytest.mark.parametrize(
    ("seconds", "is_near"),
    [(-181, False), (-180, True), (-179, True), (-1, True), (0, True), (1, True), (179, True), (180, False)],
)
def test_a_time_is_near_a_term_for_three_minutes_before_and_after(seconds: int, is_near: bool) -> None:
    """清明 2026 begins at 02:40 to the minute."""
    published = datetime(2026, 4, 5, 2, 40, tzinfo=CHINA)
    qingming = datetime.fromtimestamp(min(_MONTHS, key=lambda month: abs(month - published.timestamp())), CHINA)
    assert abs(qingming - published) < timedelta(minutes=1)
    others = found(qingming + seconds * SECOND)
    assert set(others) == ({Ambiguity.MONTH_EDGE} if is_near else set())
    if is_near:
        expected = "壬辰" if seconds < 0 else "辛卯"
        assert CYCLE[others[Ambiguity.MONTH_EDGE].pillars.month] == expected


@given(openings, offsets, near)
def test_by_the_other_side_of_a_term_year_and_month_are_the_others_and_day_and_hour_the_same(
    opening: datetime, offset: timezone, seconds: int
) -> None:
    moment = (opening + seconds * SECOND).astimezone(offset)
    other = found(moment).get(Ambiguity.MONTH_EDGE)
    assert (other is not None) is (-MARGIN <= seconds < MARGIN)
    if other is not None:
        beyond = opening - SECOND if seconds >= 0 else opening
        assert other.pillars[:2] == pillars(beyond)[:2] != pillars(moment)[:2]
        assert other.pillars[2:] == pillars(moment)[2:]


@given(moments, st.sampled_from(range(1, 23, 2)), near)
def test_a_time_near_an_hours_edge_may_be_of_the_other_hour_and_of_no_other_day(
    day: datetime, hour: int, seconds: int
) -> None:
    edge = day.replace(hour=hour, minute=0, second=0)
    moment = edge + seconds * SECOND
    other = found(moment).get(Ambiguity.HOUR_EDGE)
    assert (other is not None) is (-MARGIN <= seconds < MARGIN)
    if other is not None:
        ours = pillars(moment)
        assert other.pillars == ours._replace(hour=(ours.hour + (1 if seconds < 0 else -1)) % 60)


@pytest.mark.parametrize(("hour", "before", "after"), [("05", "寅", "卯"), ("17", "申", "酉")])
def test_at_five_in_the_morning_and_in_the_afternoon_the_other_hour_is_known_by_name(
    hour: str, before: str, after: str
) -> None:
    earlier = f"{int(hour) - 1:02}"
    assert of_clock(f"{earlier}:56:59") == of_clock(f"{hour}:03:01") == {}
    for clock, other_hour in (
        *((f"{earlier}:57:01", after), (f"{earlier}:59:59", after)),
        *((f"{hour}:00:00", before), (f"{hour}:02:59", before)),
    ):
        (other,) = of_clock(clock).values()
        assert (other.ambiguity, CYCLE[other.pillars.hour][1]) == (Ambiguity.HOUR_EDGE, other_hour)


def test_between_eleven_and_one_at_night_every_second_has_the_ambiguities_of_both_schools() -> None:
    """The clock at 23:00, and the day until three minutes after midnight if it changes there."""
    start = datetime(2026, 4, 3, 22, 50, tzinfo=CHINA)
    spans = {
        Ambiguity.DAY_EDGE: (7 * 60, 13 * 60),
        Ambiguity.MIDNIGHT: (10 * 60, 70 * 60),
        Ambiguity.MIDNIGHT_EDGE: (70 * 60, 73 * 60),
        Ambiguity.HOUR_EDGE: (127 * 60, 133 * 60),
    }
    for second in range(140 * 60):
        expected = {key for key, (first, end) in spans.items() if first <= second < end}
        assert set(found(start + second * SECOND)) == expected, second


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        ("22:58:00", {Ambiguity.DAY_EDGE: ("戊申", "壬子")}),
        ("23:02:00", {Ambiguity.DAY_EDGE: ("丁未", "辛亥"), Ambiguity.MIDNIGHT: ("丁未", "壬子")}),
        ("23:30:00", {Ambiguity.MIDNIGHT: ("丁未", "壬子")}),
        ("00:01:00", {Ambiguity.MIDNIGHT_EDGE: ("丙午", "庚子")}),
    ],
)
def test_the_other_day_is_that_of_the_other_school_or_of_the_clock(
    clock: str, expected: dict[Ambiguity, tuple[str, str]]
) -> None:
    """丁未 is 3 April 2026."""
    others = of_clock(clock)
    assert {key: (CYCLE[o.pillars.day], CYCLE[o.pillars.hour]) for key, o in others.items()} == expected


@given(moments)
def test_before_midnight_the_other_day_is_always_that_of_the_midnight_school(moment: datetime) -> None:
    late = moment.replace(hour=23)
    assert found(late)[Ambiguity.MIDNIGHT].pillars == pillars(late, DayChange.MIDNIGHT)


def summer_of(year: int) -> tuple[datetime, datetime]:
    """Return its first second, and the first one after it, by the tz database."""
    hours = [datetime(year, 1, 1, tzinfo=UTC) + hour * HOUR for hour in range(24 * 365)]
    summer = [hour for hour in hours if hour.astimezone(SHANGHAI).dst()]
    return summer[0], summer[-1] + HOUR


@pytest.mark.parametrize("year", SUMMERS)
def test_summer_time_begins_and_ends_with_the_very_second_of_the_tz_database(year: int) -> None:
    """At +09:00, as clocks of China were set, and at +08:00 if the clock's time was taken for standard time."""
    first, end = summer_of(year)
    days = tuple(f"{moment:%m-%d}" for moment in (first.astimezone(CHINA), (end - SECOND).astimezone(IN_SUMMER)))
    assert days == SUMMERS[year]
    for moment, is_summer in ((first - SECOND, False), (first, True), (end - SECOND, True), (end, False)):
        assert (Ambiguity.SUMMER_TIME in found(moment.astimezone(IN_SUMMER))) is is_summer, moment


@pytest.mark.parametrize("year", SUMMERS)
def test_a_clock_of_summer_time_taken_for_standard_time_is_known_by_its_hands(year: int) -> None:
    """At +08:00; the clock skipped 02:00 to 03:00 of the first day."""
    first, last = (f"{year}-{day}" for day in SUMMERS[year])
    for day, clock, is_summer in (
        *((first, "01:59:59", False), (first, "03:00:00", True)),
        *((last, "01:59:59", True), (last, "02:00:00", False)),
    ):
        others = found(datetime.fromisoformat(f"{day}T{clock}+08:00"))
        assert (Ambiguity.SUMMER_TIME in others) is is_summer, (day, clock)


@given(st.sampled_from(list(SUMMERS)), st.floats(0, 1, exclude_max=True), st.sampled_from([CHINA, IN_SUMMER]))
def test_standard_time_is_an_hour_earlier_in_all_of_a_summer(year: int, part: float, offset: timezone) -> None:
    first, end = summer_of(year)
    clock = (first + timedelta(seconds=int((end - first).total_seconds() * part))).astimezone(IN_SUMMER)
    other = found(clock.replace(tzinfo=offset))[Ambiguity.SUMMER_TIME]
    assert other.clock.utcoffset() == 8 * HOUR
    assert other.clock.replace(tzinfo=None) == clock.replace(tzinfo=None) - HOUR
    assert other.pillars == pillars(other.clock)


@pytest.mark.parametrize(
    "moment",
    [
        "1985-07-01T12:00:00+08:00",
        "1992-07-01T12:00:00+08:00",
        "1988-12-01T12:00:00+08:00",
        "1988-07-01T12:00:00+07:00",
        "1988-07-01T12:00:00-05:00",
        "1942-07-01T12:00:00+09:00",
        "1988-07-01T12:00:00+07:46",
    ],
)
def test_no_other_year_season_or_offset_is_summer_time(moment: str) -> None:
    assert Ambiguity.SUMMER_TIME not in found(datetime.fromisoformat(moment))


@given(moments, st.integers(-500, 500))
def test_true_solar_time_has_an_alternative_where_its_hour_is_not_the_clocks(moment: datetime, minutes: int) -> None:
    civil = moment.astimezone(timezone((moment.utcoffset() or timedelta()) + timedelta(minutes=minutes)))
    others = found(moment, civil)
    differs = pillars(civil)[2:] != pillars(moment)[2:]
    assert (Ambiguity.SOLAR_TIME in others) is differs
    if differs:
        assert others[Ambiguity.SOLAR_TIME][1:] == (pillars(civil), civil)
    assert Ambiguity.SUMMER_TIME not in others


@given(moments)
def test_an_alternative_is_another_plate_but_for_summer_time(moment: datetime) -> None:
    others = alternatives(moment)
    assert all(other.pillars != pillars(moment) for other in others if other.ambiguity is not Ambiguity.SUMMER_TIME)
    assert len(others) <= 4
