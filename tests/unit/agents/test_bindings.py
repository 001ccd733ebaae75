"""Which agent answers a run, and what each agent demands of its input and makes of it."""

from typing import Any

import pytest

from tests.support.run_bodies import CAST, PICTURE, admitted, body, parsed, props, refusal, user, user_message, without
from tests.support.system_agents import agent
from yarrow.agents import bindings
from yarrow.agents.descriptors import SystemAgentsError
from yarrow.agents.permissions import RunScope, grant
from yarrow.agents.policies import RuntimeConfig
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.rules import InputRules
from yarrow.runners import input_discovery
from yarrow.runners.input_discovery import find
from yarrow.services.tools.builtin import TOOLS
from yarrow.worker.invocation.registry import registry
from yarrow_agents.divination import error_codes

FORWARDED_PROPS = "invalid RunAgentInput.forwardedProps"


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> str:
    """A second agent that demands nothing, so that there is a choice."""
    other = agent(modes={"chat": {}, "automation": {}}, implied_by={"runtime_modes": ["automation"]})
    both = {"divination": bindings.deployed()["divination"], **bindings.bind({"oracle": other})}
    monkeypatch.setattr(bindings, "deployed", lambda: both)
    return "oracle"


PLAIN = {"runtime_mode": "chat"}


@pytest.mark.parametrize(
    ("existing", "requested", "forwarded", "expected"),
    [
        # An existing session keeps its agent, whatever is asked for or implied.
        ("oracle", "divination", props(), "oracle"),
        ("divination", "oracle", PLAIN, "divination"),
        ("divination", "nobody", PLAIN, "divination"),
        # Then the one asked for.
        (None, "oracle", props(), "oracle"),
        (None, "divination", PLAIN, "divination"),
        # Then what the input implies.
        (None, None, props(), "divination"),
        (None, None, {"runtime_mode": "chat", "divination_payload": {}}, "divination"),
        (None, None, {"runtime_mode": "chat", "divinationPayload": None}, "divination"),
        (None, None, {"runtime_mode": "follow_up"}, "divination"),
        (None, None, {"runtime_mode": "automation"}, "oracle"),
        # Its members say more of an input than its mode.
        (None, None, {"runtime_mode": "automation", "divinationPayload": {}}, "divination"),
        # Then the deployment's.
        (None, None, PLAIN, "oracle"),
    ],
)
def test_an_agent_is_chosen_by_session_then_request_then_input_then_deployment(
    oracle: str, existing: str | None, requested: str | None, forwarded: dict[str, Any], expected: str
) -> None:
    """C36."""
    run_input = parsed(body(forwardedProps=forwarded))
    chosen = bindings.agent_for(run_input, existing=existing, requested=requested, default=oracle)
    assert chosen.agent == expected


@pytest.mark.parametrize("requested", ["nobody", "", "Divination", "divination "])
def test_an_agent_that_is_not_there_is_refused(requested: str) -> None:
    """C36: 422 AGENT_RUN_INPUT_INVALID, and the agents there are."""
    with pytest.raises(Problem) as caught:
        bindings.agent_for(parsed(body()), existing=None, requested=requested, default="divination")
    problem = caught.value
    assert (problem.status, problem.code) == (422, Code.AGENT_RUN_INPUT_INVALID)
    assert problem.params == {"agents": sorted(bindings.deployed())}


def test_a_session_whose_agent_is_no_more_is_refused() -> None:
    """C36: it does not pass to another one."""
    with pytest.raises(Problem) as caught:
        bindings.agent_for(parsed(body()), existing="retired", requested="divination", default="divination")
    assert (caught.value.status, caught.value.code) == (422, Code.AGENT_RUN_INPUT_INVALID)


