"""The streaming runtime as Lambda runs it: a process of its own, spoken to over the Runtime API.

The last class lets AWS's Runtime Interface Emulator play the service.
"""

import base64
import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import time
from typing import Protocol

import pytest

from tests.support.functions.rie import RuntimeInterfaceEmulator, needs_rie
from tests.support.functions.runtime_api import LAYER, WRAPPED, Line, Process, RuntimeApi, environment
from tests.support.paths import ROOT

EVENT = json.loads((ROOT / "events" / "api_gateway_stream_events.json").read_text())
PRELUDE_END = b"\0" * 8

PREAMBLE = """
import asyncio, os
from contextlib import aclosing
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route
from yarrow.web.lambda_http import Streaming

def open_line():
    return asyncio.open_unix_connection(os.environ["LINE"])

class ClosingResponse(StreamingResponse):
    async def stream_response(self, send):
        async with aclosing(self.body_iterator):
            await super().stream_response(send)

def watch(chunks):
    async def answer(request):
        return ClosingResponse(chunks(), media_type="text/event-stream")
    return Streaming(Starlette(routes=[Route("/api/v1/agent/runs/{thread_id}/events", answer)]))
"""

TICKS_FOR_EVER = """
async def chunks():
    _, line = await open_line()
    try:
        while True:
            yield "tick"
            await asyncio.sleep(0.001)
    finally:
        line.write(b"cleaned up\\n")

handler = watch(chunks)
"""


class Start(Protocol):
    def __call__(self, code: str, **more: str) -> Process: ...


@pytest.fixture
def api() -> Iterator[RuntimeApi]:
    service = RuntimeApi()
    yield service
    service.close()


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    between = Line(tmp_path)
    yield between
    between.close()


@pytest.fixture
def start(tmp_path: Path, api: RuntimeApi, line: Line) -> Iterator[Start]:
    """Start the runtime on a handler module with this code."""
    with ExitStack() as running:

        def started(code: str, **more: str) -> Process:
            folder = function(tmp_path, code)
            variables = environment(folder) | {"LINE": str(line.path)} | more
            return running.enter_context(Process(WRAPPED, folder.parent, variables, api))

        yield started


def function(tmp_path: Path, code: str) -> Path:
    folder = tmp_path / "task"
    folder.mkdir()
    (folder / "app.py").write_text(PREAMBLE + code)
    return folder


