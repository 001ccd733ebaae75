"""Every function as Lambda runs it: started by the real runtime client with nothing but its layers, given the payloads
of `events/`, at work on the template's own table and state machine.

What streams is driven over the Runtime API, byte by byte; AWS's Runtime Interface Emulator plays Lambda for the rest.
"""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from local.__main__ import TEMPLATE
from local.identity import Issuer
from local.oidc.claims import Identity
from local.stack import Function, LambdaIntegration
from tests.support.functions.emulated_aws import Cloud, deployed
from tests.support.functions.payloads import EVENTS, Case, with_header, with_query
from tests.support.functions.rie import RuntimeInterfaceEmulator, needs_rie
from tests.support.functions.runtime_api import Process, RuntimeApi
from tests.support.functions.sandbox import Sandbox
from tests.support.journals import numbered
from yarrow.protocol.caller import Caller
from yarrow.runs.submit_run import submit_run
from yarrow.store import journal, runs, table
from yarrow.store.feedback import session_outcomes
from yarrow.store.items.updates import Update
from yarrow.store.limits import stream_slots
from yarrow.web.streams import journal_polling
from yarrow.worker import execute_run

pytestmark = pytest.mark.memory
"""On moto alone: the table has no part of its own in this."""


FUNCTIONS = sorted(app.parent.name for app in TEMPLATE.parent.glob("functions/*/app.py"))
PRELUDE_END = b"\0" * 8

STEP = '{"type":"STEP_STARTED","threadId":"t","runId":"r","stepName":"第一步"}'
FINISHED = '{"type":"RUN_FINISHED","threadId":"t","runId":"r"}'

Invoke = Callable[[str, Any], bytes]

needs_client = pytest.mark.skipif(
    not find_spec("awslambdaric"), reason="awslambdaric, the managed runtime's client, has no wheel for this platform"
)


@pytest.fixture(scope="module")
def cloud() -> Iterator[Cloud]:
    with deployed(StreamsPerUser="1") as cloud:
        yield cloud


@pytest.fixture(scope="module")
def functions(cloud: Cloud) -> dict[str, Function]:
    """Return the template's functions, by folder."""
    return {function.folder.name: function for function in cloud.stack.functions.values()}


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory, cloud: Cloud, functions: dict[str, Function]) -> Sandbox:
    return Sandbox(tmp_path_factory.mktemp("lambda"), cloud.url, functions)


@pytest.fixture(scope="module")
def invoke(sandbox: Sandbox, functions: dict[str, Function]) -> Iterator[Invoke]:
    """Invoke a function by its folder; the emulator starts it at its first invocation."""
    started: dict[str, RuntimeInterfaceEmulator] = {}
    with ExitStack() as running:

        def invoked(name: str, payload: Any) -> bytes:
            if name not in started:
                function = functions[name]
                emulator = RuntimeInterfaceEmulator(
                    sandbox.command(function), function.folder, sandbox.environment(function)
                )
                started[name] = running.enter_context(emulator)
            return started[name].invoke(payload)

        yield invoked


@pytest.fixture
def case() -> Case:
    return Case()


def frame(number: int, line: str) -> bytes:
    return f"id: {number}\nevent: {json.loads(line)['type']}\ndata: {line}\n\n".encode()


def begin(api: RuntimeApi) -> dict[str, Any]:
    """Return the prelude of a streamed response."""
    head = api.head()
    assert head.path.endswith("/response")
    assert head.headers["lambda-runtime-function-response-mode"] == "streaming"
    prelude, body = api.chunk().split(PRELUDE_END)
    assert body == b""
    metadata: dict[str, Any] = json.loads(prelude)
    return metadata


def rest(api: RuntimeApi) -> list[bytes]:
    """The chunks up to the end of a response that ends well."""
    chunks = [*iter(api.chunk, b"")]
    assert api.trailers() == {}
    api.accept()
    return chunks


def answer(response: bytes) -> tuple[int, Any]:
    """Return the status and body of a proxy response."""
    read = json.loads(response)
    return read["statusCode"], json.loads(read["body"] or "null")


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def journal_of(case: Case) -> list[dict[str, Any]]:
    return [json.loads(line) for _, line in numbered(case.key)]


