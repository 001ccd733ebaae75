"""Users' connections to MCP servers: sealed, and renewed by one worker at a time (MCP-01, SEC-05)."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import boto3
import pytest
from starlette.responses import JSONResponse, Response

from tests.support.oauth_servers import OAuthServerFake, listening
from yarrow.mcp_oauth import connections, tokens
from yarrow.mcp_oauth.connections import Grant, NotConnectedError, access_token, grant_of, keep
from yarrow.mcp_oauth.discovery import AuthorizationServer, discover
from yarrow.mcp_oauth.exchange import OAuthError
from yarrow.mcp_oauth.sealing import UnreadableSealError, opened, seal
from yarrow.mcp_oauth.tokens import Client, Tokens
from yarrow.settings import settings
from yarrow.store import clock, mcp_connections, table
from yarrow.store.items.updates import ALWAYS, Update
from yarrow.store.mcp_connections import StoredConnection, StoredSignIn

pytestmark = [pytest.mark.enable_socket, pytest.mark.memory]
ID = "c-1"


@pytest.fixture(autouse=True)
def sealing_key(aws: None) -> None:
    kms = boto3.client("kms")
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    kms.create_alias(AliasName=settings.mcp_connections_key, TargetKeyId=key)


@pytest.fixture
def fake() -> Iterator[OAuthServerFake]:
    server = OAuthServerFake()
    with listening(server):
        yield server


def connected(fake: OAuthServerFake, seconds: int | None = 3_600, *, refreshes: bool = True) -> Grant:
    """Connect Alice with tokens that last so long."""
    issued = fake.issue()
    got = Tokens(issued["access_token"], issued["refresh_token"] if refreshes else None, seconds)
    grant = Grant(asyncio.run(discover(fake.url)), Client("me"), got)
    keep("alice", ID, fake.url, grant)
    return grant


def token(fake: OAuthServerFake, refused: str | None = None) -> str:
    return asyncio.run(access_token("alice", ID, fake.url, refused=refused))


def stored() -> StoredConnection:
    found = mcp_connections.read("alice", ID)
    assert found is not None
    return found


def test_a_seal_is_of_one_user_and_server() -> None:
    """Neither another one's item nor a piece of another place can be opened."""
    text = "秘密" * 2_000
    sealed = seal(text, "alice", "https://a.example")
    assert opened(sealed, "alice", "https://a.example") == text
    pieces = sealed.split(" ")
    assert len(pieces) == 3
    for other in (" ".join(reversed(pieces)), pieces[0], sealed[:-8], f"{sealed}!"):
        with pytest.raises(UnreadableSealError):
            opened(other, "alice", "https://a.example")
    for user, url in (("bob", "https://a.example"), ("alice", "https://b.example")):
        with pytest.raises(UnreadableSealError):
            opened(sealed, user, url)


def test_a_text_without_end_is_not_sealed() -> None:
    with pytest.raises(ValueError, match="too long"):
        seal("x" * 40_000, "alice", "https://a.example")


def test_nothing_that_is_stored_has_a_token(fake: OAuthServerFake) -> None:
    """SEC-05."""
    grant = connected(fake)
    items = list(table.query(mcp_connections.partition("alice"), start="A", before="~"))
    shown = f"{items} {stored()!r}"
    assert len(items) == 2
    assert grant.tokens.access not in shown
    assert str(grant.tokens.refresh) not in shown
    assert grant_of("alice", stored()) == grant


@pytest.mark.parametrize("seconds", [3_600, None])
def test_a_good_token_is_handed_out_as_it_is(fake: OAuthServerFake, seconds: int | None) -> None:
    grant = connected(fake, seconds)
    assert token(fake) == grant.tokens.access
    assert fake.forms == []


def test_a_token_that_ends_soon_is_renewed_once(fake: OAuthServerFake) -> None:
    grant = connected(fake, 30)
    new = token(fake)
    assert new != grant.tokens.access
    assert token(fake) == new
    assert [form["grant_type"] for form in fake.forms] == ["refresh_token"]
    assert grant_of("alice", stored()).tokens.refresh in fake.refresh_tokens


def test_workers_that_renew_at_once_lose_no_token(fake: OAuthServerFake) -> None:
    """A refresh token that is good once is used once: the others wait for what the first one gets."""
    connected(fake, 0)
    together = Barrier(6)

    def ask(_: int) -> str:
        together.wait(30)
        return token(fake)

    with ThreadPoolExecutor(6) as workers:
        got = set(workers.map(ask, range(6)))
    assert len(got) == 1
    assert got <= fake.good
    assert len(fake.forms) == 1