class TestStream:
    def test_each_chunk_is_on_the_wire_before_the_app_makes_the_next(
        self, start: Start, api: RuntimeApi, line: Line
    ) -> None:
        """EVT-02, EVT-18: events are streamed, as UTF-8."""
        start("""
async def chunks():
    go, _ = await open_line()
    yield "id: 1\\n\\n"
    await go.readline()
    yield "data: 山火贲\\n\\n"

handler = watch(chunks)
""")
        api.invoke(EVENT)

        head = api.head()
        assert (head.method, head.path) == ("POST", "/2018-06-01/runtime/invocation/request-1/response")
        assert head.headers == {
            "host": api.address,
            "content-type": "application/vnd.awslambda.http-integration-response",
            "lambda-runtime-function-response-mode": "streaming",
            "transfer-encoding": "chunked",
            "trailer": "Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body",
        }
        metadata, body = api.chunk().split(PRELUDE_END)
        assert json.loads(metadata) == {
            "statusCode": 200,
            "headers": {"content-type": "text/event-stream; charset=utf-8"},
            "multiValueHeaders": {},
            "cookies": [],
        }
        assert body == b""
        assert api.chunk() == b"id: 1\n\n"
        line.say("go")
        assert api.chunk() == "data: 山火贲\n\n".encode()
        assert api.chunk() == b""
        assert api.trailers() == {}
        api.accept()
        api.expect_next_invocation()
        assert api.connections == 1

    def test_cookies_and_repeated_headers_are_in_the_prelude(self, start: Start, api: RuntimeApi) -> None:
        start("""
async def app(scope, receive, send):
    names = [(b"set-cookie", b"a=1"), (b"set-cookie", b"b=2"), (b"link", b"</a>"), (b"link", b"</b>")]
    await send({"type": "http.response.start", "status": 404, "headers": names})
    await send({"type": "http.response.body", "body": b"", "more_body": False})

handler = Streaming(app)
""")
        api.invoke(EVENT)
        api.head()

        metadata = json.loads(api.chunk().removesuffix(PRELUDE_END))

        assert metadata["statusCode"] == 404
        assert metadata["cookies"] == ["a=1", "b=2"]
        assert metadata["multiValueHeaders"] == {"link": ["</a>", "</b>"]}
        assert api.chunk() == b""

    def test_an_app_waits_for_a_reader_that_stops_reading(self, start: Start, api: RuntimeApi, line: Line) -> None:
        chunks, size = 512, 65536
        start(f"""
begun = 0

async def count():
    questions, answers = await open_line()
    while await questions.readline():
        answers.write(b"%d\\n" % begun)

async def chunks():
    global begun
    counting = asyncio.create_task(count())
    for begun in range(1, {chunks + 1}):
        yield bytes({size})
    counting.cancel()

handler = watch(chunks)
""")
        api.invoke(EVENT)
        api.head()
        api.chunk()

        # The app's loop goes round between two answers, so an app that could go on would have.
        answers: list[int] = []
        while len(answers) < 20 or len(set(answers[-20:])) > 1:
            line.say("how many?")
            answers.append(int(line.hear()))

        socket_buffers = 16 << 20
        assert answers[-1] * size < socket_buffers < chunks * size
        assert sum(len(chunk) for chunk in iter(api.chunk, b"")) == chunks * size

    def test_a_client_that_goes_away_ends_the_app_but_not_the_runtime(
        self, start: Start, api: RuntimeApi, line: Line
    ) -> None:
        runtime = start(TICKS_FOR_EVER)
        api.invoke(EVENT)
        api.head()
        api.chunk()
        assert api.chunk() == b"tick"

        api.hang_up()

        assert line.hear() == "cleaned up"
        api.invoke(EVENT, "request-2")
        assert api.head().path.endswith("/request-2/response")
        api.chunk()
        assert api.chunk() == b"tick"
        assert api.connections == 2
        runtime.terminate()
        _, log = runtime.end()
        assert (log[0]["message"], log[0]["function_request_id"]) == (
            "the Runtime API closed the connection during the stream",
            "request-1",
        )


class TestFailure:
    @pytest.mark.parametrize(
        "code",
        [
            "async def app(scope, receive, send): raise LookupError('no table')\nhandler = Streaming(app)",
            "def handler(event, context): raise LookupError('no table')",
        ],
        ids=["streaming", "buffered"],
    )
    def test_before_the_first_byte_it_is_the_error_of_the_invocation(
        self, start: Start, api: RuntimeApi, code: str
    ) -> None:
        runtime = start(code)
        api.invoke(EVENT)

        head, body = api.posted()

        assert head.path == "/2018-06-01/runtime/invocation/request-1/error"
        assert head.headers["lambda-runtime-function-error-type"] == "LookupError"
        assert body == {"errorType": "LookupError", "errorMessage": "no table", "stackTrace": []}
        api.expect_next_invocation()
        runtime.terminate()
        _, (logged,) = runtime.end()
        assert (logged["function_request_id"], logged["exception_name"]) == ("request-1", "LookupError")
        assert "raise LookupError" in logged["exception"]

    def test_after_the_first_byte_it_is_in_the_trailers(self, start: Start, api: RuntimeApi) -> None:
        start("""
async def chunks():
    yield "id: 1\\n\\n"
    raise LookupError("the journal is gone")

handler = watch(chunks)
""")
        api.invoke(EVENT)
        api.head()
        api.chunk()
        assert api.chunk() == b"id: 1\n\n"
        assert api.chunk() == b""

        trailers = api.trailers()

        assert trailers.pop("Lambda-Runtime-Function-Error-Type") == "LookupError"
        assert json.loads(base64.b64decode(trailers.pop("Lambda-Runtime-Function-Error-Body"))) == {
            "errorType": "LookupError",
            "errorMessage": "the journal is gone",
            "stackTrace": [],
        }
        assert trailers == {}
        api.accept()
        api.invoke({"not": "an API Gateway event"}, "request-2")
        assert api.posted()[0].path.endswith("/request-2/error")

    def test_a_stream_still_open_at_the_deadline_is_ended_as_an_error(
        self, start: Start, api: RuntimeApi, line: Line
    ) -> None:
        # With so much to spare, a loaded machine is in time too.
        start("import __main__\n__main__.DEADLINE_MARGIN_SECONDS = 30\n" + TICKS_FOR_EVER)
        deadline = time() + 31
        api.invoke(EVENT, seconds=31)
        api.head()

        for _ in iter(api.chunk, b""):
            pass

        assert api.trailers()["Lambda-Runtime-Function-Error-Type"] == "TimeoutError"
        assert time() < deadline
        assert line.hear() == "cleaned up"
        api.accept()
        api.expect_next_invocation()

    def test_a_handler_that_cannot_be_loaded_fails_the_start(self, start: Start, api: RuntimeApi) -> None:
        runtime = start("raise KeyError('TABLE_NAME')")

        head, body = api.posted()

        assert head.path == "/2018-06-01/runtime/init/error"
        assert head.headers["lambda-runtime-function-error-type"] == "Runtime.KeyError"
        assert body["errorMessage"] == "'TABLE_NAME'"
        code, (logged,) = runtime.end()
        assert code == 1
        assert "raise KeyError" in logged["exception"]


