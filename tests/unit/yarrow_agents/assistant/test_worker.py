"""How the assistant works: words, tools, their answers, and every way in which it ends."""

import asyncio
import json
from typing import Any

import pytest

from tests.support.runners.assistant import RUN_ID, Host, ask, backend, context, frontend, of_type, results, say, types
from yarrow.protocol.runner.api import AgentAPIException, FinishReason, ModelChunk, ModelMessage, ModelReply, ToolDetail
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow_agents.assistant.runner import AssistantRunner
from yarrow_agents.assistant.toolbox import CALLS_AT_ONCE, SAME_CALLS


def failed(events: list[tuple[str, Any]]) -> dict[str, Any]:
    assert [type_ for type_, _ in events].count("run.failed") == 1
    type_, data = events[-1]
    assert type_ == "run.failed"
    return dict(data)


def test_words_are_told_as_they_come_and_then_whole() -> None:
    """EVT-09, EVT-23, RNR-34, RNR-35: This is the first scenario of `agui-http-agent.md`."""
    host = Host(say("你好", "!有什么可以帮你的吗?"))
    events = results(host, context("你好"))
    assert types(events) == "delta delta completed run.completed"
    assert of_type(events, "message.completed")[0]["message"]["content"] == "你好!有什么可以帮你的吗?"
    assert host.messages() == [{"role": "user", "content": "你好", "tool_calls": []}]


def test_a_run_has_its_two_stages_in_turn() -> None:
    """FWD-11, EVT-15, C32."""
    events = results(Host(say("hi")), context())
    assert of_type(events, "stage.started") == [{"stage": "router"}, {"stage": "worker"}]
    assert [type_ for type_, _ in events][:2] == ["stage.started", "stage.started"]


def test_a_tool_of_the_host_is_run_and_its_answer_is_heard() -> None:
    """EVT-10, EVT-12, EVT-22, EVT-23, TOOL-04: This is the third scenario."""
    host = Host(
        say("让我查一下", calls=[ask("get_weather", '{"city":"北京"}')]),
        say("北京今天晴天,25°C。"),
        get_weather="晴天,25°C",
    )
    events = results(host, context("北京天气怎么样?", backend("get_weather", "city")))
    assert types(events) == "delta completed call.started call.completed delta completed run.completed"
    (started,), (completed,) = of_type(events, "tool.call.started"), of_type(events, "tool.call.completed")
    assert (started["tool_name"], started["parameters"]) == ("get_weather", {"city": "北京"})
    assert (completed["tool_call_id"], completed["result"]) == (started["tool_call_id"], "晴天,25°C")
    message, answered = host.messages()[1:]
    assert message["content"] == "让我查一下"
    assert [call["id"] for call in message["tool_calls"]] == [started["tool_call_id"]] == [answered["tool_call_id"]]
    assert (answered["role"], answered["content"]) == ("tool", "晴天,25°C")


def test_a_tool_that_was_not_known_is_offered_as_it_turned_out_to_be() -> None:
    """MCP-01: from the answer of its first call on."""
    known = ToolDetail(tool_name="pay", description="Pay.", parameters={"type": "object", "required": ["sum"]})
    host = Host(say(calls=[ask("pay")]), say("ok"), pay=known)
    results(host, context("Pay", backend("pay", "other")))
    before, after = ({tool["name"]: tool for tool in request["tools"]}["pay"] for request in host.requests)
    assert before["parameters"] != after["parameters"] == known.parameters
    assert after["description"] == "Pay."


