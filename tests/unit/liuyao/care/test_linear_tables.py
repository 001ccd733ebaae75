"""A text is looked up in time in proportion to its length, whatever it is."""

import pytest

from liuyao.care import assess
from tests.support.growth import growth

PIECES = ["药", "我想", "手术,", "家人会", "乐,想", "rope ", "i want to ", "should i ", "my "]
"""What many phrases of the tables begin with, so that a search starts anew at every place."""


@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_text_of_eight_times_the_length_takes_no_more_than_some_eight_times_as_long(piece: str) -> None:
    """A quadratic pattern takes 64 times as long."""
    assert growth(assess, lambda count: [piece * count], 400, 3_200, enough=24) <= 24