LINES = """
from yarrow.web.lambda_bytes import StreamingBytes

def lines(answer):
    return StreamingBytes(answer, "application/x-ndjson")
"""


class TestBytes:
    """The functions of remote runners."""

    def test_all_invocations_have_one_loop_and_none_leaves_a_task_to_the_next(
        self, start: Start, api: RuntimeApi
    ) -> None:
        """RNR-72."""
        start(f"""{LINES}
loops, left = [], []

async def answer(event):
    loops.append(asyncio.get_running_loop())
    yield b"%d %d" % (len(set(loops)), sum(task.cancelled() for task in left))
    left.append(asyncio.create_task(asyncio.Event().wait()))

handler = lines(answer)
""")
        for number in range(3):
            api.invoke({}, f"request-{number}")
            api.head()
            assert api.chunk() == b"1 %d" % number
            assert api.chunk() == b""
            assert api.trailers() == {}
            api.accept()

    def test_what_a_runner_leaves_behind_and_does_not_end_is_not_in_the_next_invocation(
        self, start: Start, api: RuntimeApi
    ) -> None:
        """RNR-72: the process ends, and Lambda starts another."""
        runtime = start(f"""{LINES}
import __main__
__main__.LEFTOVER_SECONDS = 0.05

async def deaf():
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass

async def answer(event):
    asyncio.create_task(deaf())
    yield b"1"
    await asyncio.sleep(0)

handler = lines(answer)
""")
        api.invoke({})
        api.head()
        assert (api.chunk(), api.chunk(), api.trailers()) == (b"1", b"", {})
        api.accept()
        code, log = runtime.end()
        assert (code, log[-1]["message"]) == (1, "tasks of an ended invocation do not stop; exiting")

    def test_a_task_that_would_end_the_process_ends_the_stream_as_an_error_at_once(
        self, start: Start, api: RuntimeApi
    ) -> None:
        """RNR-40: though a thread of it would hold up Python's own end."""
        runtime = start(f"""{LINES}
import sys, threading

async def leave():
    threading.Thread(target=threading.Event().wait).start()
    sys.exit(3)

async def answer(event):
    yield b"1"
    await asyncio.create_task(leave())

handler = lines(answer)
""")
        api.invoke({})
        api.head()
        assert (api.chunk(), api.chunk()) == (b"1", b"")
        assert api.trailers()["Lambda-Runtime-Function-Error-Type"] == "SystemExit"
        api.accept()
        assert runtime.end()[0] == 1


