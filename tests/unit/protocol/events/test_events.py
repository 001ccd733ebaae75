"""The events as JSON text: what is written can be read, and nothing is written that a client would choke on."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liuyao import DivinationPayload, derive
from tests.support.effort import examples
from yarrow.protocol.events import events
from yarrow.protocol.events.subagents import SubagentError
from yarrow.worker.results import parsing
from yarrow_agents.divination import event_types
from yarrow_agents.divination.readings import EVENTS

IDS = events.RunIds(thread_id="thread-1", run_id="run-1")

DIVINATION = derive(
    DivinationPayload.model_validate(
        {
            "divinationMethod": "手动起卦",
            "questionType": "事业",
            "question": "我最近换工作\n是否合适?",
            "divinationTimeIso": "2026-04-03T20:30:00+08:00",
            "yaoLines": ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
        }
    )
)

MESSAGES: list[dict[str, Any]] = [
    {"id": "1", "role": "user", "content": "你好"},
    {
        "id": "2",
        "role": "assistant",
        "toolCalls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    },
    {"id": "3", "role": "tool", "content": "", "toolCallId": "c"},
]

SAMPLES: list[Any] = [
    events.RunStarted(**IDS),
    events.RunStarted(**IDS, parent_run_id="run-0"),
    events.RunFinished(**IDS),
    events.RunFinished(**IDS, result={"answer": "宜", "none": None}),
    events.RunError(**IDS, message="the run failed"),
    events.RunError(**IDS, message="run canceled by user", code="RUN_CANCELED"),
    events.StepStarted(**IDS, step_name="worker"),
    events.StepFinished(**IDS, step_name="worker", timestamp=1775219400000),
    events.TextMessageStart(**IDS, message_id="m"),
    events.TextMessageStart(**IDS, message_id="m", role="developer"),
    events.TextMessageContent(**IDS, message_id="m", delta="世爻\r\n\u2028持世"),
    events.TextMessageEnd(**IDS, message_id="m"),
    events.TextMessageEnd(**IDS, message_id="m", output={"status": "success", "error": None}),
    event_types.DERIVED.event(IDS, {"divination": DIVINATION.model_dump(mode="json")}),
    events.ToolCallStart(**IDS, tool_call_id="c", tool_call_name="get_weather"),
    events.ToolCallStart(**IDS, tool_call_id="c", tool_call_name="get_weather", parent_message_id="m"),
    events.ToolCallArgs(**IDS, tool_call_id="c", delta='{"city":"北'),
    events.ToolCallEnd(**IDS, tool_call_id="c"),
    events.ToolCallEnd(**IDS, tool_call_id="c", metadata=events.INTERRUPTED),
    events.ToolCallResult(**IDS, message_id="n", tool_call_id="c", content="晴天,25°C"),
    events.ReasoningStart(**IDS, message_id="r"),
    events.ReasoningMessageStart(**IDS, message_id="m"),
    events.ReasoningMessageContent(**IDS, message_id="m", delta="思"),
    events.ReasoningMessageEnd(**IDS, message_id="m"),
    events.ReasoningEncryptedValue(**IDS, entity_id="m", encrypted_value="v"),
    events.ReasoningEnd(**IDS, message_id="r"),
    events.StateSnapshot(**IDS, snapshot=None),
    events.StateDelta(**IDS, delta=({"path": "/a~1b", "op": "add", "value": None},)),
    events.ActivitySnapshot(**IDS, message_id="p", activity_type="PLAN", content={"steps": []}),
    events.ActivityDelta(
        **IDS, message_id="p", activity_type="PLAN", patch=({"path": "/steps/-", "op": "add", "value": "a"},)
    ),
    events.MessagesSnapshot(**IDS, messages=tuple(MESSAGES)),
    events.Custom(**IDS, name="yarrow.divination-derived", value=None),
]


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: event.type)
def test_an_event_is_one_line_that_reads_back(event: Any) -> None:
    """EVT-18, EVT-25: its type first, then whose run it is."""
    line = events.encode(event)
    assert events.decode(line) == event
    assert line.startswith(f'{{"type":"{event.type}","threadId":"thread-1","runId":"run-1"')
    assert not {"\n", "\r"} & set(line)


@pytest.mark.parametrize(
    ("event", "members"),
    [
        (SAMPLES[0], set()),
        (SAMPLES[2], set()),
        (SAMPLES[4], {"message"}),
        (SAMPLES[6], {"stepName"}),
        (SAMPLES[8], {"messageId", "role"}),
        (SAMPLES[10], {"messageId", "delta"}),
        (SAMPLES[11], {"messageId"}),
        (SAMPLES[13], {"divination"}),
    ],
    ids=lambda value: getattr(value, "type", None),
)
def test_a_member_that_is_not_set_is_left_out(event: Any, members: set[str]) -> None:
    """EVT-16: never null; the members left are camelCase."""
    written = json.loads(events.encode(event))
    assert set(written) == {"type", "threadId", "runId"} | members
    assert None not in written.values()


@pytest.mark.parametrize(
    ("type_", "members"),
    [
        ("TOOL_CALL_START", {"toolCallId": "c", "toolCallName": "get_weather"}),
        ("TOOL_CALL_ARGS", {"toolCallId": "c", "delta": '{"city":"北'}),
        ("TOOL_CALL_END", {"toolCallId": "c"}),
        ("TOOL_CALL_RESULT", {"messageId": "n", "toolCallId": "c", "content": "晴天,25°C"}),
        ("REASONING_START", {"messageId": "r"}),
        ("REASONING_MESSAGE_START", {"messageId": "m", "role": "reasoning"}),
        ("REASONING_MESSAGE_CONTENT", {"messageId": "m", "delta": "思"}),
        ("REASONING_MESSAGE_END", {"messageId": "m"}),
        ("REASONING_ENCRYPTED_VALUE", {"subtype": "message", "entityId": "m", "encryptedValue": "v"}),
        ("REASONING_END", {"messageId": "r"}),
        ("STATE_SNAPSHOT", {"snapshot": None}),
        ("STATE_DELTA", {"delta": [{"op": "add", "path": "/a~1b", "value": None}]}),
        ("MESSAGES_SNAPSHOT", {"messages": MESSAGES}),
        ("CUSTOM", {"name": "yarrow.divination-derived", "value": None}),
    ],
)
def test_an_event_has_the_members_of_its_document(type_: str, members: dict[str, Any]) -> None:
    """EVT-10 … EVT-14, EVT-16: nothing else, and null only where null is the value."""
    written = json.loads(events.encode(next(sample for sample in SAMPLES if sample.type == type_)))
    assert written == {"type": type_, "threadId": "thread-1", "runId": "run-1", **members}


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "add", "path": "/a"},
        {"op": "remove", "path": "/a", "value": 1},
        {"op": "move", "path": "/a"},
        {"op": "set", "path": "/a", "value": 1},
        {"op": "add", "path": "a", "value": 1},
        {"op": "add", "path": "/a~2", "value": 1},
    ],
)
def test_a_state_delta_is_a_json_patch(operation: dict[str, Any]) -> None:
    """EVT-13: what RFC 6902 does not allow is refused."""
    with pytest.raises(ValueError, match="validation error"):
        parsing.read("state.delta", json.dumps({"delta": [operation]}))


@pytest.mark.parametrize("timestamp", [1.5, 2**53, "now"])
def test_a_timestamp_is_whole_milliseconds(timestamp: Any) -> None:
    """EVT-29: a client would refuse the event."""
    line = json.dumps({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "timestamp": timestamp})
    with pytest.raises(ValueError, match="timestamp"):
        events.decode(line.replace(": ", ":"))


def test_an_optional_member_that_is_set_is_written() -> None:
    """EVT-07, EVT-08."""
    assert json.loads(events.encode(SAMPLES[1]))["parentRunId"] == "run-0"
    assert json.loads(events.encode(SAMPLES[3]))["result"] == {"answer": "宜", "none": None}
    assert json.loads(events.encode(SAMPLES[5]))["code"] == "RUN_CANCELED"
    assert json.loads(events.encode(SAMPLES[7]))["timestamp"] == 1775219400000


def test_the_structured_output_rides_on_the_end_of_the_message() -> None:
    """DIV-28, DIV-30, C10, C13: as it is, with `error` null on success."""
    output = {
        "status": "success",
        "answer": "宜",
        "keywords": ["世爻"],
        "error": None,
        "divination_derived": {"a": None},
    }
    event = events.TextMessageEnd(**IDS, message_id="m", output=output)
    written = json.loads(events.encode(event))
    assert written == {"type": "TEXT_MESSAGE_END", "threadId": "thread-1", "runId": "run-1", "messageId": "m", **output}


def test_no_output_may_set_what_the_end_of_a_message_says_itself() -> None:
    """EVT-25, DIV-28: Neither of its names is allowed."""
    fields, wire = events.TextMessageEnd.__struct_fields__, events.TextMessageEnd.__struct_encode_fields__
    names = {"type", *fields, *wire} - {"output"}
    assert names | {"metadata", "rawEvent", "subagentRunId"} == events.FRAMING


def test_chinese_is_written_as_itself() -> None:
    """EVT-18: UTF-8, not escapes; also beyond the basic plane."""
    event = events.TextMessageContent(**IDS, message_id="m", delta="伏神𠮷\n")
    assert r'"delta":"伏神𠮷\n"' in events.encode(event)
    assert f'"guaName":"{DIVINATION.gua_name}"' in events.encode(SAMPLES[13])


def test_the_derived_divination_is_written_with_the_documents_names() -> None:
    """DIV-12, DIV-13: camelCase throughout, and strict."""
    divination = json.loads(events.encode(SAMPLES[13]))["divination"]
    assert divination == DIVINATION.model_dump(mode="json")
    assert {"guaNameHant", "yaoInfoList", "riChenZhangSheng"} <= set(divination)
    with pytest.raises(ValueError, match="validation error"):
        EVENTS["divination.derived"].data.model_validate({"divination": {**divination, "extra": 1}})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(), values, max_size=3),
    max_leaves=8,
)


@given(delta=st.text(min_size=1), extra=st.dictionaries(st.text(min_size=1).map(lambda name: f"x_{name}"), JSON))
@settings(max_examples=examples(100), deadline=None)
def test_whatever_is_said_reads_back(delta: str, extra: dict[str, Any]) -> None:
    """EVT-18, DIV-28: Any text stays in one line, and any JSON beside the end."""
    piece = events.TextMessageContent(**IDS, message_id="m", delta=delta)
    end = events.TextMessageEnd(**IDS, message_id="m", output=extra)
    for event in (piece, end):
        line = events.encode(event)
        assert not {"\n", "\r"} & set(line)
        assert events.decode(line) == event
    assert json.loads(events.encode(piece))["delta"] == delta


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "{}",
        '{"type":"THINKING_START","threadId":"t","runId":"r"}',
        '{"type":"RUN_STARTED"}',
        '{"type":"RUN_STARTED","threadId":"t","runId":"r","extra":1}',
        '{"type":"RUN_ERROR","threadId":"t","runId":"r"}',
        '{"type":"TEXT_MESSAGE_CONTENT","threadId":"t","runId":"r","messageId":"m","delta":""}',
        '{"type":"TEXT_MESSAGE_START","threadId":"t","runId":"r","messageId":"m","role":"tool"}',
        '{"type":"DIVINATION_DERIVED","threadId":"t","divination":{}}',
        '{"type":"TOOL_CALL_ARGS","threadId":"t","runId":"r","toolCallId":"c","delta":""}',
        '{"type":"TOOL_CALL_RESULT","threadId":"t","runId":"r","toolCallId":"c","content":""}',
        '{"type":"CUSTOM","threadId":"t","runId":"r","name":"yarrow.note"}',
        '{"type":"STATE_SNAPSHOT","threadId":"t","runId":"r"}',
    ],
)
def test_a_line_that_is_no_event_is_refused(line: str) -> None:
    """EVT-08, EVT-09, EVT-18, EVT-25: It has an empty piece, a foreign role, or a missing or unknown member."""
    with pytest.raises(ValueError, match=r"Object|Expected|not a stored event|is not a run event|Invalid enum"):
        events.decode(line)


def test_what_a_later_version_wrote_is_read_as_far_as_it_is_known() -> None:
    """EVT-27: else a release could not be taken back while runs are active."""
    framing = '"threadId":"t","runId":"r"'
    assert events.read(f'{{"type":"RAW",{framing},"event":1}}') is None
    nested = events.read(f'{{"type":"SUBAGENT_ERROR",{framing},"subagentRunId":"s","message":"no","depth":2}}')
    assert nested == SubagentError(thread_id="t", run_id="r", subagent_run_id="s", message="no")
    later = f'{{"type":"STEP_STARTED",{framing},"stepName":"s","reason":{{"a":1}}}}'
    assert events.read(later) == events.StepStarted(thread_id="t", run_id="r", step_name="s")
    assert events.read(events.encode(SAMPLES[6])) == SAMPLES[6]
    for line in (
        f'{{"type":"STEP_STARTED",{framing},"reason":1}}',
        f'{{"type":"STEP_STARTED",{framing},"stepName":1}}',
    ):
        with pytest.raises(ValueError, match="stepName"):
            events.read(line)
