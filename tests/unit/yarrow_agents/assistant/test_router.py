"""What the worker is given: which conversation, and which tools."""

import json
from typing import Any

import pytest

from tests.support.runners.assistant import Host, ask, backend, context, frontend, results, say
from yarrow.protocol.runner.api import AgentAPIException, ModelMessage
from yarrow.protocol.runner.resources import ToolResource

TOOLS = (backend("look"), backend("write"), frontend("confirm"))
ROUTED = {"router_model": "chat"}


def routed(answer: Any, **members: Any) -> Host:
    host = Host(say("hi"))
    host.routed = answer
    events = results(host, context("write it down", *TOOLS, config=ROUTED, **members))
    assert events[-1][0] == "run.completed"
    return host


def reply(content: Any, **members: Any) -> dict[str, Any]:
    usage = {"input_tokens": 7, "output_tokens": 1}
    return {"message": {"role": "assistant", "content": content}, "usage": usage, **members}


def test_by_rule_every_tool_is_offered() -> None:
    """FWD-11, TOOL-04: The rule makes no request."""
    host = Host(say("hi"))
    results(host, context("x", *TOOLS))
    assert host.offered() == ["look", "write", "confirm"]
    assert len(host.requests) == 1


def test_a_model_may_choose_among_the_tools_of_the_host() -> None:
    """FWD-11, TOOL-03: those of the client are the client's choice."""
    host = routed(reply('{"tools":["write","nowhere"]}'))
    assert host.offered() == ["write", "confirm"]
    message = host.requests[0]
    assert message["extra_args"]["response_schema"]["properties"]["tools"]["items"]["enum"] == ["look", "write"]
    assert "- look: does look\n- write: does write" in message["messages"][0]["content"]
    assert message["messages"][-1]["content"] == "write it down"


@pytest.mark.parametrize(
    "answer",
    [
        AgentAPIException("runtime_error", "The model failed."),
        reply('{"tools":["write"]}', scripted=True),
        reply("I would write"),
        reply('{"tools":"write"}'),
        reply("[]"),
        reply(None),
    ],
)
def test_a_choice_that_cannot_be_had_is_every_tool(answer: Any) -> None:
    """FWD-11: a script knows no meaning, so its choice is none."""
    assert routed(answer).offered() == ["look", "write", "confirm"]


def test_a_choice_costs_as_well() -> None:
    """EVT-26."""
    host = Host(say("hi", usage=(10, 5)))
    host.routed = reply('{"tools":[]}')
    events = results(host, context("x", *TOOLS, config=ROUTED))
    assert events[-1] == ("run.completed", {"usage": {"input_tokens": 17, "output_tokens": 6}})


def test_nobody_is_asked_where_there_is_nothing_to_choose() -> None:
    """FWD-11."""
    host = Host(say("hi"))
    results(host, context("x", frontend("confirm"), config=ROUTED))
    assert (host.offered(), len(host.requests)) == (["confirm"], 1)


def test_what_the_list_does_not_say_of_a_tool_is_asked_for() -> None:
    """RNR-53: and one of which nothing can be known is not offered."""
    unknown = [ToolResource(tool_name=name) for name in ("look", "gone")]
    host = Host(say("hi"), look=1)
    results(host, context("x", *unknown))
    assert sorted(host.details) == ["gone", "look"]
    (tool,) = host.requests[0]["tools"]
    assert (tool["name"], tool["description"]) == ("look", "detailed")


def test_a_tool_that_may_not_be_called_is_not_offered() -> None:
    """TOOL-05, C44: of two with one name the host's is meant; a name may be any."""
    odd = [frontend("搜索"), backend("seen", operations=("detail",)), backend("look"), frontend("look")]
    host = Host(say("hi"))
    results(host, context("x", *odd))
    offered = [(tool["name"], tool["description"]) for tool in host.requests[0]["tools"]]
    assert offered == [("搜索", "asks 搜索"), ("look", "does look")]


@pytest.mark.parametrize("mode", ["chat", "automation"])
def test_the_mode_changes_nothing_but_what_was_granted(mode: str) -> None:
    """FWD-11, FWD-12: Both have the same stages and the same requests."""
    host = Host(say("hi"))
    events = results(host, context("x", *TOOLS, data={"runtime_mode": mode}))
    plain = Host(say("hi"))
    assert events == results(plain, context("x", *TOOLS))
    assert host.requests == plain.requests


def test_the_conversation_before_is_what_the_host_gave() -> None:
    """FWD-12, RNR-11: as far as its agent or its job lets it look back."""
    history = [ModelMessage(role=role, content=role) for role in ("user", "assistant")]
    host = Host(say("hi"))
    results(host, context("now", history=history))
    assert [(message["role"], message["content"]) for message in host.messages()] == [
        ("user", "user"),
        ("assistant", "assistant"),
        ("user", "now"),
    ]


def test_the_router_s_model_is_shown_a_part_of_a_long_conversation() -> None:
    """FWD-11: it is to be cheap."""
    history = [ModelMessage(role="user", content="x" * 4_000)] * 10
    host = routed(reply('{"tools":[]}'), history=history)
    assert 2 < len(host.requests[0]["messages"]) < 7
    assert len(json.dumps(host.requests[0]["messages"])) < 20_000
    assert len(host.requests[1]["messages"]) == 12


def test_who_is_offered_no_tools_is_not_told_of_earlier_calls() -> None:
    """MSG-08: some providers refuse them then; and the router's model is to choose, not to call."""
    call = ask("look", call_id="c")
    history = [
        ModelMessage(role="user", content="earlier"),
        ModelMessage(role="assistant", tool_calls=(call,)),
        ModelMessage(role="tool", tool_call_id="c", content="seen"),
        ModelMessage(role="assistant", content="I saw it"),
    ]
    words = ["earlier", "I saw it"]
    bare = Host(say("hi"))
    results(bare, context("now", history=history))
    assert [message["content"] for message in bare.messages()] == [*words, "now"]
    offered = Host(say("hi"))
    results(offered, context("now", *TOOLS, history=history))
    assert [message["role"] for message in offered.messages()] == ["user", "assistant", "tool", "assistant", "user"]
    host = routed(reply('{"tools":["look"]}'), history=history)
    assert [message["content"] for message in host.messages(0)] == [*words, host.messages(0)[-1]["content"]]
    assert [message["role"] for message in host.messages(1)] == ["user", "assistant", "tool", "assistant", "user"]


@pytest.mark.parametrize(("complete", "heard"), [(True, ["Hello!", "hi"]), (False, ["hi"])])
def test_a_greeting_is_heard_behind_a_line_of_the_user_s(complete: bool, heard: list[str]) -> None:
    """C45: models begin with a user's message. What a cut left of the middle of a conversation is no greeting."""
    host = Host(say("Good."))
    request = context("hi", history=[ModelMessage(role="assistant", content="Hello!")])
    policy = request.context.inline_policy.model_copy(update={"messages_complete": complete})
    results(host, request.model_copy(update={"context": request.context.model_copy(update={"inline_policy": policy})}))
    _, *output = host.requests[0]["messages"]
    assert output[0]["role"] == "user"
    assert [message["content"] for message in output][-len(heard) :] == heard
    assert len(output) == (3 if complete else 1)
