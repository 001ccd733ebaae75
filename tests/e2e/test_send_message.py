"""The AG-UI door over HTTP: the local stack, the real state machine, and clients that know nothing of either."""

import asyncio
import json
import uuid
from typing import Any

import httpx
import pytest
from ag_ui_validate.transport import TransportOptions, validate_endpoint

from tests.support.agui.client import AgUiClient, data_of, read
from tests.support.stack.send_message import CAST, body

ASKED = '/call confirmAction {"action": "delete"}'


@pytest.fixture
def authorization(stack: str) -> dict[str, str]:
    token = httpx.post(f"{stack}/local/token", json={"sub": f"alice-{uuid.uuid4()}"}).json()["token"]
    return {"Authorization": f"Bearer {token}"}


def test_a_divination_comes_while_it_is_made(stack: str, authorization: dict[str, str]) -> None:
    """EVT-01, EVT-24, DIV-33a, SEC-02: in pieces, as they are stored; the browser may read it."""
    client, pieces = AgUiClient(), 0
    sent, headers = body("run_001", **CAST), authorization | {"Origin": "https://app.example.com"}
    with httpx.stream("POST", f"{stack}/send-message", json=sent, headers=headers, timeout=20) as response:
        assert (response.status_code, response.headers["content-type"].partition(";")[0]) == (200, "text/event-stream")
        assert response.headers["access-control-allow-origin"] == "*"
        stream = b""
        for chunk in response.iter_raw():
            pieces += 1
            stream += chunk
    for line in data_of(stream):
        client.take(line)
    assert pieces > 1
    assert client.end is not None
    (answer,) = client.messages
    assert answer["content"] == answer["metadata"]["answer"] == client.end["result"]["answer"]
    assert [kind for kind, _ in client.customs] == ["CUSTOM"]


def test_a_run_of_either_door_is_seen_at_the_other(stack: str, authorization: dict[str, str]) -> None:
    """CMP-09, EVT-19: Both use the session under the UUID of RUN_STARTED."""
    with httpx.Client(base_url=stack, headers=authorization, timeout=20) as http:
        texts = data_of(http.post("/send-message", json=body("run_001", **CAST)).content)
        session = json.loads(texts[0])["metadata"]["yarrow.threadId"]
        events = f"/api/v1/agent/runs/{session}/events"
        for profile in ("agui", "snapshot"):
            joined = http.get(events, params={"runId": "run_001", "profile": profile})
            assert read(data_of(joined.content)).end is not None
        history = http.get("/api/v1/agent/history", params={"threadId": session}).json()
        assert [message["role"] for message in history["messages"]] == ["user", "assistant"]
        follow_up = {"forwardedProps": {**CAST["forwardedProps"], "runtime_mode": "follow_up"}}
        request = body("run_002", **follow_up) | {"threadId": session}
        assert http.post("/api/v1/agent/runs", json=request).status_code == 202
        assert "RUN_FINISHED" in http.get(events, params={"runId": "run_002"}).text
        again = body("run_003", **follow_up)
        assert read(data_of(http.post("/send-message", json=again).content)).end is not None


CONFIRM = {"name": "confirmAction", "description": "asks the user", "parameters": {"type": "object"}}


def test_a_client_that_lost_the_answer_sends_its_tools_results_again(stack: str, authorization: dict[str, str]) -> None:
    """EVT-20, EVT-21, HIS-15, HIS-19, MSG-08, C38: not asked again; the later answer takes the lost one's place."""
    with httpx.Client(base_url=stack, headers=authorization, timeout=20) as http:

        def send(run: str, *others: dict[str, Any], question: str = "msg_1", text: str = ASKED) -> AgUiClient:
            messages = [{"id": question, "role": "user", "content": text}, *others]
            sent = body(run, threadId=thread, messages=messages, tools=[CONFIRM])
            return read(data_of(http.post("/send-message", json=sent).content))

        thread = str(uuid.uuid4())
        (asking,) = send("run_001").messages
        (call,) = asking["toolCalls"]
        result = {"id": "msg_3", "role": "tool", "toolCallId": call["id"], "content": "confirmed"}
        texts = [send(run, asking, result).messages for run in ("run_002", "run_003")]
        assert [[message["role"] for message in messages] for messages in texts] == [["assistant"]] * 2
        assert "confirmed" in texts[1][0]["content"] == texts[0][0]["content"]
        history = http.get("/api/v1/agent/history", params={"threadId": thread}).json()["messages"]
        shown = [(message["id"], message["content"]) for message in history if message["role"] == "assistant"]
        assert shown == [(texts[1][0]["id"], texts[1][0]["content"])]
        last = send("run_004", question="msg_9", text="Is it done?").messages
        joined = http.get(f"/api/v1/agent/runs/{thread}/events", params={"runId": "run_004", "profile": "snapshot"})
        events = [message["id"] for message in read(data_of(joined.content)).messages]
        assert events == ["msg_1", asking["id"], "msg_3", shown[0][0], "msg_9", last[0]["id"]]


def test_nobody_comes_in_without_a_credential(stack: str) -> None:
    """SEC-01, SEC-02."""
    refused = httpx.post(f"{stack}/send-message", json=body("run_001"))
    assert (refused.status_code, refused.json()["code"]) == (401, "AUTH_UNAUTHORIZED")


def test_the_validator_of_producers_has_nothing_to_say(stack: str, authorization: dict[str, str]) -> None:
    """EVT-24: It checks content type, framing, order and shapes on the wire."""
    options = TransportOptions(headers=authorization, input=body("run_001", **CAST))
    checked = asyncio.run(validate_endpoint(f"{stack}/send-message", options))
    assert (checked.transport_error, checked.event_count > 5) == (None, True)
    assert [diagnostic for diagnostic in checked.report.diagnostics if diagnostic.severity != "info"] == []
