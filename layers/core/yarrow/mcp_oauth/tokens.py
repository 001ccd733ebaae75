"""Gets tokens from an authorization server for a user: by an authorization code with PKCE, then by refresh tokens.

Source: OAuth 2.1; RFC 7591 (registration), RFC 7636 (PKCE), RFC 8707 (`resource`), RFC 9207 (`iss`), RFC 7009
(revocation); OpenID Connect Core for refresh tokens.
"""

import base64
import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeGuard
from urllib.parse import quote, urlencode, urlsplit

from yarrow.mcp_oauth.discovery import OFFLINE, AuthorizationServer
from yarrow.mcp_oauth.exchange import Answer, OAuthError, ask
from yarrow.observability import redaction

MAX_TOKEN: Final = 8_192
"""Characters of a token."""

MAX_SECONDS: Final = 366 * 24 * 3_600

_LATEST: Final = 32_503_680_000
"""The year 3000, in seconds since 1970."""

_TOKEN: Final = re.compile(r"[\x21-\x7e]+")
_ERROR: Final = re.compile(r"[a-z_]{1,40}")
_UNKNOWN: Final = "invalid_client"
_FINAL: Final = frozenset({"invalid_grant", _UNKNOWN, "unauthorized_client"})
"""Errors that no repetition mends (RFC 6749 §5.2); the others say nothing of the grant."""


class RefusedError(OAuthError):
    """The authorization server has refused a code or a refresh token, which will never be good again."""


class UnknownClientError(RefusedError):
    """The authorization server does not know the client, or takes its secret no more."""


@dataclass(frozen=True, slots=True)
class Client:
    """Who Yarrow is at an authorization server; `method` is how it authenticates there."""

    id: str
    secret: str | None = field(default=None, repr=False)
    method: str = "none"


@dataclass(frozen=True, slots=True)
class Registration:
    """A new client, and when its secret ends, in seconds since 1970; None for never."""

    client: Client
    ends_at: int | None = None


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a user has got; `seconds` until the access token ends, if that is known."""

    access: str = field(repr=False)
    refresh: str | None = field(default=None, repr=False)
    seconds: int | None = None
    scopes: tuple[str, ...] = ()


def new_secret() -> str:
    """Return 256 random bits as text: a verifier of PKCE, or a state."""
    return secrets.token_urlsafe(32)


def known_client(server: AuthorizationServer, client_id: str, secret: str | None) -> Client:
    """Return a client that somebody has registered. Raises OAuthError if it cannot authenticate there."""
    return Client(client_id, secret, _method(server, secret))


async def register(server: AuthorizationServer, redirect_uri: str, *, private: bool = False) -> Registration:
    """Register a client of its own (RFC 7591). Raises OAuthError."""
    if server.registration_endpoint is None:
        raise OAuthError("the authorization server registers no clients: the agent's file has to name a client_id")
    wanted = server.methods[0] if server.methods else "none"
    document = {
        "client_name": "Yarrow",
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": wanted,
        "application_type": "web",
    }
    answer = await ask("POST", server.registration_endpoint, private=private, document=document)
    client_id, secret = answer.document.get("client_id"), answer.document.get("client_secret")
    if not answer.is_success or not _is_token(client_id, 1_000):
        raise OAuthError("the authorization server registers no client")
    secret = secret if _is_token(secret, 1_000) else None
    given = answer.document.get("token_endpoint_auth_method", wanted)
    if secret is not None:
        redaction.conceal(secret)
    client = Client(client_id, secret, _method(server, secret, given))
    return Registration(client, None if secret is None else _ends_at(answer.document.get("client_secret_expires_at")))


def authorization_url(
    server: AuthorizationServer,
    client: Client,
    *,
    redirect_uri: str,
    state: str,
    verifier: str,
    scopes: tuple[str, ...],
) -> str:
    """Return where the user's browser goes to sign in. Without `scopes`, those that the server needs are asked for."""
    digest = hashlib.sha256(verifier.encode()).digest()
    wanted = scopes or server.scopes
    if wanted and server.offers_offline:
        wanted = (*wanted, *({OFFLINE} - set(wanted)))
    query = {
        "response_type": "code",
        "client_id": client.id,
        "redirect_uri": redirect_uri,
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
        "resource": server.resource,
        **({"scope": " ".join(wanted)} if wanted else {}),
        # OpenID Connect Core §11: without it, the server ignores the scope.
        **({"prompt": "consent"} if OFFLINE in wanted else {}),
    }
    sign = "&" if urlsplit(server.authorization_endpoint).query else "?"
    return f"{server.authorization_endpoint}{sign}{urlencode(query)}"