def slot_is_free(user: str) -> bool:
    return stream_slots.acquire(user, 1) is not None


def test_every_route_and_every_task_has_its_payload(cloud: Cloud) -> None:
    routes = [route for route in cloud.stack.api.routes if isinstance(route.integration, LambdaIntegration)]
    requests = [read(path) for path in EVENTS.glob("api_gateway_*.json")]
    answered = {(route.method, route.path) for route in routes}
    assert {(event["httpMethod"], event["resource"]) for event in requests} == answered
    states = [json.loads(machine.definition)["States"].values() for machine in cloud.stack.state_machines]
    payloads = [state["Parameters"]["Payload"] for state in chain(*states) if state["Type"] == "Task"]
    tasks = {(payload["task"], *sorted(key.removesuffix(".$") for key in payload)) for payload in payloads}
    events = map(read, EVENTS.glob("execute_run_*.json"))
    assert {(event["task"], *sorted(event)) for event in events} == tasks


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_needs_nothing_but_its_layers_and_the_managed_runtime(
    sandbox: Sandbox, functions: dict[str, Function], name: str
) -> None:
    function = functions[name]
    module, _, attribute = function.handler.rpartition(".")
    code = f"import importlib.util as i, {module}; print(callable({module}.{attribute}), i.find_spec('moto'))"
    started = subprocess.run(
        [sandbox.interpreter, "-c", code],
        cwd=function.folder,
        env=sandbox.environment(function) | {"PYTHONPATH": sandbox.path(function)},
        capture_output=True,
        text=True,
    )
    assert (started.stdout, started.stderr) == ("True None\n", "")


