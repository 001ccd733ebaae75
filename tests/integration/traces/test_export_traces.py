"""Traces of runs, from the events of their ends to what an OTLP endpoint reads (EVB-02)."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, THREAD, body
from tests.support.divination_runs import execute as work
from tests.support.log_lines import LogLines
from tests.support.models.provider_formats import USAGE, OpenAI
from tests.support.models.server import ModelServer
from tests.support.runners.approving import TOOL, Bank, bank, install, submit
from tests.support.runners.asking import Asker, answered, interrupts_of
from tests.support.traces.receiver import ReceivedSpan, Receiver
from yarrow.observability.logs import user_of
from yarrow.protocol import trace_context
from yarrow.protocol.runner.api import ModelMessage
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import end_run
from yarrow.runs.submit_run import submit_run
from yarrow.settings import settings
from yarrow.store import runs
from yarrow.store.runner import steps
from yarrow.traces import endpoint

Export = Callable[[], list[str]]
CLIENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
CLIENT_TRACE, CLIENT_SPAN = CLIENT.split("-")[1:3]
SECRET = "我最近换工作是否合适"


def traced(trace_parent: str | None = CLIENT, **changes: Any) -> str:
    """Submit a run of the assistant with a client's `traceparent`; returns its key."""
    sent = body(**{"forwardedProps": {"runtime_mode": "chat"}, **changes})
    return submit_run(json.dumps(sent).encode(), ALICE, agent="assistant", trace_parent=trace_parent).task_id


async def ask(api: AgentRunAPIProxy, text: str = "a") -> None:
    await api.models.invoke("chat", [ModelMessage(role="user", content=text)])


def children(receiver: Receiver, parent: ReceivedSpan) -> list[str]:
    """Return the names of a span's children, in order of time."""
    found = [span for span in receiver.spans if span.parent_id == parent.id]
    return [span.name for span in sorted(found, key=lambda span: (span.begins, span.ends))]


def assert_nested(receiver: Receiver) -> None:
    """No id is there twice, and each span is within its parent, if that is a span of the run."""
    spans = {span.id: span for span in receiver.spans}
    assert len(spans) == len(receiver.spans)
    for span in spans.values():
        assert span.begins <= span.ends, span.name
        if (parent := spans.get(span.parent_id)) is not None:
            assert parent.begins <= span.begins, span.name
            assert span.ends <= parent.ends, span.name
            assert parent.trace_id == span.trace_id


@pytest.fixture
def money(monkeypatch: pytest.MonkeyPatch, chat: ModelServer) -> Bank:
    """A tool of the assistant that may be called without approval."""
    return bank(monkeypatch)


def test_a_run_is_a_trace(receiver: Receiver, chat: ModelServer, money: Bank, export: Export, monkeypatch: Any) -> None:
    """EVB-02: in the client's trace, with the queue, its worker, models, tools and steps of its own."""

    async def act(_: Asker, api: AgentRunAPIProxy) -> str:
        await ask(api)
        await api.tools.call(TOOL, {"to": "bob"})
        return "done"

    chat.will(OpenAI().whole("Hello."))
    install(monkeypatch, Asker(act))
    run_key = traced()
    work(run_key)
    assert export() == []
    run = receiver.one("invoke_agent")
    assert (run.trace_id, run.parent_id, run.name) == (CLIENT_TRACE, CLIENT_SPAN, "invoke_agent assistant")
    assert (
        run.attributes.items()
        >= {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "assistant",
            "gen_ai.conversation.id": THREAD,
            "session.id": THREAD,
            "user.id": user_of("alice"),
            "yarrow.run.id": "run-1",
            "yarrow.run.key": run_key,
            "yarrow.run.phase": "finished",
            "yarrow.run.outcome": "success",
            "yarrow.run.input_tokens": USAGE[0],
            "yarrow.run.output_tokens": USAGE[1],
        }.items()
    )
    assert "gen_ai.usage.input_tokens" not in run.attributes
    assert children(receiver, run) == ["queue", "worker 1"]
    worker = receiver.one("worker")
    model = OpenAI().model.partition(":")[2]
    assert children(receiver, worker) == ["step prepare", f"chat {model}", f"execute_tool {TOOL}"]
    answer = receiver.one("chat")
    assert answer.kind == 3
    assert (
        answer.attributes.items()
        >= {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": model,
            "yarrow.model.id": "chat",
            "gen_ai.response.finish_reasons": ["stop"],
            "gen_ai.usage.input_tokens": USAGE[0],
            "gen_ai.usage.output_tokens": USAGE[1],
        }.items()
    )
    tool = receiver.one("execute_tool")
    assert (tool.kind, tool.attributes["gen_ai.tool.name"], tool.attributes["gen_ai.tool.type"]) == (
        1,
        TOOL,
        "function",
    )
    assert not any(span.is_error for span in receiver.spans)
    assert_nested(receiver)
    (resource,) = [resource for message in receiver.messages for resource in message.resource_spans]
    assert resource.resource.attributes[0].key == "service.name"


