"""Remote runners over HTTP: Lambda's streaming invocation, the signed way back, and the end of both.

Host, functions and API Gateway are in this process, each on its own event loop; the table is the test's.
"""

import asyncio
import http.client
import json
import socket
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from local.api_gateway.gateway import Gateway
from local.emulator.process import LOOPBACK
from local.environment import KEY
from local.events import EventBus
from local.functions import LambdaHost
from local.lambda_api import lambda_api
from local.stack import REGION, Function, Stack
from local.template import load_functions
from tests.support.divination_runs import THREAD, end, execute, submit
from tests.support.functions.calls import NO_CONTEXT
from tests.support.functions.deployment import configured
from tests.support.functions.emulated_aws import served
from tests.support.functions.payloads import EVENTS
from tests.support.functions.runtime_api import WRAPPED, Process, RuntimeApi, environment
from tests.support.journals import numbered, stored, text
from tests.support.paths import ROOT
from tests.support.run_contexts import run_context
from tests.support.runners import approving
from tests.support.runners import remote as remote_scripts
from tests.support.runners.asking import answered, interrupts_of
from tests.support.runners.remote import MANIFEST, PATIENCE_SECONDS, UNMAKABLE
from yarrow.agents.grants import RunGrant
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.callback import TOKEN_HEADER
from yarrow.protocol.runner.manifest import AgentRunnerManifest, AgentRunnerPermissions, surface_of
from yarrow.protocol.runner.models import (
    AgentResources,
    AgentRunContext,
    AgentRunResult,
    AgentRuntimeContext,
    InstalledRunner,
)
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.remote import Callback
from yarrow.protocol.runner.resources import ModelResource, ToolResource
from yarrow.protocol.runner.tools import TimeZones
from yarrow.protocol.runner.turn import HandOver, Turn
from yarrow.protocol.trace_context import passed_on
from yarrow.protocol.ui_schema.compiler import ui_schema
from yarrow.runs import end_run
from yarrow.sdk.callback import HttpTransport
from yarrow.services import remote_calls, run_services, run_tokens
from yarrow.services.models import shared_budget
from yarrow.services.steps.step_log import StepLog
from yarrow.settings import settings
from yarrow.store import clients, journal, runs, table
from yarrow.store.limits import usage
from yarrow.store.runner import grants
from yarrow.store.runner.grants import StoredGrant
from yarrow.store.runs import ReplacedError, RunOutcome
from yarrow.worker.invocation.registry import registry
from yarrow.worker.invocation.remote_invocation import InvocationError, lines
from yarrow.worker.invocation.remote_runner import RemoteRunner, discover
from yarrow.worker.journal_writer import JournalWriter
from yarrow.worker.orchestrator import Orchestrator
from yarrow.worker.run_options import DEFAULTS, RunOptions
from yarrow.worker.runner_loop import TurnEndedError, read_results

pytestmark = pytest.mark.memory
"""On moto alone: the table has no part of its own in this."""


FUNCTIONS = Path(__file__).parent / "remote_function"
EXAMPLE = ROOT / "examples/remote_runner/template.yaml"


def function(name: str, handler: str) -> Function:
    arn = f"arn:aws:lambda:{REGION}:123456789012:function:{name}"
    return Function(name, arn, FUNCTIONS, handler, {}, timeout=60, memory=128)


@pytest.fixture(scope="module")
def host(stack: Stack) -> LambdaHost:
    """The functions: the one that answers calls, the example, and those of this test."""
    answering = [function for function in stack.functions.values() if function.folder.name == "runner_api"]
    mine = [function("scripted", "app.handler"), function("breaking", "app.breaks")]
    example = load_functions(EXAMPLE, {"CoreLayer": "layer", "RunnerApi": "api"})
    return LambdaHost({function.name: function for function in (*answering, *mine)} | dict(example))


@pytest.fixture
def url(stack: Stack, host: LambdaHost, aws: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The Lambda API and the runners' API, served as the local stack does."""
    assert stack.internal_api is not None
    with socket.create_server((LOOPBACK, 0)) as listener:
        here = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        monkeypatch.setenv("AWS_ENDPOINT_URL_LAMBDA", here)
        monkeypatch.setenv("RUNNER_API_URL", here)
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):  # moto has others
            monkeypatch.setenv(name, KEY)
        for made in (clients._session, clients._lambda, discover):
            made.cache_clear()
        settings.__dict__.pop("runner_api_url", None)
        remote_calls._cache.clear()
        remote_scripts.released.clear()
        app = lambda_api(host, EventBus((), host))
        app.mount("/", Gateway(stack.internal_api, host))
        with served(app, listener):
            yield here