def test_a_token_that_the_server_refuses_is_renewed(fake: OAuthServerFake) -> None:
    """Though it has not ended; a worker that comes later with the same refusal gets what there is."""
    grant = connected(fake)
    new = token(fake, refused=grant.tokens.access)
    assert new != grant.tokens.access
    assert token(fake, refused=grant.tokens.access) == new
    assert len(fake.forms) == 1


@pytest.mark.parametrize("refreshes", [True, False])
def test_a_refresh_that_is_refused_ends_the_connection(fake: OAuthServerFake, *, refreshes: bool) -> None:
    """The user is asked again, and a new sign-in takes its place."""
    connected(fake, 0, refreshes=refreshes)
    fake.refresh_tokens.clear()
    with pytest.raises(NotConnectedError):
        token(fake)
    assert stored().status == "lapsed"
    with pytest.raises(NotConnectedError):
        token(fake)
    assert len(fake.forms) == refreshes
    assert token_of_new(fake) in fake.good


def token_of_new(fake: OAuthServerFake) -> str:
    connected(fake)
    assert stored().status == "active"
    return token(fake)


def test_a_token_is_good_until_its_end_though_nobody_renews_it(fake: OAuthServerFake) -> None:
    grant = connected(fake, 30, refreshes=False)
    assert token(fake) == grant.tokens.access
    assert stored().status == "active"


def test_an_authorization_server_that_is_down_ends_nothing(fake: OAuthServerFake) -> None:
    """The earlier token serves until its end, then the call fails; once the server is back, the next one succeeds."""
    grant = connected(fake, 30)
    fake.replies["/token"] = Response(status_code=503)
    assert token(fake) == grant.tokens.access
    with pytest.raises(OAuthError, match="status 503"):
        token(fake, refused=grant.tokens.access)
    assert (stored().status, stored().claim) == ("active", None)
    del fake.replies["/token"]
    assert token(fake) != grant.tokens.access