@needs_rie
@needs_client
class TestBehindTheEmulator:
    def test_a_run_is_accepted_and_stored(self, invoke: Invoke, case: Case) -> None:
        """RUN-19, RUN-20."""
        accepted = answer(invoke("submit_run", case.payload("api_gateway_submit_run")))
        receipt = {"taskId": case.key, "threadId": case.thread, "runId": case.run, "created": True}
        assert accepted == (202, receipt)
        assert runs.must_read(case.key).phase == "queued"
        assert [event["type"] for event in journal_of(case)] == ["RUN_STARTED"]

    def test_the_task_of_its_execution_finishes_a_run(self, invoke: Invoke, cloud: Cloud, case: Case) -> None:
        """CMP-09, HIS-01, HIS-02, EVT-02, EVT-04: watched, resumed and read back by the functions that do that."""
        invoke("submit_run", case.payload("api_gateway_submit_run"))
        work = cloud.executions.task(case.key)
        assert work.payload == case.payload("execute_run_work")
        work.answer.set_result(invoke("execute_run", work.payload))
        changes = [cloud.executions.change(case.key)["detail"]["status"] for _ in range(2)]
        assert changes == ["RUNNING", "SUCCEEDED"]
        assert runs.must_read(case.key).phase == "finished"

        status, session = answer(invoke("get_history", case.payload("api_gateway_get_history_of_session")))
        assert status == 200
        assert [message["role"] for message in session["messages"]] == ["user", "assistant"]
        status, latest = answer(invoke("get_history", case.payload("api_gateway_get_history")))
        assert status == 200
        assert [message["threadId"] for message in latest["messages"]] == [case.thread]

        frames = [frame(number, line) for number, line in numbered(case.key)]
        watch = case.payload("api_gateway_stream_events")
        prelude, body = invoke("stream_events", watch).split(PRELUDE_END)
        assert json.loads(prelude)["statusCode"] == 200
        assert body == b"".join(frames)
        assert b"event: RUN_FINISHED" in frames[-1]
        _, body = invoke("stream_events", with_header(watch, "Last-Event-ID", "3")).split(PRELUDE_END)
        assert body == b"".join(frames[3:])
        _, body = invoke("stream_events", case.payload("api_gateway_list_steps")).split(PRELUDE_END)
        assert json.loads(body) == {"steps": []}  # a reading without a model makes none

    def test_a_run_whose_work_fails_is_ended_once(self, invoke: Invoke, cloud: Cloud, case: Case) -> None:
        """EVT-08, CMP-11: by the task that the machine has for it, and not again by the backstop."""
        invoke("submit_run", case.payload("api_gateway_submit_run"))
        work = cloud.executions.task(case.key)
        timed_out = {"errorType": "Sandbox.Timedout", "errorMessage": "Task timed out after 900.00 seconds"}
        work.answer.set_result(json.dumps(timed_out).encode())
        fail = cloud.executions.task(case.key)
        assert fail.payload == {**case.payload("execute_run_fail"), "turn": 0}
        fail.answer.set_result(invoke("execute_run", fail.payload))

        ended = journal_of(case)
        assert (ended[-1]["type"], ended[-1]["code"]) == ("RUN_ERROR", "RUN_TIMEOUT")
        assert cloud.executions.change(case.key)["detail"]["status"] == "RUNNING"
        failed = cloud.executions.change(case.key)
        assert failed["detail"]["status"] == "FAILED"
        assert invoke("end_run", failed) == b"null"
        assert journal_of(case) == ended

    def test_a_task_of_an_unknown_run_is_an_error_for_the_machine(self, invoke: Invoke, case: Case) -> None:
        error = json.loads(invoke("execute_run", case.payload("execute_run_fail")))
        assert error["errorType"] == "LookupError"
        assert error["errorMessage"].startswith("see the log of request ")

    def test_a_run_is_cancelled_and_its_execution_stopped(self, invoke: Invoke, cloud: Cloud, case: Case) -> None:
        """CAN-01, CAN-05."""
        invoke("submit_run", case.payload("api_gateway_submit_run"))
        cloud.executions.task(case.key)
        for _ in range(2):
            cancelled = answer(invoke("cancel_run", case.payload("api_gateway_cancel_run")))
            assert cancelled == (200, {"threadId": case.thread, "runId": case.run, "accepted": True})
        assert [event.get("code") for event in journal_of(case)] == [None, "RUN_CANCELED"]
        changes = [cloud.executions.change(case.key)["detail"]["status"] for _ in range(2)]
        assert changes == ["RUNNING", "ABORTED"]

    def test_an_outcome_is_recorded_and_goes_with_its_session(self, invoke: Invoke, case: Case) -> None:
        """SEC-07: Each function has no more than its own environment."""
        invoke("submit_run", case.payload("api_gateway_submit_run"))
        execute_run.work(case.key)
        for _ in range(2):
            status, outcome = answer(invoke("record_outcome", case.payload("api_gateway_record_outcome")))
            assert (status, outcome["outcome"], outcome["runId"]) == (200, "came_true", case.run)
        _, history = answer(invoke("get_history", case.payload("api_gateway_get_history_of_session")))
        assert history["outcome"] == outcome
        assert answer(invoke("delete_session", case.payload("api_gateway_delete_session"))) == (204, None)
        assert session_outcomes.read(case.user, case.thread) is None

    def test_a_session_is_deleted(self, invoke: Invoke, case: Case) -> None:
        """SES-01, SES-02, SES-04."""
        invoke("submit_run", case.payload("api_gateway_submit_run"))
        for _ in range(2):
            assert answer(invoke("delete_session", case.payload("api_gateway_delete_session"))) == (204, None)
        status, problem = answer(invoke("get_history", case.payload("api_gateway_get_history_of_session")))
        assert (status, problem["code"]) == (404, "AGENT_SESSION_NOT_FOUND")
        assert runs.must_read(case.key).phase == "canceled"

    def test_a_run_whose_execution_ended_without_a_word_is_ended(self, invoke: Invoke, case: Case) -> None:
        """EVT-08, CMP-11: the event may come twice."""
        invoke("submit_run", case.payload("api_gateway_submit_run"))
        for _ in range(2):
            assert invoke("end_run", case.payload("event_bridge_execution_status")) == b"null"
        assert [event.get("code") for event in journal_of(case)] == [None, "RUN_TIMEOUT"]

    def test_a_caller_is_let_in_by_a_token_of_the_issuer(self, invoke: Invoke, cloud: Cloud, case: Case) -> None:
        """SEC-01: the policy is the whole stage's, for API Gateway keeps it by the header alone."""
        token = cloud.issuer.token(Identity(sub=case.user, locale="zh-CN", zoneinfo="Asia/Shanghai"))
        event = with_header(case.payload("authorizer_request"), "Authorization", f"Bearer {token}")
        decision = json.loads(invoke("authorize", event))
        (statement,) = decision["policyDocument"]["Statement"]
        assert (statement["Effect"], statement["Resource"]) == (
            "Allow",
            ["arn:aws:execute-api:eu-west-1:123456789012:a1b2c3d4e5/live/*/*"],
        )
        assert decision["context"] == {
            "sub": case.user,
            "folder": case.user,
            "locale": "zh-CN",
            "zoneinfo": "Asia/Shanghai",
        }

    def test_a_caller_with_a_token_of_another_is_not(self, invoke: Invoke, cloud: Cloud, case: Case) -> None:
        """SEC-01: "Unauthorized" is the word that API Gateway turns into 401."""
        token = Issuer(cloud.issuer.url).token(Identity(sub=case.user))
        event = case.payload("authorizer_request")
        for refused in (event, with_header(event, "Authorization", f"Bearer {token}")):
            assert json.loads(invoke("authorize", refused))["errorMessage"] == "Unauthorized"

    def test_the_api_is_described_to_anyone(self, invoke: Invoke, case: Case) -> None:
        status, document = answer(invoke("describe_api", case.payload("api_gateway_describe_api")))
        assert (status, document["openapi"][:3]) == (200, "3.1")