@pytest.fixture
def run(url: str) -> runs.Run:
    """A run that its worker has claimed, with its grant."""
    run = runs.claim(submit().task_id)
    assert run is not None
    keep_grant(run)
    return run


def keep_grant(run: runs.Run, runner_id: str = MANIFEST.id, seconds: float = 60) -> None:
    grant = RunGrant(
        run_key=run.key,
        runner_id=runner_id,
        binding_id="binding",
        user_id=run.user_id,
        thread_id=THREAD,
        event_id="msg-1",
        deadline_at=time.time() + seconds,
        permissions=AgentRunnerPermissions(models=("stream",), tools=("call",)),
        resources=AgentResources(
            models=(ModelResource(model_id="chat"),),
            tools=tuple(ToolResource(tool_name=name) for name in ("get_current_time", "calendar_write")),
        ),
        state_scopes=("conversation",),
    )
    assert grants.keep(run.key, StoredGrant(grant.model_dump_json(), run.attempt))


def grant_of(run: runs.Run) -> RunGrant:
    kept = grants.read(run.key)
    assert kept is not None
    return RunGrant.model_validate_json(kept.grant_json)


def host_of(run: runs.Run, turn: Turn | None = None) -> AgentRunAPIProxy:
    """The worker's own API of the run."""
    steps = StepLog(run.key, run.attempt)
    api, _ = run_services.api_of(grant_of(run), MANIFEST.id, TimeZones(None), steps=steps, turn=turn or Turn())
    return AgentRunAPIProxy(run.key, api)


def context(run: runs.Run, text: str) -> AgentRunContext:
    value = run_context(run.key, text)
    resources = AgentResources(models=(ModelResource(model_id="chat"),))
    runtime = AgentRuntimeContext(trace_id=run.key, deadline_at=grant_of(run).deadline_at)
    return value.model_copy(update={"runtime": runtime, "resources": resources})


def begun(run: runs.Run, text: str, function: str = "scripted") -> AsyncGenerator[AgentRunResult]:
    return RemoteRunner(function, MANIFEST).run(context(run, text), host_of(run))


def results(run: runs.Run, text: str, function: str = "scripted") -> list[AgentRunResult]:
    async def hear() -> list[AgentRunResult]:
        return [result async for result in begun(run, text, function)]

    return asyncio.run(hear())


def texts(heard: list[AgentRunResult]) -> list[str]:
    return [event.data["chunk"]["content"] for event in heard if event.type == "message.delta"]


def work(run: runs.Run, context: AgentRunContext, options: RunOptions = DEFAULTS) -> RunOutcome:
    """Store the events of a run of the scripted runner."""

    async def hear() -> RunOutcome:
        order = EventOrder()
        order.replay([line for _, line in numbered(run.key)])
        async with JournalWriter(run, order, journal.Position(1)) as writer:
            runner = RemoteRunner("scripted", MANIFEST)
            outcome = await Orchestrator(run, ("worker",), writer, options).run(runner, context, host_of(run))
            await writer.close()
        return outcome

    return asyncio.run(hear())


def test_a_function_says_what_it_offers(url: str) -> None:
    """RNR-01: The function is named by name or by ARN."""
    for name in ("scripted", function("scripted", "app.handler").arn):
        assert [installed_runner.manifest for installed_runner in discover(name)] == [MANIFEST, UNMAKABLE]
    (notes,) = discover("yarrow-NotesRunnerFunction")
    assert notes.manifest.id == "plugin:examples/notes/default"
    with pytest.raises(InvocationError) as caught:
        discover("missing")
    assert caught.value.code == "runner.plugin_not_found"


def test_results_come_while_the_function_still_runs(run: runs.Run) -> None:
    """RNR-13."""

    async def hear() -> list[AgentRunResult]:
        async with aclosing(begun(run, "stream")) as heard:
            first = await anext(heard)
            assert texts([first]) == ["first"]
            remote_scripts.released.set()
            return [result async for result in heard]

    rest = asyncio.run(hear())
    assert texts(rest) == ["last"]
    assert rest[-1].type == "run.completed"


