"""Who opens a workspace connection: tickets, bearer tokens, origins."""

from typing import Any

import pytest

from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.store.workspace import tickets
from yarrow.web import tokens
from yarrow.web.lambda_websocket import AuthorizedCaller
from yarrow.web.tokens import InvalidTokenError
from yarrow.web.workspace_authorization import ForbiddenOriginError, authorize

ALICE = Caller("alice|1", "zh-CN", "Asia/Shanghai")
TASK = "求职AI助手"

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]


@pytest.fixture(autouse=True)
def bearer(monkeypatch: pytest.MonkeyPatch) -> None:
    def identify(authorization: str) -> Caller:
        if authorization != "Bearer alices":
            raise InvalidTokenError("no bearer token")
        return ALICE

    monkeypatch.setattr(tokens, "identify", identify)


@pytest.fixture
def reconnects(aws: None, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "workspace_reconnects", getattr(request, "param", True))


def opening(query: dict[str, str] | None = None, connection: str = "c1", **headers: str | list[str]) -> dict[str, Any]:
    multiple = {name: [value] if isinstance(value, str) else value for name, value in headers.items()}
    return {
        "queryStringParameters": query or None,
        "multiValueHeaders": multiple,
        "requestContext": {"connectionId": connection, "requestId": "r"},
    }


def test_a_native_client_sends_its_token() -> None:
    """SEC-04."""
    assert authorize(opening(Authorization="Bearer alices")) == AuthorizedCaller(ALICE, None, None)
    query = {"taskName": TASK, "clientTag": "renderer-1"}
    assert authorize(opening(query, authorization="Bearer alices")) == AuthorizedCaller(ALICE, TASK, "renderer-1")


@pytest.mark.parametrize(
    "event",
    [
        opening(),
        opening({"taskName": TASK}),
        opening(Authorization="Bearer forged"),
        opening(Authorization=["Bearer alices", "Bearer alices"]),
        opening({"taskName": "a\nb"}, Authorization="Bearer alices"),
        opening({"clientTag": "t" * 129}, Authorization="Bearer alices"),
        opening({"ticket": "short"}),
        opening({"ticket": "t" * 43}),
        opening({"ticket": "t" * 43, "clientTag": ""}),
    ],
)
@pytest.mark.usefixtures("reconnects")
def test_what_proves_nobody_is_refused(event: dict[str, Any]) -> None:
    """SEC-04."""
    with pytest.raises(InvalidTokenError) as refused:
        authorize(event)
    assert "t" * 43 not in str(refused.value)


def test_a_wrong_token_is_not_made_up_for_by_a_ticket() -> None:
    """SEC-04."""
    with pytest.raises(InvalidTokenError):
        authorize(opening({"ticket": tickets.issue(ALICE, TASK)}, Authorization="Bearer forged"))


@pytest.mark.usefixtures("reconnects")
def test_a_page_sends_its_ticket_and_reconnects_by_its_tag() -> None:
    """C52: the same address again, as the page opens it."""
    query = {"taskName": TASK, "ticket": tickets.issue(ALICE, TASK), "clientTag": "renderer-1"}
    for connection in ("c1", "c2", "c3"):
        assert authorize(opening(query, connection)) == AuthorizedCaller(ALICE, TASK, "renderer-1")
    without_task = {name: value for name, value in query.items() if name != "taskName"}
    assert authorize(opening(without_task, "c4")).task_name == TASK
    for other in ({"clientTag": "renderer-2"}, {"taskName": "assistant"}):
        with pytest.raises(InvalidTokenError):
            authorize(opening(query | other, "c5"))


@pytest.mark.parametrize("reconnects", [False], indirect=True)
@pytest.mark.usefixtures("reconnects")
def test_a_deployment_may_have_tickets_open_one_connection_only() -> None:
    """C52: the tag is told all the same."""
    query = {"ticket": tickets.issue(ALICE, TASK), "clientTag": "renderer-1"}
    assert authorize(opening(query)) == AuthorizedCaller(ALICE, TASK, "renderer-1")
    with pytest.raises(InvalidTokenError):
        authorize(opening(query, "c2"))


def test_pages_of_other_origins_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-04: where the deployment names its origin; a client that is no page sends none."""
    monkeypatch.setitem(settings.__dict__, "cors_origin", "https://app.example")
    authorize(opening(Authorization="Bearer alices", Origin="https://app.example"))
    authorize(opening(Authorization="Bearer alices"))
    for origin in ("https://evil.example", "null", ["https://evil.example", "https://app.example"]):
        with pytest.raises(ForbiddenOriginError):
            authorize(opening(Authorization="Bearer alices", Origin=origin))


def test_the_console_is_no_other_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-04: where the deployment says where it is opened."""
    monkeypatch.setitem(settings.__dict__, "cors_origin", "https://app.example")
    monkeypatch.setitem(settings.__dict__, "console_url", "https://api.example/live/")
    authorize(opening(Authorization="Bearer alices", Origin="https://api.example"))
    with pytest.raises(ForbiddenOriginError):
        authorize(opening(Authorization="Bearer alices", Origin="https://api.example.evil.example"))


def test_the_context_is_ascii_and_reads_back() -> None:
    """SEC-04: API Gateway hands it to later events of the connection."""
    for authorized in (AuthorizedCaller(ALICE, TASK, "renderer-1"), AuthorizedCaller(Caller("bob"), None, None)):
        context = authorized.context()
        assert all(value.isascii() for value in context.values())
        assert AuthorizedCaller.from_context(context) == authorized
