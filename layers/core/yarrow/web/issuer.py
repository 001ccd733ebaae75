"""The keys of the OpenID issuer: fetched, cached, and found by key id."""

import json
import math
import time
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Lock
from typing import Any, Final
from urllib.parse import urlsplit

import jwt

ALGORITHMS: Final = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
)
"""Asymmetric algorithms only; a published key has one, and its tokens use no other."""

KEYS_SECONDS: Final = 600
"""How long keys are cached, including withdrawn ones."""
UNKNOWN_KEY_SECONDS: Final = 30
"""Between fetches for unknown ids."""
RETRY_SECONDS: Final = 5
FETCH_SECONDS: Final = 2
"""Timeout of a document's body, and of each step before it."""
MAX_DOCUMENT_BYTES: Final = 256 * 1024

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_CHUNK_BYTES: Final = 64 * 1024


class IssuerUnavailableError(Exception):
    """The token cannot be checked. The message contains none of it."""


class IssuerKeys:
    """The issuer's URL is spelled as in its tokens."""

    def __init__(self, issuer: str) -> None:
        self._issuer = issuer
        self._keys: Mapping[str, jwt.PyJWK] = {}
        self._cached_until = self._next_fetch_at = -math.inf
        self._answered = False
        self._lock = Lock()

    def find(self, key_id: str) -> jwt.PyJWK | None:
        """Return a key; unknown ids are fetched at the intervals above. Raises IssuerUnavailableError."""
        with self._lock:
            key = self._cached(key_id)
            if key is None and time.monotonic() >= self._next_fetch_at:
                self._fetch()
                key = self._cached(key_id)
            if key is None and not self._answered:
                raise IssuerUnavailableError("it did not answer a moment ago")
            return key

    def _cached(self, key_id: str) -> jwt.PyJWK | None:
        return self._keys.get(key_id) if time.monotonic() < self._cached_until else None

    def _fetch(self) -> None:
        try:
            self._keys = _published_keys(self._issuer)
        except IssuerUnavailableError:
            self._answered, self._next_fetch_at = False, time.monotonic() + RETRY_SECONDS
            raise
        now = time.monotonic()
        self._answered, self._next_fetch_at, self._cached_until = True, now + UNKNOWN_KEY_SECONDS, now + KEYS_SECONDS


def _published_keys(issuer: str) -> Mapping[str, jwt.PyJWK]:
    """Fetch the keys, by id. Raises IssuerUnavailableError."""
    configuration = _document(issuer.rstrip("/") + "/.well-known/openid-configuration")
    if configuration.get("issuer") != issuer:
        raise IssuerUnavailableError("its configuration names another issuer")
    try:
        published = jwt.PyJWKSet.from_dict(_document(str(configuration.get("jwks_uri"))))
    except jwt.PyJWTError as error:
        raise IssuerUnavailableError("it publishes no key that can be read") from error
    keys = {
        key.key_id: key
        for key in published
        if key.key_id and key.public_key_use in ("sig", None) and key.algorithm_name in ALGORITHMS
    }
    if not keys:
        raise IssuerUnavailableError("it publishes no key to verify tokens with")
    return keys


def _document(url: str) -> dict[str, Any]:
    try:
        document = json.loads(_get(url))
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        raise IssuerUnavailableError(f"{url}: {type(error).__name__}") from error
    if not isinstance(document, dict):
        raise IssuerUnavailableError(f"{url} is not a JSON object")
    return document


def _get(url: str) -> bytes:
    """Return the body of a 200; redirects are not followed."""
    address = urlsplit(url)
    if not address.hostname or address.scheme not in ("http", "https"):
        raise IssuerUnavailableError(f"{url} is not an http(s) URL")
    if address.scheme == "http" and address.hostname not in _LOOPBACK:
        raise IssuerUnavailableError(f"{url} is not https")
    connect = HTTPSConnection if address.scheme == "https" else HTTPConnection
    with closing(connect(address.hostname, address.port, timeout=FETCH_SECONDS)) as connection:
        target = (address.path or "/") + (f"?{address.query}" if address.query else "")
        connection.request("GET", target, headers={"Accept": "application/json"})
        response = connection.getresponse()
        if response.status != 200:
            raise IssuerUnavailableError(f"{url} answered {response.status}")
        return _body(response, url)


def _body(response: HTTPResponse, url: str) -> bytes:
    body, deadline = bytearray(), time.monotonic() + FETCH_SECONDS
    while chunk := response.read1(_CHUNK_BYTES):
        body += chunk
        if len(body) > MAX_DOCUMENT_BYTES or time.monotonic() > deadline:
            raise IssuerUnavailableError(f"{url} is too large or too slow")
    return bytes(body)