def test_an_input_that_implies_two_agents_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-86: one event has one binding."""
    rules = InputRules(members=frozenset({"tarot"}))
    monkeypatch.setattr(input_discovery, "find", lambda name: rules if name == "tarot" else find(name))
    tarot = bindings.bind({"tarot": agent(input="tarot", implied_by={"forwarded_props": ["tarot"]})})
    several = {**bindings.deployed(), **tarot}
    monkeypatch.setattr(bindings, "deployed", lambda: several)
    both = parsed(body(forwardedProps=props(tarot={})))
    with pytest.raises(Problem) as caught:
        bindings.agent_for(both, existing=None, requested=None, default="divination")
    problem = caught.value
    assert (problem.status, problem.code) == (422, Code.AGENT_RUN_INPUT_INVALID)
    assert problem.params == {"agents": ["divination", "tarot"]}


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ({"input": "tea leaves"}, "input is one of plain, assistant, divination"),
        ({"implied_by": {"forwarded_props": ["divinationPayload"]}}, "does not know divinationPayload"),
    ],
)
def test_an_agent_names_rules_that_are_there(members: dict[str, Any], fault: str) -> None:
    """AUT-05."""
    with pytest.raises(SystemAgentsError, match=fault):
        bindings.bind({"oracle": agent(**members)})


def test_the_event_of_a_divination_has_its_cast(oracle: str) -> None:
    """RNR-17: and the event of an agent that demands nothing has no more than every event."""
    run_input = parsed(body())
    assert bindings.deployed()["divination"].rules.data(run_input)["divinationPayload"] == CAST
    assert bindings.deployed()[oracle].rules.data(run_input) == {}


@pytest.mark.parametrize("mode", ["chat", "follow_up"])
def test_the_divination_agent_casts_and_follows_up(mode: str) -> None:
    """FWD-02, FUP-01, FUP-03, C1."""
    run_input = admitted(body(forwardedProps=props(runtime_mode=mode)))
    assert run_input.runtime_mode == mode
    assert user_message(run_input).text() == "我最近换工作是否合适?"


def test_the_divination_agent_is_not_automated() -> None:
    """FWD-02, RUN-14, ERR-04, C1: the mode is valid, but not for this agent."""
    problem = refusal(body(forwardedProps=props(runtime_mode="automation")))
    assert (problem.status, problem.code, problem.detail) == (422, Code.AGENT_RUNTIME_MODE_INVALID, FORWARDED_PROPS)


@pytest.mark.parametrize("extra", ["question", "Runtime_mode", "divinationpayload", "client_time "])
def test_forwarded_props_have_no_other_members(extra: str) -> None:
    """FWD-01, C2."""
    problem = refusal(body(forwardedProps=props(**{extra: None})))
    assert (problem.status, problem.code, problem.detail) == (422, Code.AGENT_RUN_INPUT_INVALID, FORWARDED_PROPS)


def test_a_cast_is_an_extension_of_the_divination_agent_alone(oracle: str) -> None:
    """FWD-01, C2: another agent refuses it."""
    run_input = parsed(body())
    with pytest.raises(Problem, match=FORWARDED_PROPS):
        bindings.check(bindings.deployed()[oracle], run_input)


@pytest.mark.parametrize("member", ["state", "tools", "context"])
def test_a_divination_requires_state_tools_and_context(member: str) -> None:
    """RUN-21, C6: Absent and null are alike."""
    for sent in (without(body(), member), body(**{member: None})):
        problem = refusal(sent)
        assert (problem.status, problem.code) == (422, Code.AGENT_RUN_INPUT_INVALID)
        assert problem.detail == f"RunAgentInput.{member} is required"


@pytest.mark.parametrize("state", [[], "", 0, False])
def test_the_state_of_a_divination_is_an_object(state: Any) -> None:
    """RUN-21, C6."""
    problem = refusal(body(state=state))
    assert (problem.status, problem.code) == (422, Code.AGENT_RUN_INPUT_INVALID)
    assert problem.detail == "RunAgentInput.state must be an object"


@pytest.mark.parametrize("mode", ["chat", "follow_up"])
@pytest.mark.parametrize("payload", [{}, {"divinationPayload": None}, {"divination_payload": None}])
def test_a_cast_is_required_in_both_modes(mode: str, payload: dict[str, Any]) -> None:
    """DIV-07, ERR-10, C14."""
    problem = refusal(body(forwardedProps={"runtime_mode": mode, **payload}))
    assert (problem.status, problem.code) == (422, error_codes.REQUIRED)


@pytest.mark.parametrize(
    ("requirement", "changes", "where"),
    [
        ("DIV-01", {"divinationMethod": "梅花易数"}, ".divinationMethod"),
        ("DIV-01", {"divinationMethod": None}, ".divinationMethod"),
        ("DIV-02", {"questionType": ""}, ".questionType"),
        ("DIV-02", {"questionType": "事" * 33}, ".questionType"),
        ("DIV-02", {"questionType": 1}, ".questionType"),
        ("DIV-03", {"question": ""}, ".question"),
        ("DIV-03", {"question": "问" * 301}, ".question"),
        ("DIV-08", {"question": " \u3000\n"}, ".question"),
        ("DIV-04", {"divinationTimeIso": "2026-04-03T20:30:00"}, ".divinationTimeIso"),
        ("DIV-04", {"divinationTimeIso": 1775219400}, ".divinationTimeIso"),
        ("DIV-05", {"yaoLines": ["少阳"] * 5}, ".yaoLines"),
        ("DIV-05", {"yaoLines": ["少阳"] * 7}, ".yaoLines"),
        ("DIV-05", {"yaoLines": ["少阳"] * 5 + ["太阳"]}, ".yaoLines"),
        ("DIV-05", {"yaoLines": "少阳"}, ".yaoLines"),
        ("DIV-06", {"note": "?"}, ".note"),
        # Of several, the first in the document's order.
        ("DIV-01", {"divinationMethod": "", "question": "", "note": ""}, ".divinationMethod"),
    ],
)
def test_a_cast_that_breaks_a_rule_is_refused_by_the_members_name(
    requirement: str, changes: dict[str, Any], where: str
) -> None:
    """DIV-01 … DIV-06, DIV-08: the detail names the member, `params` says what is wrong with it."""
    problem = refusal(body(forwardedProps=props(divinationPayload={**CAST, **changes})))
    assert (problem.status, problem.code) == (422, Code.AGENT_RUN_INPUT_INVALID)
    assert problem.detail == f"invalid divinationPayload{where}"
    assert problem.params is not None
    assert problem.params["reason"]


@pytest.mark.parametrize("member", sorted(CAST))
def test_every_member_of_a_cast_is_required(member: str) -> None:
    """DIV-01 … DIV-05."""
    problem = refusal(body(forwardedProps=props(divinationPayload=without(CAST, member))))
    assert problem.detail == f"invalid divinationPayload.{member}"


@pytest.mark.parametrize("payload", ["x", [], 0, False])
def test_a_cast_is_an_object(payload: Any) -> None:
    """DIV-06."""
    problem = refusal(body(forwardedProps=props(divinationPayload=payload)))
    assert (problem.code, problem.detail) == (Code.AGENT_RUN_INPUT_INVALID, "invalid divinationPayload")


@pytest.mark.parametrize("content", ["", " \n\u3000", [], [{"type": "text", "text": " "}]])
def test_a_follow_up_asks_something_but_a_cast_need_not(content: Any) -> None:
    """FUP-03, C33: the question of a cast stands in its payload."""
    messages = [user(content)]
    admitted(body(messages=messages))
    problem = refusal(body(messages=messages, forwardedProps=props(runtime_mode="follow_up")))
    assert (problem.status, problem.code) == (422, Code.AGENT_RUN_MESSAGES_INVALID)


def test_every_agent_is_bound_under_its_own_name() -> None:
    """C36: and shows at least one stage (C32)."""
    for name, binding in bindings.deployed().items():
        assert binding.agent == name
        assert binding.stages


def to_assistant(*others: dict[str, Any], content: Any = "delete them", mode: str = "chat") -> dict[str, Any]:
    """Return a body for the assistant: the user's message, and others."""
    return body(messages=[user(content), *others], forwardedProps={"runtime_mode": mode})


