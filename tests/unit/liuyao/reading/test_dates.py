"""The civil dates of 应期."""

from datetime import date

from liuyao.calendar import branch_of_day, months_from
from liuyao.reading.dates import within
from liuyao.reading.question.asks import Horizon, Part, Unit

TODAY = date(2026, 6, 1)


def test_a_day_has_the_branch_of_the_cycle() -> None:
    """DIV-20: 2000-01-01 is 戊午."""
    assert branch_of_day(date(2000, 1, 1)) == "午"


def test_months_run_from_one_solar_term_to_the_next() -> None:
    """DIV-19."""
    first, second = months_from(TODAY, 2)
    assert (first.branch, second.branch) == ("巳", "午")
    assert (second.first, second.last) == (date(2026, 6, 5), date(2026, 7, 6))


def test_the_time_a_question_names_has_a_first_and_a_last_day() -> None:
    """DIV-28."""
    expected = {
        Horizon(Unit.DAY, 1): (date(2026, 6, 2), date(2026, 6, 2)),
        Horizon(Unit.MONTH, 1): (date(2026, 7, 1), date(2026, 7, 31)),
        Horizon(Unit.YEAR, 0): (TODAY, date(2026, 12, 31)),
        Horizon(Unit.YEAR, 0, part=Part.SECOND_HALF): (date(2026, 7, 1), date(2026, 12, 31)),
        Horizon(Unit.MONTH, 0, 3): (TODAY, date(2026, 9, 1)),
    }
    assert {horizon: within(horizon, TODAY) for horizon in expected} == expected
