"""Which topic of a session a conversation of it has: of its own messages alone."""

from typing import Any

from yarrow.store.branches import Path, Segment
from yarrow.store.sessions import Session

CAST: dict[str, Any] = {"cast": 1}
OTHER: dict[str, Any] = {"cast": 2}


def session(*topics: tuple[int, dict[str, Any]]) -> Session:
    return Session("t", "alice", "divination", "now", 6, None, None, topics=topics)


def test_the_topic_of_the_last_message_is_that_of_its_number_alone() -> None:
    """C38: an earlier one does not count, nor one of another branch."""
    whole, branch = Path((Segment(1, 4),)), Path((Segment(1, 2), Segment(5, 6)))
    request = session((2, CAST), (4, OTHER))
    assert request.topic_asked(whole) == OTHER
    assert request.topic_asked(branch) is None
    assert session((2, CAST)).topic_asked(whole) is None


def test_the_topic_of_a_conversation_is_its_latest_that_was_answered() -> None:
    """C38: one at the last message has no answer yet."""
    whole, branch = Path((Segment(1, 4),)), Path((Segment(1, 2), Segment(5, 6)))
    request = session((2, CAST), (4, OTHER))
    assert request.topic_on(whole) == CAST
    assert request.topic_on(branch) == CAST
    assert session((4, OTHER)).topic_on(branch) is None
