"""Signing in to the MCP server, as clients do that are given no credential but its address."""

import asyncio
import uuid
from importlib.util import find_spec
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

BACK = "http://127.0.0.1:49152/callback"


def test_the_metadata_names_the_server_and_who_issues_its_tokens(stack: str) -> None:
    """MCP-02: to anyone, as the specification has it."""
    refused = httpx.post(f"{stack}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    found = httpx.get(f"{stack}/.well-known/oauth-protected-resource/mcp").json()
    assert (found["resource"], found["authorization_servers"]) == (f"{stack}/mcp", [f"{stack}/local"])


def test_a_client_finds_the_issuer_signs_in_and_calls(stack: str) -> None:
    """MCP-02: metadata, registration, PKCE; and its token opens nothing else."""
    if find_spec("mcp") is None:
        pytest.skip("needs the package mcp: make frameworks")
    import httpx2
    from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

    class Storage:
        def __init__(self) -> None:
            self.tokens: OAuthToken | None = None
            self.client: OAuthClientInformationFull | None = None

        async def get_tokens(self) -> OAuthToken | None:
            return self.tokens

        async def set_tokens(self, tokens: OAuthToken) -> None:
            self.tokens = tokens

        async def get_client_info(self) -> OAuthClientInformationFull | None:
            return self.client

        async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
            self.client = client_info

    returned: dict[str, Any] = {}

    async def in_browser(url: str) -> None:
        """Fill in the form as a user would."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        form = {**query, "as_name": f"alice-{uuid.uuid4()}", "as_locale": "en", "as_zoneinfo": "UTC"}
        async with httpx.AsyncClient() as browser:
            response = await browser.post(url.partition("?")[0], data=form)
        location = urlsplit(response.headers["location"])
        returned.update({name: values[0] for name, values in parse_qs(location.query).items()})

    async def back() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(code=returned["code"], state=returned["state"], iss=returned["iss"])

    storage = Storage()
    metadata = OAuthClientMetadata(redirect_uris=[BACK], client_name="test")

    async def sign_in_and_call() -> str:
        auth = OAuthClientProvider(f"{stack}/mcp", metadata, storage, in_browser, back)
        async with (
            httpx2.AsyncClient(auth=auth, timeout=60) as http,
            Client(streamable_http_client(f"{stack}/mcp", http_client=http)) as client,
        ):
            result = await client.call_tool("ask_assistant", {"message": "Hello"})
            assert result.structured_content is not None
            return str(result.structured_content["status"])

    assert asyncio.run(sign_in_and_call()) == "finished"
    assert storage.tokens is not None
    headers = {"Authorization": f"Bearer {storage.tokens.access_token}"}
    assert httpx.get(f"{stack}/api/v1/agent/history", headers=headers).status_code == 401
    assert httpx.get(f"{stack}/api/v1/usage", headers=headers).status_code in (401, 403)