@pytest.mark.parametrize("mode", ["chat", "automation"])
def test_the_assistant_chats_and_is_automated(mode: str) -> None:
    """FWD-02, FWD-11, C1, C36: automation is the assistant's even if nobody says so."""
    sent = without(to_assistant(mode=mode), "state", "tools", "context")
    assert admitted(sent, "assistant").runtime_mode == mode
    run_input = parsed(to_assistant(mode="automation"))
    assert bindings.agent_for(run_input, existing=None, requested=None, default="divination").agent == "assistant"
    assert bindings.deployed()["assistant"].stages == ("router", "worker")


@pytest.mark.parametrize("content", ["", " \n\u3000", [], [{"type": "text", "text": " "}]])
def test_the_assistant_is_told_something(content: Any) -> None:
    """MSG-01: A message needs text or a picture."""
    with pytest.raises(Problem) as caught:
        admitted(to_assistant(content=content), "assistant")
    assert (caught.value.status, caught.value.code) == (422, Code.AGENT_RUN_MESSAGES_INVALID)
    admitted(to_assistant(content=[dict(PICTURE)]), "assistant")


def assistant(message_id: str, *calls: str) -> dict[str, Any]:
    function = {"name": "confirm", "arguments": "{}"}
    requests = [{"id": call, "type": "function", "function": function} for call in calls]
    return {"id": message_id, "role": "assistant", "toolCalls": requests}