def test_calls_of_one_answer_are_made_at_the_same_time() -> None:
    """EVT-11: and each is answered under its own id, whatever the model called them."""

    async def slow(number: str) -> dict[str, str]:
        await asyncio.sleep(0.01 if number == "0" else 0)
        return {"number": number}

    calls = [ask("count", json.dumps({"number": str(number)})) for number in range(3)]
    host = Host(say(calls=calls), say("done"), count=slow)
    events = results(host, context("count", backend("count", "number")))
    assert host.at_once == 3
    started = of_type(events, "tool.call.started")
    assert len({item["tool_call_id"] for item in started}) == 3
    heard = {event["tool_call_id"]: event["result"] for event in of_type(events, "tool.call.completed")}
    assert [heard[item["tool_call_id"]] for item in started] == [item["parameters"] for item in started]
    # In the order of the calls, for the user and for the model, though the first was the last to come.
    assert list(heard) == [item["tool_call_id"] for item in started]
    assert [json.loads(message["content"])["number"] for message in host.messages()[2:]] == ["0", "1", "2"]


@pytest.mark.parametrize(("reason", "word"), [("length", "length limit"), ("content_filter", "content filter")])
def test_an_answer_that_ended_early_says_so(reason: FinishReason, word: str) -> None:
    """RNR-52: in the user's language, in the stream and in the message; if there is no answer the run fails."""
    events = results(Host(say("坤为", finish_reason=reason)), context("x"))
    streamed = "".join(event["chunk"]["content"] for event in of_type(events, "message.delta"))
    (completed,) = of_type(events, "message.completed")
    assert completed["message"]["content"] == streamed
    assert streamed.startswith("坤为\n\n(")
    assert word in streamed
    (failed,) = of_type(results(Host(say(finish_reason=reason)), context("x")), "run.failed")
    assert failed["code"] == f"model.{reason}"


def test_a_refusal_is_the_answer() -> None:
    """RNR-52."""
    events = results(Host(say("I can't help with that.", finish_reason="refusal")), context("x"))
    assert of_type(events, "message.completed")[0]["message"]["content"] == "I can't help with that."


def test_a_call_has_the_same_id_whenever_its_run_is_worked_on_again() -> None:
    """CMP-11: a worker that takes over tells no call twice."""

    def ids() -> list[str]:
        host = Host(say(calls=[ask("t"), ask("t", '{"a":"b"}')]), say("done"), t=1)
        return [
            event["tool_call_id"] for event in of_type(results(host, context("x", backend("t"))), "tool.call.started")
        ]

    assert ids() == ids()


def test_a_tool_of_the_client_is_told_of_and_left_to_it() -> None:
    """EVT-20, EVT-23, TOOL-03: the second scenario; nothing is called, and the run ends."""
    host = Host(say(calls=[ask("search_local_files", '{"keyword":"报告"}')]))
    events = results(host, context("帮我搜索本地的报告文件", frontend("search_local_files")))
    assert types(events) == "call.started state.updated run.completed"
    assert of_type(events, "tool.call.started")[0]["parameters"] == {"keyword": "报告"}
    assert host.calls == []
    assert len(host.requests) == 1


def test_tools_of_both_kinds_may_be_asked_for_at_once() -> None:
    """EVT-20, EVT-22: those of the host are run first; then the run ends with the client's open."""
    host = Host(say("wait", calls=[ask("confirm"), ask("look", '{"at":"x"}')]), look="seen")
    events = results(host, context("x", backend("look", "at"), frontend("confirm")))
    assert types(events) == "delta completed call.started call.started call.completed state.updated run.completed"
    assert host.calls == [("look", {"at": "x"})]


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (ask("nowhere"), "there is no such tool"),
        (ask("no where"), "there is no such tool"),
        (ask("confirm", '{"action":'), "the arguments are not a JSON object"),
        (ask("look", "[]"), "the arguments are not a JSON object"),
        (ask("look", '{"at":NaN}'), "the arguments are not a JSON object"),
        (ask("look", '{"at":"\\ud800"}'), "the arguments are not a JSON object"),
        (ask("look", '{"at":"\ud800"}'), "the arguments are not a JSON object"),
        (ask("look", '{"at":1,"at":2}'), "the arguments are not a JSON object"),
    ],
)
def test_a_call_that_cannot_be_made_is_answered_to_the_model_alone(call: Any, why: str) -> None:
    """EVT-11, RNR-33: a client that saw it would run it."""
    host = Host(say(calls=[call]), say("sorry"), look=lambda at: at)
    events = results(host, context("x", backend("look", "at"), frontend("confirm")))
    assert types(events) == "delta completed run.completed"
    assert host.calls == []
    reminded, answer = host.messages()[1:]
    assert json.loads(answer["content"]) == {"error": why}
    json.loads(reminded["tool_calls"][0]["function"]["arguments"])