class TestBuffered:
    def test_the_result_is_posted_in_one_piece_and_the_context_is_lambdas(self, start: Start, api: RuntimeApi) -> None:
        start("""
from aws_lambda_powertools import Logger

@Logger(service="test").inject_lambda_context
def handler(event, context):
    assert 0 < context.get_remaining_time_in_millis() <= 60000
    return {
        "question": event["question"],
        "request": context.aws_request_id,
        "function": [context.function_name, context.function_version, context.memory_limit_in_mb],
        "arn": context.invoked_function_arn,
        "trace": os.environ["_X_AMZN_TRACE_ID"],
    }
""")
        for number in (1, 2):
            api.invoke({"question": "换工作"}, f"request-{number}", trace=f"Root={number}")

            head, body = api.posted()

            assert head.path == f"/2018-06-01/runtime/invocation/request-{number}/response"
            assert head.headers["content-length"] == str(len(json.dumps(body, ensure_ascii=False).encode()))
            assert body == {
                "question": "换工作",
                "request": f"request-{number}",
                "function": ["watch", "$LATEST", 512],
                "arn": "arn:aws:lambda:eu-west-1:123456789012:function:watch",
                "trace": f"Root={number}",
            }
        assert api.connections == 1

    def test_what_a_handler_imports_is_not_searched_for_garbage(self, start: Start, api: RuntimeApi) -> None:
        start("""
import gc
meanwhile = gc.isenabled()

def handler(event, context):
    return {"meanwhile": meanwhile, "now": gc.isenabled(), "set aside": gc.get_freeze_count() > 1000}
""")
        api.invoke({}, "request-1")

        _, body = api.posted()

        assert body == {"meanwhile": False, "now": True, "set aside": True}


class TestWrapper:
    def test_it_starts_lambdas_interpreter_with_the_layer_before_the_runtimes_libraries(self, tmp_path: Path) -> None:
        wrapper, _, bootstrap = WRAPPED
        interpreter = tmp_path / "python"
        interpreter.write_text('#!/bin/sh\necho "$PYTHONPATH"\necho "$@"\n')
        interpreter.chmod(0o755)

        reply = subprocess.run([wrapper, interpreter, bootstrap], env={"PYTHONPATH": "/mine"}, capture_output=True)

        assert reply.stdout.decode().splitlines() == [f"{LAYER}:/var/runtime:/mine", "-u -m yarrow.web.lambda_runtime"]


class TestSnapshot:
    """SnapStart: the snapshot is taken while the runtime waits for `/restore/next`."""

    HOOKS = """
import random
from snapshot_restore_py import register_after_restore, register_before_snapshot
from yarrow.store.clients import at_start

done = []
register_before_snapshot(done.append, "first before")
register_before_snapshot(done.append, "second before")
random.seed(1)
drawn = random.Random(1).random()
at_start()
register_after_restore(done.append, "first after")
register_after_restore(done.append, value)

def handler(event, context):
    return done, random.random() != drawn
"""
    FAILING = """
from snapshot_restore_py import register_after_restore, register_before_snapshot

def fail():
    raise OSError("no disk")

"""

    @pytest.fixture
    def started(self, start: Start) -> Callable[[str], Process]:
        return lambda code: start(code, AWS_LAMBDA_INITIALIZATION_TYPE="snap-start")

    def test_hooks_run_before_it_and_after_it(self, started: Callable[[str], Process], api: RuntimeApi) -> None:
        started(self.HOOKS.replace("value", '"second after"'))
        head = api.head()
        assert (head.method, head.path) == ("GET", "/2018-06-01/runtime/restore/next")
        api.answer(200, b"")
        api.hang_up()  # a restored environment has no connection yet

        api.invoke({})

        head, answer = api.posted()
        assert head.path.endswith("/request-1/response")
        assert answer == [["second before", "first before", "first after", "second after"], True]
        assert api.connections == 2

    def test_a_hook_that_fails_before_it_fails_the_start(
        self, started: Callable[[str], Process], api: RuntimeApi
    ) -> None:
        runtime = started(self.FAILING + "register_before_snapshot(fail)\ndef handler(event, context): pass")

        head, error = api.posted()

        assert head.path == "/2018-06-01/runtime/init/error"
        assert head.headers["lambda-runtime-function-error-type"] == "Runtime.BeforeSnapshotError"
        assert error == {"errorType": "OSError", "errorMessage": "no disk", "stackTrace": []}
        code, log = runtime.end()
        assert code == 64
        assert [line["message"] for line in log] == ["the snapshot could not be taken"]

    def test_a_service_that_refuses_fails_the_start(self, started: Callable[[str], Process], api: RuntimeApi) -> None:
        runtime = started("def handler(event, context): pass")
        api.head()
        api.answer(403, b"no")
        api.hang_up()

        head, error = api.posted()

        assert head.path == "/2018-06-01/runtime/init/error"
        assert error["errorMessage"] == "the Runtime API answered 403: no"
        assert runtime.end()[0] == 64

    def test_a_hook_that_fails_after_it_fails_the_restore(
        self, started: Callable[[str], Process], api: RuntimeApi
    ) -> None:
        runtime = started(self.FAILING + "register_after_restore(fail)\ndef handler(event, context): pass")
        api.head()
        api.answer(200, b"")
        api.hang_up()

        head, error = api.posted()

        assert head.path == "/2018-06-01/runtime/restore/error"
        assert head.headers["lambda-runtime-function-error-type"] == "Runtime.AfterRestoreError"
        assert error["errorMessage"] == "no disk"
        code, log = runtime.end()
        assert code == 65
        assert [line["message"] for line in log] == ["the environment could not be restored"]

    def test_a_runtime_without_one_asks_for_none(self, start: Start, api: RuntimeApi) -> None:
        start(self.FAILING + "register_after_restore(fail)\ndef handler(event, context): pass")

        api.expect_next_invocation()


