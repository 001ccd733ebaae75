"""The features of AG-UI's dojo, as each released client's messages and state show them."""

import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.clients.agui_clients import VERSIONS, Node, node_with
from tests.support.agui.client import data_of, read
from tests.support.stack.app import App

Shown = dict[str, Any]
Converse = Callable[..., Shown]

STEPS = ["Gather the parts", "Put them together", "Paint it"]


@pytest.fixture(scope="module", params=VERSIONS)
def node(request: pytest.FixtureRequest) -> Iterator[Node]:
    with node_with(request.param) as node:
        yield node


@pytest.fixture
def show(node: Node, stack: str, alice: App) -> Converse:
    """Hold a conversation with the agent that shows the features; every stream keeps to the SDK's schemas and order."""

    def converse(feature: str, *turns: dict[str, Any], **settings: Any) -> Shown:
        said = [{"say": {"id": str(uuid.uuid4()), "content": feature}}, *turns]
        headers = {"Authorization": alice.http.headers["Authorization"]}
        url, thread = f"{stack}/send-message?agent=dojo", str(uuid.uuid4())
        output = node.converse(url=url, headers=headers, threadId=thread, turns=said, **settings)
        for run in output["runs"]:
            assert (run["error"], run["warnings"]) == (None, [])
            (body,) = run["bodies"]
            read(data_of(body.encode()), "AGUI207")  # results of calls of earlier runs
        return output

    return converse


def texts(output: Shown, role: str = "assistant") -> list[str]:
    return [message["content"] for message in output["messages"] if message["role"] == role and message.get("content")]


def calls(output: Shown) -> dict[str, Any]:
    """Return the arguments of the calls that the client shows, by tool."""
    made = [call["function"] for message in output["messages"] for call in message.get("toolCalls") or ()]
    return {call["name"]: json.loads(call["arguments"]) for call in made}


def of_type(run: Shown, type_: str) -> list[Any]:
    return [event for event in run["events"] if event["type"] == type_]


def is_older_than(node: Node, version: str) -> bool:
    return node.version < f"agui-{version}"


def test_a_tool_of_the_agent_is_drawn(show: Converse) -> None:
    """EVT-38, EVT-10."""
    output = show("backend tool")
    assert calls(output) == {"get_weather": {"location": "Lisbon"}}
    (weather,) = texts(output, "tool")
    assert json.loads(weather)["conditions"] == "sunny"
    assert texts(output) == ["It is sunny in Lisbon."]


def test_reasoning_is_shown_before_the_answer(show: Converse, node: Node) -> None:
    """EVT-38."""
    output = show("reasoning")
    thought = "".join(event["delta"] for event in of_type(output["runs"][0], "REASONING_MESSAGE_CONTENT"))
    assert thought == "The sum of two odd numbers is even."
    assert texts(output) == ["It is even."]
    assert [message["role"] for message in output["messages"]][-2:] == ["reasoning", "assistant"]
    assert texts(output, "reasoning") == [thought]


def test_a_state_that_the_agent_begins_shows_its_progress(show: Converse) -> None:
    """EVT-38, C46: the client sends an empty state, as those without one do."""
    output = show("generative ui")
    (run,) = output["runs"]
    assert [len(of_type(run, type_)) for type_ in ("STATE_SNAPSHOT", "STATE_DELTA")] == [1, 3]
    assert output["state"] == {"steps": [{"description": step, "status": "completed"} for step in STEPS]}


def test_a_tool_of_the_client_draws(show: Converse) -> None:
    """EVT-38, EVT-11."""
    output = show("tool-based ui", {"answer": "drawn"})
    assert calls(output)["generate_haiku"]["image_name"] == "roof.jpg"
    assert texts(output) == ["Here it is."]


