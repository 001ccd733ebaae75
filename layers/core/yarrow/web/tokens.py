"""Bearer tokens: JWTs of the OpenID issuer (SEC-01, SEC-06). Sources: RFC 6750 (the header), RFC 7519 (claims), RFC
8725 (attacks), Cognito's token types.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import jwt

from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.web.issuer import IssuerKeys

CLOCK_SKEW_SECONDS: Final = 30
MAX_LENGTH: Final = 8_192
"""API Gateway's limit is 10,240 bytes for all headers."""

API_KEY_PREFIX: Final = "yk_"

MCP_ROUTE: Final = "/mcp"
MCP_RESOURCES: Final = ["POST/mcp", "GET/mcp", "DELETE/mcp"]
"""The route that takes tokens for the MCP server alone (RFC 8707), with its resources in a policy."""

API_KEY_ROUTES: Final = {
    "/send-message": ["POST/send-message"],
    "/send-message/capabilities": ["GET/send-message/capabilities"],
    "/api/v1/agent/runs/{threadId}/events": ["GET/api/v1/agent/runs/*/events"],
    "/api/v1/agent/runs/{threadId}/stream": ["GET/api/v1/agent/runs/*/stream", "HEAD/api/v1/agent/runs/*/stream"],
    "/api/v1/agent/runs/{threadId}/steps": ["GET/api/v1/agent/runs/*/steps"],
    "/api/v1/agent/runs/{threadId}/cancel": ["POST/api/v1/agent/runs/*/cancel"],
    "/api/v1/usage": ["GET/api/v1/usage"],
    MCP_ROUTE: MCP_RESOURCES,
}
"""Routes open to API keys, with their resources in a policy (C42)."""

OPERATOR_KEY_ROUTES: Final = {
    "/api/v1/agent/runs/{threadId}/diagnostics": ["GET/api/v1/agent/runs/*/diagnostics"],
    "/api/v1/operations/runs": ["GET/api/v1/operations/runs"],
    "/api/v1/operations/users": ["GET/api/v1/operations/users"],
    "/api/v1/webhooks": ["GET/api/v1/webhooks", "POST/api/v1/webhooks"],
    "/api/v1/webhooks/{webhookId}": [f"{method}/api/v1/webhooks/*" for method in ("GET", "PATCH", "DELETE")],
    "/api/v1/webhooks/{webhookId}/rotate": ["POST/api/v1/webhooks/*/rotate"],
    "/api/v1/webhooks/{webhookId}/test": ["POST/api/v1/webhooks/*/test"],
    "/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay": ["POST/api/v1/webhooks/*/deliveries/*/replay"],
}
"""Routes open to the API keys of operators as well."""

SUBJECT: Final = re.compile(r"[ -~]{1,128}")
"""Subjects are ASCII, as in OpenID Connect, and short enough for keys and paths."""
LOCALE: Final = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8}){0,4}")
NAME: Final = re.compile(r"[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f\u2028\u2029]{0,126}[^\s\x00-\x1f\x7f-\x9f])?")
_ZONE: Final = re.compile(r"[A-Za-z0-9_+/-]{1,64}")

_BEARER: Final = re.compile(r"(?i:bearer) +([A-Za-z0-9._~+/-]+=*)")
_TYPES: Final = frozenset({"jwt", "at+jwt", "application/at+jwt"})
"""Issuers also sign other types, such as logout tokens."""


class InvalidTokenError(Exception):
    """The message is for logs and contains nothing of the credential."""


def bearer(authorization: str) -> str:
    """Return the header's token. Raises InvalidTokenError."""
    match = _BEARER.fullmatch(authorization)
    if match is None or len(match[1]) > MAX_LENGTH:
        raise InvalidTokenError("no bearer token")
    return match[1]


def identify(authorization: str, audience: str | None = None) -> Caller:
    """Return the caller of a token for the deployment, or for another `audience`.

    Raises InvalidTokenError, or IssuerUnavailableError if the keys cannot be fetched.
    """
    token = bearer(authorization)
    try:
        key = _keys(settings.oidc_issuer).find(jwt.get_unverified_header(token).get("kid", ""))
        if key is None:
            raise InvalidTokenError("unknown key")
        read = jwt.decode_complete(
            token,
            key,
            algorithms=[key.algorithm_name],
            issuer=settings.oidc_issuer,
            leeway=CLOCK_SKEW_SECONDS,
            options={
                "require": ["exp", "iat", "iss", "sub"],
                "verify_aud": False,  # below: Cognito's access tokens have none
                "enforce_minimum_key_length": True,
            },
        )
    except jwt.PyJWTError as error:
        raise InvalidTokenError(type(error).__name__) from error
    return _caller(read["header"], read["payload"], audience or settings.oidc_audience)


def _caller(header: Mapping[str, Any], claims: Mapping[str, Any], audience: str) -> Caller:
    if str(header.get("typ", "JWT")).lower() not in _TYPES:
        raise InvalidTokenError("the token is of another type")
    if audience not in _audiences(claims):
        raise InvalidTokenError("the token has another audience")
    subject = _text(claims, "sub", SUBJECT)
    if subject is None:
        raise InvalidTokenError("the token has no valid subject")
    locale, zone, name = _text(claims, "locale", LOCALE), _text(claims, "zoneinfo", _ZONE), _text(claims, "name", NAME)
    return Caller(subject, locale, zone, name, _operates(claims))


def _audiences(claims: Mapping[str, Any]) -> list[Any]:
    """Cognito's access tokens have `client_id` instead."""
    if "aud" not in claims and claims.get("token_use") == "access":
        return [claims.get("client_id")]
    audience = claims.get("aud")
    return audience if isinstance(audience, list) else [audience]


def _scopes(claims: Mapping[str, Any]) -> list[str]:
    """Return the scopes of an access token (RFC 8693); a claim of another form has none."""
    scope = claims.get("scope")
    return scope.split(" ") if isinstance(scope, str) else []


def _operates(claims: Mapping[str, Any]) -> bool:
    """Return whether a token is an operator's: by a scope, or by a group of Cognito, which gives every user of a client
    all scopes that the client may ask for, and puts nobody into a group but by its administrators.
    """
    groups = claims.get("cognito:groups")
    return settings.operator_scope in (*_scopes(claims), *(groups if isinstance(groups, list) else ()))


def _text(claims: Mapping[str, Any], name: str, form: re.Pattern[str]) -> str | None:
    value = claims.get(name)
    return value if isinstance(value, str) and form.fullmatch(value) else None


@cache
def _keys(issuer: str) -> IssuerKeys:
    return IssuerKeys(issuer)
