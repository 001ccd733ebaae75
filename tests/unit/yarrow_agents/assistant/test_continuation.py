"""Two runs: one that ends with a call for the client, and one that brings what the client's tool answered."""

import json
from typing import Any

import pytest

from tests.support.runners.assistant import Host, ask, backend, context, frontend, of_type, results, say, types
from yarrow.protocol.runner.api import FunctionCall, ModelMessage, ModelToolCall
from yarrow.protocol.runner.models import AgentInput, BootstrapContext
from yarrow.protocol.runner.resources import ArtifactResource
from yarrow.protocol.runner.vocabulary import INPUT_AT
from yarrow_agents.assistant.continuation import KEY

TOOLS = (backend("look", "at"), frontend("confirmAction"))
ASKED = "删除所有临时文件"
HISTORY = [ModelMessage(role="user", content="早"), ModelMessage(role="assistant", content="早上好")]


def first(*calls: Any) -> tuple[list[tuple[str, Any]], dict[str, Any]]:
    """The results of the first run and the state it leaves, as the host keeps it."""
    requests = calls or (ask("confirmAction", '{"action":"删除临时文件","count":15}'),)
    host = Host(say("即将删除 15 个临时文件", calls=requests), look="seen")
    events = results(host, context(ASKED, *TOOLS, history=HISTORY))
    (kept,) = of_type(events, "state.updated")
    assert (kept["scope"], kept["key"]) == ("conversation", KEY)
    return events, {KEY: json.loads(json.dumps(kept["value"]))}


def brought(events: list[tuple[str, Any]], content: str = "confirmed", **members: Any) -> dict[str, Any]:
    """The event of the run that brings the result of the last call."""
    call_id = of_type(events, "tool.call.started")[-1]["tool_call_id"]
    return {"tool_results": [{"tool_call_id": call_id, "content": content, **members}]}


def test_the_next_run_goes_on_with_the_answer() -> None:
    """EVT-21, EVT-23, MSG-08: the fourth scenario of `agui-http-agent.md`; nothing waits any more then."""
    events, state = first()
    host = Host(say("已删除 15 个临时文件。"))
    again = results(host, context(ASKED, *TOOLS, history=HISTORY, state=state, data=brought(events)))
    assert types(again) == "delta completed state.updated run.completed"
    assert of_type(again, "state.updated") == [{"scope": "conversation", "key": KEY, "value": None}]
    heard = host.messages()
    assert [message["role"] for message in heard] == ["user", "assistant", "user", "assistant", "tool"]
    assert [message["content"] for message in heard[2:]] == [ASKED, "即将删除 15 个临时文件", "confirmed"]
    assert heard[3]["tool_calls"][0]["id"] == heard[4]["tool_call_id"]


def test_what_the_host_s_tools_answered_is_not_asked_again() -> None:
    """EVT-21, EVT-22."""
    events, state = first(ask("look", '{"at":"x"}'), ask("confirmAction"))
    host = Host(say("done"))
    results(host, context(ASKED, *TOOLS, state=state, data=brought(events)))
    assert host.calls == []
    assert [message["content"] for message in host.messages() if message["role"] == "tool"] == ["seen", "confirmed"]


def test_what_is_too_large_to_be_kept_is_not() -> None:
    """RNR-36, EVT-21: the run ends well, and what the host remembers has to do."""
    events, state = first(ask("confirmAction", json.dumps({"note": "x" * 260_000})))
    assert state == {KEY: None}
    assert types(events).endswith("state.updated run.completed")


def test_a_client_may_answer_again_and_again() -> None:
    """EVT-21: each run goes on where the one before it stopped, with calls of its own."""
    events, state = first()
    host = Host(say("sure?", calls=[ask("confirmAction")]))
    again = results(host, context(ASKED, *TOOLS, state=state, data=brought(events)))
    state = {KEY: of_type(again, "state.updated")[0]["value"]}
    last = Host(say("done"))
    results(last, context(ASKED, *TOOLS, state=state, data=brought(again, "yes")))
    assert [message["content"] for message in last.messages()][2:] == [
        ASKED,
        "即将删除 15 个临时文件",
        "confirmed",
        "sure?",
        "yes",
    ]


