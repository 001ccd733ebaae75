"""Events of API Gateway's WebSocket API, read and answered."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.support.functions.calls import Context
from tests.support.log_lines import LogLines
from tests.support.paths import ROOT
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.web.lambda_websocket import WebSocketEvent, patiently, websocket

USER = "a1b2c3d4-5678-40ab-9cde-f0123456789a"


def sample(name: str) -> dict[str, Any]:
    event: dict[str, Any] = json.loads((ROOT / f"events/websocket_{name}.json").read_text(encoding="utf-8"))
    return event


@pytest.mark.parametrize("name", ["connect_workspace", "workspace_command", "disconnect_workspace"])
def test_an_event_tells_whose_connection_it_is(name: str) -> None:
    """SEC-04, WSP-34: The user comes from the authorizer's context alone."""
    seen: list[WebSocketEvent] = []
    assert websocket(seen.append)(sample(name), Context()) == {"statusCode": 200}
    (event,) = seen
    assert event.connection_id == "d1CqYfZAIAMCJRg="
    assert event.authorized.caller == Caller(USER, "zh-CN", "Asia/Shanghai")
    assert (event.authorized.task_name, event.authorized.client_tag) == ("assistant", "renderer-4f1c2a")
    assert event.at_ms == 1795350600412


def test_a_frame_has_its_text_and_its_number() -> None:
    """WSP-34: of bytes, what they spell."""
    seen: list[WebSocketEvent] = []
    frame = sample("workspace_command")
    websocket(seen.append)(frame, Context())
    websocket(seen.append)(frame | {"body": "e+eIu30=", "isBase64Encoded": True}, Context())
    assert json.loads(seen[0].text)["type"] == "agent_init"
    assert seen[0].message_id == "d1CrcdkIoAMCIhg="
    assert seen[1].text == "{爻}"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Problem(Code.AGENT_TASK_NOT_FOUND, "no such task"), 404, "AGENT_TASK_NOT_FOUND"),
        (ClientError({"Error": {"Code": "ThrottlingException"}}, "GetItem"), 503, "SERVICE_UNAVAILABLE"),
        (KeyError("secret"), 500, "INTERNAL_ERROR"),
    ],
)
def test_what_cannot_be_done_is_a_status_and_a_problem(error: Exception, status: int, code: str) -> None:
    """WSP-31, SEC-05."""

    def fail(_: WebSocketEvent) -> None:
        raise error

    with LogLines.captured() as log:
        answer = websocket(fail)(sample("connect_workspace"), Context())
    assert (answer["statusCode"], json.loads(answer["body"])["code"]) == (status, code)
    assert "secret" not in answer["body"]
    assert USER not in str(log)


BUSY = ClientError({"Error": {"Code": "ThrottlingException"}}, "GetItem")


@pytest.mark.parametrize(
    ("errors", "calls", "status"),
    [([BUSY], 2, 200), ([BUSY, BUSY, BUSY], 3, 503), ([KeyError("x")], 1, 500)],
)
def test_a_frame_is_handled_again_while_a_service_is_busy(
    monkeypatch: pytest.MonkeyPatch, errors: list[Exception], calls: int, status: int
) -> None:
    """WSP-21: API Gateway delivers it once."""
    monkeypatch.setattr("yarrow.web.lambda_websocket.time.sleep", lambda _: None)
    seen: list[WebSocketEvent] = []

    def handle(event: WebSocketEvent) -> None:
        seen.append(event)
        if len(seen) <= len(errors):
            raise errors[len(seen) - 1]

    assert websocket(patiently(handle))(sample("workspace_command"), Context())["statusCode"] == status
    assert len(seen) == calls
