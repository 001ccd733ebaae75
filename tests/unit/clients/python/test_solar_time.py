"""A cast of the command by true solar time is that of the service."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuyao.cast_time import solar_time as served
from yarrow.protocol.run_input.client_time import ClientTime, client_time_of
from yarrow_client.cli.parser import parser
from yarrow_client.cli.solar_time import NotLongitude, equation_of_time, read_longitude, solar_time, zone_name
from yarrow_client.cli.words import Words
from yarrow_client.run_input import cast_input

AT = datetime(2026, 4, 3, 20, 30, tzinfo=timezone(timedelta(hours=8)))


@given(
    st.integers(-2_170_000_000, 4_100_000_000),
    st.floats(-180, 180),
    st.integers(-12 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters))),
)
def test_solar_time_is_that_of_the_service(seconds: int, longitude: float, zone: timezone) -> None:
    """DIV-20."""
    moment = datetime.fromtimestamp(seconds, zone)
    assert equation_of_time(moment) == served.equation_of_time(moment)
    ours = solar_time(moment, longitude)
    assert ours.isoformat() == served.solar_time(moment, longitude).isoformat()


@pytest.mark.parametrize(("text", "longitude"), [("87.6", 87.6), ("-74", -74.0), ("180", 180.0), ("-180", -180.0)])
def test_a_longitude_is_read(text: str, longitude: float) -> None:
    """A negative one is no option."""
    options = parser(Words("en")).parse_args(["cast", "q", "--longitude", text])
    assert read_longitude(options.longitude) == longitude


@pytest.mark.parametrize("text", ["180.1", "-181", "nan", "inf", "Berlin", "", "87,6"])
def test_no_other_text_is_a_longitude(text: str) -> None:
    with pytest.raises(NotLongitude):
        read_longitude(text)


def test_a_cast_tells_the_zone_of_the_device_if_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """FWD-03: as the service takes it."""
    monkeypatch.setenv("TZ", ":Asia/Shanghai")
    body = cast_input("q", ["少阳"] * 6, thread_id="t", at=solar_time(AT, 87.6), time_zone=zone_name())
    props = body["forwardedProps"]
    assert props["divinationPayload"]["divinationTimeIso"] == "2026-04-03T18:17:00+05:47"
    client_time = client_time_of(props)
    assert isinstance(client_time, ClientTime)
    assert client_time.device_timezone == "Asia/Shanghai"
    assert abs(datetime.fromtimestamp(client_time.client_epoch_ms / 1000, UTC) - datetime.now(UTC)) < timedelta(
        minutes=5
    )
    assert "client_time" not in cast_input("q", ["少阳"] * 6, thread_id="t")["forwardedProps"]


@pytest.mark.parametrize("name", ["nowhere/at/all", "../etc/passwd", "CST-8"])
def test_what_is_no_zone_is_not_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", name)
    assert zone_name() is None
