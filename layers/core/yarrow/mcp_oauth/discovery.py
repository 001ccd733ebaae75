"""Finds who issues tokens for an MCP server.

Source: MCP 2026-07-28, `basic/authorization`; RFC 9728 (protected resource metadata), RFC 8414 (authorization server
metadata, of which OpenID Connect discovery is another address), RFC 9207 (`iss` in the response).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from yarrow.mcp_oauth.exchange import Answer, OAuthError, ask, is_safe

OFFLINE: Final = "offline_access"
"""The scope by which many authorization servers give a refresh token."""

_RESOURCE: Final = "oauth-protected-resource"
_PARAMETER: Final = re.compile(r'\b(resource_metadata|scope)="([^"\\]{1,2000})"')
_SCOPE: Final = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,200}")
_MAX_SCOPES: Final = 40
_METHODS: Final = ("none", "client_secret_basic", "client_secret_post")
_DISCOVER: Final[Mapping[str, Any]] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "server/discover",
    "params": {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    },
}


@dataclass(frozen=True, slots=True)
class AuthorizationServer:
    """Who issues tokens for one server, which is their `resource`; `scopes` are those that its tokens need."""

    issuer: str
    resource: str
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str | None = None
    revocation_endpoint: str | None = None
    names_itself: bool = False
    """Whether its response has `iss` (RFC 9207)."""
    methods: tuple[str, ...] = ("client_secret_basic",)
    """How clients authenticate at the token endpoint, those that are known here."""
    scopes: tuple[str, ...] = ()
    offers_offline: bool = False


async def discover(url: str, *, private: bool = False) -> AuthorizationServer:
    """Return the authorization server of the MCP server at an address.

    Raises OAuthError, also for a server that wants no tokens, one whose metadata is of another server, and one whose
    authorization server does not support PKCE with S256.
    """
    if not is_safe(url):
        raise OAuthError("tokens may go to https addresses only")
    described, wanted = await _resource(url, private)
    resource, issuers = described.get("resource"), described.get("authorization_servers")
    if not isinstance(resource, str) or not _covers(resource, url):
        raise OAuthError("the server's metadata is that of another server")
    issuer = next((issuer for issuer in issuers if is_safe(issuer)), None) if isinstance(issuers, list) else None
    if issuer is None:
        raise OAuthError("the server names no authorization server")
    metadata = await _issuer(issuer, private)
    return _read(metadata, issuer, resource, wanted or _scopes(described.get("scopes_supported")))


async def _resource(url: str, private: bool) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Return the server's metadata, and the scopes that it asks for when it refuses."""
    refusal = await ask(
        "POST",
        url,
        private=private,
        document=_DISCOVER,
        headers={"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"},
    )
    named = dict(_PARAMETER.findall(refusal.headers.get("WWW-Authenticate", ""))) if refusal.status == 401 else {}
    scopes = _scopes(named.get("scope", "").split())
    parts = urlsplit(url)
    origin, path = f"{parts.scheme}://{parts.netloc}/.well-known/{_RESOURCE}", parts.path.rstrip("/")
    places = [named["resource_metadata"]] if "resource_metadata" in named else [f"{origin}{path}", origin]
    for place in dict.fromkeys(places):
        if is_safe(place) and _found(answer := await ask("GET", place, private=private), "resource"):
            return answer.document, scopes
    raise OAuthError("the server does not say who issues its tokens")


async def _issuer(issuer: str, private: bool) -> Mapping[str, Any]:
    for place in _places(issuer):
        if _found(answer := await ask("GET", place, private=private), "issuer"):
            return answer.document
    raise OAuthError("the authorization server does not describe itself")


def _places(issuer: str) -> Iterator[str]:
    """Yield where an issuer's metadata may be, as RFC 8414 and OpenID Connect say."""
    parts = urlsplit(issuer)
    origin, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    yield f"{origin}/.well-known/oauth-authorization-server{path}"
    yield f"{origin}/.well-known/openid-configuration{path}"
    if path:
        yield f"{origin}{path}/.well-known/openid-configuration"


def _found(answer: Answer, member: str) -> bool:
    return answer.is_success and member in answer.document


def _read(metadata: Mapping[str, Any], issuer: str, resource: str, scopes: tuple[str, ...]) -> AuthorizationServer:
    if metadata["issuer"] != issuer:  # RFC 8414 §3.3: else one server could speak for another
        raise OAuthError("the authorization server's metadata is that of another one")
    if "S256" not in _texts(metadata.get("code_challenge_methods_supported")):
        raise OAuthError("the authorization server does not support PKCE with S256")
    endpoints = {name: metadata.get(f"{name}_endpoint") for name in ("authorization", "token")}
    if not all(map(is_safe, endpoints.values())):
        raise OAuthError("the authorization server's endpoints are not https addresses")
    optional = {name: metadata.get(f"{name}_endpoint") for name in ("registration", "revocation")}
    supported = _texts(metadata.get("token_endpoint_auth_methods_supported")) or ("client_secret_basic",)
    return AuthorizationServer(
        issuer=issuer,
        resource=resource,
        authorization_endpoint=str(endpoints["authorization"]),
        token_endpoint=str(endpoints["token"]),
        registration_endpoint=optional["registration"] if is_safe(optional["registration"]) else None,
        revocation_endpoint=optional["revocation"] if is_safe(optional["revocation"]) else None,
        names_itself=metadata.get("authorization_response_iss_parameter_supported") is True,
        methods=tuple(method for method in _METHODS if method in supported),
        scopes=scopes,
        offers_offline=OFFLINE in _texts(metadata.get("scopes_supported")),
    )


def _covers(resource: str, url: str) -> bool:
    """Whether a resource is the server at an address, or all of its origin, or what is above its path."""
    if not is_safe(resource):
        return False
    whole, part = urlsplit(resource), urlsplit(url)
    if (whole.scheme, whole.hostname, whole.port) != (part.scheme, part.hostname, part.port):
        return False
    above = whole.path.rstrip("/")
    return whole.query in ("", part.query) and f"{part.path.rstrip('/')}/".startswith(f"{above}/")


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def _scopes(value: Any) -> tuple[str, ...]:
    return tuple(scope for scope in _texts(value) if _SCOPE.fullmatch(scope))[:_MAX_SCOPES]