def test_a_worker_that_died_holds_nobody_for_long(fake: OAuthServerFake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others wait for a time, and once its claim has ended another one renews the tokens."""
    connected(fake, 0)
    assert mcp_connections.claimed("alice", stored()) is not None
    monkeypatch.setattr(connections, "WAIT_SECONDS", 0.0)
    with pytest.raises(OAuthError, match="another worker"):
        token(fake)
    assert fake.forms == []
    later = clock.iso(clock.now() + timedelta(seconds=mcp_connections.CLAIM_SECONDS + 1))
    monkeypatch.setattr(clock, "now_iso", lambda: later)
    assert token(fake) in fake.good


def test_a_claim_that_came_late_is_none(fake: OAuthServerFake, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-27: another worker may claim the connection as soon as it ends, and would use the same refresh token."""
    connected(fake, 0)
    early = clock.iso(clock.now() - timedelta(seconds=mcp_connections.CLAIM_SECONDS + 1))
    with monkeypatch.context() as patched:
        patched.setattr(clock, "now_iso", lambda: early)
        assert mcp_connections.claimed("alice", stored()) is None
    assert mcp_connections.claimed("alice", stored()) is not None
    assert mcp_connections.claimed("alice", stored()) is None


def test_what_came_of_a_sign_in_is_known_whatever_clock_a_later_one_had() -> None:
    """EVT-27: functions' clocks differ, so times of two sign-ins cannot be compared."""
    now = clock.now_iso()
    mcp_connections.begin("alice", "a-state", StoredSignIn("https://a.example", "AQ==", now, ID))
    mcp_connections.take("alice", "a-state")
    found = mcp_connections.read_sign_in("alice", "a-state")
    assert found is not None
    assert found.connected_at is None
    one = StoredConnection(ID, "https://a.example", "https://i.example", "AQ==", "0", now, now)
    mcp_connections.save("alice", one, "a-state")
    found = mcp_connections.read_sign_in("alice", "a-state")
    assert found is not None
    assert found.connected_at == now


def test_what_a_slow_worker_got_is_kept_though_its_claim_has_ended(fake: OAuthServerFake) -> None:
    """Another one was refused meanwhile, with the token that the first had used up."""
    connected(fake, 0)
    slow = stored()
    assert mcp_connections.claimed("alice", slow) is not None
    got = asyncio.run(tokens.refresh(grant_of("alice", slow).server, Client("me"), grant_of("alice", slow).tokens))
    item = {"pk": mcp_connections.partition("alice"), "sk": f"SERVER#{ID}"}
    early = clock.iso(clock.now() - timedelta(seconds=1))
    table.update_returning(item, Update().set(claimed_until=early), ALWAYS)
    with pytest.raises(NotConnectedError):
        token(fake)
    sealed = replace(grant_of("alice", slow), tokens=got).sealed("alice", fake.url)
    assert mcp_connections.renew("alice", slow, sealed, None)
    assert (stored().status, token(fake)) == ("active", got.access)


def test_a_refusal_of_what_was_renewed_meanwhile_ends_nothing(
    fake: OAuthServerFake, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected(fake, 0)
    before = stored()
    after = replace(grant_of("alice", before), tokens=Tokens("newer", "newest"))
    fake.replies["/token"] = JSONResponse({"error": "invalid_grant"}, 400)
    refresh = tokens.refresh

    async def overtaken(server: AuthorizationServer, client: Client, got: Tokens, *, private: bool) -> Tokens:
        assert mcp_connections.renew("alice", before, after.sealed("alice", fake.url), None)
        return await refresh(server, client, got, private=private)

    monkeypatch.setattr(tokens, "refresh", overtaken)
    assert token(fake) == "newer"
    assert stored().status == "active"


def test_a_connection_that_is_removed_meanwhile_does_not_come_back(
    fake: OAuthServerFake, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected(fake, 0)
    refresh = tokens.refresh

    async def removed(server: AuthorizationServer, client: Client, got: Tokens, *, private: bool) -> Tokens:
        assert mcp_connections.remove("alice", ID)
        return await refresh(server, client, got, private=private)

    monkeypatch.setattr(tokens, "refresh", removed)
    token(fake)
    assert mcp_connections.of_user("alice") == []
    assert not mcp_connections.remove("alice", ID)


def test_a_token_goes_to_its_server_alone(fake: OAuthServerFake) -> None:
    """Also if another server is known by its name by now, or another user asks."""
    connected(fake)
    for user, url in (("alice", "https://other.example/mcp"), ("bob", fake.url)):
        with pytest.raises(NotConnectedError):
            asyncio.run(access_token(user, ID, url))
    moved = replace(stored(), url="https://other.example/mcp")
    mcp_connections.save("alice", moved)
    with pytest.raises(NotConnectedError):
        asyncio.run(access_token("alice", ID, moved.url))


def test_connections_of_a_user_are_limited() -> None:
    now = clock.now_iso()
    one = StoredConnection("c-0", "https://a.example", "https://i.example", "AQ==", "0", now, now)
    for number in range(mcp_connections.MAX_CONNECTIONS):
        mcp_connections.save("alice", replace(one, id=f"c-{number}"))
    with pytest.raises(mcp_connections.TooManyConnectionsError):
        mcp_connections.save("alice", replace(one, id="another"))
    mcp_connections.save("alice", replace(one, sealed="Ag=="))
    mcp_connections.save("bob", one)
    assert mcp_connections.remove("alice", "c-1")
    mcp_connections.save("alice", replace(one, id="another"))
    assert len(mcp_connections.of_user("alice")) == mcp_connections.MAX_CONNECTIONS


def test_a_sign_in_is_good_once_for_its_user() -> None:
    sign_in = StoredSignIn("https://a.example", "AQ==", clock.now_iso())
    mcp_connections.begin("alice", "a-state", sign_in)
    assert mcp_connections.take("bob", "a-state") is None
    assert mcp_connections.take("alice", "another") is None
    together = Barrier(4)

    def take(_: int) -> StoredSignIn | None:
        together.wait(30)
        return mcp_connections.take("alice", "a-state")

    with ThreadPoolExecutor(4) as askers:
        taken = [found for found in askers.map(take, range(4)) if found is not None]
    assert len(taken) == 4
    (own,) = (found for found in taken if found.sealed is not None)
    assert own == replace(sign_in, taken=own.taken, taken_at=own.taken_at)
    mcp_connections.fail("alice", "a-state", "MCP_SIGN_IN_FAILED", "the server took too long")
    told = mcp_connections.take("alice", "a-state")
    assert told == replace(own, sealed=None, failure="MCP_SIGN_IN_FAILED", reason="the server took too long")
    assert mcp_connections.take("bob", "a-state") is None


def test_a_sign_in_ends() -> None:
    """The table may delete it days later."""
    early = clock.iso(clock.now() - timedelta(minutes=mcp_connections.SIGN_IN_MINUTES, seconds=1))
    mcp_connections.begin("alice", "a-state", StoredSignIn("https://a.example", "AQ==", early))
    assert mcp_connections.take("alice", "a-state") is None
