"""The frames that a user's connections send and the connections they open: beyond a rate, a connection is closed."""

import json
import random
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from tests.support.functions.calls import NO_CONTEXT
from tests.support.functions.payloads import Case
from tests.support.memory_aws.table import error
from yarrow.access import limits
from yarrow.settings import settings
from yarrow.store import clients, clock, table
from yarrow.store.limits import buckets
from yarrow.store.workspace import keys

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

PER_MINUTE = 30
BURST = PER_MINUTE * buckets.BURST_MINUTES
CASE = Case()


class Connections:
    """API Gateway's management API."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.closed: list[str] = []
        self.failure: Exception | None = None

    def post_to_connection(self, *, ConnectionId: str, Data: bytes) -> None:  # noqa: N803
        assert ConnectionId
        self.sent.append(json.loads(Data))

    def delete_connection(self, *, ConnectionId: str) -> None:  # noqa: N803
        if self.failure is not None:
            raise self.failure
        self.closed.append(ConnectionId)


@pytest.fixture(autouse=True)
def gateway(aws: None, monkeypatch: pytest.MonkeyPatch) -> Connections:
    """Every frame draws, and time stands still."""
    gateway, now = Connections(), clock.now_ms()
    monkeypatch.setattr(clients, "connections", lambda: gateway)
    monkeypatch.setattr(clock, "now_ms", lambda: now)
    monkeypatch.setattr(limits, "FRAMES_AT_ONCE", 1)
    for name in ("workspace_frames_per_minute", "workspace_tickets_per_minute"):
        monkeypatch.setitem(settings.__dict__, name, PER_MINUTE)
    return gateway


def send(text: str, user: str = CASE.user) -> dict[str, Any]:
    from functions.workspace_command.app import handler

    event = Case(user=user).payload("websocket_workspace_command") | {"body": text}
    return handler(event, NO_CONTEXT)


@pytest.mark.parametrize("text", ['{"type": "heart_beat"}', '{"type": "unknown"}', "no JSON", ""])
def test_every_frame_counts(text: str, gateway: Connections) -> None:
    """CMP-12, WSP-31: heartbeats, unknown and broken ones; one too many is told, and closes the connection."""
    for _ in range(BURST):
        assert send(text) == {"statusCode": 200}
    assert gateway.closed == []
    gateway.sent.clear()
    assert send(text) == {"statusCode": 200}
    (refusal,) = gateway.sent
    assert (refusal["type"], refusal["taskName"], refusal["data"]["code"]) == (
        "agent_error",
        "assistant",
        "rate_limited",
    )
    assert len(gateway.closed) == 1
    send(text, "another")
    assert len(gateway.closed) == 1


@pytest.mark.parametrize(
    "failure", [error("DeleteConnection", "GoneException"), EndpointConnectionError(endpoint_url="gateway")]
)
def test_a_connection_that_cannot_be_closed_is_closed_later(failure: Exception, gateway: Connections) -> None:
    """WSP-31: the function does not fail for it."""
    gateway.failure = failure
    for _ in range(BURST + 1):
        assert send("") == {"statusCode": 200}
    gateway.failure = None
    send("")
    assert len(gateway.closed) == 1


def test_one_frame_in_ten_is_counted_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12: in the long run as many are counted as are sent."""
    monkeypatch.setattr(limits, "FRAMES_AT_ONCE", 10)
    monkeypatch.setitem(settings.__dict__, "workspace_frames_per_minute", 10_000)
    random.seed(1)
    began = clock.now_ms()
    for _ in range(2_000):
        limits.count_workspace_frame("alice")
    item = table.get({"pk": "USER#alice", "sk": "RATES"})
    assert item is not None
    assert (int(item["workspace_frames_full_at"]) - began) * 10_000 / 60_000 == pytest.approx(2_000, rel=0.15)


def test_connections_that_are_opened_count() -> None:
    """CMP-12: those of a ticket that is used again, and of native clients."""
    from functions.connect_workspace.app import handler

    event = CASE.payload("websocket_connect_workspace")
    assert [handler(event, NO_CONTEXT)["statusCode"] for _ in range(BURST)] == [200] * BURST
    refused = handler(event, NO_CONTEXT)
    assert refused["statusCode"] == 429
    assert json.loads(refused["body"])["params"] == {"of": "workspace_connections", "perMinute": PER_MINUTE}


@pytest.mark.parametrize("text", ['{"type": "agent_init", "taskName": "assistant", "payload": {}}', '{"type": "beat"}'])
def test_a_workspace_of_another_user_is_not_opened(text: str, gateway: Connections) -> None:
    """SEC-04: whatever its key says."""
    key = keys.key_of(CASE.user, "assistant")
    table.put_alone({**keys.head(key), "user_id": "another", "task_name": "assistant"})
    assert send(text)["statusCode"] == 500
    assert gateway.sent == []
