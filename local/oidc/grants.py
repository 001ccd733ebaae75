"""What the issuer remembers: codes, refresh tokens and sign-in sessions, each by a random secret.

A code and a refresh token work once; using either again revokes every token of its sign-in (RFC 9700, 4.14).
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from local.oidc.claims import Identity

CODE_SECONDS = 60
REFRESH_SECONDS = 30 * 24 * 3600
SESSION_SECONDS = 12 * 3600
_KEPT = 10_000

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Session:
    """A user who has signed in; `at` in seconds since 1970."""

    identity: Identity
    at: int


@dataclass(frozen=True, slots=True)
class Grant:
    """What a user allowed a client. Codes and tokens of one sign-in share its `family`."""

    session: Session
    client_id: str
    redirect_uri: str
    scope: str
    challenge: str
    nonce: str | None
    family: str = field(default_factory=lambda: secrets.token_urlsafe(16))


@dataclass(slots=True)
class _Kept:
    expires: float
    value: Session | Grant
    is_used: bool = False


class _Secrets:
    """Values by random secrets; the oldest are dropped beyond a limit."""

    def __init__(self, seconds: float, clock: Clock) -> None:
        self._seconds = seconds
        self._clock = clock
        self._kept: dict[str, _Kept] = {}

    def add(self, value: Session | Grant) -> str:
        secret = secrets.token_urlsafe(32)
        self._kept[secret] = _Kept(self._clock() + self._seconds, value)
        if len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return secret

    def find(self, secret: str) -> _Kept | None:
        kept = self._kept.get(secret)
        return kept if kept and self._clock() < kept.expires else None

    def remove(self, secret: str) -> None:
        self._kept.pop(secret, None)

    def revoke(self, family: str) -> None:
        gone = [
            secret
            for secret, kept in self._kept.items()
            if isinstance(kept.value, Grant) and kept.value.family == family
        ]
        for secret in gone:
            del self._kept[secret]


class Grants:
    """Codes and refresh tokens."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._codes = _Secrets(CODE_SECONDS, clock)
        self._refresh = _Secrets(REFRESH_SECONDS, clock)

    def code(self, grant: Grant) -> str:
        return self._codes.add(grant)

    def refresh_token(self, grant: Grant) -> str:
        return self._refresh.add(grant)

    def of_code(self, code: str) -> Grant | None:
        """The grant of a code that was not used before."""
        return self._once(self._codes, code)

    def of_refresh_token(self, token: str) -> Grant | None:
        """The grant of a refresh token that was not used before."""
        return self._once(self._refresh, token)

    def _once(self, kept_in: _Secrets, secret: str) -> Grant | None:
        kept = kept_in.find(secret)
        if kept is None or not isinstance(kept.value, Grant):
            return None
        if kept.is_used:
            self._codes.revoke(kept.value.family)
            self._refresh.revoke(kept.value.family)
            return None
        kept.is_used = True
        return kept.value


class Sessions:
    """Who is signed in, by the value of a cookie."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._kept = _Secrets(SESSION_SECONDS, clock)

    def begin(self, session: Session) -> str:
        return self._kept.add(session)

    def find(self, secret: str) -> Session | None:
        kept = self._kept.find(secret)
        return kept.value if kept and isinstance(kept.value, Session) else None

    def end(self, secret: str) -> None:
        self._kept.remove(secret)
