"""AGT-01: the events of AG-UI agents become results."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.adapters.agui.results import Results

Documents = Sequence[dict[str, Any]]


def results(*events: dict[str, Any], **options: Any) -> list[tuple[str, dict[str, Any]]]:
    translated = Results((), **{"shares_state": True, **options})
    found = [result for event in events for result in translated.of(event)]
    return [*found, *translated.end()]


def text(message_id: str, *pieces: str, role: str = "assistant") -> list[dict[str, Any]]:
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": role},
        *({"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": piece} for piece in pieces),
        {"type": "TEXT_MESSAGE_END", "messageId": message_id},
    ]


def call(call_id: str, name: str, *arguments: str) -> list[dict[str, Any]]:
    return [
        {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": name},
        *({"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": piece} for piece in arguments),
        {"type": "TOOL_CALL_END", "toolCallId": call_id},
    ]


def text_of(found: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
    return [data["message"]["content"] for type_, data in found if type_ == "message.completed"]


def streamed(found: Sequence[tuple[str, dict[str, Any]]]) -> str:
    return "".join(data["chunk"]["content"] for type_, data in found if type_ == "message.delta")


def test_text_is_streamed_and_completed() -> None:
    assert results(*text("m", "Hel", "lo")) == [
        ("message.delta", {"chunk": {"role": "assistant", "content": "Hel"}}),
        ("message.delta", {"chunk": {"role": "assistant", "content": "lo"}}),
        ("message.completed", {"message": {"role": "assistant", "content": "Hello"}}),
    ]


def test_messages_of_other_roles_are_not_the_agents() -> None:
    assert results(*text("m", "be brief", role="system"), *text("n", "Hello")) == results(*text("n", "Hello"))


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=30), st.data())
def test_interleaved_messages_are_put_in_order(order: list[str], data: st.DataObject) -> None:
    """However their pieces interleave: each is whole, and what is streamed is what is completed."""
    opened = list(dict.fromkeys(order))
    events: list[dict[str, Any]] = [{"type": "TEXT_MESSAGE_START", "messageId": name} for name in opened]
    events += [
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": name, "delta": f"{name}{at} "} for at, name in enumerate(order)
    ]
    ends = data.draw(st.permutations(opened))
    events += [{"type": "TEXT_MESSAGE_END", "messageId": name} for name in ends]
    expected = ["".join(f"{name}{at} " for at, name in enumerate(order) if name == wanted) for wanted in opened]
    found = results(*events)
    assert text_of(found) == expected
    assert streamed(found) == "".join(expected)


def test_a_call_ends_the_message_before_it() -> None:
    start, *rest = text("m", "I look it up. ", "Done.")
    found = results(start, rest[0], *call("c", "look_up", '{"city":', '"Rome"}'), *rest[1:])
    assert [type_ for type_, _ in found] == [
        *("message.delta", "message.completed", "tool.call.started", "message.delta", "message.completed"),
    ]
    assert text_of(found) == ["I look it up. ", "Done."]
    assert found[2][1] == {"tool_call_id": "c", "tool_name": "look_up", "parameters": {"city": "Rome"}}


@pytest.mark.parametrize(
    ("arguments", "parameters"),
    [([], {}), (["{}"], {}), (["[1]"], {"arguments": [1]}), (['{"a": '], {"arguments": '{"a": '})],
)
def test_arguments_that_are_no_object_are_kept(arguments: list[str], parameters: dict[str, Any]) -> None:
    (started,) = results(*call("c", "look_up", *arguments))
    assert started[1]["parameters"] == parameters


@pytest.mark.parametrize(
    ("content", "shown"), [("sunny", "sunny"), ([{"type": "text", "text": "sunny"}, {"type": "image"}], "sunny")]
)
def test_a_result_completes_its_call_once(content: Any, shown: str) -> None:
    result = {"type": "TOOL_CALL_RESULT", "toolCallId": "c", "messageId": "r", "content": content}
    found = results(*call("c", "look_up"), result, result, {**result, "toolCallId": "unknown"})
    parts = {"content": content} if isinstance(content, list) else {}
    assert found[1:] == [
        ("tool.call.completed", {"tool_call_id": "c", "tool_name": "look_up", "result": shown, **parts})
    ]


def test_metadata_of_messages_calls_and_results_is_passed_on() -> None:
    """EVT-33."""
    found = results(
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant", "metadata": {"a": 1}},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hi"},
        {"type": "TEXT_MESSAGE_END", "messageId": "m", "metadata": {"b": 2}},
        {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "look_up", "metadata": {"card": 7}},
        {"type": "TOOL_CALL_END", "toolCallId": "c"},
        {"type": "TOOL_CALL_RESULT", "toolCallId": "c", "messageId": "r", "content": "1", "metadata": {"n": [1]}},
    )
    by_type = dict(found)
    assert by_type["message.completed"]["output"] == {"a": 1, "b": 2}
    assert by_type["tool.call.started"]["metadata"] == {"card": 7}
    assert by_type["tool.call.completed"]["metadata"] == {"n": [1]}


def test_nested_agents_are_passed_on_with_what_they_say() -> None:
    """EVT-34: one that waits for an answer ends with the run."""
    tag = {"subagentRunId": "s"}
    found = results(
        {"type": "SUBAGENT_STARTED", **tag, "name": "writer", "description": "d", "parentToolCallId": "c"},
        {"type": "REASONING_MESSAGE_START", "messageId": "t", "role": "reasoning", **tag},
        {"type": "REASONING_MESSAGE_CONTENT", "messageId": "t", "delta": "hm"},
        {"type": "REASONING_MESSAGE_END", "messageId": "t"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant", **tag},
        {"type": "TEXT_MESSAGE_START", "messageId": "n", "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "n", "delta": "mine"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "hers"},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "TEXT_MESSAGE_END", "messageId": "n"},
        {"type": "TOOL_CALL_START", "toolCallId": "d", "toolCallName": "look_up", **tag},
        {"type": "TOOL_CALL_END", "toolCallId": "d"},
        {"type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "PLAN", "content": {}, **tag},
        {"type": "SUBAGENT_FINISHED", **tag, "result": 3, "outcome": {"type": "success"}},
        {"type": "SUBAGENT_FINISHED", "subagentRunId": "w", "outcome": {"type": "suspended", "interruptIds": ["i"]}},
        {"type": "SUBAGENT_ERROR", "subagentRunId": "e", "message": "no", "code": "x"},
    )
    assert [(type_, data.get("subagent_run_id")) for type_, data in found] == [
        ("subagent.started", "s"),
        ("reasoning.delta", "s"),
        ("reasoning.completed", "s"),
        ("message.delta", "s"),
        ("message.completed", "s"),
        ("message.delta", None),
        ("message.completed", None),
        ("tool.call.started", "s"),
        ("activity.snapshot", "s"),
        ("subagent.finished", "s"),
        ("subagent.failed", "e"),
    ]
    assert found[0][1] == {
        "subagent_run_id": "s",
        "name": "writer",
        "description": "d",
        "parent_subagent_run_id": None,
        "parent_tool_call_id": "c",
    }


def test_calls_without_a_result_are_pending() -> None:
    translated = Results((), shares_state=False)
    events = [*call("a", "x"), *call("b", "y"), {"type": "TOOL_CALL_RESULT", "toolCallId": "a", "content": "1"}]
    for event in [*events, {"type": "RUN_FINISHED"}]:
        list(translated.of(event))
    assert [pending.id for pending in translated.pending] == ["b"]
    assert [*translated.messages] == ["a", "b", "a-result"]


def test_chunks_stand_for_whole_events() -> None:
    chunks = [
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "Hel"},
        {"type": "TEXT_MESSAGE_CHUNK", "delta": "lo"},
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "c", "toolCallName": "look_up", "delta": '{"a"'},
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "c", "delta": ": 1}"},
        {"type": "REASONING_MESSAGE_CHUNK", "messageId": "r", "delta": "hm"},
    ]
    assert results(*chunks) == [
        *results(*text("m", "Hel", "lo")),
        *results(*call("c", "look_up", '{"a": 1}')),
        ("reasoning.delta", {"content": "hm"}),
        ("reasoning.completed", {"content": "hm"}),
    ]


@pytest.mark.parametrize("prefix", ["REASONING", "THINKING_TEXT"])
def test_reasoning_is_shown_and_completed(prefix: str) -> None:
    events = [
        {"type": f"{prefix}_MESSAGE_CONTENT", "messageId": "r", "delta": "let me"},
        {"type": f"{prefix}_MESSAGE_CONTENT", "messageId": "r", "delta": " see"},
        {"type": "REASONING_ENCRYPTED_VALUE", "entityId": "r", "encryptedValue": "xyz", "subtype": "message"},
    ]
    found = results(*events, *text("m", "Yes"))
    assert found[:3] == [
        ("reasoning.delta", {"content": "let me"}),
        ("reasoning.delta", {"content": " see"}),
        ("reasoning.completed", {"content": "let me see", "encrypted_value": "xyz"}),
    ]


def test_state_changes_where_the_client_shares_one() -> None:
    change = [{"op": "add", "path": "/a", "value": 1}]
    events: list[dict[str, Any]] = [
        {"type": "STATE_SNAPSHOT", "snapshot": {"b": 2}},
        {"type": "STATE_DELTA", "delta": change},
    ]
    assert results(*events) == [
        ("state.delta", {"delta": [{"op": "replace", "path": "", "value": {"b": 2}}]}),
        ("state.delta", {"delta": change}),
    ]
    assert results(*events, shares_state=False) == []


def test_activities_are_shown_and_change() -> None:
    shown = {"type": "ACTIVITY_SNAPSHOT", "messageId": "p", "activityType": "PLAN", "content": {"a": 1}}
    change = [{"op": "add", "path": "/b", "value": 2}]
    delta = {"type": "ACTIVITY_DELTA", "messageId": "p", "activityType": "PLAN", "patch": change}
    content = {"activity_id": "p", "activity_type": "PLAN", "content": {"a": 1}}
    assert results(shown, {**shown, "replace": False}, delta, {**shown, "content": 1}, {**delta, "patch": {}}) == [
        ("activity.snapshot", {**content, "replace": True}),
        ("activity.snapshot", {**content, "replace": False}),
        ("activity.delta", {"activity_id": "p", "delta": change}),
    ]


def test_an_answer_in_a_snapshot_alone_is_given_once() -> None:
    snapshot = {
        "type": "MESSAGES_SNAPSHOT",
        "messages": [
            {"id": "old", "role": "assistant", "content": "Before"},
            {"id": "u", "role": "user", "content": "And now?"},
            {"id": "m", "role": "assistant", "content": "Now", "toolCalls": [
                {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
            ]},
            {"id": "r", "role": "tool", "toolCallId": "c", "content": "sunny"},
        ],
    }  # fmt: skip
    found = results(snapshot, snapshot)
    assert text_of(found) == ["Now"]
    assert [type_ for type_, _ in found if type_.startswith("tool")] == ["tool.call.started", "tool.call.completed"]
    assert text_of(results(*text("m", "Now"), snapshot)) == ["Now"]


def test_custom_events_are_passed_on() -> None:
    """EVT-35: under their own type if they are declared; else the host knows which are allowed."""
    assert results({"type": "CUSTOM", "name": "PredictState", "value": [1]}) == [
        ("custom", {"name": "PredictState", "value": [1]})
    ]
    assert results({"type": "CUSTOM", "value": 1}) == []
    custom = {"type": "CUSTOM", "name": "forecast", "value": {"celsius": 21}}
    assert results(custom, customs={"forecast"}) == [("forecast", {"celsius": 21})]
    assert results({**custom, "value": 21}, customs={"forecast"}) == [("forecast", {"value": 21})]


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"type": None},
        {"type": "TEXT_MESSAGE_END"},
        {"type": "TOOL_CALL_END", "toolCallId": "unknown"},
        {"type": "TOOL_CALL_ARGS", "toolCallId": 1, "delta": 1},
        {"type": "MESSAGES_SNAPSHOT", "messages": "none"},
        {"type": "STATE_DELTA", "delta": {}},
        {"type": "TEXT_MESSAGE_CHUNK", "delta": "of no message"},
        {"type": "SOMETHING_NEW", "value": 1},
    ],
)
def test_malformed_and_unknown_events_yield_nothing(event: dict[str, Any]) -> None:
    assert results(event) == []


def test_what_a_stream_leaves_open_is_closed() -> None:
    assert text_of(results(*text("m", "Hel", "lo")[:-1])) == ["Hello"]
