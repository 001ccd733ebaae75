"""The log of a workspace in the table: appended by one conditional put, read by one query, compacted."""

import pytest

from yarrow.store import table
from yarrow.store.workspace import keys, log

pytestmark = pytest.mark.usefixtures("aws")

KEY = keys.key_of("alice", "assistant")


def append(number: int) -> None:
    log.append(KEY, log.LogEntry(number, [{"op": "x", "number": number}], number, f"message-{number}"))


def stored() -> log.Stored:
    found = log.read(KEY)
    assert found is not None
    return found


def test_workspaces_are_told_apart() -> None:
    """WSP-39: The key has user and task."""
    assert len({keys.key_of(user, task) for user in ("a", "b") for task in ("c", "d")}) == 4


def test_a_workspace_that_was_never_opened_is_none() -> None:
    assert log.read(KEY) is None


def test_creating_twice_is_once() -> None:
    log.create(KEY, "alice", "assistant")
    append(1)
    log.create(KEY, "alice", "assistant")
    assert stored().head == log.Head("alice", "assistant")
    assert stored().last == 1


def test_an_entry_is_appended_once() -> None:
    log.create(KEY, "alice", "assistant")
    append(1)
    with pytest.raises(table.ConditionFailedError):
        append(1)
    assert [entry.changes for entry in stored().entries] == [[{"op": "x", "number": 1}]]


def test_compaction_keeps_what_connections_may_still_get() -> None:
    log.create(KEY, "alice", "assistant")
    for number in range(1, log.KEPT_BEHIND + 41):
        append(number)
    before = stored()
    log.compact(KEY, before, {"n": before.last})
    after = stored()
    assert after.head == log.Head("alice", "assistant", None, before.last, {"n": before.last})
    assert [entry.number for entry in after.entries] == list(range(41, before.last + 1))
    log.compact(KEY, before, {"n": 0})  # someone who read before it
    assert stored() == after


def test_a_deletion_that_was_cut_short_leaves_no_gap() -> None:
    log.create(KEY, "alice", "assistant")
    for number in range(1, 6):
        append(number)
    table.delete_alone(keys.entry(KEY, 3))
    log.compact(KEY, stored(), {})
    assert [entry.number for entry in stored().entries] == [4, 5]
    assert stored().last == 5
