"""Whatever a model streams: results in order, and events that any client takes."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.effort import examples
from tests.support.runners.assistant import Host, Script, ask, backend, context, frontend, of_type, results, say
from tests.support.runners.work import RUN, STARTED, Journal, Work, WorkerDied, calls, faults, texts
from tests.support.runners.work import types as event_types
from yarrow.protocol.runner.api import AgentAPIException, ModelChunk, ModelMessage, ModelReply, ModelUsage
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import ErrorCode
from yarrow.worker.orchestrator import Orchestrator
from yarrow.worker.run_options import RunOptions
from yarrow.worker.runner_loop import RunnerFailedError
from yarrow_agents.assistant.configuration import Configuration
from yarrow_agents.assistant.runner import AssistantRunner

TOOLS = (backend("look", "at", "event_timezone"), backend("broken"), frontend("confirm"))
TEXT = st.text(max_size=20)
CODES: list[ErrorCode] = ["rate_limited", "payload_too_large", "deadline_exceeded", "runtime_error"]
ERRORS = st.sampled_from(CODES).map(lambda code: AgentAPIException(code, "public words"))
CALLS = st.builds(
    ask,
    st.sampled_from(["look", "broken", "confirm", "nowhere", ""]),
    st.one_of(st.sampled_from(["{}", "", "[]", "{", '{"at":"x"}', '{"event_timezone":"Asia/Tokyo"}']), TEXT),
    st.sampled_from(["", "call_0", "call_1", "x" * 300]),
)
REPLIES = st.builds(
    lambda content, request, tokens: ModelReply(
        message=ModelMessage(role="assistant", content=content, tool_calls=tuple(request)),
        usage=ModelUsage(input_tokens=tokens),
    ),
    st.one_of(st.none(), TEXT),
    st.lists(CALLS, max_size=10),
    st.integers(0, 9),
)
CHUNKS = st.one_of(
    st.builds(ModelChunk, content=st.one_of(st.none(), TEXT), reasoning=st.one_of(st.none(), TEXT)),
    st.builds(ModelChunk, reply=REPLIES),
)
MAX_STEPS = Configuration().max_steps
SCRIPTS = st.lists(st.lists(st.one_of(CHUNKS, CHUNKS, ERRORS), max_size=6), min_size=1, max_size=MAX_STEPS + 1)


def host(scripts: list[Script]) -> Host:
    return Host(*scripts, look=lambda **arguments: arguments, broken=AgentAPIException("runtime_error", "broken"))


def disorder(events: list[tuple[str, Any]]) -> str | None:
    """What is wrong with the order of results."""
    kinds = [type_ for type_, _ in events]
    ends = [index for index, type_ in enumerate(kinds) if type_ in ("run.completed", "run.failed")]
    if ends != [len(kinds) - 1]:
        return "not one end"
    if kinds[:2] != ["stage.started"] * 2 or kinds.count("stage.started") != 2:
        return "not two stages"
    started: set[str] = set()
    answered: set[str] = set()
    for type_, data in events:
        if type_ == "tool.call.started":
            if data["tool_call_id"] in started:
                return "one id for two calls"
            started.add(data["tool_call_id"])
        if type_ == "tool.call.completed":
            if data["tool_call_id"] not in started - answered:
                return "an answer to no call"
            answered.add(data["tool_call_id"])
    open_calls = {data["tool_call_id"]: data["tool_name"] for _, data in events if data.get("parameters") is not None}
    waiting = {call: tool for call, tool in open_calls.items() if call not in answered}
    if kinds[-1] == "run.completed" and set(waiting.values()) - {"confirm"}:
        return "a call of the host's left open"
    if kinds[-1] == "run.completed" and bool(waiting) != (kinds[-2] == "state.updated"):
        return "calls that wait and cannot be gone on with"
    return None


@given(SCRIPTS)
@settings(max_examples=examples(60), deadline=None)
def test_whatever_a_model_streams_results_are_in_order_and_the_run_ends(scripts: list[Script]) -> None:
    """EVT-10, EVT-11, EVT-20, RNR-39, RNR-40: and nothing is left running."""
    world = host(scripts)
    events = results(world, context("x", *TOOLS))
    assert disorder(events) is None
    assert len(world.requests) <= MAX_STEPS * 4
    for request in world.requests:
        requests = [call["id"] for message in request["messages"] for call in message["tool_calls"]]
        assert requests == [message["tool_call_id"] for message in request["messages"] if message["role"] == "tool"]


def orchestrated(
    scripts: list[Script], lines: Any = STARTED, dies_after: int | None = None, value: AgentRunContext | None = None
) -> Work:
    journal = Journal(lines, dies_after)
    options = RunOptions(shows_state=True)
    orchestrator = Orchestrator(RUN, ("router", "worker"), journal, options, lines)
    api = AgentRunAPIProxy(RUN.key, host(scripts))
    try:
        outcome = asyncio.run(orchestrator.run(AssistantRunner(), value or context("x", *TOOLS), api))
    except (RunnerFailedError, WorkerDied) as error:
        return Work(journal.lines, error=error)
    return Work(journal.lines, outcome)


@given(SCRIPTS)
@settings(max_examples=examples(40), deadline=None)
def test_whatever_a_model_streams_its_events_are_in_order(scripts: list[Script]) -> None:
    """EVT-08 … EVT-12, EVT-15 … EVT-18."""
    events = orchestrated(scripts).events()
    assert list(faults(events)) == []
    assert {event["stepName"] for event in events if event["type"] == "STEP_STARTED"} <= {"router", "worker"}
    for seen in calls(events).values():
        assert isinstance(json.loads(seen.arguments), dict)
        assert seen.tool == "confirm" or len(seen.results) == 1 or events[-1]["type"] == "RUN_ERROR"


MESSAGE, CALL = "START CONTENT END", "CALL_START CALL_ARGS CALL_END"


@pytest.mark.parametrize(
    ("scripts", "expected"),
    [
        ([say("你好", "!")], "START CONTENT CONTENT END"),
        ([say(calls=[ask("confirm")])], f"{CALL} STATE_SNAPSHOT"),
        ([say("查", calls=[ask("look")]), say("晴天")], f"{MESSAGE} {CALL} CALL_RESULT {MESSAGE}"),
        ([say("即将删除", calls=[ask("confirm")])], f"{MESSAGE} {CALL} STATE_SNAPSHOT"),
    ],
)
def test_the_scenarios_are_told_as_the_document_shows_them(scripts: list[Script], expected: str) -> None:
    """EVT-10, EVT-12, EVT-13, EVT-20, EVT-22, EVT-23: with the state, where the client is shown it."""
    done = orchestrated(scripts)
    assert done.error is None
    assert event_types(done.events()) == expected
    seen = calls(done.events())
    if texts(done.events()) and seen:
        assert [path.parent for path in seen.values()] == list(texts(done.events()))[:1]
    assert all(None not in event.values() for event in done.events())


@pytest.mark.parametrize("words", ["", "both"])
@pytest.mark.parametrize("tools", [("confirm", "look"), ("look", "confirm"), ("confirm", "confirm", "look"), ("look",)])
def test_calls_of_one_answer_name_one_message(words: str, tools: tuple[str, ...]) -> None:
    """EVT-10: An answer without words counts, too; its only call names none, as in the document's second scenario."""
    requests = [ask(name, json.dumps({"n": number})) for number, name in enumerate(tools)]
    events = orchestrated([say(*filter(None, [words]), calls=requests), say("done")]).events()
    seen = calls(events)
    first = next(iter(texts(events))) if words else next(iter(seen)) if len(tools) > 1 else None
    assert [path.parent for path in seen.values()] == [first] * len(tools)