class TestTermination:
    def test_sigterm_ends_a_waiting_runtime(self, start: Start, api: RuntimeApi) -> None:
        runtime = start("def handler(event, context): pass")
        api.expect_next_invocation()

        runtime.terminate()

        assert runtime.end() == (0, [])

    def test_sigterm_in_mid_stream_lets_the_app_clean_up(self, start: Start, api: RuntimeApi, line: Line) -> None:
        runtime = start(TICKS_FOR_EVER)
        api.invoke(EVENT)
        api.head()
        api.chunk()
        assert api.chunk() == b"tick"

        runtime.terminate()

        assert line.hear() == "cleaned up"
        assert runtime.end() == (0, [])


@needs_rie
class TestRuntimeInterfaceEmulator:
    @pytest.fixture
    def invoke(self, tmp_path: Path) -> Iterator[Callable[[str], bytes]]:
        """The emulator on this handler code, asked for one invocation."""
        with ExitStack() as running:

            def invoked(code: str) -> bytes:
                folder = function(tmp_path, code)
                emulator = RuntimeInterfaceEmulator(WRAPPED, folder, environment(folder))
                return running.enter_context(emulator).invoke(EVENT)

            yield invoked

    def test_it_takes_the_streamed_response(self, invoke: Callable[[str], bytes]) -> None:
        metadata, body = invoke("""
async def chunks():
    yield "id: 1\\n\\n"
    yield "data: 山火贲\\n\\n"

handler = watch(chunks)
""").split(PRELUDE_END)

        assert json.loads(metadata)["statusCode"] == 200
        assert body.decode() == "id: 1\n\ndata: 山火贲\n\n"

    def test_the_runtime_api_takes_trailers(self, invoke: Callable[[str], bytes]) -> None:
        answer = invoke("""
async def chunks():
    yield "id: 1\\n\\n"
    raise LookupError("the journal is gone")

handler = watch(chunks)
""")

        assert answer.endswith(PRELUDE_END + b"id: 1\n\n")

    def test_it_takes_the_error_of_an_invocation(self, invoke: Callable[[str], bytes]) -> None:
        answer = invoke("def handler(event, context): raise LookupError('no table')")

        assert json.loads(answer) == {"errorType": "LookupError", "errorMessage": "no table", "stackTrace": []}

    def test_it_takes_the_error_of_the_start(self, invoke: Callable[[str], bytes]) -> None:
        answer = invoke("raise KeyError('TABLE_NAME')")

        assert json.loads(answer)["errorType"] == "KeyError"