def test_a_human_takes_some_of_the_steps(show: Converse) -> None:
    """EVT-38, EVT-12."""
    taken = [{"description": step, "status": "disabled" if step == STEPS[1] else "enabled"} for step in STEPS]
    output = show("human in the loop", {"answer": json.dumps({"steps": taken})})
    assert [step["description"] for step in calls(output)["generate_task_steps"]["steps"]] == STEPS
    assert texts(output) == ["I do this: Gather the parts, Paint it."]


def test_page_and_agent_share_a_recipe(show: Converse) -> None:
    """EVT-38, C46."""
    carrots = {"icon": "🥕", "name": "Carrots", "amount": "3"}
    output = show("shared state", initialState={"recipe": {"title": "Soup", "ingredients": [carrots]}})
    recipe = output["state"]["recipe"]
    assert (recipe["title"], [item["name"] for item in recipe["ingredients"]]) == (
        "Soup with garlic",
        ["Carrots", "Garlic"],
    )


@pytest.mark.parametrize(("accepted", "said"), [(True, "It is kept."), (False, "It is as it was.")])
def test_a_document_is_predicted_and_confirmed(show: Converse, accepted: bool, said: str) -> None:
    """EVT-38, EVT-35: what is predicted is announced before the call whose argument it is."""
    output = show("predictive state", {"answer": json.dumps({"accepted": accepted})}, initialState={"document": ""})
    first = output["runs"][0]
    order = [event["type"] for event in first["events"]]
    assert order.index("CUSTOM") < order.index("TOOL_CALL_START") < order.index("TOOL_CALL_ARGS")
    (announced,) = of_type(first, "CUSTOM")
    (prediction,) = announced["value"]
    assert (announced["name"], prediction["state_key"]) == ("PredictState", "document")
    written = "".join(
        event["delta"] for event in of_type(first, "TOOL_CALL_ARGS") if event["toolCallId"] == order_of(first)
    )
    assert json.loads(written)[prediction["tool_argument"]] == output["state"]["document"]
    assert "confirm_changes" in calls(output)
    assert texts(output) == [said]


def order_of(run: Shown) -> str:
    """Return the id of the run's first call."""
    first: str = of_type(run, "TOOL_CALL_START")[0]["toolCallId"]
    return first


def test_a_run_asks_and_another_goes_on(show: Converse, node: Node) -> None:
    """EVT-38, ASK-02."""
    if is_older_than(node, "0.0.59"):
        pytest.skip("only clients since 0.0.59 can answer")
    output = show("interrupt", {"payload": "15:30"})
    first, second = output["runs"]
    (question,) = first["pending"]
    assert (question["message"], second["pending"]) == ("When shall we meet?", [])
    assert texts(output) == ["I look for a time.", "When shall we meet?", "It is at 15:30."]


def test_agents_of_an_agent_ask_in_turn_and_plan_together(show: Converse, node: Node) -> None:
    """EVT-38, EVT-34, ASK-02: what they have said is not said again; older clients see one agent."""
    if is_older_than(node, "0.0.59"):
        pytest.skip("only clients since 0.0.59 can answer")
    output = show("subgraphs", {"payload": "KLM"}, {"payload": "Ritz"})
    assert [[one["message"] for one in run["pending"]] for run in output["runs"]] == [
        ["Which flight?"],
        ["Which hotel?"],
        [],
    ]
    assert output["state"] == {"itinerary": {"flight": "KLM", "hotel": "Ritz"}}
    assert texts(output) == [
        *("I have found two flights.", "Which flight?", "I have found two hotels.", "Which hotel?"),
        "Your journey is planned.",
    ]
    names = [[event["name"] for event in of_type(run, "SUBAGENT_STARTED")] for run in output["runs"]]
    if is_older_than(node, "1.0.0"):
        assert names == [[], [], []]
        return
    assert names[0] == ["flights_agent"]
    assert names[1][-1] == "hotels_agent"
    ended = [
        [event["outcome"]["type"] for event in of_type(run, "SUBAGENT_FINISHED") if "outcome" in event]
        for run in output["runs"]
    ]
    assert ended == [["suspended"], ["suspended"], []]
