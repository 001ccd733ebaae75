"""A run's stored events as AG-UI clients take them."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.agui.client import AgUiClient, read
from tests.support.agui.journals import DERIVED, IDS, journals
from tests.support.effort import examples
from yarrow.packages import event_types
from yarrow.protocol.agui import snapshot
from yarrow.protocol.agui.events import SESSION, Profile, failure, message
from yarrow.protocol.events import events
from yarrow_agents.divination.event_types import DERIVED as DERIVED_TYPE

INTERRUPTED = "AGUI204"
"""The validator's rule on arguments that are no JSON, as those of a call that was cut short are."""
CALLED_BEFORE = "AGUI207"
"""Its rule on results of calls that the stream did not tell of: those that a snapshot restated."""


def agui_events(
    *stored: events.Event, thread_id: str | None = None, version: str | None = None
) -> list[dict[str, Any]]:
    """What a client is told of some events."""
    profile = Profile(IDS, event_types.find, thread_id, version)
    lines = [profile.line(events.encode(event)) for event in stored]
    return [json.loads(line) for line in lines if line is not None]


def test_a_run_begins_with_the_clients_own_names() -> None:
    """EVT-07, EVT-19: verbatim; the session's name, which other routes need, only where it is another."""
    (started,) = agui_events(events.RunStarted(**IDS, parent_run_id="run-0"), thread_id="thread_001")
    assert started == {
        "type": "RUN_STARTED",
        "threadId": "thread_001",
        "runId": IDS["run_id"],
        "protocolVersion": "1.0",
        "parentRunId": "run-0",
        "metadata": {SESSION: IDS["thread_id"]},
    }
    (plain,) = agui_events(events.RunStarted(**IDS))
    assert plain == {
        "type": "RUN_STARTED",
        "threadId": IDS["thread_id"],
        "runId": IDS["run_id"],
        "protocolVersion": "1.0",
    }


@pytest.mark.parametrize(
    "event",
    [
        events.TextMessageStart(**IDS, message_id="m"),
        events.TextMessageContent(**IDS, message_id="m", delta='"卦",\n{"threadId":"x"}'),
        events.TextMessageContent(**IDS, timestamp=1775219400000, message_id="m", delta="x"),
        events.ToolCallStart(**IDS, tool_call_id="c", tool_call_name="t", parent_message_id="m"),
        events.ToolCallArgs(**IDS, tool_call_id="c", delta="{}"),
        events.ToolCallEnd(**IDS, tool_call_id="c", metadata=events.INTERRUPTED),
        events.ToolCallResult(**IDS, message_id="r", tool_call_id="c", content="晴天,25°C"),
        events.StateSnapshot(**IDS, snapshot={"threadId": IDS["thread_id"]}),
        events.Custom(**IDS, name="artifact.created", value=None),
        events.RunError(**IDS, message="the run failed", code="RUN_FAILED"),
        events.TextMessageEnd(**IDS, message_id="m"),
    ],
    ids=lambda event: event.type,
)
def test_an_event_has_no_member_that_ag_ui_does_not_know(event: events.Event) -> None:
    """EVT-09 … EVT-13, EVT-16, EVT-18: the rest is as it was stored."""
    stored = json.loads(events.encode(event))
    del stored["threadId"], stored["runId"]
    assert agui_events(event) == [stored]


def test_steps_are_the_hosts_own() -> None:
    """EVT-23: the document's scenarios have none."""
    assert (
        agui_events(events.StepStarted(**IDS, step_name="worker"), events.StepFinished(**IDS, step_name="worker")) == []
    )


def test_a_derived_divination_is_a_custom_event() -> None:
    """C11, DIV-33a: older clients die of a type they do not know."""
    (custom,) = agui_events(DERIVED)
    divination = json.loads(events.encode(DERIVED))["divination"]
    assert custom == {"type": "CUSTOM", "name": DERIVED_TYPE.name, "value": divination}


