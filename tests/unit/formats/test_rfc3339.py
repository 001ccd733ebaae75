"""Which texts are RFC 3339 date-times, and what instant and wall clock each names (DIV-04, FWD-05).

The platform and the derivation each have a parser, since neither imports the other: both read the same.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuyao import instants
from yarrow.formats.rfc3339 import parse_rfc3339

Parser = Callable[[object], datetime]
parsers = pytest.mark.parametrize("parse", [parse_rfc3339, instants.parse], ids=["platform", "derivation"])


def zone(hours: int, minutes: int = 0) -> timezone:
    return timezone(timedelta(hours=hours, minutes=minutes))


GOOD = {
    "2026-04-03T20:30:00+08:00": datetime(2026, 4, 3, 20, 30, tzinfo=zone(8)),
    "2026-04-03T12:30:00Z": datetime(2026, 4, 3, 12, 30, tzinfo=UTC),
    "2026-04-03t12:30:00z": datetime(2026, 4, 3, 12, 30, tzinfo=UTC),
    "2026-04-03T12:30:00-00:00": datetime(2026, 4, 3, 12, 30, tzinfo=UTC),
    "2026-04-03T12:30:00-09:30": datetime(2026, 4, 3, 12, 30, tzinfo=zone(-9, -30)),
    "2026-04-03T12:30:00+05:45": datetime(2026, 4, 3, 12, 30, tzinfo=zone(5, 45)),
    "2026-04-03T12:30:00+23:59": datetime(2026, 4, 3, 12, 30, tzinfo=zone(23, 59)),
    "2026-04-03T12:30:00.5Z": datetime(2026, 4, 3, 12, 30, 0, 500_000, tzinfo=UTC),
    "2026-04-03T12:30:00.123456789Z": datetime(2026, 4, 3, 12, 30, 0, 123_456, tzinfo=UTC),
    "2024-02-29T00:00:00Z": datetime(2024, 2, 29, tzinfo=UTC),
    # Leap seconds, where there may be one.
    "2016-12-31T23:59:60Z": datetime(2017, 1, 1, tzinfo=UTC),
    "2017-01-01T07:59:60+08:00": datetime(2017, 1, 1, 8, tzinfo=zone(8)),
    "2015-06-30T23:59:60.25Z": datetime(2015, 7, 1, 0, 0, 0, 250_000, tzinfo=UTC),
}

BAD = [
    "",
    "now",
    "2026-04-03",
    "20:30:00+08:00",
    "2026-04-03T20:30:00",
    "2026-04-03T20:30+08:00",
    "2026-04-03 20:30:00+08:00",
    "20260403T203000+0800",
    "2026-04-03T20:30:00+0800",
    "2026-04-03T20:30:00+08",
    "2026-04-03T20:30:00+08:00:00",
    "2026-04-03T20:30:00+24:00",
    "2026-04-03T20:30:00+08:60",
    "2026-04-03T20:30:00 +08:00",
    "2026-04-03T20:30:00,5Z",
    "2026-04-03T20:30:00.Z",
    "2026-W14-5T20:30:00Z",
    "2026-093T20:30:00Z",
    "2026-13-03T20:30:00Z",
    "2026-00-03T20:30:00Z",
    "2026-02-29T20:30:00Z",
    "2026-04-31T20:30:00Z",
    "0000-04-03T20:30:00Z",
    "2026-04-03T24:00:00Z",
    "2026-04-03T20:60:00Z",
    "2026-04-03T20:30:61Z",
    "2026-04-03T20:30:60Z",
    "2026-12-31T23:58:60Z",
    "2026-12-31T23:59:60+08:00",
    "9999-12-31T23:59:60Z",
    "+2026-04-03T20:30:00Z",
    "２０２６-04-03T20:30:00Z",
    "2026-04-03T20:30:00Z\n",
    " 2026-04-03T20:30:00Z",
    1775219400,
    1775219400.0,
    None,
    True,
    datetime(2026, 4, 3, tzinfo=UTC),
]


@parsers
@pytest.mark.parametrize(("text", "moment"), GOOD.items())
def test_a_date_time_with_its_offset_is_read(parse: Parser, text: str, moment: datetime) -> None:
    assert parse(text) == moment
    assert parse(text).utcoffset() == moment.utcoffset()


@parsers
@pytest.mark.parametrize("text", BAD, ids=repr)
def test_other_texts_are_not_times(parse: Parser, text: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(text)


minutes = st.integers(-23 * 60 - 59, 23 * 60 + 59)


@parsers
@given(st.datetimes(), minutes)
def test_what_isoformat_writes_is_read_back(parse: Parser, moment: datetime, offset: int) -> None:
    moment = moment.replace(tzinfo=zone(0, offset))
    assert parse(moment.isoformat()) == moment


@parsers
@given(st.text(alphabet="0123456789-:.TZtz+ ", max_size=32))
def test_a_text_is_read_or_refused_with_a_value_error(parse: Parser, text: str) -> None:
    with suppress(ValueError):
        assert parse(text).utcoffset() is not None
