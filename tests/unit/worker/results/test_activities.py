"""Activities: what an agent shows beside its messages (ACTIVITY_SNAPSHOT, ACTIVITY_DELTA)."""

from typing import Any

import pytest

from tests.support.runners.work import DONE, Work, completed, types, work
from yarrow.worker.results import activities

PLAN = {"steps": ["look"]}
ADD = {"op": "add", "path": "/steps/-", "value": "answer"}


def shown(activity_id: str = "plan", content: Any = PLAN, **members: Any) -> tuple[str, Any]:
    return "activity.snapshot", {"activity_id": activity_id, "activity_type": "PLAN", "content": content, **members}


def changed(*operations: Any, activity_id: str = "plan") -> tuple[str, Any]:
    return "activity.delta", {"activity_id": activity_id, "delta": list(operations)}


def events_of(done: Work) -> list[dict[str, Any]]:
    return [event for event in done.events() if event["type"].startswith("ACTIVITY_")]


def contents(done: Work) -> list[Any]:
    return [event.get("content", event.get("patch")) for event in events_of(done)]


def test_an_activity_is_shown_and_changes() -> None:
    done = work([shown(), completed("好"), changed(ADD), DONE])
    assert types(done.events()) == "ACTIVITY_SNAPSHOT START CONTENT END ACTIVITY_DELTA"
    assert contents(done) == [PLAN, [ADD]]
    first, last = events_of(done)
    assert first["messageId"] == last["messageId"]
    assert first["activityType"] == last["activityType"] == "PLAN"


def test_every_worker_gives_an_activity_the_same_id() -> None:
    one, other = (events_of(work([shown(), shown("other"), DONE])) for _ in range(2))
    assert [event["messageId"] for event in one] == [event["messageId"] for event in other]
    assert one[0]["messageId"] != one[1]["messageId"]


def test_a_snapshot_replaces_unless_it_should_not() -> None:
    done = work([shown(), shown(content={"steps": []}), shown(content={"a": 1}, replace=False), DONE])
    assert contents(done) == [PLAN, {"steps": []}]


@pytest.mark.parametrize(
    "result",
    [
        changed(ADD, activity_id="unknown"),
        changed({"op": "remove", "path": "/missing"}),
        changed({"op": "replace", "path": "", "value": [1]}),
        changed(ADD, {"op": "test", "path": "/steps/0", "value": "another"}),
        changed(),
        shown(content=[1]),
        shown(content=None),
        ("activity.snapshot", {"activity_id": "", "activity_type": "PLAN", "content": {}}),
    ],
)
def test_what_cannot_be_shown_is_skipped(result: tuple[str, Any]) -> None:
    """RNR-33: the run goes on."""
    done = work([shown(), result, changed(ADD), completed("好"), DONE])
    assert (done.error, contents(done)) == (None, [PLAN, [ADD]])


def test_activities_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-42: in number, and in size."""
    monkeypatch.setattr(activities, "MAX_ACTIVITIES", 2)
    monkeypatch.setattr(activities, "MAX_SHOWN_BYTES", 100)
    long = {"op": "add", "path": "/long", "value": "x" * 100}
    done = work(
        [shown("a"), shown("b", {"x": "y" * 100}), changed(long, activity_id="a"), shown("b"), shown("c"), DONE]
    )
    assert [event["type"] for event in events_of(done)] == ["ACTIVITY_SNAPSHOT"] * 2
