"""Validates authorization requests (RFC 6749, 4.1; RFC 7636; OpenID Connect Core, 3.1.2)."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlencode, urlsplit

SCOPES = ("openid", "profile", "offline_access", "operate")
"""`operate` makes an operator, as whoever asks may be here: any name signs in."""
PROMPTS = ("none", "login", "select_account", "consent")

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
_MAX_LENGTH = 2_000

Parameters = Sequence[tuple[str, str]]


class UntrustedClientError(Exception):
    """The request is refused without a redirect, since its client or redirect URI cannot be trusted."""


class RedirectedError(Exception):
    def __init__(self, location: str) -> None:
        super().__init__(location)
        self.location = location


@dataclass(frozen=True, slots=True)
class Client:
    """A public client; `redirect_uris` are compared exactly (RFC 9700, 2.1).

    A `native` one may return to any port and path of this machine instead (RFC 8252, 7.3).
    """

    id: str
    redirect_uris: tuple[str, ...] = ()
    native: bool = False

    def may_return_to(self, redirect_uri: str) -> bool:
        return redirect_uri in self.redirect_uris or (self.native and is_on_this_machine(redirect_uri))


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A valid request; `prompt` may be empty."""

    issuer: str
    client_id: str
    redirect_uri: str
    scope: str
    challenge: str
    state: str | None
    nonce: str | None
    prompt: frozenset[str]
    locale: str
    zoneinfo: str
    login_hint: str
    resource: str = ""

    def back(self, **answer: str) -> str:
        """Return the redirect URI with this response, `state` and `iss` (RFC 9207)."""
        return _back(self.redirect_uri, self.state, self.issuer, **answer)


def read(
    parameters: Parameters, clients: Sequence[Client], issuer: str, resources: Collection[str] = ()
) -> AuthorizationRequest:
    """Read a request from its parameters. Raises UntrustedClientError or RedirectedError.

    `resources` are what tokens may be for besides the API (RFC 8707).
    """
    values = dict(parameters)
    client = next((client for client in clients if client.id == values.get("client_id")), None)
    if client is None:
        raise UntrustedClientError("unknown client_id")
    redirect_uri = values.get("redirect_uri", "")
    if not client.may_return_to(redirect_uri) or _repeated(parameters, "client_id", "redirect_uri"):
        raise UntrustedClientError("redirect_uri must be that of the console on this machine")
    state = values.get("state")

    def refuse(error: str, why: str) -> RedirectedError:
        return RedirectedError(_back(redirect_uri, state, issuer, error=error, error_description=why))

    if repeated := _repeated(parameters, *values):
        raise refuse("invalid_request", f"{repeated} is repeated")
    if any(len(value) > _MAX_LENGTH for value in values.values()):
        state = None
        raise refuse("invalid_request", f"a parameter exceeds {_MAX_LENGTH} characters")
    if values.get("response_type") != "code":
        raise refuse("unsupported_response_type", "response_type must be code")
    if values.get("response_mode", "query") != "query":
        raise refuse("invalid_request", "response_mode must be query")
    if "request" in values or "request_uri" in values:
        raise refuse("request_not_supported" if "request" in values else "request_uri_not_supported", "not supported")
    scope = values.get("scope", "").split()
    if "openid" not in scope or not set(scope) <= set(SCOPES):
        raise refuse("invalid_scope", f"scope must have openid, and may have {' and '.join(SCOPES[1:])}")
    if values.get("code_challenge_method") != "S256" or not _CHALLENGE.fullmatch(values.get("code_challenge", "")):
        raise refuse("invalid_request", "code_challenge with the method S256 is required")
    if values.get("resource", "") not in ("", *resources):
        raise refuse("invalid_target", "unknown resource")
    prompt = frozenset(values.get("prompt", "").split())
    if not prompt <= set(PROMPTS) or ("none" in prompt and len(prompt) > 1):
        raise refuse("invalid_request", "prompt is none, or of login, select_account and consent")
    return AuthorizationRequest(
        issuer=issuer,
        client_id=client.id,
        redirect_uri=redirect_uri,
        scope=" ".join(scope),
        challenge=values["code_challenge"],
        state=state,
        nonce=values.get("nonce"),
        prompt=prompt,
        locale=next(iter(values.get("ui_locales", "").split()), ""),
        zoneinfo=values.get("zoneinfo", ""),
        login_hint=values.get("login_hint", ""),
        resource=values.get("resource", ""),
    )


def is_on_this_machine(redirect_uri: str) -> bool:
    """Return whether an address is that of an app that listens on this machine."""
    try:
        parts = urlsplit(redirect_uri)
    except ValueError:
        return False
    return parts.scheme == "http" and parts.hostname in ("127.0.0.1", "::1", "localhost") and not parts.fragment


def proves(verifier: str, challenge: str) -> bool:
    """Return whether the challenge is the S256 hash of this verifier."""
    if not _VERIFIER.fullmatch(verifier):
        return False
    digest = sha256(verifier.encode()).digest()
    return urlsafe_b64encode(digest).rstrip(b"=").decode() == challenge


def _repeated(parameters: Parameters, *names: str) -> str | None:
    every = [name for name, _ in parameters]
    return next((name for name in names if every.count(name) > 1), None)


def _back(redirect_uri: str, state: str | None, issuer: str, **answer: str) -> str:
    members = {**answer, **({} if state is None else {"state": state}), "iss": issuer}
    return f"{redirect_uri}?{urlencode(members)}"
