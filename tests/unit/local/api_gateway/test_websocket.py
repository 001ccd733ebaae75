"""The WebSocket gateway's times and events; sizes, statuses and the rest are shown over real connections in
`tests/integration/local/test_websocket.py`.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from starlette.types import Message, Scope

from local.api_gateway.proxy_event import ProxyCall
from local.api_gateway.websocket import AT_ONCE, WebSocketGateway
from local.api_gateway.websocket_event import Handshake
from local.sandboxes.invocations import Result
from local.stack import WebSocketApi
from tests.support.paths import ROOT

API = WebSocketApi("w1", "live", {"$connect": "connect", "$default": "take", "$disconnect": "leave"}, "authorize")
SCOPE: Scope = {
    "type": "websocket",
    "http_version": "1.1",
    "path": "/workspace",
    "raw_path": b"/workspace",
    "query_string": b"taskName=%E6%B1%82&ticket=t&clientTag=r-1",
    "headers": [(b"Host", b"127.0.0.1:3000"), (b"Origin", b"null"), (b"Upgrade", b"websocket"), (b"user-agent", b"u")],
    "client": ("127.0.0.1", 5),
    "server": ("127.0.0.1", 3000),
}
ALLOWED = {
    "principalId": "alice",
    "policyDocument": {"Statement": [{"Action": "execute-api:Invoke", "Effect": "Allow", "Resource": "*"}]},
    "context": {"sub": "alice"},
}


class Host:
    """Functions that answer what they are told to, and remember their events."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {"authorize": ALLOWED, "connect": {"statusCode": 200}, "take": {}, "leave": {}} | answers
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.at_once = 0
        self.most = 0

    async def invoke(self, name: str, payload: bytes, refusal: str | None = None) -> Result:
        self.events.append((name, json.loads(payload)))
        self.at_once += name == "take"
        self.most = max(self.most, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= name == "take"
        return Result(json.dumps(self.answers[name]).encode(), failed=False)

    def of(self, name: str) -> list[dict[str, Any]]:
        return [event for function, event in self.events if function == name]


def run(host: Host, *frames: Message, **seconds: float) -> list[Message]:
    """A connection that sends frames and then waits; what it got."""
    sent: list[Message] = []

    async def serve() -> None:
        waiting = [{"type": "websocket.connect"}, *frames]
        gateway = WebSocketGateway(API, host, **seconds)  # type: ignore[arg-type]  # of which it needs `invoke` alone

        async def receive() -> Message:
            return waiting.pop(0) if waiting else await asyncio.Future()

        async def send(message: Message) -> None:
            sent.append(message)

        await gateway(SCOPE, receive, send)
        assert not gateway.connections

    anyio.run(serve)
    return sent


CLOSED = {"type": "websocket.close", "code": 1001}


@pytest.mark.parametrize("seconds", [{"idle_seconds": 0.01}, {"longest_seconds": 0.01}])
def test_a_connection_that_is_silent_or_old_is_closed(seconds: dict[str, float]) -> None:
    """WSP-38: after ten minutes and two hours, as API Gateway does."""
    host = Host()
    assert run(host, {"type": "websocket.receive", "text": "{}"}, **seconds)[-1] == CLOSED
    (left,) = host.of("leave")
    assert left["requestContext"]["disconnectStatusCode"] == 1001


def test_frames_of_a_flood_wait_for_each_other() -> None:
    host = Host()
    frames = [{"type": "websocket.receive", "text": str(number)} for number in range(3 * AT_ONCE)]
    run(host, *frames, {"type": "websocket.disconnect", "code": 1000})
    assert host.most <= AT_ONCE
    assert [event["body"] for event in host.of("take")] == [str(number) for number in range(3 * AT_ONCE)]


@pytest.mark.parametrize(
    ("answers", "status"),
    [
        ({"connect": {"statusCode": 404}}, 404),
        ({"connect": None}, 502),
        ({"authorize": {"principalId": "x"}}, 500),
    ],
)
def test_what_connect_or_the_authorizer_refuses_is_the_status(answers: dict[str, Any], status: int) -> None:
    host = Host(**answers)
    start, _ = run(host)
    assert (start["type"], start["status"]) == ("websocket.http.response.start", status)
    assert host.of("leave") == []


FREE = {"headers", "multiValueHeaders", "authorizer", "queryStringParameters", "multiValueQueryStringParameters"}
"""Members whose own members are up to the client or the authorizer."""


def shape(value: Any) -> Any:
    if not isinstance(value, dict):
        return type(value).__name__
    return {name: "some" if name in FREE else shape(member) for name, member in value.items()}


@pytest.mark.parametrize(
    ("sample", "made"),
    [
        ("websocket_authorize_workspace", lambda of: of.authorizer_event()),
        ("websocket_connect_workspace", lambda of: of.connect_event({"sub": "alice"})),
        ("websocket_workspace_command", lambda of: of.message_event({"sub": "alice"}, "{}", "m")),
        ("websocket_disconnect_workspace", lambda of: of.disconnect_event({"sub": "alice"}, 1001)),
    ],
)
def test_events_have_the_form_of_api_gateways(sample: str, made: Callable[[Handshake], dict[str, Any]]) -> None:
    """WSP-34: The events are those recorded in `events/`."""
    recorded = json.loads((ROOT / f"events/{sample}.json").read_text(encoding="utf-8"))
    handshake = Handshake(
        API, ProxyCall.of({**SCOPE, "method": "GET", "headers": [(b"host", b"h"), (b"user-agent", b"u")]})
    )
    assert shape(made(handshake)) == shape(recorded)


def test_a_handshakes_event_has_its_query_decoded_and_no_headers_of_the_hop() -> None:
    event = Handshake.of(API, SCOPE).authorizer_event()
    assert event["queryStringParameters"] == {"taskName": "求", "ticket": "t", "clientTag": "r-1"}
    assert event["multiValueHeaders"]["Origin"] == ["null"]
    assert "Upgrade" not in event["headers"]
    assert event["methodArn"] == "arn:aws:execute-api:us-east-1:123456789012:w1/live/$connect"
