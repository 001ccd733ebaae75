"""The released middlewares of AG-UI that CopilotKit's runtime brings along, between a client and the assistant.

Both give the agent tools of the client, answer its calls where the run ends, and show the outcome as an activity. The
assistant's model is in the test.
"""

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.clients.agui_clients import Node, node_with
from tests.clients.front_ends import answered, answers, stack_with_model
from tests.support.mcp_servers import McpServerFake, listening
from tests.support.models.server import ModelServer
from tests.support.stack.app import App

Said = dict[str, Any]
Converse = Callable[..., Said]

BUTTON = {"id": "root", "component": "Button", "child": "text", "action": {"event": {"name": "confirm"}}}
FORM = {"surfaceId": "order", "components": [BUTTON, {"id": "text", "component": "Text", "text": "Order it"}]}
"""A surface of A2UI with a button."""
RENDER = ("r1", "render_a2ui", FORM)
A2UI = {"a2ui": {"injectA2UITool": True, "defaultCatalogId": "acme"}}
CLICK = {"name": "confirm", "surfaceId": "order", "sourceComponentId": "root", "context": {"pages": 3}}

CHART = {
    "name": "show_chart",
    "description": "Show a chart.",
    "inputSchema": {"type": "object", "properties": {"of": {"type": "string"}}},
    "_meta": {"ui": {"resourceUri": "ui://charts/one"}},
}
"""A tool of an MCP server with an app."""


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, ModelServer]]:
    with stack_with_model() as served:
        yield served


@pytest.fixture(scope="module")
def stack(served: tuple[str, ModelServer]) -> str:
    return served[0]


@pytest.fixture
def model(served: tuple[str, ModelServer]) -> ModelServer:
    model = served[1]
    model.answers.clear()
    model.requests.clear()
    return model


@pytest.fixture(scope="module", params=["@ag-ui/client", "agui-1.0.0"], ids=["its own client", "1.0.0"])
def node(request: pytest.FixtureRequest) -> Iterator[Node]:
    """Yield conversations by the client that the middlewares are made for, and by the newest."""
    with node_with(request.param) as node:
        yield node


@pytest.fixture
def converse(node: Node, stack: str, alice: App) -> Converse:
    def hold(*turns: Said, **settings: Any) -> Said:
        headers = {"Authorization": alice.http.headers["Authorization"]}
        url, thread = f"{stack}/send-message?agent=assistant", str(uuid.uuid4())
        output = node.converse(url=url, headers=headers, threadId=thread, turns=turns, **settings)
        assert [run["error"] for run in output["runs"]] == [None for _ in turns]
        return output

    return hold


def say(text: str) -> Said:
    return {"say": {"id": f"msg-{uuid.uuid4()}", "content": text}}


def activities(output: Said) -> list[Said]:
    return [message for message in output["messages"] if message["role"] == "activity"]


def test_a_surface_is_shown_and_a_click_on_it_is_heard(converse: Converse, model: ModelServer) -> None:
    """EVT-37: a click is a call with its result, without words of the user; later runs know of it."""
    model.will(answers(calls=(RENDER,)), answers("Three pages are ordered."), answers("Yes, it was you."))
    click = {"forwardedProps": {"a2uiAction": {"userAction": CLICK}}}
    output = converse(say("I want to order pages"), click, say("Did I press it?"), middlewares=A2UI)
    (surface,) = activities(output)
    operations = surface["content"]["a2ui_operations"]
    assert surface["activityType"] == "a2ui-surface"
    assert operations[0]["createSurface"] == {"surfaceId": "order", "catalogId": "acme"}
    assert operations[1]["updateComponents"]["components"] == FORM["components"]
    heard = [answered(request) for request in model.requests]
    assert heard[0] == {}
    (pressed,) = (result for call, result in heard[1].items() if call.startswith("log_a2ui_event"))
    assert "confirm" in pressed
    assert heard[2] == heard[1]
    assert any("rendered" in result for result in heard[1].values())
    texts = [message.get("content") for message in output["messages"] if message["role"] == "assistant"]
    assert texts[-2:] == ["Three pages are ordered.", "Yes, it was you."]


def test_each_click_is_heard_once(converse: Converse, model: ModelServer) -> None:
    """EVT-37, FWD-10: equal clicks in a row are as many clicks."""
    model.will(answers(calls=(RENDER,)), answers("One."), answers("Two."))
    click = {"forwardedProps": {"a2uiAction": {"userAction": CLICK}}}
    converse(say("I want to order pages"), click, click, middlewares=A2UI)
    calls = [
        call["function"]["name"]
        for message in model.requests[2][1]["messages"]
        for call in message.get("tool_calls") or ()
    ]
    assert calls == ["render_a2ui", "log_a2ui_event", "log_a2ui_event"]


def test_an_app_of_an_mcp_server_is_called_and_shown(converse: Converse, model: ModelServer) -> None:
    """EVT-37: the agent goes on with what the server answered."""
    server = McpServerFake(legacy=True)
    server.tools = [CHART, *server.tools]
    model.will(answers(calls=(("c1", "show_chart", {"of": "rain"}),)), answers("It has rained."))
    with listening(server) as url:
        apps = {"mcp-apps": {"mcpServers": [{"type": "http", "url": url, "serverId": "charts"}]}}
        output = converse(say("How much did it rain?"), {}, middlewares=apps)
    (app,) = activities(output)
    assert app["activityType"] == "mcp-apps"
    assert (app["content"]["resourceUri"], app["content"]["toolInput"]) == ("ui://charts/one", {"of": "rain"})
    (call,) = [message["params"] for message in server.messages if message["method"] == "tools/call"]
    assert (call["name"], call["arguments"]) == ("show_chart", {"of": "rain"})
    offered = [tool["function"]["name"] for tool in model.requests[0][1]["tools"]]
    assert "show_chart" in offered
    assert "say.hello" not in offered  # it has no app
    assert answered(model.requests[1]) == {"show_chart rain": "hello"}
    assert output["messages"][-1]["content"] == "It has rained."


def test_what_an_app_asks_of_its_server_does_not_reach_the_agent(converse: Converse, model: ModelServer) -> None:
    """EVT-37: the middleware asks the server itself."""
    server = McpServerFake(legacy=True)
    with listening(server) as url:
        apps = {"mcp-apps": {"mcpServers": [{"type": "http", "url": url, "serverId": "charts"}]}}
        proxied = {"serverId": "charts", "serverHash": "", "method": "tools/call", "params": {"name": "say.hello"}}
        (run,) = converse({"forwardedProps": {"__proxiedMCPRequest": proxied}}, middlewares=apps)["runs"]
    assert run["events"][-1]["result"]["content"][0] == {"type": "text", "text": "hello"}
    assert model.requests == []
