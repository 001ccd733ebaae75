"""Tickets over HTTP: who gets one, for which task, how often."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.functions.calls import Answer, invoke
from tests.support.functions.payloads import Case
from tests.support.log_lines import LogLines
from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.store import clock
from yarrow.store.workspace import tickets

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]


@pytest.fixture(autouse=True)
def address(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "workspace_url", "wss://w.example/live")


def response_to(case: Case, body: Any) -> Answer:
    event = case.payload("api_gateway_create_workspace_ticket")
    answer: Answer = invoke(
        "create_workspace_ticket", event | {"body": body if isinstance(body, str) else json.dumps(body)}
    )
    return answer


def test_a_ticket_opens_the_workspace_of_its_user() -> None:
    """C52: its address is what the page opens; nothing of it is logged or cached."""
    case = Case()
    with LogLines.captured() as log:
        answer = response_to(case, {"taskName": "assistant"})
    assert answer.status == 201
    assert answer.headers["cache-control"] == "no-store"
    document = answer.document
    assert document["expiresIn"] == 60
    url = urlsplit(document["url"])
    assert f"{url.scheme}://{url.netloc}{url.path}" == "wss://w.example/live"
    assert parse_qs(url.query) == {"taskName": ["assistant"], "ticket": [document["ticket"]]}
    assert document["ticket"] not in str(log)
    redeemed = tickets.redeem(document["ticket"], "c1", "assistant", None)
    assert redeemed == tickets.Redeemed(Caller(case.user, "zh-CN", "Asia/Shanghai"), "assistant")


@pytest.mark.parametrize("name", ["divination", "Assistant", "assistant ", "求职AI助手"])
def test_a_task_of_no_agent_is_not_found(name: str) -> None:
    """C52."""
    answer = response_to(Case(), {"taskName": name})
    assert (answer.status, answer.document["code"]) == (404, "AGENT_TASK_NOT_FOUND")


@pytest.mark.parametrize("body", ["", "{", "[]", {}, {"taskName": None}, {"taskName": ""}, {"taskName": "x" * 129}])
def test_a_malformed_request_is_refused(body: Any) -> None:
    answer = response_to(Case(), body)
    assert (answer.status, answer.document["code"]) == (422, "AGENT_WORKSPACE_TICKET_INVALID")


def test_a_user_gets_so_many_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """C52: Another user's count is separate."""
    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now)
    case = Case()
    statuses = [
        response_to(case, {"taskName": "assistant"}).status
        for _ in range(2 * settings.workspace_tickets_per_minute + 1)
    ]
    assert statuses == [201] * (len(statuses) - 1) + [429]
    assert response_to(Case(), {"taskName": "assistant"}).status == 201
