"""The pages on speed: their tables name what there is, and say how much faster or slower."""

import re

import pytest

from tests.bench.figures import speed
from tests.bench.row import Row
from tests.support.layers import of_functions
from tests.support.paths import ROOT

PAGE, FIGURES = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("speed.md", "speed-figures.md"))


def test_each_function_has_its_cold_start_on_both_pages() -> None:
    """After a function came or went: `make bench`, then `python -m tests.bench.figures.speed`."""
    table = PAGE.partition("<!-- table: cold -->")[2].partition("<!-- end -->")[0]
    assert set(re.findall(r"`(\w+)`", table)) == set(of_functions())
    assert set(re.findall(r"^\| cold start, (\w+) \|", FIGURES, re.M)) == set(of_functions())


def test_what_users_feel_is_on_the_first_page() -> None:
    for felt in speed.FELT:
        assert f"| {felt.sentence} |" in PAGE


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (Row("n", "ms", 22.0, "Aegra 0.11.0, messages-tuple", 2.0), "11 × slower than Aegra 0.11.0"),
        (Row("n", "1/s", 30.0, "AGUIAdapter", 10.0, more_is_better=True), "3 × faster than AGUIAdapter"),
        (Row("n", "ms", 2.0, "AGUIAdapter", 2.0), "as fast as AGUIAdapter"),
        (Row("n", "ms", 2.0), ""),
    ],
)
def test_a_ratio_is_told_as_a_number_above_one(row: Row, expected: str) -> None:
    assert speed.speed(row.ratio, row.reference) == expected
