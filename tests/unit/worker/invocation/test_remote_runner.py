"""Runners in functions of their own: what is heard of them, and every way in which their function can fail.

The function is played by what boto3 would return; the real wire is in
`tests/integration/runners/test_remote_runners.py`.
"""

import asyncio
import json
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from hypothesis import given
from hypothesis import strategies as st
from urllib3.exceptions import ProtocolError

from tests.support.functions.calls import NO_CONTEXT
from tests.support.run_contexts import run_context
from tests.support.runners.fake_services import World, grant
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.remote import Callback, ListAgentRunners, RunAgent
from yarrow.runners.discovery import RejectedRunner
from yarrow.runners.discovery import discover as registry_discover
from yarrow.sdk import serve
from yarrow.services import run_tokens
from yarrow.settings import settings
from yarrow.store import clients
from yarrow.worker.invocation import remote_runner
from yarrow.worker.invocation.remote_invocation import _MAX_LINE_BYTES, InvocationError, lines
from yarrow.worker.invocation.remote_runner import RemoteRunner, discover

FUNCTION = "notes"
MANIFEST = AgentRunnerManifest(id="plugin:examples/notes/default", name="default", label={"en_US": "Notes"})
COMPLETE: dict[str, Any] = {"InvokeComplete": {}}


def chunk(payload: bytes) -> dict[str, Any]:
    return {"PayloadChunk": {"Payload": payload}}


def ended(code: str) -> dict[str, Any]:
    return {"InvokeComplete": {"ErrorCode": code, "ErrorDetails": "secret"}}


class Stream:
    """An EventStream: these events, an exception raised in its place; without an end it waits until it is shut down."""

    def __init__(self, *events: Any, silent: bool = False) -> None:
        self._events = events
        self._silent = silent
        self.reads = 0
        self.shut = threading.Event()
        self.closed = threading.Event()
        self._raw_stream = self

    def shutdown(self) -> None:
        self.shut.set()

    def close(self) -> None:
        self.closed.set()

    def __iter__(self) -> Iterator[Any]:
        for event in self._events:
            self.reads += 1
            if isinstance(event, Exception):
                raise event
            yield event
        if self._silent:
            self.shut.wait(10)


class Lambda:
    """The client: answers each invocation with the next stream, or raises it."""

    def __init__(self, *answers: Stream | Exception) -> None:
        self._answers = list(answers)
        self.events: list[Any] = []

    def invoke_with_response_stream(self, **arguments: Any) -> dict[str, Any]:
        assert arguments["FunctionName"] in (FUNCTION, "missing")
        self.events.append(json.loads(arguments["Payload"]))
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return {"EventStream": answer}