def test_the_output_is_in_the_metadata_of_its_message_and_in_the_result() -> None:
    """DIV-33a, C10: a null of its own stays one, as metadata may have them."""
    output: dict[str, Any] = {"status": "success", "answer": "可成", "error": None}
    ended, finished = agui_events(
        events.TextMessageEnd(**IDS, message_id="m", output=output), events.RunFinished(**IDS), thread_id="thread_001"
    )
    assert ended == {"type": "TEXT_MESSAGE_END", "messageId": "m", "metadata": output}
    names = {"threadId": "thread_001", "runId": IDS["run_id"]}
    assert finished == {"type": "RUN_FINISHED", **names, "result": output}
    *_, overridden = agui_events(
        events.TextMessageEnd(**IDS, message_id="m", output=output), events.RunFinished(**IDS, result={"own": 1})
    )
    assert overridden["result"] == {"own": 1}


def answer(text: str) -> dict[str, Any]:
    """The output of a message, of which the event takes any member."""
    return {"answer": text}


def test_the_result_is_the_last_output_whatever_is_said_after_it() -> None:
    """DIV-33a, C10: a plain message has none to put in its place."""
    *_, finished = agui_events(
        events.TextMessageEnd(**IDS, message_id="m", output=answer("一")),
        events.TextMessageEnd(**IDS, message_id="n", output=answer("二")),
        events.TextMessageEnd(**IDS, message_id="o"),
        events.RunFinished(**IDS),
    )
    assert finished["result"] == {"answer": "二"}
    *_, without = agui_events(events.TextMessageEnd(**IDS, message_id="m"), events.RunFinished(**IDS))
    assert "result" not in without


CANCELED = events.RunError(**IDS, message="run canceled by user", code="RUN_CANCELED")


def test_a_cancelled_run_ends_as_its_client_understands_it() -> None:
    """EVT-28: clients before 1.0, which send no version, die of the outcome that 1.0 demands."""
    assert agui_events(CANCELED) == [{"type": "RUN_ERROR", "message": "run canceled by user", "code": "RUN_CANCELED"}]
    names = {"threadId": IDS["thread_id"], "runId": IDS["run_id"]}
    assert agui_events(CANCELED, version="1.0") == [{"type": "RUN_FINISHED", **names, "outcome": {"type": "cancelled"}}]
    failed = events.RunError(**IDS, message='about "code":"RUN_CANCELED"', code="RUN_FAILED")
    assert agui_events(failed, version="1.0")[0]["type"] == "RUN_ERROR"


def test_a_restated_conversation_has_the_parts_of_ag_ui() -> None:
    """EVT-14, MSG-02: `binary` left the protocol."""
    restated_messages: list[dict[str, Any]] = [
        {
            "id": "1",
            "role": "user",
            "content": [
                {"type": "text", "text": "看"},
                {"type": "binary", "mimeType": "image/png", "url": "https://x/1.png"},
                {"type": "binary", "mimeType": "application/pdf", "id": "file-1"},
                {"type": "binary", "mimeType": "audio/wav", "data": "UklGRg=="},
                {"type": "binary", "mimeType": "image/png"},
            ],
        },
        {"id": "2", "role": "activity", "content": {"any": "thing"}},
        {"id": "3", "role": "reasoning"},
        {"id": "4", "role": "reasoning", "content": "想"},
    ]
    stored = events.MessagesSnapshot(**IDS, messages=tuple(restated_messages))
    (restated,) = agui_events(stored)
    assert [message["id"] for message in restated["messages"]] == ["1", "4"]
    assert restated["messages"][0]["content"] == [
        {"type": "text", "text": "看"},
        {"type": "image", "source": {"type": "url", "value": "https://x/1.png", "mimeType": "image/png"}},
        {"type": "document", "source": {"type": "file", "value": "file-1", "mimeType": "application/pdf"}},
        {"type": "audio", "source": {"type": "data", "value": "UklGRg==", "mimeType": "audio/wav"}},
    ]
    read([json.dumps(event) for event in agui_events(events.RunStarted(**IDS), stored, events.RunFinished(**IDS))])


def test_a_stream_that_cannot_go_on_says_so() -> None:
    """EVT-08: an AG-UI client takes silence for success."""
    profile = Profile(IDS, event_types.find)
    begun = [
        profile.line(events.encode(event))
        for event in (events.RunStarted(**IDS), events.StepStarted(**IDS, step_name="s"))
    ]
    client = read([*(line for line in begun if line), failure("STREAM_TIMEOUT", "the run continues")])
    assert client.end == {"type": "RUN_ERROR", "message": "the run continues", "code": "STREAM_TIMEOUT"}


