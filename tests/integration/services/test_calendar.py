"""The calendar's events in the table: changed and deleted by an id that may be an old one."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local.stack import Stack
from tests.support.effort import examples
from tests.support.functions.deployment import configured
from tests.support.memory_aws.aws import MemoryAws
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.services.tools.builtin import TOOLS
from yarrow.store import calendar, table

THREAD = "550e8400-e29b-41d4-a716-446655440000"
HERE = "Asia/Shanghai"
EVENT = {"title": "开会", "starts_at": "2026-03-17T09:00:00", "event_timezone": HERE, "notes": "合同"}


@pytest.fixture(autouse=True)
def memory(stack: Stack) -> Iterator[MemoryAws]:
    aws = MemoryAws()
    with configured(stack), aws.installed():
        yield aws


def call(name: str, thread: str = THREAD, key: str | None = None, **members: Any) -> Any:
    context = ToolContext("alice", thread, "run-key", TimeZones(), key=key)
    return asyncio.run(TOOLS.call(name, members, context))


def write(**members: Any) -> dict[str, Any]:
    written: dict[str, Any] = call("calendar_write", **{**EVENT, **members})
    return written


def update(event: str, **members: Any) -> dict[str, Any]:
    changed: dict[str, Any] = call("calendar_update", event_id=event, **{"event_timezone": HERE, **members})
    return changed


def delete(event: str, thread: str = THREAD) -> dict[str, Any]:
    gone: dict[str, Any] = call("calendar_delete", thread, event_id=event)
    return gone


def there(day: str = "2026-03-17", days: int = 31, thread: str = THREAD) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call("calendar_read", thread, day=day, days=days, event_timezone=HERE)
    return found


def test_a_step_that_is_made_again_is_told_what_it_was_told() -> None:
    """STP-02: that it wrote, changed or deleted the event, though it has; another step is told how it is."""
    written = [call("calendar_write", key=key, **EVENT) for key in ("first", "first", "second")]
    assert [item["already_there"] for item in written] == [False, False, True]
    change = {"event_id": written[0]["event_id"], "event_timezone": HERE, "title": "x"}
    changed = [call("calendar_update", key=key, **change) for key in ("third", "third", "fourth")]
    assert [item["changed"] for item in changed] == [True, True, False]
    assert len(there()) == 1
    moved = changed[0]["event_id"]
    deleted = [call("calendar_delete", key=key, event_id=moved) for key in ("fifth", "fifth", "sixth")]
    described = {name: member for name, member in changed[0].items() if name != "changed"}
    assert deleted[0] == deleted[1] == {**described, "deleted": True, "already_gone": False}
    assert deleted[2] == {"event_id": moved, "deleted": True, "already_gone": True}
    assert not there()


def test_a_step_that_deletes_does_not_delete_what_was_written_again_meanwhile() -> None:
    """STP-02: made again, it has no second effect."""
    event = write()["event_id"]
    first = call("calendar_delete", key="first", event_id=event)
    write()
    assert call("calendar_delete", key="first", event_id=event) == first
    assert len(there()) == 1


def test_what_is_given_changes_and_the_rest_stays() -> None:
    """FWD-10: a new time is in the time zone of the call, and lasts as long as before."""
    event = write(duration_minutes=90)
    moved = update(event["event_id"], starts_at="2026-03-18T10:00:00", event_timezone="Asia/Tokyo")
    assert moved == {
        "event_id": moved["event_id"],
        "title": "开会",
        "starts_at": "2026-03-18T10:00:00+09:00",
        "ends_at": "2026-03-18T11:30:00+09:00",
        "event_timezone": "Asia/Tokyo",
        "notes": "合同",
        "changed": True,
    }
    renamed = update(moved["event_id"], title="吃饭", duration_minutes=30, notes="")
    assert (renamed["title"], renamed["starts_at"], renamed["event_timezone"]) == (
        "吃饭",
        "2026-03-18T10:00:00+09:00",  # the call's time zone is for a time it gives
        "Asia/Tokyo",
    )
    assert renamed["ends_at"] == "2026-03-18T10:30:00+09:00"
    assert "notes" not in renamed
    assert [item["event_id"] for item in there()] == [renamed["event_id"]]


def test_an_id_that_was_told_before_a_change_still_stands_for_the_event() -> None:
    """CMP-11: and a change that is repeated changes nothing."""
    first = write()["event_id"]
    second = update(first, title="吃饭")["event_id"]
    assert second != first
    again = update(first, title="吃饭")
    assert (again["event_id"], again["changed"]) == (second, False)
    third = update(first, starts_at="2026-03-20T08:00:00")
    assert (third["title"], third["changed"]) == ("吃饭", True)
    assert delete(second)["already_gone"] is False
    assert (delete(first)["deleted"], delete(first)["already_gone"]) == (True, True)
    assert there() == []
    with pytest.raises(AgentAPIException, match="not_found"):
        update(third["event_id"], title="x")


def test_an_event_may_be_written_again_as_it_was_before_a_change() -> None:
    """CMP-11: the note at its place tells of the old one no more."""
    first = write()["event_id"]
    update(first, title="吃饭")
    assert write()["already_there"] is False
    assert update(first, notes="")["title"] == "开会"
    assert {entry["title"] for entry in there()} == {"吃饭", "开会"}


def test_a_change_to_what_another_event_says_leaves_one() -> None:
    one, other = write()["event_id"], write(title="吃饭")["event_id"]
    assert update(other, title="开会")["event_id"] == one
    assert [item["event_id"] for item in there()] == [one]
    assert delete(other)["title"] == "开会"


def test_what_is_no_event_of_this_calendar_is_refused() -> None:
    """RNR-53, RNR-63: An id of another session is refused as well."""
    event = write()["event_id"]
    for wrong in ("no id", "20260317T010000-" + "g" * 32):
        with pytest.raises(AgentAPIException, match="invalid_argument"):
            delete(wrong)
    for thread, unknown in ((THREAD, "20260317T010000-" + "0" * 32), ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", event)):
        with pytest.raises(AgentAPIException, match="not_found"):
            delete(unknown, thread)
    assert len(there()) == 1


@pytest.mark.parametrize("other", ["change", "delete"])
def test_of_two_changes_at_once_none_is_lost(monkeypatch: pytest.MonkeyPatch, other: str) -> None:
    """One comes between the other's read and its write."""
    event = write()["event_id"]
    transact, between = table.transact, iter([None])

    def first_the_other(*items: Any) -> None:
        if next(between, 0) is None:
            if other == "change":
                update(event, notes="改了")
            else:
                delete(event)
        transact(*items)

    monkeypatch.setattr(table, "transact", first_the_other)
    if other == "delete":
        with pytest.raises(AgentAPIException, match="not_found"):
            update(event, title="吃饭")
        assert there() == []
        return
    changed = update(event, title="吃饭")
    assert (changed["title"], changed["notes"]) == ("吃饭", "改了")
    assert len(there()) == 1


