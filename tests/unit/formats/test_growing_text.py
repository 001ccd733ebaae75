"""A text that grows is the sum of its pieces, whenever it is read."""

from hypothesis import given
from hypothesis import strategies as st

from yarrow.formats.growing_text import GrowingText


@given(st.lists(st.tuples(st.text(max_size=3), st.booleans())))
def test_it_is_the_sum_of_its_pieces(pieces: list[tuple[str, bool]]) -> None:
    growing, text = GrowingText(), ""
    for piece, is_read in pieces:
        growing.append(piece)
        text += piece
        assert len(growing) == len(text)
        assert bool(growing) == bool(text)
        if is_read:
            assert str(growing) == text
    assert growing == GrowingText(text)
    assert growing != GrowingText(f"{text}.")
