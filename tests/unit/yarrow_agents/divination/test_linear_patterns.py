"""The patterns that read what users and models write take time in proportion to the text, whatever it is."""

from collections.abc import Callable

import pytest

from tests.support.growth import growth
from yarrow_agents.divination import readings, review, vocabulary

PIECES = [" ", "\n", " \n", "( ", "(a", ") (", "。 ", ". ", "a.", "!", "# ", "<", "\t　"]


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
def test_a_text_of_eight_times_the_length_takes_no_more_than_some_eight_times_as_long(
    work: Callable[[str], object], piece: str
) -> None:
    """A quadratic pattern takes 64 times as long, and some seconds on these texts."""
    assert growth(work, lambda count: f"x{piece * count}x", 2_500, 20_000, enough=24) <= 24


def test_a_gloss_goes_with_the_blanks_before_it() -> None:
    assert vocabulary.folded("世爻  (the self) 旬空( void )x") == "世爻旬空x"
