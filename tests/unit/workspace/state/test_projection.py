"""A run's events as changes of its session: a pure function that goes on where it stopped."""

import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.protocol.events.events import decode
from yarrow.workspace.state import changes, projection
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.projection import ShownRun

Event = Mapping[str, Any]
"""Its members on the wire, but the ids."""

PARTS = {"messageId": "m1", "options": [{"id": "a", "label": "A"}], "questionId": "q"}


def text(message_id: str, *pieces: str, role: str = "assistant") -> list[Event]:
    begin: Event = {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": role}
    deltas: list[Event] = [
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": piece} for piece in pieces
    ]
    return [begin, *deltas, {"type": "TEXT_MESSAGE_END", "messageId": message_id}]


def custom(name: str, value: Mapping[str, Any]) -> Event:
    return {"type": "CUSTOM", "name": name, "value": value}


def project(events: Sequence[Event], through: int = 0, since: int = 1, at: int = 1) -> list[Change]:
    """The changes of events from `since` on, of which those through `through` are shown already."""
    times = itertools.count(at)
    framed = [{"type": event["type"], "threadId": "t", "runId": "r", **event} for event in events]
    stored = [decode(json.dumps(item, separators=(",", ":"))) for item in framed]
    numbered = list(enumerate(stored, 1))[since - 1 :]
    return projection.changes_of(ShownRun("s", "run", "en", through), numbered, lambda: next(times))


def test_a_streamed_text_is_one_message_at_its_end() -> None:
    """WSP-21, C55."""
    events = text("m1", "Hel", "lo")
    assert project(events[:-1]) == []
    message, progressed = project(events)
    assert message == changes.message("s", {"id": "m1", "role": "assistant", "content": "Hello", "createdAt": 1})
    assert progressed == changes.progressed("s", "run", 4, 5)


def test_a_messages_parts_come_before_its_text() -> None:
    """WSP-22, WSP-23."""
    (message, _) = project([custom("workspace.message", PARTS), *text("m1", "Which?")])
    shown = message["message"]
    assert (shown["content"], shown["options"], shown["questionId"]) == ("Which?", PARTS["options"], "q")


def test_only_the_assistants_messages_are_shown() -> None:
    assert project([*text("m1", "x", role="system"), *text("m2", "y", role="user")]) == []


def test_what_an_agent_thought_is_not_shown() -> None:
    """MSG-06: pages have no place for it."""
    parts = ("REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_END", "REASONING_END")
    begun, output, ended, over = ({"type": part, "messageId": "r"} for part in parts)
    piece = {"type": "REASONING_MESSAGE_CONTENT", "messageId": "r", "delta": "Hm"}
    sealed = {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "r", "encryptedValue": "v"}
    thought = [begun, output, piece, ended, sealed, over]
    assert project(thought) == []
    assert project([*thought, *text("m1", "Yes.")])[:-1] == project(text("m1", "Yes."))[:-1]


def test_a_long_message_is_cut() -> None:
    (message, _) = project(text("m1", *["易" * 16_000] * 3))
    assert len(message["message"]["content"]) <= 20_000
    assert message["message"]["content"].endswith("…")


@pytest.mark.parametrize(
    ("event", "op"),
    [
        (custom("workspace.prompt", {"text": "t", "questions": []}), changes.PROMPT),
        (custom("workspace.prompt", {}), changes.PROMPT),
        (custom("workspace.question", {"question": {"id": "q", "text": "t"}}), changes.QUESTION),
        (custom("workspace.subtasks", {"items": [{"key": "a", "status": "done"}]}), changes.SUBTASKS),
        (custom("workspace.log", {"text": "t", "level": "warn", "key": "a"}), changes.LOG),
        (custom("artifact.created", {"artifact_id": "art_1", "artifact_type": "file", "name": None}), changes.ARTIFACT),
        ({"type": "STEP_STARTED", "stepName": "worker"}, changes.LOG),
        ({"type": "TOOL_CALL_START", "toolCallName": "clock", "toolCallId": "c"}, changes.LOG),
        ({"type": "RUN_FINISHED"}, changes.ENDED),
        ({"type": "RUN_ERROR", "message": "m", "code": "RUN_CANCELED"}, changes.LOG),
    ],
)
def test_each_event_that_is_shown(event: Event, op: str) -> None:
    """WSP-24 … WSP-29."""
    assert project([event])[0]["op"] == op


def test_what_no_page_shows_makes_no_entry() -> None:
    assert project([{"type": "STATE_SNAPSHOT", "snapshot": {}}, custom("state.updated", {})]) == []


def test_a_failure_is_told_and_a_cancel_is_not_one() -> None:
    """C29."""
    failed = [item["op"] for item in project([{"type": "RUN_ERROR", "message": "m", "code": "RUN_FAILED"}])]
    canceled = [item["op"] for item in project([{"type": "RUN_ERROR", "message": "m", "code": "RUN_CANCELED"}])]
    assert changes.MESSAGE in failed
    assert changes.MESSAGE not in canceled
    assert changes.ENDED in failed
    assert changes.ENDED in canceled


PIECES = st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=3)


@st.composite
def runs(draw: st.DrawFn) -> list[Event]:
    """Messages with and without parts, that may interleave, among other events."""
    streams: list[list[Event]] = []
    for number in range(draw(st.integers(0, 4))):
        message_id = f"m{number}"
        parts = [custom("workspace.message", {**PARTS, "messageId": message_id})] if draw(st.booleans()) else []
        streams.append([*parts, *text(message_id, *draw(PIECES))])
    others: list[Event] = [custom("workspace.log", {"text": "t"}), {"type": "STEP_STARTED", "stepName": "worker"}]
    streams.append(draw(st.lists(st.sampled_from(others), max_size=3)))
    mixed: list[Event] = []
    while left := [stream for stream in streams if stream]:
        mixed.append(draw(st.sampled_from(left)).pop(0))
    return [*mixed, {"type": "RUN_FINISHED"}]


def without_times(found: Sequence[Change]) -> list[Any]:
    """The changes but for their times and how far the run was shown."""
    shown = [item for item in found if item["op"] != changes.PROGRESSED]
    kept = [{name: value for name, value in item.items() if name != "at"} for item in shown]
    for item in kept:
        for inner in ("message", "log"):
            if isinstance(item.get(inner), dict):
                item[inner] = {n: v for n, v in item[inner].items() if n not in ("createdAt", "time")}
    return kept


@given(runs(), st.lists(st.integers(1, 4), max_size=8))
def test_it_goes_on_where_it_stopped(events: list[Event], lengths: list[int]) -> None:
    """CMP-09: however the events come in batches, the changes are those of all at once, and none twice."""
    through, since, seen = 0, 1, 0
    found: list[Change] = []
    for length in [*lengths, len(events)]:
        seen = min(seen + length, len(events))
        made = project(events[:seen], through, since)
        if made:
            assert made[-1]["op"] == changes.PROGRESSED
            through, since = made[-1]["through"], made[-1]["since"]
        found += made
    assert without_times(found) == without_times(project(events))
