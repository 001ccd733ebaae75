"""What the gateway does with requests that no well-behaved client sends."""

import asyncio
import json
from typing import Any

from local.api_gateway.gateway import Gateway
from local.functions import LambdaHost
from local.server import by_port
from local.stack import Api, MockIntegration, Route

API = Api("local", "live", (Route("PUT", "/files", MockIntegration(200, {}, "stored"), None),), {}, {}, ())
SCOPE = {
    "type": "http",
    "method": "PUT",
    "raw_path": b"/files",
    "query_string": b"",
    "headers": [],
    "client": ("127.0.0.1", 50000),
    "server": ("127.0.0.1", 3000),
    "http_version": "1.1",
}


def exchange(*received: dict[str, Any]) -> list[Any]:
    """What the gateway sends for what it receives."""
    sent: list[Any] = []
    messages = iter(received)

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Gateway(API, LambdaHost({}))(SCOPE, receive, send))
    return sent


def test_a_body_may_come_in_pieces() -> None:
    start, body = exchange(
        {"type": "http.request", "body": b"a", "more_body": True}, {"type": "http.request", "body": b"b"}
    )
    assert (start["status"], body["body"]) == (200, b"stored")


def test_a_request_that_is_never_completed_is_not_acted_upon() -> None:
    assert exchange({"type": "http.request", "body": b"a", "more_body": True}, {"type": "http.disconnect"}) == []


def test_a_request_at_shutdown_is_answered_by_503() -> None:
    """Both one that waits for its answer and one that comes after."""

    async def scenario() -> list[list[Any]]:
        gateway, read = Gateway(API, LambdaHost({})), asyncio.Event()
        answers: list[list[Any]] = [[], []]

        async def never() -> Any:
            read.set()
            await asyncio.Event().wait()

        async def kept(number: int) -> None:
            async def send(message: Any) -> None:
                answers[number].append(message)

            await gateway(SCOPE, never, send)

        waiting = asyncio.create_task(kept(0))
        await read.wait()
        gateway.close()
        await waiting
        await kept(1)
        return answers

    for start, body in asyncio.run(scenario()):
        assert start["status"] == 503
        assert (b"content-type", b"application/problem+json") in start["headers"]
        assert json.loads(body["body"])["code"] == "SERVICE_UNAVAILABLE"


def test_a_connection_that_was_reset_is_left_alone() -> None:
    """uvicorn knows neither end of it."""

    async def nobody(*_: Any) -> Any:
        raise AssertionError("it was acted upon")

    app = by_port(1, nobody, nobody, nobody)

    async def connect() -> None:
        await app({**SCOPE, "client": None, "server": None}, nobody, nobody)

    asyncio.run(connect())
