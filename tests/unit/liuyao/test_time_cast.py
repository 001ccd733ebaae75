"""Casting by the time alone."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from liuyao.time_cast import lines_at

SHANGHAI = ZoneInfo("Asia/Shanghai")


def test_the_branches_of_the_time_make_the_hexagram_and_the_moving_line() -> None:
    """DIV-09, worked by hand: 丙午 year 7, 辛卯 month 2, 丁未 day 8, 庚戌 hour 11.

    17 leaves 1, 乾 above; 28 leaves 4, 震 below: 无妄. 28 leaves 4 of six: 四爻 moves.
    """
    moment = datetime(2026, 4, 3, 20, 30, tzinfo=SHANGHAI)
    assert lines_at(moment) == ("少阳", "少阴", "少阴", "老阳", "少阳", "少阳")


def test_one_line_moves_and_every_hexagram_can_come() -> None:
    """DIV-10."""
    start = datetime(2026, 1, 1, 1, tzinfo=SHANGHAI)
    casts = [lines_at(start + timedelta(hours=2 * step)) for step in range(12 * 366)]
    assert all(sum(line.startswith("老") for line in cast) == 1 for cast in casts)
    hexagrams = Counter("".join("1" if line.endswith("阳") else "0" for line in cast) for cast in casts)
    assert len(hexagrams) == 64


@pytest.mark.parametrize(
    "moment", [datetime(2026, 4, 3, 11, 0, tzinfo=UTC), datetime(2026, 4, 3, 19, 0, tzinfo=SHANGHAI)]
)
def test_the_hour_is_that_of_the_wall_clock(moment: datetime) -> None:
    """FWD-07: one instant is 午 in one place and 戌 in another."""
    same = {lines_at(moment.astimezone(zone)) for zone in (UTC, SHANGHAI)}
    assert len(same) == 2
