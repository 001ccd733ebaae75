"""Reading a journal: from any event on, however the events are packed, and never past a gap."""

from collections.abc import Iterator
from typing import Any

import pytest

from yarrow.store import journal, table

Batch = tuple[int, str]


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[Batch]:
    """What a query finds: batches, by their first sequence number and their events."""
    found: list[Batch] = []

    def query(_: str, *, after: str, **__: Any) -> Iterator[table.Item]:
        for first, lines in found:
            if table.event_key("key", first + lines.count("\n"))["sk"] > after:
                yield {"first_sequence": first, "events": lines}

    monkeypatch.setattr(table, "query", query)
    return found


def test_it_is_read_after_any_event(batches: list[Batch]) -> None:
    """EVT-04, EVT-27: also from the middle of a batch."""
    batches += [(1, "a"), (2, "b\nc\nd"), (5, "e")]
    whole = [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")]
    for after in range(6):
        assert list(journal.read("key", after)) == whole[after:]


def test_nothing_is_read_past_a_gap(batches: list[Batch]) -> None:
    """EVT-04, EVT-27: two appends came while the query ran, and it saw the second only; the next reading sees both."""
    batches += [(1, "a"), (4, "d")]
    assert list(journal.read("key", 0)) == [(1, "a")]
    assert list(journal.read("key", 1)) == []
    batches.insert(1, (2, "b\nc"))
    assert list(journal.read("key", 1)) == [(2, "b"), (3, "c"), (4, "d")]