class TestStreaming:
    """`stream_events` over the Runtime API."""

    @pytest.fixture
    def api(self) -> Iterator[RuntimeApi]:
        api = RuntimeApi()
        yield api
        api.close()

    @pytest.fixture
    def start(self, sandbox: Sandbox, api: RuntimeApi) -> Iterator[Callable[[Function], None]]:
        with ExitStack() as running:

            def started(function: Function) -> None:
                command, environment = sandbox.command(function), sandbox.environment(function)
                running.enter_context(Process(command, function.folder, environment, api))

            yield started

    @pytest.fixture
    def runtime(self, start: Callable[[Function], None], functions: dict[str, Function]) -> None:
        start(functions["stream_events"])

    @pytest.fixture
    def hurried_runtime(
        self, start: Callable[[Function], None], functions: dict[str, Function], tmp_path: Path
    ) -> None:
        """The function, started with less time between its signs of life."""
        function = functions["stream_events"]
        (tmp_path / "app.py").symlink_to(function.folder / "app.py")
        (tmp_path / "hurried.py").write_text(
            "from yarrow.web.streams import event_stream\n"
            "event_stream.KEEP_ALIVE_SECONDS = 0.1\n"
            "from app import handler\n"
        )
        start(replace(function, folder=tmp_path, handler="hurried.handler"))

    @pytest.fixture
    def run(self, case: Case) -> runs.Run:
        submit_run(case.payload("api_gateway_submit_run")["body"].encode(), Caller(case.user))
        run = runs.claim(case.key)
        assert run is not None
        return run

    @pytest.mark.usefixtures("runtime")
    def test_an_event_is_on_the_wire_before_the_next_is_stored(
        self, api: RuntimeApi, case: Case, run: runs.Run
    ) -> None:
        """EVT-02, EVT-03, EVT-05: and the stream ends with the run."""
        api.invoke(case.payload("api_gateway_stream_events"))
        prelude = begin(api)
        assert (prelude["statusCode"], prelude["headers"]["content-type"]) == (200, "text/event-stream; charset=utf-8")
        ((_, started),) = numbered(case.key)
        assert api.chunk() == frame(1, started)
        at = journal.append(case.key, run.attempt, journal.Position(1), [STEP])
        assert api.chunk() == frame(2, STEP)
        journal.end(case.key, run.attempt, at, [FINISHED], "finished", [])
        assert api.chunk() == frame(3, FINISHED)
        assert rest(api) == []
        api.expect_next_invocation()
        assert slot_is_free(case.user)

    @pytest.mark.usefixtures("runtime")
    def test_a_client_goes_on_after_its_cursor(self, api: RuntimeApi, case: Case, run: runs.Run) -> None:
        """EVT-04."""
        journal.append(case.key, run.attempt, journal.Position(1), [STEP, STEP])
        api.invoke(with_header(case.payload("api_gateway_stream_events"), "Last-Event-ID", "2"))
        begin(api)
        assert api.chunk() == frame(3, STEP)

    @pytest.mark.usefixtures("hurried_runtime", "run")
    def test_a_quiet_stream_is_kept_alive(self, api: RuntimeApi, case: Case) -> None:
        """EVT-03."""
        api.invoke(case.payload("api_gateway_stream_events"))
        begin(api)
        assert b"event: RUN_STARTED" in api.chunk()
        assert [api.chunk() for _ in range(2)] == [b": keep-alive\n\n"] * 2

    @pytest.mark.usefixtures("hurried_runtime", "run")
    def test_a_client_that_goes_away_gives_its_slot_back(self, api: RuntimeApi, case: Case) -> None:
        """EVT-06: it is noticed by a sign of life that cannot be sent; the run goes on."""
        api.invoke(case.payload("api_gateway_stream_events"))
        begin(api)
        api.chunk()
        assert not slot_is_free(case.user)

        api.hang_up()

        api.expect_next_invocation()
        assert slot_is_free(case.user)
        assert runs.must_read(case.key).phase == "running"

    @pytest.mark.usefixtures("runtime", "run")
    def test_a_stream_ends_by_itself_before_its_deadline(self, api: RuntimeApi, case: Case) -> None:
        """EVT-04: it says when to come back, and nothing that looks like the end of the run."""
        api.invoke(case.payload("api_gateway_stream_events"), seconds=16)
        begin(api)
        *events, last = rest(api)
        assert last == b"retry: 500\n\n"
        assert not any(terminal in b"".join(events) for terminal in (b"RUN_FINISHED", b"RUN_ERROR"))
        api.expect_next_invocation()
        assert slot_is_free(case.user)

    @pytest.mark.usefixtures("runtime", "run")
    def test_what_is_refused_before_the_first_byte_is_a_problem(self, api: RuntimeApi, case: Case) -> None:
        """EVT-04, EVT-06, ERR-01."""
        event = case.payload("api_gateway_stream_events")
        assert slot_is_free(case.user)  # and is taken by this
        refused = {
            (404, "AGENT_RUN_NOT_FOUND"): with_query(event, runId="another"),
            (422, "AGENT_INVALID_LAST_EVENT_ID"): with_header(event, "Last-Event-ID", "run:3"),
            (429, "AGENT_SSE_CONNECTION_LIMIT"): event,
        }
        for (status, code), request in refused.items():
            api.invoke(request)
            prelude = begin(api)
            problem = json.loads(b"".join(rest(api)))
            assert (prelude["statusCode"], problem["status"], problem["code"]) == (status, status, code)
            assert prelude["headers"]["content-type"] == "application/problem+json"

    @pytest.mark.usefixtures("runtime")
    def test_the_journal_is_not_read_ahead_of_a_reader_that_stops(
        self, api: RuntimeApi, case: Case, run: runs.Run
    ) -> None:
        """EVT-02: what is stored after the reader stopped reading is what it gets in the end."""
        batches = 2 * journal_polling.BATCHES_PER_READ + 1
        for sequence in range(1, batches + 1):
            journal.append(case.key, run.attempt, journal.Position(sequence), [STEP.replace("第一步", "x" * 100_000)])
        journal.end(case.key, run.attempt, journal.Position(batches + 1), [FINISHED], "finished", [])
        api.invoke(case.payload("api_gateway_stream_events"))
        begin(api)

        for _ in range(3):  # longer than it takes a stream that does not wait
            assert len(numbered(case.key)) == batches + 2
        late = FINISHED.replace("}", ',"result":"late"}')
        last = table.run_key_of(case.key, journal.Position(batches + 1).sort_key)
        table.transact(table.update(last, Update().set(opening=late)))

        assert b"".join(rest(api)).endswith(frame(batches + 2, late))
