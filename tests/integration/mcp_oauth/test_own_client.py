"""The client that is registered at an authorization server is kept, and shared by sign-ins (MCP-01, SEC-05)."""

import asyncio
import json
import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from tests.support.oauth_servers import OAuthServerFake, listening
from yarrow.agents.mcp_servers import McpServer
from yarrow.mcp_oauth import own_client, sign_in
from yarrow.mcp_oauth.connections import NotConnectedError, access_token
from yarrow.mcp_oauth.discovery import AuthorizationServer, discover
from yarrow.mcp_oauth.sealing import UnreadableSealError, opened, seal
from yarrow.mcp_oauth.tokens import Client
from yarrow.protocol.mcp_connections import McpConnection
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clock, mcp_clients, mcp_connections, table
from yarrow.store.mcp_clients import StoredClient

pytestmark = [pytest.mark.enable_socket, pytest.mark.memory]
HERE = "https://console.example.com/"
START = b'{"agent": "support", "server": "issues"}'


@pytest.fixture
def fake(aws: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[OAuthServerFake]:
    kms = boto3.client("kms")
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    kms.create_alias(AliasName=settings.mcp_connections_key, TargetKeyId=key)
    vars(settings).update(mcp_callback_url=HERE)
    server = OAuthServerFake()
    with listening(server):
        policy = McpServer.model_validate({"url": server.url, "oauth": {}, "tools": [{"id": "search"}]})
        monkeypatch.setattr(sign_in, "_servers", lambda: {("support", "issues"): policy})
        yield server


def server_of(fake: OAuthServerFake) -> AuthorizationServer:
    return asyncio.run(discover(fake.url))


def client(fake: OAuthServerFake, user: str = "alice", here: str = HERE) -> Client:
    return asyncio.run(own_client.registered(user, fake.url, server_of(fake), here))


def kept(fake: OAuthServerFake) -> StoredClient:
    found = mcp_clients.read(fake.url, fake.origin)
    assert found is not None
    return found


def with_secret(fake: OAuthServerFake, ends_at: int = 0) -> None:
    fake.issuer_metadata = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    fake.registration = {"client_secret": "the-secret-of-a-client", "client_secret_expires_at": ends_at}


def connected(fake: OAuthServerFake, user: str = "alice") -> McpConnection:
    """Sign a user in, from the beginning to the end."""
    back = fake.authorize(asyncio.run(sign_in.begin_sign_in(START, user)).authorization_url)
    return asyncio.run(sign_in.finish_sign_in(json.dumps(back).encode(), user))


def test_sign_ins_of_all_users_share_a_client(fake: OAuthServerFake) -> None:
    for user in ("alice", "bob", "alice"):
        connected(fake, user)
    assert len(fake.registered) == 1
    assert {form["client_id"] for form in fake.forms if "client_id" in form} == {"client-1"}
    assert (kept(fake).id, kept(fake).ends_at) == ("client-1", None)


def test_another_server_or_issuer_has_another_client(fake: OAuthServerFake) -> None:
    first, server = client(fake), server_of(fake)
    others = ((f"{fake.url}/other", server), (fake.url, replace(server, issuer="https://other.example")))
    ids = {asyncio.run(own_client.registered("alice", url, one, HERE)).id for url, one in others}
    assert len({first.id, *ids}) == 3
    assert client(fake) == first


def test_a_secret_is_kept_sealed_and_used(fake: OAuthServerFake, caplog: pytest.LogCaptureFixture) -> None:
    """SEC-05: what is stored cannot be read without the key, nor be taken for a user's, and nothing logs it."""
    with_secret(fake)
    with caplog.at_level(logging.DEBUG, logger="yarrow"):
        connected(fake)
        connected(fake, "bob")
    assert [form["client_secret"] for form in fake.forms] == ["the-secret-of-a-client"] * len(fake.forms)
    assert len(fake.registered) == 1
    item = table.get({"pk": mcp_clients._key(fake.url, fake.origin)["pk"], "sk": "CLIENT"})
    assert "the-secret-of-a-client" not in f"{item} {kept(fake)!r} {caplog.text}"
    for user, url in (("alice", fake.url), (None, f"{fake.url}/other")):
        with pytest.raises(UnreadableSealError):
            opened(kept(fake).sealed, user, url)


@pytest.mark.parametrize(("days", "registrations"), [(30, 1), (0.5, 2), (-1, 2)])
def test_a_client_is_replaced_before_its_secret_ends(fake: OAuthServerFake, days: float, registrations: int) -> None:
    with_secret(fake, int(time.time() + days * 86_400))
    client(fake)
    client(fake)
    assert len(fake.registered) == registrations
    assert kept(fake).id == f"client-{registrations}"


def test_the_secret_ends_while_time_goes_on(fake: OAuthServerFake, monkeypatch: pytest.MonkeyPatch) -> None:
    with_secret(fake, int(time.time() + 30 * 86_400))
    first, now = client(fake), clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(days=28, hours=23))
    assert client(fake) == first
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(days=29, minutes=1))
    assert client(fake) != first