@pytest.mark.parametrize(
    "data",
    [{}, {"tool_results": [{"tool_call_id": "unknown", "content": "confirmed"}]}],
)
def test_a_result_nobody_waits_for_is_passed_over(data: dict[str, Any]) -> None:
    """EVT-21: the run begins anew, what waited is dropped, and the model hears nothing of the result."""
    _, state = first()
    host = Host(say("hi"))
    events = results(host, context("something else", *TOOLS, state=state, data=data, message_id="msg-2"))
    assert [message["content"] for message in host.messages()] == ["something else"]
    assert of_type(events, "state.updated")[0]["value"] is None


def test_results_without_anything_that_waits_change_nothing() -> None:
    """EVT-21: nor does what another version kept."""
    data = {"tool_results": [{"tool_call_id": "c", "content": "confirmed"}]}
    host = Host(say("hi"))
    assert types(results(host, context("x", *TOOLS, data=data))) == "delta completed run.completed"
    events = results(host, context("x", *TOOLS, data=data, state={KEY: {"calls": ["c"]}}))
    assert types(events) == "delta completed state.updated run.completed"


def test_a_new_message_may_come_with_the_result() -> None:
    """EVT-21, C4: it follows the result."""
    events, state = first()
    host = Host(say("ok"))
    results(host, context("and the logs", *TOOLS, state=state, data=brought(events), message_id="msg-2"))
    assert [(message["role"], message["content"]) for message in host.messages()[-2:]] == [
        ("tool", "confirmed"),
        ("user", "and the logs"),
    ]


def test_a_call_the_client_did_not_answer_has_an_answer_all_the_same() -> None:
    """EVT-21: no model takes a call without one."""
    events, state = first(ask("confirmAction", '{"action":"a"}'), ask("confirmAction", '{"action":"b"}'))
    host = Host(say("done"))
    results(host, context(ASKED, *TOOLS, state=state, data=brought(events)))
    contents = [message["content"] for message in host.messages() if message["role"] == "tool"]
    assert contents == ['{"error":"the client gave no result"}', "confirmed"]


def test_a_result_may_be_an_error_or_long() -> None:
    """MSG-05, RNR-42."""
    events, state = first()
    for data, heard in (
        (brought(events, "", error="the user said no"), "error: the user said no\n"),
        (brought(events, "x" * 20_000), "x" * 16_000 + "… (4000 more characters)"),
    ):
        host = Host(say("ok"))
        results(host, context(ASKED, *TOOLS, state=state, data=data))
        assert host.messages()[-1]["content"] == heard


def test_a_picture_is_shown_again_if_the_run_may_read_it() -> None:
    """RNR-19, RNR-25: it was granted to the run before."""
    parts: Any = ({"type": "text", "text": "这是什么?"}, {"type": "artifact", "artifact_id": "art-1"})
    for seen, granted, heard in (
        (parts, ("art-1",), list(parts)),
        (parts, (), list(parts[:1])),
        (parts[1:], ("art-2",), "(left out for want of room)"),
    ):
        asking = context("", *TOOLS, input=AgentInput(contents=seen))
        events = results(Host(say(calls=[ask("confirmAction")])), asking)
        state = {KEY: of_type(events, "state.updated")[0]["value"]}
        value = context("", *TOOLS, state=state, data=brought(events))
        artifacts = tuple(ArtifactResource(artifact_id=text) for text in granted)
        host = Host(say("done"))
        resources = value.resources.model_copy(update={"artifacts": artifacts})
        results(host, value.model_copy(update={"resources": resources}))
        assert host.messages()[0]["content"] == heard


