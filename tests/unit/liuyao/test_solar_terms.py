"""The shipped table of solar terms is what its generator makes, and the generator is right."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import numpy as np
import pytest

from liuyao.calendar import _MONTHS
from tools import make_solar_terms

CHINA = timezone(timedelta(hours=8))
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def test_the_generator_makes_the_shipped_bytes_again() -> None:
    assert make_solar_terms.document() == make_solar_terms.TARGET.read_text(encoding="utf-8")


def test_the_table_covers_every_month_of_1899_to_2101() -> None:
    assert len(_MONTHS) == 203 * 12
    assert all(29 < (after - before) / 86400 < 33 for before, after in pairwise(_MONTHS))
    for row, opening in enumerate(_MONTHS[::12]):
        beginning_of_spring = EPOCH + timedelta(seconds=opening)
        assert (beginning_of_spring.year, beginning_of_spring.month) == (1899 + row, 2)


@pytest.mark.parametrize(
    ("longitude", "published"),
    [
        (315, "2026-02-04T04:02:08+08:00"),
        (15, "2026-04-05T02:40:00+08:00"),
        (270, "2024-12-21T17:20:34+08:00"),
    ],
    ids=["立春 2026", "清明 2026", "冬至 2024"],
)
def test_known_instants_come_out_within_a_second(longitude: float, published: str) -> None:
    moment = datetime.fromisoformat(published)
    near = make_solar_terms.UNIX_EPOCH + moment.timestamp() / make_solar_terms.DAY + 3
    (found,) = make_solar_terms.unix_seconds(make_solar_terms.instant_of(np.array([longitude]), np.array([near])))
    assert abs(found - moment.timestamp()) <= 1


@pytest.mark.parametrize(
    ("year", "seconds"), [(1900, -2.8), (1920, 21.2), (1950, 29.1), (1971, 41.6), (1972, 42.2), (2000, 64.184)]
)
def test_delta_t_is_the_measured_one(year: int, seconds: float) -> None:
    # Stephenson & Morrison's values; from 1972 TT − UTC, exact.
    middle = make_solar_terms.J2000 + (year - 2000) * 365.25 + 10
    assert make_solar_terms.tt_minus_ut(middle) == pytest.approx(seconds, abs=0.6)


@pytest.mark.parametrize("year", [2017, 2026, 2100])
def test_the_last_leap_second_is_kept_for_all_later_years(year: int) -> None:
    middle = make_solar_terms.J2000 + (year - 2000) * 365.25 + 180
    assert make_solar_terms.tt_minus_ut(middle) == 37 + 32.184
