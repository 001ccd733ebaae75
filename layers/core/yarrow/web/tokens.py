"""Bearer tokens: JWTs of the configured OIDC issuer, checked against its published keys.

Algorithms are pinned to asymmetric ones; issuer, audience, expiry and subject are required.
"""

import json
import urllib.request
from functools import cache
from typing import Any

import jwt

from yarrow.protocol.caller import Caller
from yarrow.settings import settings

ALGORITHMS = ("RS256", "ES256")
CLOCK_SKEW_SECONDS = 30
KEYS_LIFESPAN_SECONDS = 600
FETCH_TIMEOUT_SECONDS = 3
MAX_TOKEN_LENGTH = 8_192
MAX_CLAIM_LENGTH = 128


class InvalidTokenError(Exception):
    """The token does not identify a caller; the message, which is for logs, says why."""


def identify(authorization: str) -> Caller:
    """The caller of an `Authorization: Bearer …` header. Raises InvalidTokenError."""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token or len(token) > MAX_TOKEN_LENGTH:
        raise InvalidTokenError("no bearer token")
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            _keys().get_signing_key_from_jwt(token),
            algorithms=ALGORITHMS,
            issuer=settings.oidc_issuer,
            audience=settings.oidc_audience,
            leeway=CLOCK_SKEW_SECONDS,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
    except jwt.PyJWKClientConnectionError:
        raise  # the issuer is out of reach: the fault is not the token's
    except jwt.PyJWTError as error:
        raise InvalidTokenError(type(error).__name__) from error
    subject = _claim(claims, "sub")
    if subject is None:
        raise InvalidTokenError("no usable subject")
    return Caller(subject, _claim(claims, "locale"), _claim(claims, "zoneinfo"))


def _claim(claims: dict[str, Any], name: str) -> str | None:
    value = claims.get(name)
    return value if isinstance(value, str) and 0 < len(value) <= MAX_CLAIM_LENGTH else None


@cache
def _keys() -> jwt.PyJWKClient:
    """The issuer's keys, where its OpenID configuration says they are."""
    address = settings.oidc_issuer.rstrip("/") + "/.well-known/openid-configuration"
    request = urllib.request.Request(address, headers={"Accept": "application/json"})  # noqa: S310 - an operator's URL
    with urllib.request.urlopen(request, timeout=FETCH_TIMEOUT_SECONDS) as response:  # noqa: S310
        configuration = json.load(response)
    return jwt.PyJWKClient(configuration["jwks_uri"], lifespan=KEYS_LIFESPAN_SECONDS, timeout=FETCH_TIMEOUT_SECONDS)