def test_a_picture_of_the_history_that_the_run_may_not_read_is_left_out() -> None:
    """RNR-19, RNR-25: one that is gone by now would fail the run."""
    parts: Any = ({"type": "text", "text": "看"}, {"type": "artifact", "artifact_id": "art-1"})
    seen = [ModelMessage(role="user", content=parts), HISTORY[1]]
    events = results(Host(say(calls=[ask("confirmAction")])), context(ASKED, *TOOLS, history=seen))
    host = Host(say("done"))
    state = {KEY: of_type(events, "state.updated")[0]["value"]}
    results(host, context(ASKED, *TOOLS, state=state, data=brought(events)))
    assert host.messages()[0]["content"] == list(parts[:1])


def test_a_kept_result_shows_its_pictures_while_the_run_may_read_them() -> None:
    """MSG-05, RNR-25: else the line that a result without them has."""
    shown: Any = [{"type": "text", "text": "here"}, {"type": "artifact", "artifact_id": "art-1"}]
    events, state = first()
    waiting = Host(say(calls=[ask("confirmAction")]))
    again = results(waiting, context(ASKED, *TOOLS, state=state, data=brought(events, "here\n(…)", contents=shown)))
    assert waiting.messages()[-1]["content"] == shown
    value = context(
        ASKED, *TOOLS, state={KEY: of_type(again, "state.updated")[0]["value"]}, data=brought(again, "done")
    )
    line = {"type": "text", "text": "(image left out, for it cannot be opened here)"}
    for readable, heard in (("art-1", shown), ("art-2", [shown[0], line])):
        artifacts = (ArtifactResource(artifact_id=readable),)
        host = Host(say("done"))
        resources = value.resources.model_copy(update={"artifacts": artifacts})
        results(host, value.model_copy(update={"resources": resources}))
        assert host.messages()[-3]["content"] == heard


def test_a_result_that_the_host_has_in_other_words_gets_no_pictures() -> None:
    """EVT-21: The first result of a call counts."""
    calls = (ModelToolCall(id="c-1", function=FunctionCall(name="confirmAction", arguments="{}")),)
    for text, heard in (("seen", ({"type": "artifact", "artifact_id": "art-1"},)), ("other words", "other words")):
        history = [
            ModelMessage(role="user", content=ASKED),
            ModelMessage(role="assistant", tool_calls=calls),
            ModelMessage(role="tool", tool_call_id="c-1", content=text),
        ]
        contents = [{"type": "artifact", "artifact_id": "art-1"}]
        data = {"tool_results": [{"tool_call_id": "c-1", "content": "seen", "contents": contents}]}
        host = Host(say("done"))
        results(host, context("and now?", *TOOLS, history=history, data=data))
        (content,) = (message["content"] for message in host.messages() if message["role"] == "tool")
        assert content == (heard if isinstance(heard, str) else list(heard))


def test_what_is_kept_fits_into_the_state() -> None:
    """RNR-36: a value may have 256 KiB."""
    steps = [say(calls=[ask("look", json.dumps({"at": f"{step}-{n}"})) for n in range(8)]) for step in range(8)]
    host = Host(*steps, say(calls=[ask("confirmAction")]), look="六" * 16_000)
    history = [ModelMessage(role="user", content="x" * 1_000)] * 60
    events = results(host, context(ASKED, *TOOLS, history=history, config={"context_tokens": 1_000_000}))
    (kept,) = of_type(events, "state.updated")
    assert len(json.dumps(kept["value"], ensure_ascii=False).encode()) < 256 * 1024
    following = Host(say("done"))
    results(following, context(ASKED, *TOOLS, state={KEY: kept["value"]}, data=brought(events)))
    assert following.messages()[-1]["content"] == "confirmed"


def called(name: str, call_id: str, text: str | None = None) -> ModelMessage:
    call = ModelToolCall(id=call_id, function=FunctionCall(name=name, arguments="{}"))
    return ModelMessage(role="assistant", content=text, tool_calls=(call,))


