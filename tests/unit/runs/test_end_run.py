"""What of a run without an answer is kept: its answered tool calls."""

from yarrow.formats.growing_text import GrowingText
from yarrow.protocol.events.order import EventOrder
from yarrow.runs.end_run import _tool_use


def test_a_call_that_was_cut_off_does_not_hide_the_next() -> None:
    """MSG-08."""
    order = EventOrder()
    order.tools |= {"cut": "search", "whole": "search"}
    order.calls.text |= {"cut": GrowingText('{"words": "r'), "whole": GrowingText('{"words": "rain"}')}
    turn = _tool_use([], order, {"cut": "nothing", "whole": "it rains"})
    assert turn is not None
    assert "it rains" in turn.to_json()
    assert "nothing" not in turn.to_json()
