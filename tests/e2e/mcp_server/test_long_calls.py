"""Calls that take a while: whose client leaves, and whose worker dies."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.mcp_client import LATEST, envelope
from tests.support.paths import ROOT
from tests.support.stack.process import running

CALL_SECONDS = 60


@pytest.fixture(scope="module")
def stack() -> Iterator[str]:
    """Yield a stack with an agent that says as many pieces as it is asked for, one every so often."""
    with running(environment={"AGENT": str(ROOT / "tests/load/pacer.py")}) as url:
        yield url


@pytest.fixture
def http(stack: str) -> Iterator[httpx.Client]:
    token = httpx.post(f"{stack}/local/token", json={"sub": f"alice-{uuid.uuid4()}"}).json()["token"]
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    with httpx.Client(base_url=stack, headers=headers, timeout=CALL_SECONDS) as client:
        yield client


def call(key: str, **pace: float) -> dict[str, Any]:
    """Return the request of a call, which is the same call for the same key."""
    meta = {**envelope(), "yarrow/idempotencyKey": key, "progressToken": 1}
    params = {"name": "ask_pacer", "arguments": {"message": json.dumps(pace)}, "_meta": meta}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"MCP-Protocol-Version": LATEST, "Mcp-Method": "tools/call", "Mcp-Name": "ask_pacer"}
    return {"url": "/mcp", "json": message, "headers": headers}


def messages(response: httpx.Response) -> Iterator[dict[str, Any]]:
    for line in response.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_a_client_that_leaves_cancels_the_run(http: httpx.Client) -> None:
    """MCP-02, CAN-04: the same call later has its end, and no other run begins."""
    request = call("left", pieces=500, every=0.2)
    with http.stream("POST", **request) as response:
        assert next(messages(response))["method"] == "notifications/progress"
    with http.stream("POST", **request) as response:
        *_, last = messages(response)
    assert last["result"]["isError"] is True
    assert "RUN_CANCELED" in last["result"]["content"][0]["text"]


def test_a_call_whose_worker_dies_is_answered_by_the_next(http: httpx.Client) -> None:
    """MCP-02, STP-01: in the same response."""
    with http.stream("POST", **call("killed", pieces=12, every=0.25)) as response:
        told = messages(response)
        assert next(told)["method"] == "notifications/progress"
        assert http.post("/local/kill", json={"function": "execute_run"}).status_code == 200
        *_, last = told
    assert last["result"]["isError"] is False
    assert len(last["result"]["structuredContent"]["answer"].split()) >= 12