def check_issuer(server: AuthorizationServer, iss: str | None) -> None:
    """Raise OAuthError if a response does not come from the server that was asked (RFC 9207)."""
    if iss != server.issuer and (iss is not None or server.names_itself):
        raise OAuthError("the response is that of another authorization server")


async def exchange_code(
    server: AuthorizationServer, client: Client, *, code: str, verifier: str, redirect_uri: str, private: bool = False
) -> Tokens:
    """Exchange a code for tokens. Raises RefusedError, OAuthError."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "code_verifier": verifier,
        "redirect_uri": redirect_uri,
        "resource": server.resource,
    }
    return _tokens(await _post(server.token_endpoint, client, form, private))


async def refresh(server: AuthorizationServer, client: Client, tokens: Tokens, *, private: bool = False) -> Tokens:
    """Return new tokens; the earlier refresh token stays if there is no new one.

    Raises RefusedError if the user has to sign in again, OAuthError if the server cannot tell now.
    """
    if tokens.refresh is None:
        raise RefusedError("the authorization server has given no refresh token")
    form = {"grant_type": "refresh_token", "refresh_token": tokens.refresh, "resource": server.resource}
    new = _tokens(await _post(server.token_endpoint, client, form, private))
    return replace(new, refresh=new.refresh or tokens.refresh, scopes=new.scopes or tokens.scopes)


async def revoke(server: AuthorizationServer, client: Client, tokens: Tokens, *, private: bool = False) -> bool:
    """Revoke the tokens; False if the server has not done so. Never raises for what the server does."""
    if server.revocation_endpoint is None:
        return False
    kind, token = ("access_token", tokens.access) if tokens.refresh is None else ("refresh_token", tokens.refresh)
    try:
        form = {"token": token, "token_type_hint": kind}
        return (await _post(server.revocation_endpoint, client, form, private)).is_success
    except OAuthError:
        return False


async def _post(url: str, client: Client, form: Mapping[str, str], private: bool) -> Answer:
    headers = {}
    if client.method == "client_secret_basic":
        pair = f"{quote(client.id, safe='')}:{quote(client.secret or '', safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    elif client.method == "client_secret_post":
        form = {**form, "client_id": client.id, "client_secret": client.secret or ""}
    else:
        form = {**form, "client_id": client.id}
    return await ask("POST", url, private=private, form=form, headers=headers)


def _tokens(answer: Answer) -> Tokens:
    document = answer.document
    if not answer.is_success:
        error = document.get("error")
        code = error if isinstance(error, str) and _ERROR.fullmatch(error) else f"status {answer.status}"
        kind_of_error = UnknownClientError if code == _UNKNOWN else RefusedError if code in _FINAL else OAuthError
        raise kind_of_error(f"the authorization server answered: {code}")
    access, new, kind = (document.get(name) for name in ("access_token", "refresh_token", "token_type"))
    if not _is_token(access):
        raise OAuthError("the authorization server gave no usable token")
    if not isinstance(kind, str) or kind.lower() != "bearer":
        raise OAuthError("the authorization server's token is no bearer token")
    if new is not None and not _is_token(new):
        raise OAuthError("the authorization server gave no usable refresh token")
    for token in filter(None, (access, new)):
        redaction.conceal(token)
    scope = document.get("scope")
    scopes = tuple(scope.split()[:40]) if isinstance(scope, str) and len(scope) <= 4_000 else ()
    return Tokens(access, new, _seconds(document.get("expires_in")), scopes)


def _seconds(value: Any) -> int | None:
    """Read how long a token lasts, which some servers write as text."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 10:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(max(0, min(value, MAX_SECONDS)))


def _ends_at(value: Any) -> int | None:
    """Read when a secret ends (RFC 7591 §3.2.1): 0 is never, and so is what is no time of these millennia."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= _LATEST:
        return None
    return int(value)


def _is_token(value: Any, most: int = MAX_TOKEN) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= most and _TOKEN.fullmatch(value) is not None


def _method(server: AuthorizationServer, secret: str | None, wanted: Any = None) -> str:
    """Return how a client authenticates: as it was registered, else in the first way that is supported."""
    able = [method for method in server.methods if (method == "none") == (secret is None)]
    if wanted in able:
        return str(wanted)
    if able:
        return able[0]
    if secret is None:  # many servers with public clients do not list `none`
        return "none"
    raise OAuthError("the authorization server supports no way to authenticate that is known here")
