"""Apps on this machine that sign in at the local issuer, to call the MCP server."""

import asyncio
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import jwt
import pytest

from local.identity import AUDIENCE, Issuer
from local.oidc.provider import MCP_CLIENT

BASE = "http://127.0.0.1:3000"
BACK = "http://127.0.0.1:49152/callback"
VERIFIER = "v" * 43
ASKED = {
    "client_id": MCP_CLIENT,
    "redirect_uri": BACK,
    "response_type": "code",
    "scope": "openid profile",
    "code_challenge": urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode(),
    "code_challenge_method": "S256",
    "as_name": "alice",
    "as_locale": "en",
    "as_zoneinfo": "UTC",
}


@pytest.fixture(scope="module")
def issuer() -> Issuer:
    return Issuer(f"{BASE}/local")


def ask(issuer: Issuer, path: str, **content: Any) -> httpx.Response:
    async def post() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(issuer.app()), base_url=BASE) as client:
            return await client.post(f"/local/oauth/{path}", **content)

    return asyncio.run(post())


def signed_in(issuer: Issuer, **changed: str) -> dict[str, str]:
    response = ask(issuer, "authorize", data=ASKED | changed)
    assert response.status_code == 303, response.text
    location = urlsplit(response.headers["location"])
    return {name: values[0] for name, values in parse_qs(location.query).items()}


def redeem(issuer: Issuer, code: str, **changed: str) -> httpx.Response:
    members = {"client_id": MCP_CLIENT, "code": code, "redirect_uri": BACK, "code_verifier": VERIFIER}
    return ask(issuer, "token", data={"grant_type": "authorization_code", **members, **changed})


def audience_of(token: str) -> Any:
    return jwt.decode(token, options={"verify_signature": False})["aud"]


@pytest.mark.parametrize(
    ("resource", "audience"),
    [
        ({}, AUDIENCE),
        ({"resource": f"{BASE}/mcp"}, f"{BASE}/mcp"),
        ({"resource": "http://localhost:3000/mcp"}, f"{BASE}/mcp"),
    ],
)
def test_a_token_is_for_the_resource_that_is_named(resource: dict[str, str], audience: str, issuer: Issuer) -> None:
    """MCP-02: by either name of this machine; also after a refresh."""
    tokens = redeem(issuer, signed_in(issuer, **resource)["code"]).json()
    assert audience_of(tokens["access_token"]) == audience
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": MCP_CLIENT}
    assert audience_of(ask(issuer, "token", data=refresh).json()["access_token"]) == audience


@pytest.mark.parametrize("resource", ["https://evil.example/mcp", f"{BASE}/mcp/", f"{BASE}/"])
def test_another_resource_is_refused(resource: str, issuer: Issuer) -> None:
    """MCP-02."""
    assert signed_in(issuer, resource=resource)["error"] == "invalid_target"


@pytest.mark.parametrize(
    "redirect_uri",
    [
        "https://evil.example/",
        "http://127.0.0.1.evil.example/",
        "https://127.0.0.1/",
        "javascript:alert(1)",
        "http://[",
        "",
    ],
)
def test_it_returns_to_this_machine_alone(redirect_uri: str, issuer: Issuer) -> None:
    """MCP-02."""
    assert ask(issuer, "authorize", data=ASKED | {"redirect_uri": redirect_uri}).status_code == 400
    assert ask(issuer, "register", json={"redirect_uris": [redirect_uri]}).status_code == 400


def test_a_code_is_of_use_to_its_client_alone(issuer: Issuer) -> None:
    """MCP-02."""
    code = signed_in(issuer)["code"]
    assert redeem(issuer, code, client_id=AUDIENCE).json()["error"] == "invalid_grant"
    assert redeem(issuer, code).json()["error"] == "invalid_grant"


def test_the_console_does_not_return_to_other_apps(issuer: Issuer) -> None:
    """MCP-02."""
    assert ask(issuer, "authorize", data=ASKED | {"client_id": AUDIENCE}).status_code == 400


def test_a_client_is_registered(issuer: Issuer) -> None:
    """MCP-02."""
    response = ask(issuer, "register", json={"redirect_uris": [BACK], "client_name": "app"})
    assert (response.status_code, response.json()["client_id"]) == (201, MCP_CLIENT)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"redirect_uris": []}', b'{"redirect_uris": [1]}'])
def test_what_is_no_registration_is_refused(body: bytes, issuer: Issuer) -> None:
    """MCP-02."""
    assert ask(issuer, "register", content=body).json()["error"] == "invalid_redirect_uri"
