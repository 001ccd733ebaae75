"""Tokens that are for the MCP server alone (RFC 8707)."""

import json
from typing import Any

import pytest

from tests.support.paths import ROOT
from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.web import tokens
from yarrow.web.authorization import authorize
from yarrow.web.tokens import InvalidTokenError

EVENT = json.loads((ROOT / "events/authorizer_request.json").read_text(encoding="utf-8"))
SERVER = "https://api.example.com/mcp"


@pytest.fixture(autouse=True)
def issued(monkeypatch: pytest.MonkeyPatch) -> None:
    """A token is good for the audience that it names; what else that takes is tested elsewhere."""

    def identify(authorization: str, audience: str | None = None) -> Caller:
        if tokens.bearer(authorization) != ("of-server" if audience == SERVER else "of-deployment"):
            raise InvalidTokenError("the token has another audience")
        return Caller("alice")

    monkeypatch.setattr(tokens, "identify", identify)
    monkeypatch.setitem(settings.__dict__, "mcp_url", SERVER)


def request(token: str, route: str) -> dict[str, Any]:
    return {**EVENT, "resource": route, "multiValueHeaders": {"Authorization": [f"Bearer {token}"]}}


def test_a_token_of_the_deployment_opens_the_mcp_server_too() -> None:
    """MCP-02, SEC-01."""
    assert list(authorize(request("of-deployment", "/mcp")).resources) == ["*/*"]


def test_a_token_of_the_mcp_server_opens_nothing_else() -> None:
    """MCP-02: its policy is cached, so it must not allow other routes either."""
    assert list(authorize(request("of-server", "/mcp")).resources) == ["POST/mcp", "GET/mcp", "DELETE/mcp"]
    for route in ("/send-message", "/api/v1/agent/runs", "/api/v1/usage"):
        with pytest.raises(InvalidTokenError):
            authorize(request("of-server", route))


def test_a_deployment_without_a_domain_takes_no_such_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """MCP-02: an empty audience is none."""
    monkeypatch.setitem(settings.__dict__, "mcp_url", "")
    with pytest.raises(InvalidTokenError):
        authorize(request("of-server", "/mcp"))