def test_a_function_is_told_of_its_place_in_the_trace(run: runs.Run) -> None:
    """EVB-02: it is the parent of the spans that the function makes of itself."""
    sent = passed_on(run.key, run.attempt, None)

    async def hear(trace_parent: str | None) -> list[AgentRunResult]:
        runner = RemoteRunner("scripted", MANIFEST)
        runner.trace_parent = trace_parent
        return [result async for result in runner.run(context(run, "trace"), host_of(run))]

    assert texts(asyncio.run(hear(sent))) == [sent]
    assert texts(asyncio.run(hear(None))) == ["None"]


def test_a_runner_calls_back_to_state_tools_and_models(run: runs.Run) -> None:
    """RNR-50, RNR-51."""
    assert texts(results(run, "call")) == ["1", "UTC", "streamed"]


def test_what_is_not_granted_is_refused_there_as_here(run: runs.Run) -> None:
    """RNR-50, RNR-51, RNR-63: The calls ask for a hidden tool, a scope, another run, an unknown action and a hidden
    model."""
    assert texts(results(run, "forbidden")) == [
        "not_found",
        "unauthorized",
        "unauthorized",
        "invalid_argument",
        "not_found",
    ]


def test_a_function_may_serve_a_workspace(run: runs.Run) -> None:
    """WSP-33, RNR-13: it declares the surface, gets the event with its data, and its results become events."""
    (offered, _) = discover("scripted")
    surface = surface_of(offered.manifest.metadata)
    assert surface is not None
    assert surface.events == {"workspace.option"}
    plain = context(run, "workspace")
    event = plain.event.model_copy(update={"event_type": "workspace.option", "data": {"optionId": "a"}})
    value = plain.model_copy(update={"event": event})
    work(run, value, replace(DEFAULTS, has_workspace=True))
    events = stored(run.key)
    prompt, message = [event["value"] for event in events if event["type"] == "CUSTOM"]
    assert prompt["questions"][0]["options"] == [{"id": "a", "label": "workspace.option"}]
    assert [event["messageId"] for event in events if event["type"] == "TEXT_MESSAGE_END"] == [message["messageId"]]


def test_a_function_may_give_cards(run: runs.Run) -> None:
    """UIS-04, RNR-13: that of a tool which it called back for, checked and stored as from any runner."""
    (message,) = work(run, context(run, "card")).messages
    (ended,) = (event for event in stored(run.key) if event["type"] == "TEXT_MESSAGE_END")
    schema = ui_schema(message.output)
    assert schema is not None
    assert schema == ui_schema(ended)
    assert schema["root"]["children"][0]["content"] == "日程已创建"


def test_the_example_keeps_notes(run: runs.Run) -> None:
    """RNR-13, RNR-50: Notes last from one run to the next."""
    (notes,) = discover("yarrow-NotesRunnerFunction")

    async def hear(run: runs.Run) -> list[AgentRunResult]:
        keep_grant(run, notes.manifest.id)
        return [result async for result in notes.create().run(context(run, "buy milk"), host_of(run))]

    first = asyncio.run(hear(run))
    end(run.key)
    later = runs.claim(submit(runId="run-2").task_id)
    assert later is not None
    second = asyncio.run(hear(later))
    assert [event.type for event in first][:2] == ["tool.call.started", "tool.call.completed"]
    assert "".join(texts(first)).startswith("1 note.\n")
    assert "".join(texts(second)).startswith("2 notes.\n")
    assert len("".join(texts(second)).splitlines()) > 1
    assert second[-1].type == "run.completed"


def test_a_function_that_dies_midway_fails_the_run(run: runs.Run) -> None:
    """RNR-40: after what it said; half a line is not a result."""
    delta, failed = results(run, "", "breaking")
    assert delta.type == "message.delta"
    assert (failed.type, failed.data["code"]) == ("run.failed", "runner.error")
    assert "sandbox" not in failed.model_dump_json()


@pytest.mark.parametrize(("manifest", "before"), [(MANIFEST, ["first"]), (UNMAKABLE, [])])
def test_no_result_and_no_runner_fail_the_run(run: runs.Run, manifest: AgentRunnerManifest, before: list[str]) -> None:
    """RNR-40."""

    async def hear() -> list[AgentRunResult]:
        return [
            result async for result in RemoteRunner("scripted", manifest).run(context(run, "garbage"), host_of(run))
        ]

    heard = asyncio.run(hear())
    assert texts(heard) == before
    assert (heard[-1].type, heard[-1].data["code"]) == ("run.failed", "runner.error")
    assert "secret" not in heard[-1].model_dump_json()


