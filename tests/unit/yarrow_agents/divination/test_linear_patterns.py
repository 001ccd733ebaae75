"""The patterns that read what users and models write take time in proportion to the text, whatever it is."""

import time
from collections.abc import Callable

import pytest

from yarrow_agents.divination import readings, review, vocabulary

PIECES = [" ", "\n", " \n", "( ", "(a", ") (", "。 ", ". ", "a.", "!", "# ", "<", "\t　"]


def seconds(work: Callable[[str], object], text: str) -> float:
    """The least of three tries, by the clock of this process."""
    took = []
    for _ in range(3):
        began = time.process_time()
        work(text)
        took.append(time.process_time() - began)
    return min(took)


@pytest.mark.parametrize("piece", PIECES, ids=repr)
@pytest.mark.parametrize(
    "work",
    [
        lambda text: list(readings.pieces(text)),
        vocabulary._GLOSS.findall,
        review.sentences_of,
    ],
    ids=["_SENTENCE", "_GLOSS", "sentences_of"],
)
def test_a_text_of_four_times_the_length_takes_no_more_than_some_four_times_as_long(
    work: Callable[[str], object], piece: str
) -> None:
    """A quadratic pattern takes sixteen times as long, and some seconds on these texts."""
    short, long = (seconds(work, "x" + piece * count + "x") for count in (5_000, 20_000))
    assert long <= max(10 * short, 0.05)


def test_a_gloss_goes_with_the_blanks_before_it() -> None:
    assert vocabulary.folded("世爻  (the self) 旬空( void )x") == "世爻旬空x"
