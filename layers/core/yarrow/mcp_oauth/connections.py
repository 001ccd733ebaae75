"""The tokens of users' connections: sealed, handed out while they are good, and renewed by one worker at a time."""

import asyncio
import time
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.mcp_oauth import own_client, tokens
from yarrow.mcp_oauth.discovery import AuthorizationServer
from yarrow.mcp_oauth.exchange import OAuthError
from yarrow.mcp_oauth.sealing import UnreadableSealError, opened, seal
from yarrow.mcp_oauth.tokens import Client, RefusedError, Tokens, UnknownClientError
from yarrow.observability import redaction
from yarrow.observability.logs import logger
from yarrow.store import clock, mcp_connections
from yarrow.store.mcp_connections import StoredConnection

MARGIN: Final = timedelta(seconds=60)
"""A token that ends within this time is renewed first: it has to outlast the call."""

WAIT_SECONDS: Final = 20.0
"""How long a worker waits for another one to renew the tokens."""

_PAUSE_SECONDS: Final = 0.25


class NotConnectedError(Exception):
    """The user has no connection to the server, or has to sign in again."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What a connection keeps sealed: the tokens, and where and as whom they are renewed."""

    server: AuthorizationServer
    client: Client
    tokens: Tokens

    def sealed(self, user_id: str, url: str) -> str:
        return seal(json_text.dumps(asdict(self)), user_id, url)


def keep(user_id: str, connection_id: str, url: str, grant: Grant, state: str | None = None) -> StoredConnection:
    """Store what a user has got for a server, by the sign-in of a state. Raises TooManyConnectionsError; botocore's
    errors.
    """
    now = clock.now_iso()
    connection = StoredConnection(
        id=connection_id,
        url=url,
        issuer=grant.server.issuer,
        sealed=grant.sealed(user_id, url),
        revision=uuid.uuid4().hex,
        created_at=now,
        updated_at=now,
        ends_at=_ends_at(grant.tokens),
    )
    mcp_connections.save(user_id, connection, state)
    return connection


def grant_of(user_id: str, connection: StoredConnection) -> Grant:
    """Open a connection; its secrets are not logged from now on. Raises UnreadableSealError; botocore's errors."""
    document = json_text.loads(opened(connection.sealed, user_id, connection.url).encode())
    server, client, got = (document[name] for name in ("server", "client", "tokens"))
    grant = Grant(
        server_of(server),
        Client(**client),
        Tokens(**{**got, "scopes": tuple(got["scopes"])}),
    )
    for secret in filter(None, (grant.tokens.access, grant.tokens.refresh, grant.client.secret)):
        redaction.conceal(secret)
    return grant


def server_of(document: Mapping[str, Any]) -> AuthorizationServer:
    """Read an authorization server as `asdict` writes it."""
    methods, scopes = tuple(document["methods"]), tuple(document["scopes"])
    return AuthorizationServer(**{**document, "methods": methods, "scopes": scopes})


async def access_token(
    user_id: str, connection_id: str, url: str, *, private: bool = False, refused: str | None = None
) -> str:
    """Return a token for the server at an address, renewed if it ends soon or is the one that the server has `refused`.

    Raises NotConnectedError, also for a connection to another address; OAuthError if the authorization server cannot
    tell now; botocore's errors.
    """
    waits_until = time.monotonic() + WAIT_SECONDS
    while True:
        connection = await asyncio.to_thread(mcp_connections.read, user_id, connection_id)
        if connection is None or connection.status != "active" or connection.url != url:
            raise NotConnectedError
        token = await _current(user_id, connection, private, refused)
        if token is not None:
            return token
        if time.monotonic() > waits_until:
            raise OAuthError("another worker takes too long to renew the tokens")
        await asyncio.sleep(_PAUSE_SECONDS)


async def _current(user_id: str, connection: StoredConnection, private: bool, refused: str | None) -> str | None:
    """Return a good token; None if another worker is renewing it."""
    try:
        grant = await asyncio.to_thread(grant_of, user_id, connection)
    except UnreadableSealError as error:
        logger.exception("a connection's seal cannot be read", extra={"connection_id": connection.id})
        raise NotConnectedError from error
    was_refused = grant.tokens.access == refused
    if not was_refused and not _ends_by(connection, MARGIN):
        return grant.tokens.access
    claim = await asyncio.to_thread(mcp_connections.claimed, user_id, connection)
    if claim is not None:
        return await _renewed(user_id, connection, grant, claim, private, was_refused)
    return None if was_refused or _ends_by(connection, timedelta()) else grant.tokens.access


async def _renewed(
    user_id: str, connection: StoredConnection, grant: Grant, claim: str, private: bool, was_refused: bool
) -> str | None:
    """Return a new token, or the earlier one while it is good; None if the tokens have changed meanwhile."""
    own = {"connection_id": connection.id}
    try:
        got = await tokens.refresh(grant.server, grant.client, grant.tokens, private=private)
    except RefusedError as error:
        if isinstance(error, UnknownClientError):  # first: whoever takes over from here is told the same
            await asyncio.to_thread(own_client.forget, connection.url, grant.server.issuer, grant.client)
        if not was_refused and not _ends_by(connection, timedelta()):
            await asyncio.to_thread(mcp_connections.release, user_id, connection.id, claim)
            return grant.tokens.access  # it is good until its end
        if not await asyncio.to_thread(mcp_connections.lapse, user_id, connection.id, claim):
            return None
        logger.warning("a connection to an MCP server has lapsed", extra={**own, "reason": str(error)})
        raise NotConnectedError from error
    except OAuthError:
        await asyncio.to_thread(mcp_connections.release, user_id, connection.id, claim)
        if was_refused or _ends_by(connection, timedelta()):
            raise
        return grant.tokens.access
    new = replace(grant, tokens=got)
    sealed = await asyncio.to_thread(new.sealed, user_id, connection.url)
    if not await asyncio.to_thread(mcp_connections.renew, user_id, connection, sealed, _ends_at(got)):
        logger.warning("renewed tokens are of no use: the connection was replaced or removed", extra=own)
    return got.access


def _ends_at(got: Tokens) -> str | None:
    return None if got.seconds is None else clock.iso(clock.now() + timedelta(seconds=got.seconds))


def _ends_by(connection: StoredConnection, margin: timedelta) -> bool:
    return connection.ends_at is not None and clock.since(connection.ends_at) > -margin