def test_a_cancelled_run_closes_the_connection_and_its_token_is_dead(run: runs.Run) -> None:
    """RNR-64, RNR-71, RNR-72: the function is told by the connection, and may do nothing more whatever it does."""

    async def cancel() -> HttpTransport:
        heard = begun(run, "wait")
        await anext(heard)
        waiting = asyncio.create_task(anext(heard))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        transport: HttpTransport = remote_scripts.yielded.get(timeout=PATIENCE_SECONDS)
        return transport

    transport = asyncio.run(cancel())
    assert remote_scripts.yielded.get(timeout=PATIENCE_SECONDS) == "cancelled"
    assert refusal(run, transport._callback) == "unauthorized"


def in_turn(run: runs.Run, text: str, turn: Turn) -> tuple[list[str], HandOver | None]:
    """What a worker takes of the scripted runner, and how its turn ended."""
    taken: list[AgentRunResult] = []

    async def take(result: Any) -> bool:
        taken.append(result)
        return bool(result.type == "run.completed")

    async def hear() -> None:
        runner = RemoteRunner("scripted", MANIFEST)
        await read_results(runner, context(run, text), host_of(run, turn), take, turn)

    try:
        asyncio.run(hear())
    except TurnEndedError as ended:
        return texts(taken), ended.hand_over
    return texts(taken), None


def next_worker(run: runs.Run, seconds: float = 60) -> runs.Run:
    claimed = runs.claim(run.key)
    assert claimed is not None
    keep_grant(claimed, seconds=seconds)
    return claimed


def test_a_sleep_of_a_remote_runner_ends_the_turn(run: runs.Run) -> None:
    """STP-04: of its function too, which says until when; in the next turn it sleeps no longer."""
    keep_grant(run, seconds=2 * remote_scripts.SLEEP_SECONDS)
    began = time.time()
    said, hand_over = in_turn(run, "sleep", Turn())
    assert said == ["first"]
    assert hand_over is not None
    assert hand_over.until == pytest.approx(began + remote_scripts.SLEEP_SECONDS, abs=5)
    later = next_worker(run, 2 * remote_scripts.SLEEP_SECONDS)
    assert in_turn(later, "sleep", Turn()) == (["first"], hand_over)


def test_a_remote_runner_at_the_limit_of_a_turn_goes_on_in_the_next_one(run: runs.Run) -> None:
    """STP-05: the step that is under way ends, no other begins, and none is made again."""
    remote_scripts.worked.clear()
    now = time.time()
    said, hand_over = in_turn(run, "work", Turn(now + 0.5, now + 20))
    assert hand_over == HandOver(None)
    assert time.time() - now < 10
    done = [*remote_scripts.worked]
    assert 0 < len(done) < 6
    assert said == [str(number) for number in range(len(said))]
    assert in_turn(next_worker(run), "work", Turn()) == ([str(number) for number in range(6)], None)
    assert remote_scripts.worked == [*range(6)]


def test_a_function_that_does_not_stop_in_time_is_left(run: runs.Run) -> None:
    """STP-05: such as one of an earlier SDK, which knows no turns."""
    now = time.time()
    assert in_turn(run, "wait", Turn(now + 0.3, now + 1)) == (["first"], HandOver(None))
    remote_scripts.yielded.get(timeout=10)
    remote_scripts.yielded.get(timeout=10)