def test_a_tool_that_fails_is_no_end() -> None:
    """RNR-53, RNR-62: the model hears why, in public words, and so does the client."""
    broken = AgentAPIException("runtime_error", "the tool took too long", retryable=True)
    host = Host(say(calls=[ask("look")]), say("it failed"), look=broken)
    events = results(host, context("x", backend("look")))
    (completed,) = of_type(events, "tool.call.completed")
    assert completed["error"] == "the tool took too long"
    assert host.messages()[-1]["content"] == '{"error":"the tool took too long"}'
    assert events[-1][0] == "run.completed"


@pytest.mark.parametrize("arguments", ["", " ", "{}"])
def test_a_call_may_have_no_arguments(arguments: str) -> None:
    """EVT-11."""
    host = Host(say(calls=[ask("look", arguments)]), say("done"), look=1)
    results(host, context("x", backend("look")))
    assert host.calls == [("look", {})]


@pytest.mark.parametrize("value", ["{}", '{"event_timezone":null}', '{"event_timezone":""}'])
def test_an_event_without_a_time_zone_gets_the_user_s(value: str) -> None:
    """FWD-07, FWD-10: in the call that is made, which is the call that is told."""
    host = Host(say(calls=[ask("calendar_write", value)]), say("done"), calendar_write=1)
    events = results(host, context("x", backend("calendar_write", "event_timezone"), timezone="America/Los_Angeles"))
    assert host.calls == [("calendar_write", {"event_timezone": "America/Los_Angeles"})]
    assert of_type(events, "tool.call.started")[0]["parameters"] == host.calls[0][1]


def test_an_event_keeps_the_time_zone_that_was_named() -> None:
    """FWD-07: it comes before every other; and a tool that takes none gets none."""
    calls = [ask("calendar_write", '{"event_timezone":"Europe/Berlin"}'), ask("look")]
    host = Host(say(calls=calls), say("done"), calendar_write=1, look=1)
    results(host, context("x", backend("calendar_write", "event_timezone"), backend("look")))
    assert dict(host.calls) == {"calendar_write": {"event_timezone": "Europe/Berlin"}, "look": {}}


@pytest.mark.parametrize("properties", [{"event_timezone": {}}, None, 5])
def test_what_the_client_s_tools_take_is_the_client_s_to_know(properties: Any) -> None:
    """TOOL-03: whatever their schemas are."""
    tool = frontend("schedule").model_copy(update={"parameters": {"type": "object", "properties": properties}})
    events = results(Host(say(calls=[ask("schedule")])), context("x", tool))
    assert of_type(events, "tool.call.started")[0]["parameters"] == {}


@pytest.mark.parametrize("timezone", [None, "", "Mars/Olympus", "../etc", "America"])
def test_where_nobody_knows_the_time_zone_it_is_utc(timezone: str | None) -> None:
    """FWD-07, FWD-09."""
    host = Host(say(calls=[ask("calendar_write")]), say("done"), calendar_write=1)
    results(host, context("x", backend("calendar_write", "event_timezone"), timezone=timezone))
    assert host.calls == [("calendar_write", {"event_timezone": "UTC"})]


LOOPS = [({}, 16), ({"max_steps": 2}, 2), ({"max_steps": 30}, 30)]
"""Configurations, and the model answers that a run has by them."""


@pytest.mark.parametrize(("config", "steps"), LOOPS)
def test_a_loop_without_end_ends(config: dict[str, Any], steps: int) -> None:
    """RNR-83: in the last step the model is asked to answer, and no more tools are run."""
    endless = [say(calls=[ask("look", json.dumps({"at": str(number)}))]) for number in range(steps + 5)]
    host = Host(*endless, look=lambda at: at)
    events = results(host, context("x", backend("look", "at"), config=config))
    assert failed(events)["code"] == "runner.too_many_steps"
    assert (len(host.requests), len(host.calls)) == (steps, steps - 1)
    asked_to_answer = [host.prompt(number).endswith("call no more tools.") for number in range(steps)]
    assert asked_to_answer == [False] * (steps - 1) + [True]