def answered(call_id: str, content: str) -> ModelMessage:
    return ModelMessage(role="tool", tool_call_id=call_id, content=content)


DONE_BEFORE = [
    called("confirmAction", "c1", "即将删除"),
    answered("c1", "confirmed"),
    called("look", "c2"),
    answered("c2", "15 deleted"),
    ModelMessage(role="assistant", content="已删除。"),
]
"""What was said and done after the user's message, by the run that asked the client and the one that went on."""


def again(*ids: str, at: int | None = 2, state: Any = None) -> Host:
    """A run that brings results once more, and what its model is asked."""
    data = {"tool_results": [{"tool_call_id": text, "content": "again"} for text in ids]}
    bootstrap = BootstrapContext(messages=(*HISTORY, *DONE_BEFORE), metadata={} if at is None else {INPUT_AT: at})
    host = Host(say("done"))
    results(host, context(ASKED, *TOOLS, data=data, bootstrap=bootstrap, state=state))
    return host


@pytest.mark.parametrize("ids", [("c1",), (), ("unknown",)])
def test_a_message_that_comes_again_is_answered_from_what_is_known(ids: tuple[str, ...]) -> None:
    """EVT-21, CMP-11: with results that were answered before, without any as after a run that failed, or with others.
    Neither the client nor a tool of the host is asked again; the words are found anew.
    """
    host = again(*ids)
    assert host.calls == []
    assert len(host.requests) == 1
    request = host.messages()
    assert [message["role"] for message in request] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
    ]
    assert [message.get("content") for message in request][2:] == [ASKED, "即将删除", "confirmed", None, "15 deleted"]


def test_results_that_come_with_a_new_message_leave_it_the_last_word() -> None:
    """EVT-21."""
    assert again("c1", at=None).messages()[-1]["content"] == ASKED


def test_a_late_result_is_heard_where_nothing_was_done_since() -> None:
    """EVT-21: the later message is answered again, without the answer that knew nothing of it."""
    data = {"tool_results": [{"tool_call_id": "c1", "content": "confirmed"}]}
    messages = (
        ModelMessage(role="user", content=ASKED),
        *DONE_BEFORE[:2],
        ModelMessage(role="assistant", content="在"),
    )
    host = Host(say("done"))
    bootstrap = BootstrapContext(messages=messages, metadata={INPUT_AT: 3})
    results(host, context("还在吗?", *TOOLS, data=data, bootstrap=bootstrap))
    assert [message["role"] for message in host.messages()] == ["user", "assistant", "tool", "user"]
    assert host.messages()[-1]["content"] == "还在吗?"


@pytest.mark.parametrize("message", ["msg-1", "msg-2"])
def test_what_a_failed_run_did_with_the_answer_is_not_done_again(message: str) -> None:
    """EVT-21, CMP-11: a retry, of the same message or with another, hears what was done after the calls that wait."""
    events, state = first()
    data = brought(events)
    ((call,),) = ([result["tool_call_id"] for result in data["tool_results"]],)
    before = [ModelMessage(role="user", content=ASKED), called("confirmAction", call), answered(call, "confirmed")]
    done = [called("look", "c2"), answered("c2", "15 deleted")]
    at = 1 if message == "msg-1" else 3
    remembered = BootstrapContext(messages=(*before, *done), metadata={INPUT_AT: at})
    host = Host(say("done"))
    results(host, context("那么?", *TOOLS, state=state, data=data, bootstrap=remembered, message_id=message))
    heard = [message.get("content") for message in host.messages()]
    more = [] if message == "msg-1" else ["那么?"]
    assert heard[-3 - len(more) :] == ["confirmed", *more, None, "15 deleted"]
    assert host.calls == []


def test_a_call_that_waits_goes_before_one_that_was_answered() -> None:
    """EVT-21."""
    events, state = first()
    (result,) = brought(events)["tool_results"]
    host = again("c1", result["tool_call_id"], state=state)
    assert [message["content"] for message in host.messages() if message["role"] == "tool"] == ["again"]
