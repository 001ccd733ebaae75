"""Stores the issuer's codes, refresh tokens and sign-in sessions by random secrets.

A code or a refresh token works once; using it again revokes every token of its sign-in (RFC 9700, 4.14). The store has
only hashes of secrets.
"""

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any, Final

from local.data.sqlite import Sqlite
from local.oidc.claims import Identity

CODE_SECONDS = 60
REFRESH_SECONDS = 30 * 24 * 3600
SESSION_SECONDS = 12 * 3600
_KEPT = 10_000

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS secrets (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT, hash TEXT UNIQUE, expires REAL, value TEXT, family TEXT, is_used INTEGER DEFAULT 0
);
"""

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class SignIn:
    """A user who has signed in; `at` in seconds since 1970."""

    identity: Identity
    at: int


@dataclass(frozen=True, slots=True)
class Grant:
    """What a user allowed a client. Codes and tokens of one sign-in share its `family`."""

    session: SignIn
    client_id: str
    redirect_uri: str
    scope: str
    challenge: str
    nonce: str | None
    audience: str = ""
    family: str = field(default_factory=lambda: secrets.token_urlsafe(16))


@dataclass(frozen=True, slots=True)
class _Kept:
    value: Any
    is_used: bool


class _Secrets:
    """Stores values of one kind by random secrets; the oldest are dropped beyond a limit."""

    def __init__(self, store: Sqlite, kind: str, seconds: float, clock: Clock) -> None:
        self._store = store
        self._kind = kind
        self._seconds = seconds
        self._clock = clock

    def add(self, value: Any, family: str | None = None) -> str:
        """Store a value in JSON; returns its secret."""
        secret, now = secrets.token_urlsafe(32), self._clock()
        row = self._kind, _hash(secret), now + self._seconds, json.dumps(value), family
        latest = "SELECT number FROM secrets WHERE kind = ? ORDER BY number DESC LIMIT ?"
        self._store.write(
            [
                ("INSERT INTO secrets (kind, hash, expires, value, family) VALUES (?, ?, ?, ?, ?)", row),
                (
                    f"DELETE FROM secrets WHERE kind = ? AND (expires <= ? OR number NOT IN ({latest}))",  # noqa: S608
                    (self._kind, now, self._kind, _KEPT),
                ),
            ]
        )
        return secret

    def find(self, secret: str) -> _Kept | None:
        sql = "SELECT value, is_used FROM secrets WHERE kind = ? AND hash = ? AND expires > ?"
        for value, is_used in self._store.read(sql, (self._kind, _hash(secret), self._clock())):
            return _Kept(json.loads(value), bool(is_used))
        return None

    def use(self, secret: str) -> None:
        self._store.write([("UPDATE secrets SET is_used = 1 WHERE hash = ?", (_hash(secret),))])

    def remove(self, secret: str) -> None:
        self._store.write([("DELETE FROM secrets WHERE kind = ? AND hash = ?", (self._kind, _hash(secret)))])


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


class Grants:
    """Codes and refresh tokens."""

    def __init__(self, store: Sqlite, clock: Clock = time.time) -> None:
        self._store = store
        self._codes = _Secrets(store, "code", CODE_SECONDS, clock)
        self._refresh = _Secrets(store, "refresh", REFRESH_SECONDS, clock)

    def code(self, grant: Grant) -> str:
        return self._codes.add(_json(grant), grant.family)

    def refresh_token(self, grant: Grant) -> str:
        return self._refresh.add(_json(grant), grant.family)

    def of_code(self, code: str) -> Grant | None:
        """Return the grant of a code that was not used before, and mark it as used."""
        return self._once(self._codes, code)

    def of_refresh_token(self, token: str) -> Grant | None:
        """Return the grant of a refresh token that was not used before, and mark it as used."""
        return self._once(self._refresh, token)

    def _once(self, kept_in: _Secrets, secret: str) -> Grant | None:
        kept = kept_in.find(secret)
        if kept is None:
            return None
        grant = Grant(**{**kept.value, "session": _session(kept.value["session"])})
        if kept.is_used:
            self._store.write([("DELETE FROM secrets WHERE family = ?", (grant.family,))])
            return None
        kept_in.use(secret)
        return grant


class Sessions:
    """Sign-in sessions by the value of a cookie."""

    def __init__(self, store: Sqlite, clock: Clock = time.time) -> None:
        self._kept = _Secrets(store, "session", SESSION_SECONDS, clock)

    def begin(self, session: SignIn) -> str:
        return self._kept.add(_session_json(session))

    def find(self, secret: str) -> SignIn | None:
        kept = self._kept.find(secret)
        return None if kept is None else _session(kept.value)

    def end(self, secret: str) -> None:
        self._kept.remove(secret)


def _json(grant: Grant) -> dict[str, Any]:
    return {**asdict(grant), "session": _session_json(grant.session)}


def _session_json(session: SignIn) -> dict[str, Any]:
    return {"identity": session.identity.model_dump(exclude_none=True), "at": session.at}


def _session(value: dict[str, Any]) -> SignIn:
    return SignIn(Identity(**value["identity"]), value["at"])