Play = Callable[..., Lambda]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Put a function in place."""

    def played(*answers: Stream | Exception) -> Lambda:
        client = Lambda(*answers)
        monkeypatch.setattr(clients, "lambda_", lambda: client)
        return client

    return played


def heard(*events: Any) -> list[bytes]:
    async def hear() -> list[bytes]:
        return [line async for line in lines(FUNCTION, b"{}")]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clients, "lambda_", lambda: Lambda(Stream(*events)))
        return asyncio.run(hear())


def refused(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "secret"}}, "InvokeWithResponseStream")


@given(st.lists(st.binary(max_size=8).map(lambda line: line.replace(b"\n", b"")), max_size=6), st.data())
def test_lines_are_the_same_wherever_the_chunks_are_cut(sent: list[bytes], data: st.DataObject) -> None:
    """RNR-13: and the last needs no newline."""
    text = b"\n".join(sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert heard(*map(chunk, pieces), COMPLETE) == [line for line in sent if line]


@pytest.mark.parametrize(
    ("events", "code", "retryable"),
    [
        ([ended("Unhandled")], "runner.error", False),
        ([ended("Sandbox.Timedout")], "runner.timeout", True),
        ([ended("TimeoutError")], "runner.timeout", True),
        ([chunk(b"{}")], "runner.forward_exception", True),
        ([ProtocolError("IncompleteRead")], "runner.forward_exception", True),
        ([refused("InternalStreamFailure")], "runner.forward_exception", True),
        ([chunk(b"x" * _MAX_LINE_BYTES), chunk(b"x")], "payload_too_large", False),
        ([chunk(b"x" * (_MAX_LINE_BYTES + 1) + b"\n")], "payload_too_large", False),
    ],
    ids=["crash", "timeout", "own timeout", "no end", "cut", "error in the stream", "long line", "long chunk"],
)
def test_an_answer_that_goes_wrong_is_a_clear_failure(events: list[Any], code: str, retryable: bool) -> None:
    """RNR-40, RNR-42, RNR-70: The failure shows nothing internal."""
    with pytest.raises(InvocationError) as caught:
        heard(*events)
    assert (caught.value.code, caught.value.retryable) == (code, retryable)
    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (refused("ResourceNotFoundException"), "runner.plugin_not_found"),
        (refused("ResourceNotReadyException"), "runner.plugin_not_initialized"),
        (refused("RequestTooLargeException"), "payload_too_large"),
        (refused("TooManyRequestsException"), "runner.forward_exception"),
        (EndpointConnectionError(endpoint_url="https://secret"), "runner.forward_exception"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_function_that_cannot_be_called_is_a_clear_failure(play: Play, error: Exception, code: str) -> None:
    """RNR-40."""
    play(error)
    with pytest.raises(InvocationError) as caught:
        asyncio.run(anext(lines(FUNCTION, b"{}")))
    assert caught.value.code == code
    assert "secret" not in caught.value.message


def test_nothing_is_read_before_it_is_asked_for(play: Play) -> None:
    """RNR-42: a reader that stops makes the function wait."""
    stream = Stream(*[chunk(b"1\n")] * 100, COMPLETE)
    play(stream)

    async def hear_two() -> None:
        answer = lines(FUNCTION, b"{}")
        await anext(answer)
        await anext(answer)
        assert stream.reads == 2
        await answer.aclose()

    asyncio.run(hear_two())
    assert stream.closed.wait(10)


def test_a_reader_that_leaves_ends_the_read_that_goes_on(play: Play) -> None:
    """RNR-71: it does not wait for the function to say something."""
    stream = Stream(chunk(b"1\n"), silent=True)
    play(stream)

    async def leave() -> None:
        answer = lines(FUNCTION, b"{}")
        await anext(answer)
        waiting = asyncio.create_task(anext(answer))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(leave())
    assert stream.shut.is_set()
    assert stream.closed.wait(10)


def test_a_call_that_is_answered_after_its_reader_left_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-71."""
    called, answer = threading.Event(), threading.Event()
    stream = Stream(silent=True)

    class Slow:
        def invoke_with_response_stream(self, **_: Any) -> dict[str, Any]:
            called.set()
            answer.wait(10)
            return {"EventStream": stream}

    monkeypatch.setattr(clients, "lambda_", Slow)

    async def leave() -> None:
        waiting = asyncio.create_task(anext(lines(FUNCTION, b"{}")))
        await asyncio.to_thread(called.wait, 10)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(leave())
    assert not stream.closed.is_set()
    answer.set()
    assert stream.closed.wait(10)
    assert stream.reads == 0


