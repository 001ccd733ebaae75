"""An agent that shows the features of AG-UI's dojo, one for each thing that a user may say.

The shapes of states, tools and events are those of the dojo's pages, so that they can be pointed at it.
"""

import json
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final

from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerContextPolicy, AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

Result = tuple[str, dict[str, Any]]
Feature = Callable[[AgentRunContext, AgentRunAPIProxy], AsyncGenerator[Result]]

STEPS: Final = ("Gather the parts", "Put them together", "Paint it")
FLIGHTS: Final = ({"value": "KLM", "label": "KLM, 11 h, $650"}, {"value": "United", "label": "United, 12 h, $720"})
HOTELS: Final = ({"value": "Zephyr", "label": "Hotel Zephyr, Wharf"}, {"value": "Ritz", "label": "The Ritz, Nob Hill"})
POEM: Final = "Rain on the old roof.\nSomebody hums in the house.\nThe kettle answers."


def say(text: str, **members: Any) -> Result:
    return "message.delta", {"chunk": {"role": "assistant", "content": text, "is_final": True}, **members}


def call(call_id: str, tool: str, arguments: dict[str, Any], **members: Any) -> Result:
    return "tool.call.started", {"tool_call_id": call_id, "tool_name": tool, "parameters": arguments, **members}


def result(call_id: str, tool: str, value: Any) -> Result:
    return "tool.call.completed", {"tool_call_id": call_id, "tool_name": tool, "result": value}


def change(op: str, path: str, value: Any) -> Result:
    return "state.delta", {"delta": [{"op": op, "path": path, "value": value}]}


def answers(context: AgentRunContext) -> list[str]:
    """Return the results of the client's tools that this run brings."""
    return [str(answer["content"]) for answer in context.event.data.get("tool_results", ())]


async def backend_tool(_: AgentRunContext, __: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """Call a tool of the agent's, whose result the client draws."""
    weather = {"temperature": 20, "conditions": "sunny", "humidity": 40, "wind_speed": 10, "feels_like": 22}
    yield call("weather", "get_weather", {"location": "Lisbon"})
    yield result("weather", "get_weather", weather)
    yield say("It is sunny in Lisbon.")


async def reasoning(_: AgentRunContext, __: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """Show what is thought before it is said."""
    for piece in ("The sum of two ", "odd numbers is even."):
        yield "reasoning.delta", {"content": piece}
    yield "reasoning.completed", {"content": "The sum of two odd numbers is even."}
    yield say("It is even.")


async def generative_ui(_: AgentRunContext, __: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """Begin a state of steps, and complete them one by one, for a progress bar."""
    yield change("replace", "", {"steps": [{"description": step, "status": "pending"} for step in STEPS]})
    for number in range(len(STEPS)):
        yield change("replace", f"/steps/{number}/status", "completed")
    yield say("All steps are done.")


async def tool_based_ui(context: AgentRunContext, _: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """Have the client draw a poem, by a tool of its own."""
    if answers(context):
        yield say("Here it is.")
        return
    yield call("haiku", "generate_haiku", {"english": POEM.split("\n"), "image_name": "roof.jpg"})


async def human_in_the_loop(context: AgentRunContext, _: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """Propose steps by a tool of the client's, of which its user takes some."""
    if taken := answers(context):
        steps = [step["description"] for step in json.loads(taken[0])["steps"] if step["status"] == "enabled"]
        yield say(f"I do this: {', '.join(steps)}.")
        return
    proposed = [{"description": step, "status": "enabled"} for step in STEPS]
    yield call("steps", "generate_task_steps", {"steps": proposed})


async def shared_state(context: AgentRunContext, _: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """Change the recipe that the client's page shows."""
    state = {} if context.adapter is None else context.adapter.extra["state"]
    yield change("add", "/recipe/ingredients/-", {"icon": "🧄", "name": "Garlic", "amount": "2 cloves"})
    yield change("replace", "/recipe/title", f"{state['recipe']['title']} with garlic")
    yield say("I have added garlic.")


async def predictive_state(context: AgentRunContext, _: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """Announce the argument that becomes a member of the state, write it, and ask the client's user to confirm it."""
    if confirmed := answers(context):
        yield say("It is kept." if json.loads(confirmed[0])["accepted"] else "It is as it was.")
        return
    predicted = [{"state_key": "document", "tool": "write_document", "tool_argument": "document"}]
    yield "custom", {"name": "PredictState", "value": predicted}
    yield call("write", "write_document", {"document": POEM})
    yield change("add", "/document", POEM)
    yield result("write", "write_document", "Document written.")
    yield call("confirm", "confirm_changes", {})


async def interrupt(_: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """Ask the user to pick a time, and go on with it."""
    yield say("I look for a time.")
    times = [{"value": "09:00", "label": "Nine"}, {"value": "15:30", "label": "Half past three"}]
    answer = await api.ask("When shall we meet?", "choice", options=times)
    yield say(f"It is at {answer.value}." if answer.status == "answered" else "Then we do not meet.")


async def subgraphs(_: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """Let an agent for flights and one for hotels each ask the user, and plan the journey with both."""
    yield change("replace", "", {"itinerary": {}})
    for name, member, options in (("flights", "flight", FLIGHTS), ("hotels", "hotel", HOTELS)):
        nested = {"subagent_run_id": name}
        yield "subagent.started", {**nested, "name": f"{name}_agent", "description": f"Finds {name}."}
        yield say(f"I have found two {name}.", **nested)
        answer = await api.ask(f"Which {member}?", "choice", options=options)
        yield change("add", f"/itinerary/{member}", answer.value)
        yield "subagent.finished", nested
    yield say("Your journey is planned.")


FEATURES: Final[dict[str, Feature]] = {
    "backend tool": backend_tool,
    "reasoning": reasoning,
    "generative ui": generative_ui,
    "tool-based ui": tool_based_ui,
    "human in the loop": human_in_the_loop,
    "shared state": shared_state,
    "predictive state": predictive_state,
    "interrupt": interrupt,
    "subgraphs": subgraphs,
}


class Dojo:
    """Shows the feature that the user's words name."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the results of the feature."""
        async for type_, data in FEATURES[context.input.text or ""](context, api):
            yield AgentRunResult(run_id=context.run_id, type=type_, data=data)


RUNNER = InstalledRunner(
    AgentRunnerManifest(
        id="plugin:tests/dojo/default",
        name="default",
        label={"en_US": "Dojo"},
        capabilities=AgentRunnerCapabilities(streaming=True, tool_calling=True),
        context=AgentRunnerContextPolicy(bootstrap="recent_tail", max_inline_events=20, max_inline_bytes=100_000),
    ),
    Dojo,
    capabilities=lambda _: {
        "state": {"deltas": True},
        "reasoning": {"supported": True, "streaming": True},
        "multiAgent": {"supported": True, "delegation": True},
    },
)