def test_what_waits_no_more_is_a_change_of_the_state() -> None:
    """EVT-13, EVT-21: It is a JSON patch."""
    events = results(Host(say(calls=[ask("confirm")])), context("x", *TOOLS))
    state = {"continuation": of_type(events, "state.updated")[0]["value"]}
    answered = [{"tool_call_id": of_type(events, "tool.call.started")[0]["tool_call_id"], "content": "yes"}]
    value = context("x", *TOOLS, state=state, data={"tool_results": answered})
    shown = orchestrated([say("done")], value=value).events()
    assert event_types(shown) == f"STATE_SNAPSHOT {MESSAGE} STATE_DELTA"
    (delta,) = [event["delta"] for event in shown if event["type"] == "STATE_DELTA"]
    assert delta == [{"op": "add", "path": "/conversation/continuation", "value": None}]


@pytest.mark.parametrize("dies_after", range(1, 16))
def test_a_worker_that_takes_over_tells_nothing_twice(dies_after: int) -> None:
    """CMP-11: where the model says the same, the client sees one run."""
    scripts: list[Script] = [say("let me ", "look", calls=[ask("look"), ask("broken")]), say("it is ", "there")]
    died = orchestrated(scripts, dies_after=dies_after)
    assert isinstance(died.error, WorkerDied)
    again, whole = orchestrated(scripts, died.lines).events(), orchestrated(scripts).events()
    assert list(faults(again)) == []
    assert list(texts(again).values()) == list(texts(whole).values())
    assert calls(again).keys() == calls(whole).keys()