class TestDiscovery:
    @pytest.fixture(autouse=True)
    def forget(self) -> None:
        discover.cache_clear()

    def test_a_function_is_asked_once_for_its_runners(self, play: Play) -> None:
        """RNR-01: without a payload but the action's name; the answer is the manifest, whole."""
        client = play(Stream(chunk(listing(MANIFEST.model_dump(mode="json"))), COMPLETE))
        (found,) = discover(FUNCTION)
        assert discover(FUNCTION) == (found,)
        assert client.events == [{"action": "LIST_AGENT_RUNNERS"}]
        assert found.manifest == MANIFEST
        assert isinstance(found.create(), RemoteRunner)

    def test_an_invalid_manifest_and_a_second_of_the_same_id_are_skipped(self, play: Play) -> None:
        """RNR-03."""
        good = MANIFEST.model_dump(mode="json")
        play(Stream(chunk(listing({"id": "bad"}, good, good | {"name": "again"}, 7)), COMPLETE))
        assert [installed_runner.manifest for installed_runner in discover(FUNCTION)] == [MANIFEST]

    @pytest.mark.parametrize("answer", [b"", b"[]", b"{}", b'{"runners": 1}', b"not JSON"])
    def test_an_answer_that_is_no_list_is_an_error_and_is_not_kept(self, play: Play, answer: bytes) -> None:
        """RNR-01."""
        play(
            Stream(*([chunk(answer)] if answer else []), COMPLETE),
            Stream(chunk(listing(MANIFEST.model_dump(mode="json"))), COMPLETE),
        )
        with pytest.raises(InvocationError) as caught:
            discover(FUNCTION)
        assert caught.value.code == "runner.error"
        assert len(discover(FUNCTION)) == 1

    def test_the_configured_functions_are_a_source_of_the_registry(
        self, play: Play, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """RNR-01, RNR-03: one that is not there keeps no other off the list."""
        monkeypatch.setitem(settings.__dict__, "remote_runners", (FUNCTION, "missing"))
        play(Stream(chunk(listing(MANIFEST.model_dump(mode="json"))), COMPLETE), refused("ResourceNotFoundException"))
        found, missing = registry_discover([remote_runner.installed])
        assert isinstance(found, InstalledRunner)
        assert found.manifest == MANIFEST
        assert isinstance(missing, RejectedRunner)
        assert missing.name == "missing"

    def test_a_function_that_says_nothing_is_not_waited_for(self, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(remote_runner, "DISCOVERY_SECONDS", 0.05)
        play(Stream(silent=True))
        with pytest.raises(InvocationError) as caught:
            discover(FUNCTION)
        assert (caught.value.code, caught.value.retryable) == ("runner.timeout", True)


def listing(*manifests: Any) -> bytes:
    return json.dumps({"runners": manifests}).encode() + b"\n"


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The tokens that were removed, by run; each run's is `token`."""
    removed: list[tuple[str, str]] = []
    monkeypatch.setattr(run_tokens, "issue", lambda *_: "token")
    monkeypatch.setattr(run_tokens, "revoke", lambda run, token: removed.append((run, token)))
    monkeypatch.setitem(settings.__dict__, "runner_api_url", "https://runners.example/live")
    return removed


def context(seconds: float = 60) -> AgentRunContext:
    value = run_context("run")
    return value.model_copy(update={"runtime": value.runtime.model_copy(update={"deadline_at": time.time() + seconds})})


def host() -> AgentRunAPIProxy:
    return AgentRunAPIProxy("run", World().run_api(grant()))


def results(seconds: float = 60) -> list[AgentRunResult]:
    async def run() -> list[AgentRunResult]:
        runner: AgentRunner = RemoteRunner(FUNCTION, MANIFEST)
        return [result async for result in runner.run(context(seconds), host())]

    return asyncio.run(run())


class TestRun:
    def test_the_function_gets_the_context_and_the_way_back_and_its_results_are_the_runs(
        self, play: Play, tokens: list[tuple[str, str]]
    ) -> None:
        """RNR-13, RNR-64: members that this host does not know are passed over; in the end the token is removed."""
        body = b'{"run_id": "run", "type": "message.delta", "data": {"chunk": {"content": null}}, "usage": {}}\n'
        client = play(Stream(chunk(body), COMPLETE))
        assert results() == [AgentRunResult(run_id="run", type="message.delta", data={"chunk": {"content": None}})]
        (event,) = client.events
        request = RunAgent.model_validate(event)
        assert (request.runner_id, request.runner_name, request.context.run_id) == (MANIFEST.id, "default", "run")
        assert request.callback == Callback(url="https://runners.example/live/internal/runs/run/actions", token="token")
        assert "token" not in repr(request.callback)
        assert tokens == [("run", "token")]

    @pytest.mark.parametrize("line", [b"Traceback", b'{"type": "run.completed"}', b"[]", b'"run.completed"'])
    def test_a_line_that_is_no_result_fails_the_run(
        self, play: Play, tokens: list[tuple[str, str]], line: bytes
    ) -> None:
        """RNR-33, RNR-40."""
        play(Stream(chunk(line + b"\n"), silent=True))
        (failed,) = results()
        assert (failed.type, failed.data["code"], failed.data["retryable"]) == ("run.failed", "runner.error", False)
        assert tokens

    def test_a_function_that_fails_fails_the_run_after_what_it_said(
        self, play: Play, tokens: list[tuple[str, str]]
    ) -> None:
        """RNR-40."""
        play(Stream(chunk(b'{"run_id": "run", "type": "message.delta"}\n'), ended("Runtime.ExitError")))
        assert [(result.type, result.data.get("code")) for result in results()] == [
            ("message.delta", None),
            ("run.failed", "runner.error"),
        ]
        assert tokens

    def test_silence_beyond_the_deadline_is_a_timeout(self, play: Play, tokens: list[tuple[str, str]]) -> None:
        """RNR-70: and the connection is closed."""
        stream = Stream(silent=True)
        play(stream)
        (failed,) = results(seconds=0.05)
        assert (failed.data["code"], failed.data["retryable"]) == ("runner.timeout", True)
        assert stream.closed.wait(10)
        assert tokens

    def test_a_run_that_is_cancelled_hangs_up_and_its_token_ends(
        self, play: Play, tokens: list[tuple[str, str]]
    ) -> None:
        """RNR-64, RNR-71."""
        stream = Stream(chunk(b'{"run_id": "run", "type": "message.delta"}\n'), silent=True)
        play(stream)

        async def cancel() -> None:
            heard = RemoteRunner(FUNCTION, MANIFEST).run(context(), host())
            await anext(heard)
            await heard.aclose()

        asyncio.run(cancel())
        assert stream.shut.is_set()
        assert tokens == [("run", "token")]


class Scripted:
    async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        yield AgentRunResult(run_id=context.run_id, type="message.delta")
        match context.input.text:
            case "wait":
                await asyncio.Event().wait()
            case "exit":
                raise SystemExit("secret")
            case "interrupt":
                raise KeyboardInterrupt
        raise LookupError("secret")


class TestServe:
    @pytest.fixture(autouse=True)
    def credentials(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_DEFAULT_REGION"):
            monkeypatch.setenv(name, "local")

    def test_it_lists_its_runners(self) -> None:
        """RNR-01."""
        (line,) = answered(ListAgentRunners().model_dump())
        assert json.loads(line) == {"runners": [MANIFEST.model_dump(mode="json")]}

    @pytest.mark.parametrize(
        ("runner_id", "text", "expected"),
        [
            ("plugin:examples/notes/other", None, [("run.failed", "not_found")]),
            (MANIFEST.id, None, [("message.delta", None), ("run.failed", "runner.error")]),
            (MANIFEST.id, "exit", [("message.delta", None), ("run.failed", "runner.error")]),
            (MANIFEST.id, "interrupt", [("message.delta", None), ("run.failed", "runner.error")]),
            (MANIFEST.id, "wait", [("message.delta", None), ("run.failed", "runner.timeout")]),
        ],
        ids=["unknown", "raises", "exits", "is interrupted", "too long"],
    )
    def test_a_runner_that_is_not_there_or_raises_or_takes_too_long_fails_the_run(
        self, runner_id: str, text: str | None, expected: list[tuple[str, str | None]]
    ) -> None:
        """RNR-13, RNR-40, RNR-70: and nothing of its inside is told."""
        value = context(seconds=0.2 if text == "wait" else 60)
        request = RunAgent(
            runner_id=runner_id,
            runner_name="default",
            context=value.model_copy(update={"input": value.input.model_copy(update={"text": text})}),
            callback=Callback(url="https://runners.example", token="token"),
        )
        found = [json.loads(line) for line in answered(request.model_dump(mode="json"))]
        assert [(event["type"], event["data"].get("code")) for event in found] == expected
        assert "secret" not in json.dumps(found)


def answered(event: Any) -> list[bytes]:
    async def answer() -> list[bytes]:
        async with serve(InstalledRunner(MANIFEST, Scripted)).open(event, NO_CONTEXT) as response:
            assert response.media_type == "application/x-ndjson"
            return [chunk async for chunk in response.body]

    return asyncio.run(answer())