def test_nothing_that_was_said_is_sent_by_default(
    receiver: Receiver, chat: ModelServer, money: Bank, export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SEC-05."""

    async def act(_: Asker, api: AgentRunAPIProxy) -> str:
        await ask(api)
        return str(await api.tools.call(TOOL, {"to": "carol"}))

    chat.will(OpenAI().whole("A secret answer."))
    install(monkeypatch, Asker(act))
    work(traced())
    assert export() == []
    sent = b"".join(receiver.bodies)
    for said in (SECRET, "secret answer", "carol", "transferred", "Let me see", "alice"):
        assert said.encode() not in sent, said


def test_content_is_sent_if_the_deployment_wants_it(
    receiver: Receiver, chat: ModelServer, money: Bank, export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-02: messages as the schemas of the conventions have them."""

    async def act(_: Asker, api: AgentRunAPIProxy) -> str:
        await ask(api)
        await api.tools.call(TOOL, {"to": "carol"})
        return "done"

    chat.will(OpenAI().whole("An answer.", ("call-1", TOOL, '{"to":"carol"}')))
    install(monkeypatch, Asker(act))
    monkeypatch.setenv("TRACES_CONTENT", "true")
    work(traced())
    assert export() == []
    run, answer = receiver.one("invoke_agent").attributes, receiver.one("chat").attributes
    assert json.loads(run["gen_ai.input.messages"]) == [
        {"role": "user", "parts": [{"type": "text", "content": f"{SECRET}?"}]}
    ]
    said = json.loads(run["gen_ai.output.messages"])
    assert [message["parts"][0]["content"] for message in said] == ["Let me see.", "So be it: done"]
    (message,) = json.loads(answer["gen_ai.output.messages"])
    assert message["finish_reason"] == "tool_call"
    assert message["parts"] == [
        {"type": "text", "content": "An answer."},
        {"type": "tool_call", "id": "call-1", "name": TOOL, "arguments": '{"to":"carol"}'},
    ]
    assert "carol" in receiver.one("execute_tool").attributes["gen_ai.tool.call.result"]


def test_the_same_spans_are_sent_again(
    receiver: Receiver, chat: ModelServer, export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-02: an event that comes twice makes the same bytes."""

    async def act(_: Asker, api: AgentRunAPIProxy) -> str:
        await ask(api)
        return "done"

    chat.will(OpenAI().whole("one"))
    install(monkeypatch, Asker(act))
    work(traced(None))
    assert export() == export() == []
    first, again = receiver.bodies
    assert first == again
    assert receiver.spans[0].parent_id == ""


def test_a_takeover_has_a_span_for_each_worker(
    receiver: Receiver, chat: ModelServer, export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    """STP-01: what the first worker has done is in its span, once."""
    lives = iter([True, False])

    async def dies(_: Asker, api: AgentRunAPIProxy) -> str:
        await ask(api, "a")
        if next(lives):
            raise KeyboardInterrupt
        await ask(api, "b")
        return "done"

    chat.will(OpenAI().whole("one"), OpenAI().whole("two"))
    install(monkeypatch, Asker(dies))
    run_key = traced()
    with pytest.raises(KeyboardInterrupt):
        work(run_key)
    work(run_key)
    assert export() == []
    assert children(receiver, receiver.one("invoke_agent")) == ["queue", "worker 1", "worker 2"]
    first, second = receiver.one("worker 1"), receiver.one("worker 2")
    assert (first.is_error, first.attributes["error.type"]) == (True, "worker_replaced")
    assert not second.is_error
    assert [len([name for name in children(receiver, one) if "chat" in name]) for one in (first, second)] == [1, 1]
    assert not receiver.one("invoke_agent").is_error
    assert_nested(receiver)


def test_a_cancelled_run_is_no_error(
    receiver: Receiver, chat: ModelServer, export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CAN-01."""

    async def is_cancelled(_: Asker, api: AgentRunAPIProxy) -> str:
        await ask(api)
        end_run.end_with_error(run_key, end_run.CANCELED)
        raise RuntimeError("no")

    chat.will(OpenAI().whole("one"))
    install(monkeypatch, Asker(is_cancelled))
    run_key = traced()
    work(run_key)
    assert export() == []
    run = receiver.one("invoke_agent")
    assert (run.is_error, run.attributes["yarrow.run.phase"]) == (False, "canceled")
    assert len(receiver.named("chat")) == 1
    assert_nested(receiver)


def test_a_run_that_no_worker_had_waited(receiver: Receiver, export: Export) -> None:
    """EVB-02: it has no span but its own."""
    run_key = traced()
    end_run.end_with_error(run_key, end_run.CANCELED)
    assert export() == []
    assert [span.name for span in receiver.spans] == ["invoke_agent assistant"]


def test_a_failed_run_and_its_failed_tool_say_why(
    receiver: Receiver, chat: ModelServer, export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-02: `error.type` of both, and no message."""
    broken = bank(monkeypatch)

    def fails(*_: Any, **__: Any) -> dict[str, Any]:
        raise ValueError("of carol")

    monkeypatch.setattr(broken, "transfer", fails)

    async def act(_: Asker, api: AgentRunAPIProxy) -> str:
        await api.tools.call("no_such_tool", {"to": "carol"})
        return "done"

    install(monkeypatch, Asker(act))
    run_key = traced()
    work(run_key)
    assert runs.must_read(run_key).phase == "failed"
    assert export() == []
    run = receiver.one("invoke_agent")
    assert run.is_error
    assert run.attributes["error.type"].startswith("runner.")
    assert b"carol" not in receiver.bodies[0]


def test_a_step_that_failed_is_an_error(receiver: Receiver, export: Export, monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-01."""

    def breaks() -> None:
        raise ValueError("of carol")

    async def act(_: Asker, api: AgentRunAPIProxy) -> str:
        try:
            await api.step("book", breaks)
        except Exception:  # noqa: BLE001 - whatever the API makes of it
            return "failed"
        return "done"

    install(monkeypatch, Asker(act))
    work(traced())
    assert export() == []
    step = receiver.one("step book")
    assert (step.is_error, step.attributes["error.type"]) == (True, "failed")
    assert not receiver.one("invoke_agent").is_error
    assert b"carol" not in receiver.bodies[0]


def test_a_run_that_goes_on_after_a_question_is_linked(
    receiver: Receiver, chat: ModelServer, export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ASK-01: each run is its own trace, with its own steps."""

    async def asks(_: Asker, api: AgentRunAPIProxy) -> str:
        await ask(api, "before")
        await api.ask("Shall I?")
        await ask(api, "after")
        return "done"

    chat.will(OpenAI().whole("one"), OpenAI().whole("two"))
    install(monkeypatch, Asker(asks))
    asked = traced()
    work(asked)
    going_on = answered(interrupts_of(asked)[0]["id"], {"approved": True}).task_id
    work(going_on)
    assert export() == []
    first, second = receiver.named("invoke_agent")
    assert (first.attributes["yarrow.run.outcome"], first.links) == ("interrupt", ())
    assert second.trace_id == trace_context.context_of(going_on, None).trace_id != CLIENT_TRACE
    assert second.links == ((CLIENT_TRACE, first.id, {"yarrow.link": "continues"}),)
    by_trace = [
        [span.name for span in receiver.named("chat") if span.trace_id == run.trace_id] for run in (first, second)
    ]
    assert [len(names) for names in by_trace] == [1, 1]
    assert_nested(receiver)


def test_a_sleep_lasts_until_it_is_over(receiver: Receiver, export: Export, monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-04: and not as long as it took to store it."""

    async def act(_: Asker, api: AgentRunAPIProxy) -> str:
        await api.sleep(seconds=0.3)
        return "done"

    install(monkeypatch, Asker(act))
    work(traced())
    assert export() == []
    (sleep,) = receiver.named("sleep")
    assert sleep.ends - sleep.begins >= 250_000_000


def test_what_a_runner_reports_of_its_own_models_is_on_the_run(receiver: Receiver, export: Export, use: Any) -> None:
    """EVB-02: no span of a model has it; those that one has are not counted twice."""
    counts = {"provider": "p", "model": "m", "inputTokens": 30, "outputTokens": 4, "cachedInputTokens": 1}
    use(("run.completed", {"usage": [counts]}))
    work(submit())
    assert export() == []
    run = receiver.one("invoke_agent").attributes
    assert (run["gen_ai.usage.input_tokens"], run["gen_ai.usage.output_tokens"]) == (30, 4)
    assert run["gen_ai.usage.cache_read.input_tokens"] == 1


def test_a_client_may_leave_its_runs_out(receiver: Receiver, export: Export, use: Any) -> None:
    """W3C Trace Context: its flag says that the trace is not sampled."""
    use(("run.completed", {}))
    work(traced(CLIENT[:-2] + "00"))
    assert export() == []
    assert receiver.requests == 0


def test_the_headers_are_those_of_the_secret(
    receiver: Receiver, export: Export, use: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-02: in the form of OTEL_EXPORTER_OTLP_HEADERS, as vendors give them."""
    monkeypatch.setenv("RUNNER_SECRET_TRACES", "Authorization=Basic cGs6c2s=,x-langfuse-ingestion-version=4")
    use(("run.completed", {}))
    work(submit())
    assert export() == []
    (headers,) = receiver.headers
    assert headers["Authorization"] == "Basic cGs6c2s="
    assert headers["x-langfuse-ingestion-version"] == "4"
    assert (headers["Content-Type"], headers["Content-Encoding"]) == ("application/x-protobuf", "gzip")


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 502, 503, 504])
def test_what_an_endpoint_does_not_take_comes_again(receiver: Receiver, export: Export, use: Any, status: int) -> None:
    """EVB-02: also for a wrong secret, which an operator can mend."""
    use(("run.completed", {}))
    run_key = submit()
    work(run_key)
    receiver.answers.append(status)
    assert export() == [f"{run_key}-ended"]
    assert export() == []
    assert len(receiver.named("invoke_agent")) == 1


@pytest.mark.parametrize("status", [400, 413, 422])
def test_what_an_endpoint_will_never_take_is_dropped(receiver: Receiver, export: Export, use: Any, status: int) -> None:
    """OTLP: such a request must not be sent again."""
    use(("run.completed", {}))
    work(submit())
    receiver.answers.append(status)
    assert export() == []
    assert (receiver.requests, receiver.bodies) == (1, [])


def test_an_endpoint_that_is_down_is_asked_once_a_batch(
    receiver: Receiver, export: Export, use: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-02: all of the batch comes again, and none waits for the others' time limits."""
    use(("run.completed", {}))
    keys = []
    for number in range(4):
        keys.append(submit(runId=f"run-{number}", threadId=f"550e8400-e29b-41d4-a716-44665544000{number}"))
        work(keys[-1])
    monkeypatch.setattr("yarrow.traces.export_traces.MAX_BYTES", 1)
    receiver.answers.append(503)
    assert export() == [f"{key}-ended" for key in keys]
    assert receiver.requests == 1


def test_a_trace_that_cannot_be_made_stops_no_other(
    receiver: Receiver, export: Export, use: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-02."""
    use(("run.completed", {}))
    bad, good = submit(), submit(runId="run-2", threadId="550e8400-e29b-41d4-a716-446655440001")
    work(bad)
    work(good)
    read_all = steps.read_all

    def breaks(log_key: str, **more: Any) -> Any:
        if log_key == bad:
            raise ValueError("broken")
        return read_all(log_key, **more)

    monkeypatch.setattr(steps, "read_all", breaks)
    assert export() == [f"{bad}-ended"]
    assert [span.attributes["yarrow.run.key"] for span in receiver.named("invoke_agent")] == [good]


def test_only_public_hosts_are_reached(
    export: Export, use: Any, log: LogLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-02, SEC-05: as deployed, the endpoint is no address inside AWS."""
    use(("run.completed", {}))
    run_key = submit()
    work(run_key)
    monkeypatch.setitem(settings.__dict__, "in_lambda", True)
    for inside in ("http://169.254.169.254/v1/traces", "http://127.0.0.1:9001/", "http://[::ffff:10.0.0.1]/v1/traces"):
        monkeypatch.setitem(settings.__dict__, "traces_endpoint", inside)
        assert export() == [f"{run_key}-ended"]
    warnings = [line for line in log.records if line["message"] == "traces are sent again later"]
    assert [line["reason"] for line in warnings] == ["the host is not public"] * 3


def test_a_secret_that_is_no_headers_is_not_shown() -> None:
    """SEC-05."""
    for text in ("hunter2", "Authorization: hunter2", "a b=hunter2", "a=hunter2\nb"):
        with pytest.raises(endpoint.HeadersError) as caught:
            endpoint.read_headers(text)
        assert "hunter2" not in str(caught.value)
