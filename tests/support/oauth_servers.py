"""An MCP server that wants tokens, and the authorization server that issues them, on loopback under one address."""

import base64
import hashlib
import itertools
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.support.functions.emulated_aws import served
from tests.support.mcp_servers import McpServerFake

RESOURCE = "/.well-known/oauth-protected-resource/mcp"
SERVER = "/.well-known/oauth-authorization-server"


class OAuthServerFake:
    """Keeps what it was sent. Refresh tokens rotate: each is good once. `replies` answer paths in its place."""

    def __init__(self) -> None:
        self.origin = ""
        self.replies: dict[str, Response] = {}
        self.issuer_metadata: dict[str, Any] = {}
        """Members in place of its own; None leaves one out."""
        self.resource_metadata: dict[str, Any] = {}
        self.challenge = 'Bearer resource_metadata="{origin}' + RESOURCE + '", scope="read write"'
        self.paths: list[str] = []
        self.forms: list[dict[str, str]] = []
        self.authorizations: list[str] = []
        self.registered: list[dict[str, Any]] = []
        self.registration: dict[str, Any] = {}
        """Members of its answer to a registration, beside an id."""
        self.unknown: set[str] = set()
        """Clients that it has forgotten."""
        self.revoked: list[str] = []
        self.good: set[str] = set()
        """Access tokens that the MCP server takes."""
        self.refresh_tokens: set[str] = set()
        self.lasts = 3_600
        self.is_declining = False
        """Whether its users say no on its page, which shows nothing and sends the browser back."""
        self.tools: McpServerFake | None = None
        """What answers those who have a good token."""
        self.bearers: list[str] = []
        """The tokens that came to the MCP server."""
        self._codes: dict[str, dict[str, str]] = {}
        self._numbers = itertools.count(1)
        self.app = Starlette(routes=[Route("/{path:path}", self._take, methods=["GET", "POST"])])

    @property
    def url(self) -> str:
        return f"{self.origin}/mcp"

    def authorize(self, url: str) -> dict[str, str]:
        """Sign a user in; returns the query with which the browser comes back."""
        asked = dict(parse_qsl(urlsplit(url).query))
        assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
        code = f"code-{next(self._numbers)}"
        self._codes[code] = asked
        return {"code": code, "state": asked["state"], "iss": self.origin}

    async def _take(self, request: Request) -> Response:
        path = request.url.path
        self.paths.append(path)
        if path in self.replies:
            return self.replies[path]
        match path:
            case "/mcp":
                return await self._mcp(request)
            case _ if path == RESOURCE:
                own = {"resource": self.url, "authorization_servers": [self.origin]}
                return JSONResponse({**own, **self.resource_metadata})
            case _ if path == SERVER:
                return JSONResponse({k: v for k, v in self._described().items() if v is not None})
            case "/register":
                document = await request.json()
                self.registered.append(document)
                own = {"client_id": f"client-{len(self.registered)}", **document}
                return JSONResponse({**own, **self.registration}, 201)
            case "/authorize":
                return self._decided(str(request.url))
            case "/token":
                return self._token(await self._form(request))
            case "/revoke":
                token = (await self._form(request))["token"]
                self.revoked.append(token)
                self.refresh_tokens.discard(token)
                return Response()
        return Response(status_code=404)

    def _decided(self, url: str) -> Response:
        asked = dict(parse_qsl(urlsplit(url).query))
        declined = {"error": "access_denied", "state": asked["state"], "iss": self.origin}
        answer = declined if self.is_declining else self.authorize(url)
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(answer)}", 302)

    def _described(self) -> dict[str, Any]:
        own = {f"{name}_endpoint": f"{self.origin}/{path}" for name, path in _ENDPOINTS.items()}
        methods = {"token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"]}
        pkce = {"code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": True}
        return {"issuer": self.origin, **own, **methods, **pkce, **self.issuer_metadata}

    async def _mcp(self, request: Request) -> Response:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        self.bearers += [token] if token else []
        if kind == "Bearer" and token in self.good:
            if self.tools is not None:
                return await self.tools.take(request)
            return JSONResponse({"jsonrpc": "2.0", "id": 1, "result": {}})
        return Response(status_code=401, headers={"WWW-Authenticate": self.challenge.format(origin=self.origin)})

    async def _form(self, request: Request) -> dict[str, str]:
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        header = request.headers.get("Authorization", "")
        if header.startswith("Basic "):
            client, _, secret = base64.b64decode(header[6:]).decode().partition(":")
            form |= {"client_id": unquote(client), "basic": unquote(secret)}
        self.authorizations.append(header)
        self.forms.append(form)
        return form

    def _token(self, form: dict[str, str]) -> Response:
        if form["client_id"] in self.unknown:
            return JSONResponse({"error": "invalid_client"}, 401)
        if form["grant_type"] == "authorization_code":
            asked = self._codes.pop(form["code"], None)
            digest = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=")
            if asked is None or digest.decode() != asked["code_challenge"]:
                return JSONResponse({"error": "invalid_grant"}, 400)
            if any(form[name] != asked[name] for name in ("client_id", "redirect_uri", "resource")):
                return JSONResponse({"error": "invalid_grant"}, 400)
        elif form["refresh_token"] not in self.refresh_tokens:
            return JSONResponse({"error": "invalid_grant"}, 400)
        self.refresh_tokens.discard(form.get("refresh_token", ""))
        return JSONResponse(self.issue())

    def issue(self) -> dict[str, Any]:
        """Make a pair of tokens."""
        number = next(self._numbers)
        access, refresh = f"access-token-{number}", f"refresh-token-{number}"
        self.good.add(access)
        self.refresh_tokens.add(refresh)
        return {"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": self.lasts}


_ENDPOINTS = {"authorization": "authorize", "token": "token", "registration": "register", "revocation": "revoke"}


@contextmanager
def listening(server: OAuthServerFake) -> Iterator[str]:
    """The address of the MCP server."""
    with socket.create_server(("127.0.0.1", 0)) as listener, served(server.app, listener):
        server.origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        yield server.url