def test_browsers_that_return_elsewhere_need_another_client(fake: OAuthServerFake) -> None:
    """A client returns to the addresses of its registration alone."""
    client(fake)
    client(fake, here="https://new.example.com/")
    client(fake, here="https://new.example.com/")
    assert [one["redirect_uris"] for one in fake.registered] == [[HERE], ["https://new.example.com/"]]


def test_sign_ins_that_begin_at_once_keep_one_client(fake: OAuthServerFake) -> None:
    together = Barrier(6)
    server = server_of(fake)

    def begin(number: int) -> Client:
        together.wait(30)
        return asyncio.run(own_client.registered(f"user-{number}", fake.url, server, HERE))

    with ThreadPoolExecutor(6) as workers:
        got = set(workers.map(begin, range(6)))
    assert got == {client(fake)}


def test_a_client_that_the_server_forgot_is_dropped_at_a_code(fake: OAuthServerFake) -> None:
    """The user is refused once; the next sign-in, of whomever, registers anew."""
    fake.unknown.add("client-1")
    with pytest.raises(Problem) as refused:
        connected(fake)
    assert refused.value.code is Code.MCP_SIGN_IN_REFUSED
    assert mcp_clients.read(fake.url, fake.origin) is None
    connected(fake, "bob")
    connected(fake)
    assert [kept(fake).id, len(fake.registered)] == ["client-2", 2]


def test_a_client_that_the_server_forgot_is_dropped_at_a_refresh(fake: OAuthServerFake) -> None:
    """Only if it is the one that is kept: a connection of an earlier one lapses alone."""
    fake.lasts = 0
    connection = connected(fake)
    early = connected(fake, "bob")
    fake.unknown.add("client-1")
    with pytest.raises(NotConnectedError):
        asyncio.run(access_token("alice", connection.id, fake.url))
    assert mcp_clients.read(fake.url, fake.origin) is None
    connected(fake)
    with pytest.raises(NotConnectedError):
        asyncio.run(access_token("bob", early.id, fake.url))
    assert kept(fake).id == "client-2"


def test_a_refresh_that_is_refused_for_another_reason_drops_nothing(fake: OAuthServerFake) -> None:
    fake.lasts = 0
    connection = connected(fake)
    fake.refresh_tokens.clear()
    with pytest.raises(NotConnectedError):
        asyncio.run(access_token("alice", connection.id, fake.url))
    assert kept(fake).id == "client-1"


def test_what_aws_does_when_a_client_is_dropped_ends_the_connection_all_the_same(
    fake: OAuthServerFake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is dropped when the server says so again."""
    fake.lasts = 0
    connection = connected(fake)
    fake.unknown.add("client-1")

    def throttled(*_: Any) -> bool:
        raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "Rate exceeded"}}, "DeleteItem")

    monkeypatch.setattr(mcp_clients, "drop", throttled)
    with pytest.raises(NotConnectedError):
        asyncio.run(access_token("alice", connection.id, fake.url))
    lapsed = mcp_connections.read("alice", connection.id)
    assert lapsed is not None
    assert lapsed.status == "lapsed"


def test_who_left_a_sign_in_begins_with_a_new_client(fake: OAuthServerFake) -> None:
    """A server that forgot the client may say so on its own page alone. Others go on with the client meanwhile."""
    connected(fake)
    asyncio.run(sign_in.begin_sign_in(START, "alice"))
    connected(fake, "bob")
    assert len(fake.registered) == 1
    connected(fake)
    assert [kept(fake).id, len(fake.registered)] == ["client-2", 2]
    connected(fake)
    connected(fake, "bob")
    assert len(fake.registered) == 2


def test_a_user_who_said_no_knows_that_the_server_knows_the_client(fake: OAuthServerFake) -> None:
    back = fake.authorize(asyncio.run(sign_in.begin_sign_in(START, "alice")).authorization_url)
    declined = {"state": back["state"], "iss": back["iss"], "error": "access_denied"}
    with pytest.raises(Problem):
        asyncio.run(sign_in.finish_sign_in(json.dumps(declined).encode(), "alice"))
    connected(fake)
    assert len(fake.registered) == 1


@pytest.mark.parametrize("sealed", ["AQ==", "another"])
def test_what_cannot_be_read_is_registered_anew(fake: OAuthServerFake, sealed: str) -> None:
    """After the key was replaced; an item with another client in it is none."""
    client(fake)
    other = seal('{"id": "client-of-another"}', None, fake.url) if sealed == "another" else sealed
    assert mcp_clients.keep(replace(kept(fake), sealed=other), kept(fake))
    assert client(fake).id == "client-2"
    assert client(fake).id == "client-2"


def test_a_client_is_replaced_and_dropped_as_it_was_read(fake: OAuthServerFake) -> None:
    client(fake)
    first = kept(fake)
    second, third = replace(first, id="second"), replace(first, id="third")
    assert not mcp_clients.keep(second, None)
    assert mcp_clients.keep(second, first)
    assert not mcp_clients.keep(third, first)
    assert not mcp_clients.drop(fake.url, fake.origin, first.id)
    assert mcp_clients.drop(fake.url, fake.origin, "second")
    assert not mcp_clients.drop(fake.url, fake.origin, "second")
    assert not mcp_clients.keep(third, second)
    assert mcp_clients.keep(third, None)