@pytest.mark.parametrize(("config", "steps"), LOOPS)
def test_a_loop_over_many_runs_ends(config: dict[str, Any], steps: int) -> None:
    """RNR-83: a client that answers at once asks for the next run at once; the user's next message starts afresh."""
    state: dict[str, Any] = {}
    data: dict[str, Any] = {}
    for number in range(2 * steps + 2):
        host = Host(say(calls=[ask("confirm", json.dumps({"n": number}))]))
        events = results(host, context("x", frontend("confirm"), config=config, state=state, data=data))
        if events[-1][0] == "run.failed":
            break
        state = {"continuation": of_type(events, "state.updated")[0]["value"]}
        call = of_type(events, "tool.call.started")[0]["tool_call_id"]
        data = {"tool_results": [{"tool_call_id": call, "content": "ok"}]}
    assert (number, failed(events)["code"]) == (2 * steps, "runner.too_many_steps")
    assert host.prompt().endswith("call no more tools.")
    fresh = results(host, context("y", frontend("confirm"), state=state, message_id="msg-2"))
    assert fresh[-1][0] == "run.completed"


def test_the_same_call_is_not_made_again_and_again() -> None:
    """RNR-83: the model hears that it was made, in whatever order its arguments stand."""
    again = say(calls=[ask("look", '{"a":"1","b":"2"}'), ask("look", '{"b":"2","a":"1"}')])
    host = Host(again, again, say("done"), look=1)
    events = results(host, context("x", backend("look", "a", "b")))
    assert len(host.calls) == SAME_CALLS == len(of_type(events, "tool.call.started"))
    assert "was made before" in host.messages()[-1]["content"]


def test_a_call_that_is_answered_in_another_way_each_time_is_made_again() -> None:
    """RNR-83: to ask whether something is done; from when on it stays as it is, it is not asked for long."""
    states = iter(["queued", "running", "running 90%", "done"])
    again = say(calls=[ask("look")])
    host = Host(*[again] * 7, say("done"), look=lambda: next(states, "done"))
    results(host, context("x", backend("look")))
    assert len(host.calls) == 3 + SAME_CALLS
    heard = [message["content"] for message in host.messages() if message["role"] == "tool"]
    assert heard[:5] == ["queued", "running", "running 90%", "done", "done"]
    assert "was made before" in heard[5]


def test_no_more_calls_are_heard_than_can_be_made_at_once() -> None:
    """RNR-51."""
    calls = [ask("look", json.dumps({"at": str(number)})) for number in range(CALLS_AT_ONCE + 5)]
    host = Host(say(calls=calls), say("done"), look=lambda at: at)
    results(host, context("x", backend("look", "at")))
    assert len(host.calls) == CALLS_AT_ONCE == len(host.messages()[1]["tool_calls"])


def test_the_model_reads_the_beginning_of_a_long_result() -> None:
    """RNR-42: the client gets all of it."""
    host = Host(say(calls=[ask("look")]), say("done"), look="卦" * 60_000)
    events = results(host, context("x", backend("look")))
    assert of_type(events, "tool.call.completed")[0]["result"] == "卦" * 60_000
    content = host.messages()[-1]["content"]
    assert content == "卦" * 16_000 + "… (44000 more characters)"


