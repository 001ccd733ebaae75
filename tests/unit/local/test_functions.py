"""The Lambda host keeps Lambda's limits and reports errors as Lambda does."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from local.functions import KilledError, LambdaHost, PayloadTooLargeError, UnknownFunctionError
from local.sandboxes.invocations import PAYLOAD_LIMIT, Result
from local.stack import Function, TemplateError

SOURCE = """
import os, threading
class OutOfStockError(Exception): pass
def handler(event, context):
    match event:
        case {"size": size}: return "x" * size
        case {"fail": message}: raise OutOfStockError(message)
        case {"wait": seconds}: threading.Event().wait(seconds)
        case {"context": name}: return getattr(context, name)
        case {"unserialisable": _}: return {1, 2}
        case {"exit": code}: raise SystemExit(code)
    return event
"""


@pytest.fixture
def host(tmp_path: Path) -> LambdaHost:
    (tmp_path / "app.py").write_text(SOURCE)
    return LambdaHost({"work": Function("work", "arn:work", tmp_path, "app.handler", {}, timeout=1, memory=256)})


def invoke(host: LambdaHost, event: Any, name: str = "work") -> Result:
    return asyncio.run(host.invoke(name, json.dumps(event).encode()))


def test_the_payload_goes_in_and_out_as_json(host: LambdaHost) -> None:
    assert invoke(host, {"卦": [1, None]}) == Result('{"卦": [1, null]}'.encode(), failed=False)


def test_the_context_is_lambdas(host: LambdaHost) -> None:
    values = {
        name: json.loads(invoke(host, {"context": name}).payload) for name in ("function_name", "memory_limit_in_mb")
    }
    assert values == {"function_name": "work", "memory_limit_in_mb": 256}


def test_an_error_is_reported_by_its_class(host: LambdaHost) -> None:
    result = invoke(host, {"fail": "none left"})
    report = json.loads(result.payload)
    assert result.failed
    assert (report["errorType"], report["errorMessage"]) == ("OutOfStockError", "none left")
    assert len(report["stackTrace"]) == 1
    assert "app.py" in report["stackTrace"][0]


def test_a_function_that_ends_its_process_ends_its_invocation(host: LambdaHost) -> None:
    """RNR-72: under the name by which the state machine tries again."""
    assert json.loads(invoke(host, {"exit": 1}).payload)["errorType"] == "Runtime.ExitError"
    assert not invoke(host, {}).failed


def test_an_answer_that_is_not_json_is_an_error(host: LambdaHost) -> None:
    assert json.loads(invoke(host, {"unserialisable": 1}).payload)["errorType"] == "TypeError"


def test_a_request_of_the_limit_is_taken_and_one_byte_more_is_not(host: LambdaHost) -> None:
    padding = "x" * (PAYLOAD_LIMIT - len(b'{"context": "function_name", "padding": ""}'))
    event = {"context": "function_name", "padding": padding}
    assert not invoke(host, event).failed
    with pytest.raises(PayloadTooLargeError):
        invoke(host, event | {"padding": padding + "x"})


def test_an_answer_of_the_limit_is_taken_and_one_byte_more_is_not(host: LambdaHost) -> None:
    quotes = 2
    assert len(invoke(host, {"size": PAYLOAD_LIMIT - quotes}).payload) == PAYLOAD_LIMIT
    result = invoke(host, {"size": PAYLOAD_LIMIT - quotes + 1})
    assert json.loads(result.payload)["errorType"] == "Function.ResponseSizeTooLarge"


def test_a_function_that_takes_too_long_is_answered_for(host: LambdaHost) -> None:
    result = invoke(host, {"wait": 1.2})
    assert json.loads(result.payload)["errorMessage"] == "Task timed out after 1.00 seconds"


def test_an_unknown_function_is_an_error(host: LambdaHost) -> None:
    with pytest.raises(UnknownFunctionError):
        invoke(host, {}, name="play")


@pytest.mark.parametrize(
    ("handler", "complaint"), [("main.handler", "there is no .*main.py"), ("app.run", "has no run")]
)
def test_a_handler_that_is_not_there_stops_the_start(tmp_path: Path, handler: str, complaint: str) -> None:
    (tmp_path / "app.py").write_text(SOURCE)
    with pytest.raises(TemplateError, match=complaint):
        LambdaHost({"work": Function("work", "arn:work", tmp_path, handler, {}, timeout=1, memory=128)})


def test_a_streaming_route_needs_a_streaming_handler(host: LambdaHost) -> None:
    with pytest.raises(TemplateError, match="work has a streaming route"):
        host.check_streaming("work")


STREAMING = """
import asyncio
from yarrow.web.lambda_bytes import StreamingBytes
closed = []
async def answer(event):
    try:
        yield b"before"
        if event == "fail":
            raise RuntimeError("of the runner")
        await asyncio.Event().wait()
    finally:
        closed.append(event)
handler = StreamingBytes(answer, "text/plain")
"""


@pytest.fixture
def streaming(tmp_path: Path) -> LambdaHost:
    (tmp_path / "app.py").write_text(STREAMING)
    return LambdaHost({"work": Function("work", "arn:work", tmp_path, "app.handler", {}, timeout=20, memory=256)})


def closed(host: LambdaHost) -> list[str]:
    """The events whose streams have been closed."""
    found: list[str] = host._handlers["work"]._answer.__globals__["closed"]
    return found


def test_what_a_function_raises_comes_out_of_its_stream(streaming: LambdaHost) -> None:
    async def scenario() -> None:
        async with streaming.open("work", b'"fail"') as response:
            assert await anext(response.body) == b"before"
            with pytest.raises(RuntimeError, match="of the runner"):
                await anext(response.body)

    asyncio.run(scenario())


def test_a_stream_whose_caller_leaves_is_ended(streaming: LambdaHost) -> None:
    async def scenario() -> None:
        async with streaming.open("work", b'"left"') as response:
            assert await anext(response.body) == b"before"

    asyncio.run(scenario())
    assert closed(streaming) == ["left"]


def test_a_stream_that_is_killed_breaks_off(streaming: LambdaHost) -> None:
    async def scenario() -> None:
        async with streaming.open("work", b'"killed"') as response:
            assert await anext(response.body) == b"before"
            assert streaming.kill("work") == 1
            await anext(response.body)

    with pytest.raises(KilledError):
        asyncio.run(scenario())
    assert closed(streaming) == ["killed"]
    assert streaming.kill("work") == 0
