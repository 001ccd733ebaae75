"""Connections in the table: their cursors, and the lease of who sends to one."""

import pytest

from yarrow.store import clock
from yarrow.store.workspace import connections, keys

KEY = keys.key_of("alice", "assistant")
SOON = 10_000


def take(holder: str, wait: int = SOON) -> connections.Lease | None:
    return connections.take(KEY, "c1", holder, clock.now_ms() + wait)


@pytest.fixture(autouse=True)
def connected(aws: None) -> None:
    connections.add(KEY, "c1", "alice", "renderer-1", "s1")


def test_a_new_connection_is_to_get_a_snapshot() -> None:
    """WSP-38."""
    connection = connections.read(KEY, "c1")
    assert connection is not None
    assert (connection.asked, connection.answered, connection.active_session) == (1, 0, "s1")
    assert not connection.is_current(0)


def test_one_sends_at_a_time_and_whoever_comes_meanwhile_is_not_forgotten() -> None:
    """WSP-21: the lease is kept until its holder has looked again."""
    lease = take("first")
    assert lease is not None
    assert not lease.is_takeover
    assert take("second") is None
    again = connections.release(KEY, "first", lease.connection, sent_through=5, answered=1)
    assert again is not None
    assert (again.sent_through, again.wakes) == (5, 1)
    assert connections.release(KEY, "first", again, sent_through=6, answered=1) is None
    freed = connections.read(KEY, "c1")
    assert freed is not None
    assert freed.is_current(6)


def test_a_snapshot_asked_for_meanwhile_is_not_forgotten() -> None:
    lease = take("first")
    assert lease is not None
    connections.ask(KEY, "c1")
    assert connections.release(KEY, "first", lease.connection, sent_through=5, answered=1) is not None


def test_a_lease_that_was_not_let_go_is_taken_over() -> None:
    """WSP-21: what its holder has sent is unknown."""
    take("first", -1)
    lease = take("second")
    assert lease is not None
    assert lease.is_takeover
    assert not connections.renew(KEY, "c1", "first", clock.now_ms() + SOON)
    assert connections.release(KEY, "first", lease.connection, sent_through=9, answered=9) is None
    again = connections.read(KEY, "c1")
    assert again is not None
    assert again.sent_through == 0


def test_a_release_that_is_made_twice_leaves_the_next_holder_its_lease() -> None:
    """WSP-21: botocore repeats a call whose answer is lost."""
    first = take("first")
    assert first is not None
    assert connections.release(KEY, "first", first.connection, sent_through=5, answered=1) is None
    assert take("second") is not None
    assert connections.release(KEY, "first", first.connection, sent_through=5, answered=1) is None
    assert take("third") is None


def test_a_lease_is_let_go_whoever_came_for_it() -> None:
    """Where a delivery failed, the next one begins at once, with a snapshot."""
    take("first")
    assert take("second") is None
    connections.give_up(KEY, "c1", "second")
    assert take("second") is None
    connections.give_up(KEY, "c1", "first")
    lease = take("second")
    assert lease is not None
    assert not lease.is_takeover
    assert (lease.connection.asked, lease.connection.sent_through) == (2, 0)


def test_the_same_holder_takes_it_twice() -> None:
    """The first try may have lost its answer."""
    assert take("first") is not None
    assert take("first") is not None


def test_nothing_is_sent_to_a_connection_that_is_gone() -> None:
    connections.remove(KEY, "c1")
    assert take("first") is None
    connections.ask(KEY, "c1")
    assert connections.read(KEY, "c1") is None


def test_the_later_click_wins() -> None:
    """WSP-07: whichever arrives first."""
    assert connections.show(KEY, "c1", "s3", 30)
    assert not connections.show(KEY, "c1", "s2", 20)
    connection = connections.read(KEY, "c1")
    assert connection is not None
    assert connection.active_session == "s3"


def test_a_page_is_remembered() -> None:
    """C52: It is found by its tag."""
    connections.remember("alice", "renderer-1", "assistant", "s1")
    assert connections.page("alice", "renderer-1") == connections.Page("assistant", "s1")
    assert connections.page("bob", "renderer-1") is None


def test_a_connection_without_a_task_learns_it() -> None:
    connections.open_without_task("c2", "alice", None)
    connections.open_without_task("c2", "alice", "assistant")
    assert connections.opened("c2") == connections.Opened("alice", "assistant")
    connections.forget("c2")
    assert connections.opened("c2") is None
