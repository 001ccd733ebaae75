"""The state that client and agent share, as the events of a run tell it (C46, EVT-13)."""

from typing import Any

import pytest

from tests.support.runners.work import CONTEXT, DONE, STARTED, Work, answer, call, completed, full, types, work
from yarrow.protocol.runner.models import AdapterContext
from yarrow.worker.results import shared_state

STATE = {"count": 1, "items": ["a"]}


def sharing(state: Any) -> Any:
    return CONTEXT.model_copy(update={"adapter": AdapterContext(extra={"state": state})})


def change(*operations: Any) -> tuple[str, Any]:
    return "state.delta", {"delta": list(operations)}


def states(done: Work) -> list[Any]:
    return [event.get("snapshot", event.get("delta")) for event in done.events() if event["type"].startswith("STATE_")]


ADD = {"op": "add", "path": "/items/-", "value": "b"}
COUNT = {"op": "replace", "path": "/count", "value": 2}


def test_the_state_is_told_first_and_then_its_changes() -> None:
    """EVT-13, C46."""
    done = work([call("c"), change(COUNT, ADD), answer("c", "ok"), completed("好"), DONE], context=sharing(STATE))
    called = "CALL_START CALL_ARGS CALL_END"
    assert types(done.events()) == f"STATE_SNAPSHOT {called} STATE_DELTA CALL_RESULT START CONTENT END"
    assert states(done) == [STATE, [COUNT, ADD]]
    assert done.outcome is not None
    assert done.outcome.state == {}, "the client keeps it"


@pytest.mark.parametrize("state", [{}, [], None, "", 0])
def test_an_empty_state_is_told_when_it_has_something(state: Any) -> None:
    """C46."""
    assert states(work([completed("好"), DONE], context=sharing(state))) == []
    first, then = {"op": "add", "path": "/a", "value": 1}, {"op": "remove", "path": "/a"}
    assert states(work([change(first), change(then), DONE], context=sharing(state))) == [{"a": 1}, [then]]


def test_a_state_may_be_any_json() -> None:
    """RUN-26, C46."""
    done = work([change({"op": "add", "path": "/0", "value": {"b": None}}), DONE], context=sharing([1]))
    assert states(done) == [[1], [{"op": "add", "path": "/0", "value": {"b": None}}]]


@pytest.mark.parametrize(
    "operations",
    [
        [{"op": "replace", "path": "/missing", "value": 1}],
        [COUNT, {"op": "remove", "path": "/missing"}],
        [{"op": "add", "path": "count", "value": 1}],
        [{"op": "spin", "path": "/count"}],
        [],
        [{"op": "test", "path": "/count", "value": 1}] * 1_001,
    ],
)
def test_a_change_that_cannot_be_made_changes_nothing(operations: list[Any]) -> None:
    """C46, RNR-33: all of it or nothing, and the run goes on."""
    done = work([change(*operations), change(ADD), completed("好"), DONE], context=sharing(STATE))
    assert (done.error, states(done)) == (None, [STATE, [ADD]])


def test_a_state_does_not_grow_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """C46, RNR-42."""
    monkeypatch.setattr(shared_state, "MAX_SHOWN_BYTES", 100)
    done = work(
        [change({"op": "add", "path": "/long", "value": "x" * 100}), change(COUNT), DONE], context=sharing(STATE)
    )
    assert states(done) == [STATE, [COUNT]]
    assert states(work([change(COUNT), DONE], context=sharing({"count": "x" * 100}))) == []


def test_a_test_is_the_host_s_to_make() -> None:
    """C46: clients compare numbers and truth in ways of their own."""
    test = {"op": "test", "path": "/count", "value": 1}
    done = work([change(test), change(test, COUNT), change(test, ADD), DONE], context=sharing(STATE))
    assert states(done) == [STATE, [COUNT]]


def test_an_agent_that_shows_what_it_keeps_shares_no_state() -> None:
    """RNR-36, C46: a client has one state."""
    done = work([change(COUNT), DONE], options=full(), context=sharing(STATE))
    assert (done.error, states(done)) == (None, [])


@pytest.mark.parametrize("dies_after", range(9))
def test_a_worker_that_takes_over_changes_nothing_twice(dies_after: int) -> None:
    """CMP-11, C46."""
    script = [call("c"), change(COUNT), answer("c", "ok"), change(ADD), completed("好"), DONE]
    first = work(script, dies_after=dies_after, context=sharing(STATE))
    again = work(script, lines=first.lines or STARTED, context=sharing(STATE))
    assert states(again) == [STATE, [COUNT], [ADD]]
