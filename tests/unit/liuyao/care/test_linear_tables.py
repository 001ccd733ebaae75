"""A text is looked up in time in proportion to its length, whatever it is."""

import time

import pytest

from liuyao.care import assess

PIECES = ["药", "我想", "手术,", "家人会", "乐,想", "rope ", "i want to ", "should i ", "my "]
"""What many phrases of the tables begin with, so that a search starts anew at every place."""


def seconds(text: str) -> float:
    """The least of three tries, by the clock of this process."""
    took = []
    for _ in range(3):
        began = time.process_time()
        assess([text])
        took.append(time.process_time() - began)
    return min(took)


@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_text_of_four_times_the_length_takes_no_more_than_some_four_times_as_long(piece: str) -> None:
    """A quadratic pattern takes sixteen times as long."""
    assess([piece])
    short, long = (seconds(piece * count) for count in (800, 3_200))
    assert long <= max(10 * short, 0.05)
