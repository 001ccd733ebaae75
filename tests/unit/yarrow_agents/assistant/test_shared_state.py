"""The state that the user's app shares with the assistant: heard by the model, and changed by its tool (C46)."""

import json
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from tests.support.runners.assistant import Host, ask, backend, context, frontend, of_type, results, say, types
from yarrow.formats.json_patch import Operation, apply
from yarrow.protocol.runner.models import AdapterContext, DeliveryContext
from yarrow.protocol.runner.vocabulary import SHARED_STATE
from yarrow.worker.results.patch_operations import PatchOperation
from yarrow_agents.assistant import shared_state
from yarrow_agents.assistant.shared_state import SharedState

_OPERATIONS: TypeAdapter[tuple[PatchOperation, ...]] = TypeAdapter(tuple[PatchOperation, ...])
STATE = {"recipe": {"title": "Soup", "steps": ["boil"]}, "done": False}


def sharing(state: Any, *tools: Any, text: str = "hello", is_shared: bool = True) -> Any:
    delivery = DeliveryContext(surface="agui", platform_capabilities={SHARED_STATE: True} if is_shared else {})
    return context(text, *tools, adapter=AdapterContext(extra={"state": state}), delivery=delivery)


def update(changes: Any) -> Any:
    return ask("update_state", json.dumps({"changes": changes}))


def test_the_model_hears_the_state_and_changes_it() -> None:
    """C46, EVT-13, EVT-22: as a tool of the service, whose result is told in the same run."""
    host = Host(say(calls=[update({"recipe": {"title": "Stew"}, "done": None})]), say("done"))
    events = results(host, sharing(STATE))
    assert json.dumps(STATE, separators=(",", ":")) in host.prompt(0)
    assert host.offered(0) == ["update_state"]
    assert types(events) == "call.started state.delta call.completed delta completed run.completed"
    assert of_type(events, "state.delta") == [
        {
            "delta": [
                {"op": "replace", "path": "/recipe/title", "value": "Stew"},
                {"op": "remove", "path": "/done"},
            ]
        }
    ]
    assert json.loads(host.messages()[-1]["content"]) == {"changed": ["/recipe/title", "/done"]}


def test_changes_of_one_answer_are_made_in_its_order_beside_other_calls() -> None:
    """C46: each builds on the one before it."""
    first, second = update({"a": {"b": 1}}), update({"a": {"c": 2}})
    host = Host(say(calls=[first, ask("look"), ask("confirm"), second]), say("done"), look="seen")
    events = results(host, sharing({"a": 0}, backend("look"), frontend("confirm")))
    assert [event["delta"] for event in of_type(events, "state.delta")] == [
        [{"op": "replace", "path": "/a", "value": {"b": 1}}],
        [{"op": "add", "path": "/a/c", "value": 2}],
    ]
    assert len(of_type(events, "tool.call.completed")) == 3


@pytest.mark.parametrize(
    ("state", "is_shared", "offered", "heard"),
    [
        (STATE, True, ["look", "update_state"], True),
        (STATE, False, ["look"], False),
        ({}, True, ["look", "update_state"], False),
        (["a list"], True, ["look"], True),
    ],
)
def test_the_tool_is_offered_where_there_is_an_object_to_change(
    state: Any, is_shared: bool, offered: list[str], heard: bool
) -> None:
    """C46."""
    host = Host(say("hi"))
    results(host, sharing(state, backend("look"), is_shared=is_shared))
    assert host.offered() == offered
    assert ("State shared" in host.prompt()) is heard


def test_a_tool_of_the_client_by_this_name_is_the_client_s() -> None:
    """TOOL-05."""
    host = Host(say(calls=[update({"a": 1})]))
    events = results(host, sharing(STATE, frontend("update_state")))
    assert host.offered() == ["update_state"]
    assert of_type(events, "state.delta") == []
    assert len(of_type(events, "state.updated")) == 1, "its call waits for the client"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("{}", "changes has to be an object, and the only argument"),
        ('{"changes": [1]}', "changes has to be an object, and the only argument"),
        ('{"changes": {}, "more": 1}', "changes has to be an object, and the only argument"),
        (json.dumps({"changes": {"x": "x" * shared_state.MAX_BYTES}}), "the state would be too large"),
    ],
)
def test_a_change_that_is_none_is_answered_with_the_reason(arguments: str, why: str) -> None:
    """C46, RNR-62."""
    host = Host(say(calls=[ask("update_state", arguments)]), say("done"))
    events = results(host, sharing(STATE))
    assert [event["error"] for event in of_type(events, "tool.call.completed")] == [why]
    assert of_type(events, "state.delta") == []


def test_what_changes_nothing_is_not_told() -> None:
    """C46: but 1 is not true."""
    host = Host(say(calls=[update({"done": False, "gone": None}), update({"done": 0})]), say("done"))
    events = results(host, sharing(STATE))
    assert [event["delta"][0]["value"] for event in of_type(events, "state.delta")] == [0]


def test_a_long_state_is_heard_in_part() -> None:
    """C46, RNR-42."""
    host = Host(say("hi"))
    results(host, sharing({"x": "六" * 20_000}))
    assert 16_000 < len(host.prompt()) < 18_000


NAMES = st.sampled_from(["a", "b", "~/", ""])
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.text("卦a", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(NAMES, JSON, max_size=3)


def merge_patch(target: Any, patch: Any) -> Any:
    """Merge as RFC 7386, section 2, does."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), value)
    return merged


@given(OBJECTS, st.lists(OBJECTS, max_size=3))
def test_the_operations_make_what_the_merge_patch_says(document: dict[str, Any], patches: list[dict[str, Any]]) -> None:
    """C46, EVT-13: The state and the changes are arbitrary."""
    shared = SharedState(document)
    output: Any = document
    for patch in patches:
        operations = _OPERATIONS.validate_python(shared.change({"changes": patch}))
        output = apply(output, [cast("Operation", operation.model_dump()) for operation in operations])
        document = merge_patch(document, patch)
        assert json.dumps(output, sort_keys=True) == json.dumps(document, sort_keys=True)