@pytest.mark.parametrize(
    ("error", "code", "retryable"),
    [
        (AgentAPIException("rate_limited", "The model is busy.", retryable=True), "model.rate_limited", True),
        (AgentAPIException("deadline_exceeded", "The model did not answer in time."), "model.deadline_exceeded", False),
        (AgentAPIException("payload_too_large", "The model cannot take so much."), "model.payload_too_large", False),
    ],
)
@pytest.mark.parametrize("texts", [(), ("half an",)])
def test_a_model_that_fails_ends_the_run_in_the_host_s_words(
    error: AgentAPIException, code: str, retryable: bool, texts: tuple[str, ...]
) -> None:
    """RNR-40, RNR-62: also in the middle of a message, which is not completed then."""
    events = results(Host([*(ModelChunk(content=text) for text in texts), error]), context())
    assert failed(events) == {"code": code, "message": error.error.message, "retryable": retryable}
    assert types(events) == "delta run.failed" if texts else "run.failed"


@pytest.mark.parametrize("script", [[], [ModelChunk(reasoning="hm")], [ModelChunk(content="half")], say()])
def test_a_model_that_says_nothing_or_breaks_off_ends_the_run(script: list[ModelChunk]) -> None:
    """RNR-40."""
    assert failed(results(Host(script), context()))["code"] == "model.no_answer"


def test_a_model_may_end_without_a_word_when_it_has_spoken_before() -> None:
    """RNR-39."""
    host = Host(say("on it", calls=[ask("look")]), say(), look=1)
    events = results(host, context("x", backend("look")))
    assert types(events) == "delta completed call.started call.completed run.completed"


def test_an_answer_may_come_whole_or_in_parts() -> None:
    """RNR-35, RNR-52: No deltas are sent."""
    for content in ("hi", ({"type": "text", "text": "h"}, {"type": "other"}, {"type": "text", "text": "i"})):
        reply = ModelReply(message=ModelMessage(role="assistant", content=content))
        events = results(Host([ModelChunk(reply=reply)]), context())
        assert of_type(events, "message.completed") == [{"message": {"role": "assistant", "content": "hi"}}]


def test_what_the_models_cost_is_recorded() -> None:
    """EVT-26: in a result that is not shown."""
    host = Host(say("a", calls=[ask("look")], usage=(100, 20)), say("b", usage=(200, 30)), look=1)
    events = results(host, context("x", backend("look")))
    assert events[-1] == ("run.completed", {"usage": {"input_tokens": 300, "output_tokens": 50}})


def test_a_run_that_is_cancelled_leaves_nothing_running() -> None:
    """RNR-71: The cancel comes during a model's answer or a tool."""

    async def wait() -> None:
        await asyncio.get_running_loop().create_future()

    async def cancel(host: Host, until: str) -> list[str]:
        heard: list[str] = []
        seen = asyncio.Event()

        async def hear() -> None:
            value = context("x", backend("look"))
            async for result in AssistantRunner().run(value, AgentRunAPIProxy(RUN_ID, host)):
                heard.append(result.type)
                if result.type == until:
                    seen.set()

        task = asyncio.create_task(hear())
        await seen.wait()
        for _ in range(10):
            await asyncio.sleep(0)
        assert host.open == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert host.open == 0
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return heard

    calling = Host(say(calls=[ask("look")]), look=wait)
    assert asyncio.run(cancel(calling, "tool.call.started"))[-1] == "tool.call.started"

    class Hanging(Host):
        async def stream(self, *_: Any) -> Any:
            self.open += 1
            try:
                yield ModelChunk(content="h").model_dump(mode="json")
                await wait()
            finally:
                self.open -= 1

    assert asyncio.run(cancel(Hanging(), "message.delta"))[-1] == "message.delta"


def test_a_run_that_is_closed_early_leaves_nothing_running() -> None:
    """RNR-72: its host may stop hearing it at any result."""

    async def close_after(count: int) -> None:
        host = Host(say("a", "b", calls=[ask("look"), ask("look", '{"a":"b"}')]), say("c"), look=1)
        output = AssistantRunner().run(context("x", backend("look")), AgentRunAPIProxy(RUN_ID, host))
        for _ in range(count):
            await anext(output)
        await output.aclose()
        assert host.open == 0
        assert asyncio.all_tasks() == {asyncio.current_task()}

    for count in range(1, 12):
        asyncio.run(close_after(count))
