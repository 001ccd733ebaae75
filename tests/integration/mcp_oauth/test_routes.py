"""A user signs in to an MCP server of an agent by `/api/v1/mcp-connections` (MCP-01, SEC-05)."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
import yaml
from starlette.responses import Response, StreamingResponse

from tests.support.oauth_servers import RESOURCE, OAuthServerFake, listening
from yarrow.agents import bindings
from yarrow.mcp_oauth import sign_in
from yarrow.mcp_oauth.connections import access_token
from yarrow.mcp_oauth.sign_in import STATE_PREFIX, begin_sign_in, finish_sign_in, list_connections, remove_connection
from yarrow.protocol.mcp_connections import McpConnection, McpSignIn
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import mcp_connections

pytestmark = [pytest.mark.enable_socket, pytest.mark.memory]
HERE = "https://console.example.com/"


@pytest.fixture
def fake() -> Iterator[OAuthServerFake]:
    server = OAuthServerFake()
    with listening(server):
        yield server


@pytest.fixture(autouse=True)
def deployed(aws: None, fake: OAuthServerFake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A deployment with connections, and an agent with three servers, one of which wants no sign-in."""
    kms = boto3.client("kms")
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    kms.create_alias(AliasName=settings.mcp_connections_key, TargetKeyId=key)
    servers: dict[str, Any] = {
        "issues": {"oauth": {}},
        "named": {"oauth": {"client_id": "yarrow", "client_secret": {"secret": "named-client"}, "scopes": ["one"]}},
        "open": {},
    }
    mcp = {name: {"url": fake.url, "tools": ["search"], **more} for name, more in servers.items()}
    agent = {"runner": "plugin:yarrow/assistant/default", "input": "assistant", "modes": {"chat": {}}, "mcp": mcp}
    file = tmp_path / "agents.yaml"
    file.write_text(yaml.safe_dump({"agents": {"support": agent}}), encoding="utf-8")
    vars(settings).update(mcp_callback_url=HERE, system_agents=file, runner_secrets="")
    monkeypatch.setenv("RUNNER_SECRET_NAMED_CLIENT", "a-client-secret")
    kms.create_alias(AliasName="alias/mcp-connections", TargetKeyId=key)
    vars(settings).pop("mcp_connections_key", None)
    _forget()
    yield
    _forget()


def _forget() -> None:
    for made in vars(bindings).values():
        if hasattr(made, "cache_clear"):
            made.cache_clear()


def begun(server: str = "issues", user: str = "alice", agent: str = "support") -> McpSignIn:
    return asyncio.run(begin_sign_in(json.dumps({"agent": agent, "server": server}).encode(), user))


def finished(back: dict[str, str], user: str = "alice") -> McpConnection:
    return asyncio.run(finish_sign_in(json.dumps(back).encode(), user))


def refusal(call: Any) -> tuple[int, Code]:
    with pytest.raises(Problem) as raised:
        call()
    assert isinstance(raised.value.code, Code)
    return raised.value.code.status, raised.value.code


def test_a_user_is_connected_and_the_token_is_theirs(fake: OAuthServerFake) -> None:
    offer = list_connections("alice").servers
    assert [(one.agent, one.server, one.connection_id) for one in offer] == [
        ("support", "issues", None),
        ("support", "named", None),
    ]
    back = fake.authorize(begun().authorization_url)
    assert back["state"].startswith(STATE_PREFIX)
    connection = finished(back)
    assert (connection.status, connection.host) == ("active", fake.url.split("/")[2])
    listed = list_connections("alice")
    assert listed.connections == (connection,)
    assert [one.connection_id for one in listed.servers] == [connection.id, None]
    assert asyncio.run(access_token("alice", connection.id, fake.url)) in fake.good
    assert fake.registered[0]["redirect_uris"] == [HERE]
    assert list_connections("bob").connections == ()


def test_a_client_that_the_file_names_authenticates_with_its_secret(fake: OAuthServerFake) -> None:
    begun_at = begun("named").authorization_url
    assert "scope=one" in begun_at
    assert "a-client-secret" not in begun_at
    finished(fake.authorize(begun_at))
    assert (fake.forms[0]["client_id"], fake.forms[0]["basic"]) == ("yarrow", "a-client-secret")
    assert fake.registered == []


def test_a_missing_secret_is_told_without_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNNER_SECRET_NAMED_CLIENT")
    with pytest.raises(Problem) as raised:
        begun("named")
    assert "named-client" not in str(vars(raised.value))


