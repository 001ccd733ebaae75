"""A sign-in to an MCP server of the official SDK, at the authorization server `oidc-provider` (MCP-01)."""

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import boto3
import httpx2
import pytest
import yaml

from tests.support.mcp_packages import installed
from tests.support.paths import ROOT
from yarrow.agents import bindings
from yarrow.mcp_oauth.connections import NotConnectedError, access_token, grant_of
from yarrow.mcp_oauth.exchange import OAuthError
from yarrow.mcp_oauth.sign_in import begin_sign_in, finish_sign_in, list_connections, remove_connection
from yarrow.mcp_oauth.tokens import RefusedError, refresh
from yarrow.protocol.mcp_connections import McpConnection
from yarrow.services.mcp.client import McpClient
from yarrow.services.mcp.wire import Server
from yarrow.settings import settings
from yarrow.store import mcp_connections

pytestmark = [pytest.mark.enable_socket, pytest.mark.memory]
CALLBACK = "https://console.example.com/"
SECONDS = 30
"""An access token's life, which is so short that it is renewed before it is used."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    folder = installed()
    if not (folder / "node_modules/oidc-provider").exists():
        pytest.skip("oidc-provider is not installed: make mcp-clients")
    node, script = folder / "node_modules/node/bin/node", ROOT / "tests/clients/mcp/sign_in.mjs"
    command = [str(part) for part in (node, script, folder, SECONDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        origin = next((line.strip() for line in server.stdout if line.startswith("http")), None)
        assert origin is not None, "the servers do not start"
        yield f"{origin}/mcp"
        server.kill()


@pytest.fixture(autouse=True)
def deployed(aws: None, url: str, tmp_path: Path) -> Iterator[None]:
    kms = boto3.client("kms")
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    kms.create_alias(AliasName=settings.mcp_connections_key, TargetKeyId=key)
    mcp = {"accounts": {"url": url, "tools": ["whoami"], "oauth": {}}}
    agent = {"runner": "plugin:yarrow/assistant/default", "input": "assistant", "modes": {"chat": {}}, "mcp": mcp}
    file = tmp_path / "agents.yaml"
    file.write_text(yaml.safe_dump({"agents": {"support": agent}}), encoding="utf-8")
    vars(settings).update(mcp_callback_url=CALLBACK, system_agents=file)
    for cached in (bindings.deployed, bindings._policies):
        cached.cache_clear()
    yield
    for cached in (bindings.deployed, bindings._policies):
        cached.cache_clear()


def signed_in(user: str) -> McpConnection:
    """Sign a user in, who takes the way of a browser: to the login, to the consent, and back."""
    begun = asyncio.run(begin_sign_in(b'{"agent": "support", "server": "accounts"}', user))
    with httpx2.Client(trust_env=False) as browser:
        page = browser.get(begun.authorization_url)
        while not page.headers.get("location", "").startswith(CALLBACK):
            if page.is_redirect:
                page = browser.get(page.url.join(page.headers["location"]))
                continue
            prompt = re.search(r'name="prompt" value="(\w+)"', page.text)
            assert prompt is not None, page.text
            page = browser.post(page.url, data={"prompt": prompt[1], "login": user, "password": "any"})
    back = dict(parse_qsl(urlsplit(page.headers["location"]).query))
    return asyncio.run(finish_sign_in(json.dumps(back).encode(), user))


def token(user: str, url: str, refused: str | None = None) -> str:
    return asyncio.run(access_token(user, list_connections(user).connections[0].id, url, refused=refused))


def whoami(url: str, user: str) -> object:
    async def give(refused: str | None) -> str:
        return await access_token(user, list_connections(user).connections[0].id, url, refused=refused)

    client = McpClient(Server(url, {}, private=False, seconds=20, token=give))
    result = asyncio.run(client.call_tool("whoami", {}, {"type": "object"}))
    return result["content"][0]["text"]


def test_each_user_asks_the_server_as_themselves(url: str) -> None:
    for user in ("alice", "bob"):
        assert signed_in(user).status == "active"
    assert [whoami(url, user) for user in ("alice", "bob", "alice")] == ["alice", "bob", "alice"]


def test_a_token_is_renewed_for_as_long_as_the_user_wants(url: str) -> None:
    """The refresh tokens of this server rotate: one that is used again ends the sign-in."""
    connection = signed_in("alice")
    seen = {token("alice", url) for _ in range(3)}
    assert len(seen) == 3
    stored = mcp_connections.read("alice", connection.id)
    assert stored is not None
    grant = grant_of("alice", stored)
    asyncio.run(refresh(grant.server, grant.client, grant.tokens))
    with pytest.raises(RefusedError):
        asyncio.run(refresh(grant.server, grant.client, grant.tokens))
    with pytest.raises(NotConnectedError):
        token("alice", url, refused=grant.tokens.access)
    assert [one.status for one in list_connections("alice").connections] == ["lapsed"]
    signed_in("alice")
    assert whoami(url, "alice") == "alice"


def test_a_connection_that_is_removed_is_revoked(url: str) -> None:
    connection = signed_in("alice")
    stored = mcp_connections.read("alice", connection.id)
    assert stored is not None
    grant = grant_of("alice", stored)
    asyncio.run(remove_connection("alice", connection.id))
    with pytest.raises(OAuthError, match="invalid_grant"):
        asyncio.run(refresh(grant.server, grant.client, grant.tokens))