def tool(call: str, **members: Any) -> dict[str, Any]:
    return {"id": f"of-{call}", "role": "tool", "toolCallId": call, "content": "confirmed", **members}


@pytest.mark.parametrize(
    ("messages", "results"),
    [
        ([], None),
        ([assistant("a", "c")], None),
        ([assistant("a", "c"), tool("c")], [{"tool_call_id": "c", "content": "confirmed"}]),
        (
            [assistant("a", "c", "d"), tool("d", error="no", name="x"), tool("c", encryptedValue="y")],
            [
                {"tool_call_id": "d", "content": "confirmed", "error": "no"},
                {"tool_call_id": "c", "content": "confirmed"},
            ],
        ),
        # What was answered has been heard.
        ([assistant("a", "c"), tool("c"), {"id": "b", "role": "assistant", "content": "done"}], None),
    ],
)
def test_the_assistant_hears_what_the_client_s_tools_answered(messages: Any, results: Any) -> None:
    """EVT-21, MSG-03, MSG-05, MSG-07: as facts of the event; nothing else of the client's messages is passed on."""
    run_input = admitted(to_assistant(*messages), "assistant")
    data = bindings.deployed()["assistant"].rules.data(run_input)
    assert data == ({} if results is None else {"tool_results": results})


def test_the_assistant_has_the_tools_of_its_file_in_a_chat_and_of_its_job_in_automation() -> None:
    """FWD-12, AUT-01, AUT-04, TOOL-04: none without a job, and none that the agent has not."""
    policy = bindings.deployed()["assistant"].policy

    def tools(mode: Any, job: RuntimeConfig | None = None) -> list[str]:
        enabled = frozenset(policy.runtime_config(mode, job).enabled_tools)
        scope = RunScope("run", "user", "thread", "event", 0.0, enabled)
        granted = grant(registry.find(policy.runner).manifest, "assistant", policy, scope, TOOLS.detail)
        return [tool.tool_name for tool in granted.resources.tools]

    assert tools("chat") == [tool.id for tool in policy.resources.tools]
    assert {"calendar_read", "calendar_write", "calendar_update", "calendar_delete"} < set(tools("chat"))
    assert tools("automation") == []
    assert policy.runtime_config("automation").context is None
    job = RuntimeConfig(enabled_tools=("calendar_write", "delete_everything"))
    assert tools("automation", job) == ["calendar_write"]
