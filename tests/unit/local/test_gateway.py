"""What the gateway does with requests that no well-behaved client sends."""

import asyncio
from typing import Any

from local.functions import LambdaHost
from local.gateway import Gateway
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
