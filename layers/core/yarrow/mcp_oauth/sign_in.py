"""The use cases of `/api/v1/mcp-connections`: a user signs in to an MCP server, lists and removes connections.

The browser returns to the console's address alone, where the user has to be the one who began: whoever sends another
user to a sign-in of theirs gets nothing.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.access import limits
from yarrow.agents import bindings
from yarrow.agents.mcp_servers import McpServer
from yarrow.formats import json_text
from yarrow.mcp_oauth import connections, own_client, tokens
from yarrow.mcp_oauth.connections import Grant
from yarrow.mcp_oauth.discovery import AuthorizationServer, discover
from yarrow.mcp_oauth.exchange import OAuthError
from yarrow.mcp_oauth.sealing import UnreadableSealError, opened, seal
from yarrow.mcp_oauth.tokens import Client, RefusedError, Tokens, UnknownClientError
from yarrow.observability import redaction
from yarrow.observability.logs import logger
from yarrow.protocol.mcp_connections import (
    McpConnection,
    McpConnectionList,
    McpServerOffer,
    McpSignIn,
    SignInEnd,
    read_end,
    read_start,
)
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.settings import settings
from yarrow.store import clock, mcp_connections
from yarrow.store.mcp_connections import StoredConnection, StoredSignIn
from yarrow.store.runner import secrets

STATE_PREFIX: Final = "mcp-"
"""By it the console tells a return from here from one of its own sign-in."""

_SECONDS: Final = 15.0
"""For all requests of one use case; API Gateway waits 29 seconds, and a revocation takes up to ten."""

_OUTCOME_SECONDS: Final = 18.0
"""How long a repeated request waits for what the first one is about to know."""

_PAUSE_SECONDS: Final = 0.5


async def begin_sign_in(raw: bytes, user_id: str) -> McpSignIn:
    """Return where the user signs in. Raises Problem 403, 404, 413, 422, 429 or 502."""
    limits.count(user_id, "mcp_connection_changes")
    fields = read_start(raw)
    callback = _callback()
    policy = _servers().get((fields.agent, fields.server))
    if policy is None or policy.oauth is None:
        raise Problem(Code.MCP_SERVER_NOT_FOUND, "no agent has such a server to sign in to")
    async with _told("mcp sign-in cannot begin", server=fields.server):
        server = await discover(policy.url, private=policy.private)
        client = await _client(policy, server, callback, user_id)
    state, verifier = STATE_PREFIX + tokens.new_secret(), tokens.new_secret()
    kept = {
        "connection": _id(policy),
        "server": asdict(server),
        "client": asdict(client),
        "verifier": verifier,
        "callback": callback,
        "private": policy.private,
    }
    now = clock.now_iso()
    sealed = seal(json_text.dumps(kept), user_id, policy.url)
    mcp_connections.begin(user_id, state, StoredSignIn(policy.url, sealed, now, _id(policy), client.id))
    url = tokens.authorization_url(
        server, client, redirect_uri=callback, state=state, verifier=verifier, scopes=policy.oauth.scopes
    )
    ends = datetime.fromisoformat(now) + timedelta(minutes=mcp_connections.SIGN_IN_MINUTES)
    return McpSignIn(authorization_url=url, expires_at=clock.iso(ends))


async def finish_sign_in(raw: bytes, user_id: str) -> McpConnection:
    """Store the connection of a user who has signed in; a repetition tells what came of it.

    Raises Problem 403, 404, 409, 413, 422, 429 or 502.
    """
    limits.count(user_id, "mcp_connection_changes")
    fields = read_end(raw)
    _callback()
    for secret in filter(None, (fields.state, fields.code)):
        redaction.conceal(secret)
    sign_in = mcp_connections.take(user_id, fields.state)
    if sign_in is None:
        raise Problem(Code.MCP_SIGN_IN_NOT_FOUND, "the sign-in was not begun by the caller, or took too long")
    if sign_in.sealed is None:
        return await _outcome(user_id, fields.state)
    try:
        return await _connected(user_id, fields, sign_in, sign_in.sealed)
    except Problem as problem:
        reason = str((problem.params or {}).get("reason", problem.detail))
        mcp_connections.fail(user_id, fields.state, problem.code.name, reason)
        raise


async def _outcome(user_id: str, state: str) -> McpConnection:
    """Return what came of a sign-in that was taken before, once that is known. Raises Problem 404, 409 or 502."""
    waits_until = time.monotonic() + _OUTCOME_SECONDS
    while (sign_in := await asyncio.to_thread(mcp_connections.read_sign_in, user_id, state)) is not None:
        if sign_in.failure is not None:
            raise _told_again(Code[sign_in.failure], sign_in.reason or "unknown")
        if sign_in.connected_at is not None:
            connection = await asyncio.to_thread(mcp_connections.read, user_id, sign_in.connection_id)
            if connection is None:
                break
            return _shown(connection)
        if time.monotonic() > waits_until:
            break
        await asyncio.sleep(_PAUSE_SECONDS)
    raise Problem(Code.MCP_SIGN_IN_NOT_FOUND, "the sign-in was cut off, or its connection is removed; begin again")


def _told_again(code: Code, reason: str) -> Problem:
    return Problem(code, "the sign-in came to nothing", params={"reason": reason})


async def _connected(user_id: str, fields: SignInEnd, sign_in: StoredSignIn, sealed: str) -> McpConnection:
    """Exchange the code, and store the connection in place of an earlier one. Raises Problem 404, 409 or 502."""
    try:
        kept = json_text.loads(opened(sealed, user_id, sign_in.url).encode())
    except UnreadableSealError as error:
        raise Problem(Code.MCP_SIGN_IN_NOT_FOUND, "the sign-in cannot be read any more") from error
    server, client = connections.server_of(kept["server"]), Client(**kept["client"])
    async with _told("mcp sign-in failed"):
        tokens.check_issuer(server, fields.iss)
        if fields.code is None or fields.error is not None:
            raise RefusedError("the sign-in was refused")
        try:
            got = await tokens.exchange_code(
                server,
                client,
                code=fields.code,
                verifier=kept["verifier"],
                redirect_uri=kept["callback"],
                private=kept["private"],
            )
        except UnknownClientError:
            await asyncio.to_thread(own_client.forget, sign_in.url, server.issuer, client)
            raise
    earlier = mcp_connections.read(user_id, kept["connection"])
    try:
        stored = connections.keep(user_id, kept["connection"], sign_in.url, Grant(server, client, got), fields.state)
    except mcp_connections.TooManyConnectionsError as error:
        await tokens.revoke(server, client, got, private=kept["private"])
        limit = {"limit": mcp_connections.MAX_CONNECTIONS}
        raise Problem(Code.MCP_CONNECTION_LIMIT, "too many connections", params=limit) from error
    logger.info("a user is connected to an MCP server", extra={"connection_id": stored.id})
    if earlier is not None:
        await _revoke(user_id, earlier, got, private=kept["private"])
    return _shown(stored)


async def _revoke(user_id: str, earlier: StoredConnection, now: Tokens, *, private: bool) -> None:
    """Revoke the tokens of a connection that a new one has replaced, unless they are the same; the user has the new one
    whatever comes of it.
    """
    try:
        grant = await asyncio.to_thread(connections.grant_of, user_id, earlier)
    except (UnreadableSealError, BotoCoreError, ClientError):
        logger.warning("earlier tokens cannot be read, and are not revoked", extra={"connection_id": earlier.id})
        return
    if {grant.tokens.access, grant.tokens.refresh} & {now.access, now.refresh} - {None}:
        return
    is_revoked = await tokens.revoke(grant.server, grant.client, grant.tokens, private=private)
    logger.info("earlier tokens are replaced", extra={"connection_id": earlier.id, "revoked": is_revoked})


def list_connections(user_id: str) -> McpConnectionList:
    """List the connections, and the servers that the user can sign in to. Raises Problem 403 or 429."""
    limits.count(user_id, "mcp_connection_reads")
    _callback()
    stored = mcp_connections.of_user(user_id)
    own = {connection.id for connection in stored}
    offers = tuple(
        McpServerOffer(
            agent=agent,
            server=name,
            host=_host(policy.url),
            connection_id=_id(policy) if _id(policy) in own else None,
        )
        for (agent, name), policy in _servers().items()
    )
    return McpConnectionList(connections=tuple(map(_shown, stored)), servers=offers)


async def remove_connection(user_id: str, connection_id: str) -> None:
    """Delete a connection, and revoke its tokens where the authorization server does so; idempotent.

    Raises Problem 404 for what is no id, or 429.
    """
    limits.count(user_id, "mcp_connection_changes")
    if not is_uuid(connection_id):
        raise Problem(Code.MCP_CONNECTION_NOT_FOUND, "there is no such connection")
    stored = mcp_connections.read(user_id, connection_id.lower())
    if stored is None or not mcp_connections.remove(user_id, stored.id):
        return
    try:
        grant = connections.grant_of(user_id, stored)
    except UnreadableSealError:
        return
    private = any(policy.private for policy in _servers().values() if _id(policy) == stored.id)
    is_revoked = await tokens.revoke(grant.server, grant.client, grant.tokens, private=private)
    logger.info("a connection is removed", extra={"connection_id": stored.id, "revoked": is_revoked})


@asynccontextmanager
async def _told(message: str, **extra: str) -> AsyncGenerator[None]:
    """Tell why nothing came of it: 409 if the authorization server has refused, else 502."""
    try:
        async with asyncio.timeout(_SECONDS):
            yield
    except (OAuthError, TimeoutError) as error:
        reason = str(error) or "the server took too long"
        logger.warning(message, extra={**extra, "reason": reason})
        if isinstance(error, RefusedError):
            raise Problem(Code.MCP_SIGN_IN_REFUSED, "the sign-in was refused", params={"reason": reason}) from error
        raise Problem(Code.MCP_SIGN_IN_FAILED, "the sign-in failed", params={"reason": reason}) from error


async def _client(policy: McpServer, server: AuthorizationServer, callback: str, user_id: str) -> Client:
    """Return the client that the agents' file names, or the deployment's own. Raises OAuthError."""
    if policy.oauth is None or policy.oauth.client_id is None:
        return await own_client.registered(user_id, policy.url, server, callback, private=policy.private)
    name = policy.oauth.client_secret
    if name is None:
        return tokens.known_client(server, policy.oauth.client_id, None)
    secret = secrets.read({name.secret}).values.get(name.secret)
    if secret is None:
        logger.error("a secret cannot be read", extra={"secret_name": name.secret})
        raise OAuthError("the secret of the client is not available")
    redaction.conceal(secret)
    return tokens.known_client(server, policy.oauth.client_id, secret)


def _callback() -> str:
    """Return the address that browsers return to. Raises Problem 403 where nobody can sign in."""
    if not settings.mcp_callback_url:
        raise Problem(Code.AGENT_FORBIDDEN, "nobody signs in to MCP servers here")
    return settings.mcp_callback_url


def _servers() -> dict[tuple[str, str], McpServer]:
    """Return the servers that want a sign-in, by agent and name."""
    return dict(_found())


def _found() -> Iterator[tuple[tuple[str, str], McpServer]]:
    for agent, binding in bindings.deployed().items():
        for name, policy in binding.policy.mcp.items():
            if policy.oauth is not None:
                yield (agent, name), policy


def _id(policy: McpServer) -> str:
    return mcp_connections.id_of(policy.url, None if policy.oauth is None else policy.oauth.client_id)


def _host(url: str) -> str:
    return urlsplit(url).netloc


def _shown(stored: StoredConnection) -> McpConnection:
    members: dict[str, Any] = {name: getattr(stored, name) for name in ("id", "issuer", "status", "created_at")}
    return McpConnection(**members, host=_host(stored.url), updated_at=stored.updated_at)