def test_what_was_not_stored_is_not_told() -> None:
    """EVT-27."""
    with pytest.raises(ValueError, match="not a stored event"):
        Profile(IDS, event_types.find).line("{}")


def stream(profile: Profile, stored: list[str]) -> list[str]:
    return [line for text in stored if (line := profile.line(text)) is not None]


@given(journals(), st.sampled_from([None, "1.0"]))
@settings(max_examples=examples(100), deadline=None)
def test_every_journal_becomes_a_stream_that_clients_accept(stored: list[str], version: str | None) -> None:
    """EVT-07 … EVT-18, EVT-24: The order rules of clients, the official models and the validator of producers accept
    it."""
    read(stream(Profile(IDS, event_types.find, "thread_001", version), stored), INTERRUPTED)


PAST = [{"id": "before", "role": "user", "content": "你好"}]


@given(journals(), st.data())
@settings(max_examples=examples(100), deadline=None)
def test_a_client_that_joins_anywhere_ends_with_the_same(stored: list[str], data: st.DataObject) -> None:
    """EVT-05, EVT-14: messages, state, custom events and the end, in a stream that begins where the run stands."""
    cut = data.draw(st.integers(1, len(stored)), "cut")
    whole = read(stream(Profile(IDS, event_types.find), stored), INTERRUPTED)
    profile = Profile(IDS, event_types.find)
    joined = [*snapshot.opening(profile, PAST, stored[:cut]), *stream(profile, stored[cut:])]
    late = read(joined, INTERRUPTED, CALLED_BEFORE)
    assert late.messages[0] == PAST[0]
    assert by_id(late) == by_id(whole)
    assert (late.customs, late.state, late.end) == (whole.customs, whole.state, whole.end)
    assert late.activities == whole.activities


@given(journals())
@settings(max_examples=examples(50), deadline=None)
def test_what_a_run_told_is_what_its_client_has(stored: list[str]) -> None:
    """EVT-14: in the order it has it, when the run is long over."""
    whole = read(stream(Profile(IDS, event_types.find), stored), INTERRUPTED)
    restated = AgUiClient()
    restated.messages = [shown for item in snapshot.messages_of(stored) if (shown := message(item))]
    assert list(by_id(restated).items()) == list(by_id(whole).items())


def by_id(client: AgUiClient) -> dict[str, Any]:
    """Return the messages of the run; an empty one may be missing where it was restated."""
    return {
        message["id"]: message
        for message in client.messages
        if message != PAST[0] and (message.get("content") or message.get("toolCalls") or "metadata" in message)
    }


def test_a_restated_text_goes_on_in_its_message() -> None:
    """EVT-14: the shape that released clients were seen to take; the text is there once."""
    profile = Profile(IDS, event_types.find)
    begun = [
        events.RunStarted(**IDS),
        events.TextMessageStart(**IDS, message_id="m"),
        events.TextMessageContent(**IDS, message_id="m", delta="Hel"),
    ]
    opening = snapshot.opening(profile, PAST, [events.encode(base_event) for base_event in begun])
    assert [json.loads(line)["type"] for line in opening] == ["RUN_STARTED", "MESSAGES_SNAPSHOT", "TEXT_MESSAGE_START"]
    assert json.loads(opening[1])["messages"] == [*PAST, {"id": "m", "role": "assistant", "content": "Hel"}]
    rest = [
        events.TextMessageContent(**IDS, message_id="m", delta="lo"),
        events.TextMessageEnd(**IDS, message_id="m"),
        events.RunFinished(**IDS),
    ]
    client = read([*opening, *stream(profile, [events.encode(base_event) for base_event in rest])])
    assert client.messages[-1]["content"] == "Hello"


def test_a_message_whose_shape_was_not_kept_is_not_told() -> None:
    """MSG-06."""
    assert message({"id": "1", "role": "activity", "content": {}}) is None
    assert message({"id": "1", "role": "assistant", "content": None}) == {"id": "1", "role": "assistant"}
