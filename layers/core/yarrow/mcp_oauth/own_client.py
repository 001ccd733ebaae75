"""The client that Yarrow registers of its own at an authorization server: kept, sealed, and shared by all sign-ins.

Registrations stay at authorization servers for good, and some servers take only a few. A secret ends when the
registration says so. A server that no longer knows the client says so where tokens are asked for, and then the client
is dropped. Many say it only on the page where users sign in, from where no browser returns: whoever has left a sign-in
with a client begins the next one with a new client.
"""

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.formats import json_text
from yarrow.mcp_oauth import tokens
from yarrow.mcp_oauth.discovery import AuthorizationServer
from yarrow.mcp_oauth.sealing import UnreadableSealError, opened, seal
from yarrow.mcp_oauth.tokens import Client
from yarrow.observability import redaction
from yarrow.observability.logs import logger
from yarrow.store import clock, mcp_clients, mcp_connections
from yarrow.store.mcp_clients import StoredClient

MARGIN: Final = timedelta(days=1)
"""A client whose secret ends within this time begins no sign-in: its tokens could not be renewed for long."""


async def registered(
    user_id: str, url: str, server: AuthorizationServer, redirect_uri: str, *, private: bool = False
) -> Client:
    """Return the client for a sign-in to the MCP server at an address, registered if none of use is kept.

    Raises OAuthError; botocore's errors.
    """
    kept = await asyncio.to_thread(mcp_clients.read, url, server.issuer)
    if kept is not None and await asyncio.to_thread(_is_of_use, kept, user_id, redirect_uri):
        client = await asyncio.to_thread(_opened, kept)
        if client is not None:
            return client
    got = await tokens.register(server, redirect_uri, private=private)
    return await asyncio.to_thread(_keep, got, url, server.issuer, redirect_uri, kept)


def forget(url: str, issuer: str, client: Client) -> None:
    """Drop a client that the authorization server does not know, if it is the one that is kept. Never raises for what
    AWS does: the server says the same of it the next time.
    """
    try:
        is_dropped = mcp_clients.drop(url, issuer, client.id)
    except (BotoCoreError, ClientError):
        logger.warning("a client that is unknown to its server cannot be dropped", exc_info=True)
        return
    if is_dropped:
        logger.warning("a client is unknown to its authorization server, and dropped", extra={"issuer": issuer})


def _is_of_use(kept: StoredClient, user_id: str, redirect_uri: str) -> bool:
    if kept.redirect_uri != redirect_uri or (kept.ends_at is not None and clock.since(kept.ends_at) > -MARGIN):
        return False
    return not mcp_connections.has_left(user_id, kept.id)


def _keep(
    got: tokens.Registration, url: str, issuer: str, redirect_uri: str, instead_of: StoredClient | None
) -> Client:
    """Keep a new client; returns that of another sign-in which was faster, if there is one."""
    ends_at = None if got.ends_at is None else clock.iso(datetime.fromtimestamp(got.ends_at, UTC))
    sealed = seal(json_text.dumps(asdict(got.client)), None, url)
    new = StoredClient(got.client.id, url, issuer, redirect_uri, sealed, clock.now_iso(), ends_at)
    if mcp_clients.keep(new, instead_of):
        return got.client
    faster = mcp_clients.read(url, issuer)
    if faster is None or faster.redirect_uri != redirect_uri:
        return got.client
    return _opened(faster) or got.client


def _opened(kept: StoredClient) -> Client | None:
    """Return a client as it was registered; None if its seal is that of another key or was changed."""
    try:
        client = Client(**json_text.loads(opened(kept.sealed, None, kept.url).encode()))
    except UnreadableSealError:
        logger.warning("a client's seal cannot be read", extra={"issuer": kept.issuer})
        return None
    if client.id != kept.id:
        return None
    if client.secret is not None:
        redaction.conceal(client.secret)
    return client