def test_a_change_that_others_keep_overtaking_may_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    event = write()["event_id"]

    def never(*_: Any) -> None:
        raise table.ConditionFailedError([True])

    monkeypatch.setattr(table, "transact", never)
    with pytest.raises(AgentAPIException) as refused:
        update(event, title="x")
    assert (refused.value.error.code, refused.value.error.retryable) == ("runtime_error", True)
    assert len(there()) == 1


STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "title", "move", "delete"]), st.integers(0, 20), st.integers(0, 2)),
    max_size=12,
)


@settings(max_examples=examples(40), deadline=None)
@given(STEPS)
def test_any_id_that_was_ever_told_leads_to_its_event(steps: list[tuple[str, int, int]]) -> None:
    """Against a model that knows which event each id stood for last."""
    thread = "a" + THREAD[1:]
    with MemoryAws().installed():
        output: dict[str, tuple[str, str] | None] = {}  # by id: what it says now
        follows: dict[str, str] = {}

        def end(event: str) -> str:
            while output.get(event) is None and event in follows:
                event = follows[event]
            return event

        for step, which, value in steps:
            if step == "write" or not output:
                members = {**EVENT, "title": f"t{value}", "starts_at": f"2026-03-{17 + value}T09:00:00"}
                event = call("calendar_write", thread, **members)
                output[event["event_id"]] = (event["title"], event["starts_at"])
                continue
            named = sorted(output)[which % len(output)]
            current = end(named)
            before = output[current]
            if step == "delete":
                assert delete(named, thread)["already_gone"] is (before is None)
                output[current] = None
                follows.pop(current, None)
                continue
            change = {"title": f"t{value}"} if step == "title" else {"starts_at": f"2026-03-{17 + value}T09:00:00"}
            if before is None:
                with pytest.raises(AgentAPIException, match="not_found"):
                    call("calendar_update", thread, event_id=named, event_timezone=HERE, **change)
                continue
            event = call("calendar_update", thread, event_id=named, event_timezone=HERE, **change)
            assert event["changed"] is (event["event_id"] != current)
            if event["changed"]:
                output[current], follows[current] = None, event["event_id"]
                output[event["event_id"]] = (event["title"], event["starts_at"])
        alive = {name: says for name, says in output.items() if says is not None}
        assert {entry["event_id"]: (entry["title"], entry["starts_at"]) for entry in there(thread=thread)} == alive


def test_the_notes_of_changes_expire(memory: MemoryAws) -> None:
    update(write()["event_id"], title="x")
    (note,) = [item for item in memory.table.items if item["sk"]["S"].startswith("CALENDAR_MOVED#")]
    assert "expires_at" in note
    assert table.kind_of(table.from_wire(note)).owner == "head"
    assert calendar.NOTE_DAYS == 30