def test_calls_of_a_remote_runner_are_approved_before_they_are_made(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06, ASK-01: equal calls each have a question, beside one that the runner asks itself."""
    made = approving.bank(monkeypatch, approval="always")
    calls = AgentRunnerPermissions(tools=("call",))
    manifest = MANIFEST.model_copy(update={"permissions": calls})
    monkeypatch.setattr(
        registry,
        "find",
        lambda _: InstalledRunner(manifest, lambda: RemoteRunner("scripted", manifest), is_remote=True),
    )
    first = approving.submit(messages=[{"id": "msg-1", "role": "user", "content": "approve"}])
    execute(first)
    kept = grants.read(first)
    assert kept is not None
    assert kept.is_remote
    rent, again, name = sorted(interrupts_of(first), key=lambda one: str(one["metadata"].get("toolName")), reverse=True)
    assert [rent["reason"], again["reason"], name["reason"]] == ["confirmation", "confirmation", "input_required"]
    second = answered(rent["id"], {"approved": True}).task_id
    execute(second)
    assert made.made == [("landlord", 900)]
    third = answered(name["id"], "Alba").task_id
    execute(third)
    fourth = answered(again["id"], {"approved": False}).task_id
    execute(fourth)
    assert made.made == [("landlord", 900)]
    assert sorted(text(fourth).split()) == ["900", "Alba", "None"]


def refusal(run: runs.Run, callback: Callback, deadline_at: float | None = None) -> str:
    """The code with which a call is refused."""

    async def call() -> None:
        async with HttpTransport(callback, deadline_at) as transport:
            await AgentRunAPIProxy(run.key, transport).state.get("conversation", "seen")

    with pytest.raises(AgentAPIException) as caught:
        asyncio.run(call())
    return caught.value.error.code


class TestToken:
    @pytest.fixture
    def callback(self, run: runs.Run, url: str) -> Callback:
        """The way back of a run that goes on."""
        token = run_tokens.issue(run.key, MANIFEST.id, run.attempt)
        callback = Callback(url=f"{url}/internal/runs/{run.key}/actions", token=token)
        assert answer(run, callback) is None
        return callback

    def test_only_its_hash_is_stored(self, run: runs.Run, callback: Callback) -> None:
        """RNR-51."""
        item = table.get(table.run_key_of(run.key, "TOKEN"))
        assert item is not None
        assert callback.token not in str(item)
        assert len(callback.token) >= 43  # 256 bits

    def test_only_it_opens_its_run_and_it_opens_no_other(self, run: runs.Run, callback: Callback, url: str) -> None:
        """RNR-50, RNR-51."""
        for token in ("", "x", "x" * 43):
            assert refusal(run, callback.model_copy(update={"token": token})) == "unauthorized"
        elsewhere = Callback(url=f"{url}/internal/runs/another/actions", token=callback.token)
        assert refusal(run, elsewhere) == "unauthorized"

    def test_it_ends_with_the_run(self, run: runs.Run, callback: Callback) -> None:
        """RNR-64."""
        end_run.end_with_error(run.key, end_run.CANCELED)
        assert refusal(run, callback) == "unauthorized"
        with pytest.raises(ReplacedError):
            run_tokens.issue(run.key, MANIFEST.id, run.attempt)

    def test_it_ends_with_its_worker(self, run: runs.Run, callback: Callback) -> None:
        """RNR-64: the next worker's is another, and the earlier one cannot remove it."""
        next_one = runs.claim(run.key)
        assert next_one is not None
        assert refusal(run, callback) == "unauthorized"
        keep_grant(next_one)
        later = run_tokens.issue(run.key, MANIFEST.id, next_one.attempt)
        run_tokens.revoke(run.key, callback.token)
        assert answer(run, callback.model_copy(update={"token": later})) is None

    @pytest.mark.parametrize("comes_late", ["before its grant is replaced", "after"])
    def test_a_worker_that_was_replaced_gets_none(self, run: runs.Run, comes_late: str) -> None:
        """RNR-08, RNR-64: and changes neither the grant nor the token of the worker that lives."""
        next_one = runs.claim(run.key)
        assert next_one is not None
        if comes_late == "after":
            keep_grant(next_one)
            run_tokens.issue(run.key, MANIFEST.id, next_one.attempt)
        kept = [table.get(table.run_key_of(run.key, kind)) for kind in ("GRANT", "TOKEN")]
        with pytest.raises(ReplacedError):
            run_tokens.issue(run.key, MANIFEST.id, run.attempt)
        assert grants.keep(run.key, StoredGrant("{}", run.attempt)) is (comes_late != "after")
        if comes_late == "after":
            assert [table.get(table.run_key_of(run.key, kind)) for kind in ("GRANT", "TOKEN")] == kept

    def test_its_calls_of_models_are_counted_for_all_processes_and_workers_together(
        self, run: runs.Run, callback: Callback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """RNR-52."""
        monkeypatch.setattr(shared_budget, "MODEL_CALLS", 2)
        ask(run, callback)
        remote_calls._cache.clear()  # as another process has it
        ask(run, callback)
        next_one = runs.claim(run.key)
        assert next_one is not None
        keep_grant(next_one)
        token = run_tokens.issue(run.key, MANIFEST.id, next_one.attempt)
        with pytest.raises(AgentAPIException, match=r"^rate_limited: The run has reached its limit"):
            ask(run, callback.model_copy(update={"token": token}), "Ho")

    def test_a_finished_call_is_not_made_again_for_a_later_worker(
        self, run: runs.Run, callback: Callback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """STP-01, STP-02: in whatever process of the host it is answered; an equal call after it is another step."""
        monkeypatch.setattr(shared_budget, "MODEL_CALLS", 2)
        ask(run, callback)
        next_one = runs.claim(run.key)
        assert next_one is not None
        keep_grant(next_one)
        again = callback.model_copy(update={"token": run_tokens.issue(run.key, MANIFEST.id, next_one.attempt)})
        for _ in range(3):
            remote_calls._cache.clear()
            ask(run, again)
        item = table.get(table.run_key_of(run.key, "TOKEN"))
        assert item is not None
        assert item["model_calls"] == 1

    def test_its_tokens_of_models_are_known_to_all_processes_with_the_next_call(
        self, run: runs.Run, callback: Callback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """RNR-52: what a call used is written when the next one is counted, and in the same write."""
        monkeypatch.setattr(shared_budget, "MODEL_TOKENS", 10)
        ask(run, callback)
        for _ in range(2):
            with pytest.raises(AgentAPIException, match=r"^rate_limited: The run has reached its limit"):
                ask(run, callback)
            remote_calls._cache.clear()
        item = table.get(table.run_key_of(run.key, "TOKEN"))
        assert item is not None
        assert (item["model_calls"], item["model_tokens"] >= 10) == (3, True)

    def test_its_models_use_the_tokens_of_its_user(
        self, run: runs.Run, callback: Callback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """RNR-52: when they are used up, no model is asked."""
        monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
        monkeypatch.setenv("OPENAI_API_KEY", "key")
        monkeypatch.setitem(settings.models, "chat", "openai-chat:gpt-4o-mini")
        assert usage.reserve_tokens(run.user_id, settings.tokens_per_user_per_day, 1) is not None
        with pytest.raises(AgentAPIException, match=r"^rate_limited: The user's model tokens of the day are used up"):
            ask(run, callback)

    def test_it_is_no_good_for_another_runner(self, run: runs.Run, callback: Callback) -> None:
        """RNR-51: the grant names the runner that may call."""
        remote_calls._cache.clear()
        keep_grant(run, "plugin:tests/another/default")
        assert refusal(run, callback) == "unauthorized"

    def test_after_the_deadline_the_host_refuses_and_the_runner_does_not_ask(
        self, run: runs.Run, callback: Callback
    ) -> None:
        """RNR-70."""
        remote_calls._cache.clear()
        keep_grant(run, seconds=-1)
        assert refusal(run, callback) == "deadline_exceeded"
        nowhere = callback.model_copy(update={"url": "http://127.0.0.1:1"})
        assert refusal(run, nowhere, time.time() - 1) == "deadline_exceeded"
        assert refusal(run, nowhere) == "runtime_error"

    def test_an_unsigned_or_wrongly_signed_call_does_not_get_in(
        self, run: runs.Run, callback: Callback, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """RNR-51: the route is for roles that may call it."""
        connection = http.client.HTTPConnection(url.removeprefix("http://"))
        connection.request("POST", f"/internal/runs/{run.key}/actions/state.get", b"{}", {TOKEN_HEADER: callback.token})
        response = connection.getresponse()
        assert (response.status, json.load(response)) == (403, {"message": "Missing Authentication Token"})
        connection.close()
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", f"{KEY} of another")
        assert refusal(run, callback) == "unauthorized"

    def test_a_body_that_is_no_object_is_refused(self, run: runs.Run, callback: Callback) -> None:
        """RNR-51, RNR-62: The payload is that of `events/`, with this run's token."""
        for body in (b"", b"[]", b"{", b'{"run_id": 1'):
            assert proxied(run, callback, body)["code"] == "invalid_argument"
        good = json.dumps({"run_id": run.key, "scope": "conversation", "key": "seen"}).encode()
        assert proxied(run, callback, good) == {"value": None}


def answer(run: runs.Run, callback: Callback) -> Any:
    async def call() -> Any:
        async with HttpTransport(callback, None) as transport:
            return await AgentRunAPIProxy(run.key, transport).state.get("conversation", "seen")

    return asyncio.run(call())


def ask(run: runs.Run, callback: Callback, text: str = "Hi") -> None:
    async def call() -> None:
        async with HttpTransport(callback, None) as transport:
            api = AgentRunAPIProxy(run.key, transport)
            assert [event async for event in api.models.stream("chat", [{"role": "user", "content": text}])]

    asyncio.run(call())


def proxied(run: runs.Run, callback: Callback, body: bytes) -> Any:
    """Return the function's answer to API Gateway's event."""
    from functions.runner_api.app import handler

    event = json.loads((EVENTS / "runner_api_run_action.json").read_text())
    event["pathParameters"]["runKey"] = run.key
    event["path"] = f"/internal/runs/{run.key}/actions/state.get"
    event["headers"][TOKEN_HEADER] = callback.token
    event["multiValueHeaders"][TOKEN_HEADER] = [callback.token]
    return json.loads(handler(event | {"body": body.decode()}, NO_CONTEXT)["body"])


class TestWire:
    """A Lambda service that a test plays byte by byte."""

    @pytest.fixture
    def service(self, stack: Stack) -> Iterator[socket.socket]:
        with socket.create_server((LOOPBACK, 0)) as listener:
            listener.settimeout(PATIENCE_SECONDS)
            clients._lambda.cache_clear()
            here = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
            with configured(stack, AWS_ENDPOINT_URL_LAMBDA=here):
                yield listener
            clients._lambda.cache_clear()

    def test_a_reader_that_leaves_closes_the_connection_at_once(self, service: socket.socket) -> None:
        """RNR-71: while the function says nothing, and without waiting for it."""

        async def leave() -> socket.socket:
            waiting = asyncio.create_task(anext(lines("silent", b"{}")))
            connection = await asyncio.to_thread(begin, service)
            done, _ = await asyncio.wait({waiting}, timeout=0.05)
            assert not done
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            return connection

        with asyncio.run(leave()) as connection:
            connection.settimeout(PATIENCE_SECONDS)
            assert connection.recv(1) == b""

    def test_an_answer_that_is_cut_is_a_failure(self, service: socket.socket) -> None:
        """RNR-40."""

        async def hear() -> str:
            waiting = asyncio.create_task(anext(lines("cut", b"{}")))
            (await asyncio.to_thread(begin, service)).close()
            with pytest.raises(InvocationError) as caught:
                await waiting
            return caught.value.code

        assert asyncio.run(hear()) == "runner.forward_exception"


class TestOnLambda:
    """The function as Lambda starts it, over the Runtime API."""

    @pytest.fixture
    def api(self) -> Iterator[RuntimeApi]:
        api = RuntimeApi()
        with Process(WRAPPED, EXAMPLE.parent, environment(EXAMPLE.parent), api):
            yield api
        api.close()

    def test_the_example_answers_in_lines_and_breaks_off_when_it_fails(self, api: RuntimeApi) -> None:
        """RNR-01, RNR-13: The body has nothing of HTTP; the error is in the trailers."""
        api.invoke({"action": "LIST_AGENT_RUNNERS"})
        head = api.head()
        assert head.headers["content-type"] == "application/x-ndjson"
        assert head.headers["lambda-runtime-function-response-mode"] == "streaming"
        (runner,) = json.loads(api.chunk())["runners"]
        assert runner["id"] == "plugin:examples/notes/default"
        assert api.chunk() == b""
        assert api.trailers() == {}
        api.accept()
        api.invoke({"action": "ELSE"})
        api.head()
        assert api.chunk() == b""
        assert api.trailers()["Lambda-Runtime-Function-Error-Type"] == "ValidationError"
        api.accept()
        api.expect_next_invocation()


def begin(service: socket.socket) -> socket.socket:
    """Accept an invocation and begin to answer."""
    connection, _ = service.accept()
    connection.settimeout(PATIENCE_SECONDS)
    request = b""
    while not request.endswith(b"\r\n\r\n{}"):
        request += connection.recv(65_536)
    head = ("HTTP/1.1 200 OK", "Content-Type: application/vnd.amazon.eventstream", "Transfer-Encoding: chunked")
    connection.sendall("\r\n".join([*head, "", ""]).encode())
    return connection