def test_a_state_is_good_once_and_for_its_user(fake: OAuthServerFake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sends another user to their own sign-in gets nothing of theirs, and neither does the other one."""
    back = fake.authorize(begun().authorization_url)
    assert refusal(lambda: finished(back, "bob")) == (404, Code.MCP_SIGN_IN_NOT_FOUND)
    assert fake.forms == []
    connection = finished(back)
    assert finished(back) == connection  # an answer may be lost
    assert len(fake.forms) == 1
    assert refusal(lambda: finished(back, "bob")) == (404, Code.MCP_SIGN_IN_NOT_FOUND)
    asyncio.run(remove_connection("alice", connection.id))
    monkeypatch.setattr(sign_in, "_OUTCOME_SECONDS", 0)
    assert refusal(lambda: finished(back)) == (404, Code.MCP_SIGN_IN_NOT_FOUND)
    assert refusal(lambda: finished({"state": "mcp-other", "code": "a"})) == (404, Code.MCP_SIGN_IN_NOT_FOUND)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"iss": "https://other.example"}, Code.MCP_SIGN_IN_FAILED),
        ({"error": "access_denied"}, Code.MCP_SIGN_IN_REFUSED),
        ({"code": "another-code"}, Code.MCP_SIGN_IN_REFUSED),
    ],
)
def test_a_response_that_is_none_connects_nobody(fake: OAuthServerFake, change: dict[str, str], expected: Code) -> None:
    """And the state is used up: the true response is told the same."""
    true = fake.authorize(begun().authorization_url)
    for back in (true | change, true | change, true):
        assert refusal(lambda back=back: finished(back)) == (expected.status, expected)
    assert fake.good == set()
    assert list_connections("alice").connections == ()


def test_two_requests_at_once_are_one_exchange(fake: OAuthServerFake) -> None:
    """The second one waits for what the first one is about to know."""
    raw = json.dumps(fake.authorize(begun().authorization_url)).encode()

    async def both() -> list[McpConnection]:
        return list(await asyncio.gather(*(finish_sign_in(raw, "alice") for _ in range(2))))

    one, other = asyncio.run(both())
    assert one == other
    assert len(fake.forms) == 1


def test_a_sign_in_again_revokes_the_earlier_tokens_once_it_has_others(fake: OAuthServerFake) -> None:
    """RFC 7009: a revocation that fails costs the user nothing."""
    finished(fake.authorize(begun().authorization_url))
    (earlier,) = fake.refresh_tokens
    connection = finished(fake.authorize(begun().authorization_url))
    assert fake.revoked == [earlier]
    fake.replies["/revoke"] = Response(status_code=503)
    assert finished(fake.authorize(begun().authorization_url)).id == connection.id
    assert asyncio.run(access_token("alice", connection.id, fake.url)) in fake.good


@pytest.mark.parametrize(("agent", "server"), [("nobody", "issues"), ("support", "open"), ("support", "other")])
def test_only_servers_of_agents_that_want_it_are_signed_in_to(agent: str, server: str) -> None:
    assert refusal(lambda: begun(server, agent=agent)) == (404, Code.MCP_SERVER_NOT_FOUND)


def test_a_server_that_cannot_be_used_is_told(fake: OAuthServerFake) -> None:
    fake.replies[RESOURCE] = Response(status_code=500)
    with pytest.raises(Problem) as raised:
        begun()
    assert raised.value.code is Code.MCP_SIGN_IN_FAILED
    assert raised.value.params == {"reason": "the server does not say who issues its tokens"}


@pytest.mark.parametrize("raw", [b"", b"{}", b"[]", b'{"agent": "a", "server": "b", "redirectUri": "https://x"}'])
def test_a_body_that_is_none_is_refused(raw: bytes) -> None:
    """Nobody chooses where a browser returns."""
    assert refusal(lambda: asyncio.run(begin_sign_in(raw, "alice")))[0] == 422
    assert refusal(lambda: asyncio.run(finish_sign_in(raw, "alice")))[0] == 422


def test_what_is_removed_is_revoked(fake: OAuthServerFake) -> None:
    connection = finished(fake.authorize(begun().authorization_url))
    asyncio.run(remove_connection("bob", connection.id))
    assert len(list_connections("alice").connections) == 1
    for _ in range(2):
        asyncio.run(remove_connection("alice", connection.id.upper()))
    assert len(fake.revoked) == 1
    assert list_connections("alice").connections == ()
    assert refusal(lambda: asyncio.run(remove_connection("alice", "x"))) == (404, Code.MCP_CONNECTION_NOT_FOUND)


def test_a_connection_too_many_is_revoked(fake: OAuthServerFake, monkeypatch: pytest.MonkeyPatch) -> None:
    finished(fake.authorize(begun().authorization_url))
    monkeypatch.setattr(mcp_connections, "MAX_CONNECTIONS", 1)
    back = fake.authorize(begun("named").authorization_url)
    assert refusal(lambda: finished(back)) == (409, Code.MCP_CONNECTION_LIMIT)
    assert len(fake.revoked) == 1


def test_without_an_address_to_return_to_nobody_signs_in() -> None:
    vars(settings).update(mcp_callback_url="")
    for call in (begun, lambda: finished({"state": "a"}), lambda: list_connections("alice")):
        assert refusal(call) == (403, Code.AGENT_FORBIDDEN)


@pytest.mark.parametrize("iss", ["https://other.example", None, ""])
def test_a_code_of_another_issuer_is_sent_to_nobody(fake: OAuthServerFake, iss: str | None) -> None:
    """RFC 9207, mix-up: neither to the server that was asked, nor to the one that is named."""
    back = fake.authorize(begun().authorization_url)
    back.pop("iss")
    assert refusal(lambda: finished({**back, **({} if iss is None else {"iss": iss})}))[1] is Code.MCP_SIGN_IN_FAILED
    assert fake.forms == []
    assert fake.good == set()


def test_a_slow_authorization_server_costs_a_request_its_time_alone(
    fake: OAuthServerFake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All requests of a sign-in have one time, however many there are."""

    async def drops() -> Any:
        while True:
            yield b" "
            await asyncio.sleep(0.02)

    monkeypatch.setattr("yarrow.mcp_oauth.sign_in._SECONDS", 0.3)
    fake.replies[RESOURCE] = StreamingResponse(drops(), media_type="application/json")
    with pytest.raises(Problem) as raised:
        begun()
    assert (raised.value.code, raised.value.params) == (
        Code.MCP_SIGN_IN_FAILED,
        {"reason": "the server took too long"},
    )
