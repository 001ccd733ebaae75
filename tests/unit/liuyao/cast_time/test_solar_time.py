"""True solar time: its equation by published values and by ERFA, and the offset that a cast has of it."""

from datetime import UTC, datetime, timedelta, timezone

import erfa
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuyao.calendar import pillars
from liuyao.cast_time.solar_time import civil_time, equation_of_time, solar_time
from liuyao.payload import DivinationPayload
from tools.make_solar_terms import DAY, UNIX_EPOCH, apparent_longitude, tt_minus_ut

CHINA = timezone(timedelta(hours=8))
FIRST, LAST = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in (1901, 2100))
moments = st.integers(FIRST, LAST).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
longitudes = st.floats(-180, 180)
zones = st.integers(-12 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters)))


@pytest.mark.parametrize(
    ("moment", "seconds", "within"),
    [
        ("1992-10-13T00:00:00Z", 13 * 60 + 42.6, 0.5),
        ("1999-04-15T23:15:00Z", -0.000634845 * 3600, 1.5),
        ("1999-04-16T04:00:00Z", 0.000152746 * 3600, 1.5),
        ("2005-01-10T00:00:00Z", -444.14, 2.5),
    ],
    ids=["Meeus, example 28.a", "XEphem 3.0", "XEphem 3.0, later", "Smart, for 2005"],
)
def test_the_equation_of_time_has_published_values(moment: str, seconds: float, within: float) -> None:
    """The values are XEphem's and Smart's, from the lists Sundial (April 1999) and NavList (January 2005)."""
    assert equation_of_time(datetime.fromisoformat(moment)) * 60 == pytest.approx(seconds, abs=within)


def test_the_equation_of_time_is_within_five_seconds_of_erfa_in_two_centuries() -> None:
    """Every 331 hours: sidereal time less the right ascension of the apparent Sun is its hour angle."""
    begin = datetime(1901, 1, 1, tzinfo=UTC)
    moments = [begin + timedelta(hours=331 * step) for step in range(198 * 365 * 24 // 331)]
    ut = np.array([moment.timestamp() / DAY + UNIX_EPOCH for moment in moments])
    tt = ut + np.array([tt_minus_ut(item) for item in ut]) / DAY
    _, nutation, mean_obliquity, *_ = erfa.pn06a(tt, 0.0)
    longitude = np.radians(apparent_longitude(tt))
    ascension = np.arctan2(np.sin(longitude) * np.cos(mean_obliquity + nutation), np.cos(longitude))
    by_erfa = np.degrees(erfa.gst06a(ut, 0.0, tt, 0.0) - ascension) * 240 - (ut % 1) * DAY
    by_erfa = (by_erfa + DAY / 2) % DAY - DAY / 2
    errors = np.array([equation_of_time(moment) * 60 for moment in moments]) - by_erfa
    assert len(errors) > 5_000
    assert np.abs(errors).max() < 5


@given(moments, longitudes, zones)
def test_a_solar_time_is_the_same_instant_at_the_suns_offset(
    moment: datetime, longitude: float, zone: timezone
) -> None:
    civil = moment.astimezone(zone)
    solar = solar_time(civil, longitude)
    assert solar == civil
    offset = solar.utcoffset() or timedelta()
    assert offset % timedelta(minutes=1) == timedelta()
    minutes = (offset / timedelta(minutes=1) - 4 * longitude - equation_of_time(civil) + 720) % 1440 - 720
    assert abs(minutes) <= 0.5 + 1e-6
    nearer = min(0, -1, 1, key=lambda days: abs(offset + timedelta(days=days) - (civil.utcoffset() or timedelta())))
    assert nearer == 0 or abs(offset + timedelta(days=nearer)) >= timedelta(days=1)


@given(moments, longitudes, zones)
def test_a_solar_time_is_one_of_the_wire(moment: datetime, longitude: float, zone: timezone) -> None:
    """DIV-05: RFC 3339 has offsets of minutes; and the year and month stay."""
    solar = solar_time(moment.replace(microsecond=0).astimezone(zone), longitude)
    payload = DivinationPayload.model_validate(
        {
            "divinationMethod": "手动起卦",
            "questionType": "事业",
            "question": "?",
            "divinationTimeIso": solar.isoformat(),
            "yaoLines": ["少阳"] * 6,
        }
    )
    assert payload.divination_time_iso.replace(tzinfo=None) == solar.replace(tzinfo=None)
    assert pillars(payload.divination_time_iso)[:2] == pillars(moment)[:2]


def test_the_clock_of_urumqi_is_two_hours_ahead_of_its_sun() -> None:
    """At 87.6° E the difference is 5 h 50 m 24 s, less the 3 m 23 s of the day's equation."""
    clock = datetime(2026, 4, 3, 20, 30, tzinfo=CHINA)
    assert solar_time(clock, 87.6).isoformat() == "2026-04-03T18:17:00+05:47"
    assert solar_time(clock, 120).isoformat() == "2026-04-03T20:27:00+07:57"


def test_beyond_the_date_line_the_day_is_that_of_the_clock() -> None:
    """Kiritimati is at 157.4° W in the zone of +14:00."""
    clock = datetime(2026, 4, 3, 12, 0, tzinfo=timezone(timedelta(hours=14)))
    assert solar_time(clock, -157.4).isoformat() == "2026-04-03T11:27:00+13:27"


@pytest.mark.parametrize("longitude", [-180.01, 180.01, 999, float("nan"), float("inf")])
def test_no_other_longitude_is_one(longitude: float) -> None:
    with pytest.raises(ValueError, match="longitude"):
        solar_time(datetime(2026, 4, 3, tzinfo=UTC), longitude)


@given(moments, zones)
def test_a_time_of_a_clock_is_not_taken_for_solar_time(moment: datetime, zone: timezone) -> None:
    assert civil_time(moment.astimezone(zone), "Asia/Shanghai") is None


def test_the_clocks_time_of_a_solar_time_is_that_of_the_users_zone() -> None:
    civil = civil_time(datetime.fromisoformat("2026-04-03T18:17:00+05:47"), "Asia/Shanghai")
    assert civil is not None
    assert civil.isoformat() == "2026-04-03T20:30:00+08:00"
