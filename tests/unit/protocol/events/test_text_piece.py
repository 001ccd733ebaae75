"""A piece of text is written as any other event is."""

from hypothesis import given
from hypothesis import strategies as st

from yarrow.protocol.events import events
from yarrow.protocol.events.text_piece import TextPieces

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@given(TEXT, TEXT, TEXT, TEXT)
def test_it_is_the_event(thread_id: str, run_id: str, message_id: str, delta: str) -> None:
    """EVT-09."""
    ids: events.RunIds = {"thread_id": thread_id, "run_id": run_id}
    piece = TextPieces(ids, message_id).of(delta)
    event = events.TextMessageContent(**ids, message_id=message_id, delta=delta)
    assert (piece.line, piece.type) == (events.encode(event), event.type)
    assert events.decode(piece.line) == event
