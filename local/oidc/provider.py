"""The endpoints of the local OpenID provider, below the issuer's URL."""

import json
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode, urlsplit

from pydantic import ValidationError
from starlette.datastructures import FormData, ImmutableMultiDict
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from local.data.sqlite import Sqlite
from local.oidc import pages
from local.oidc.claims import Identity
from local.oidc.grants import SESSION_SECONDS, Clock, Grant, Grants, Sessions, SignIn
from local.oidc.requests import (
    PROMPTS,
    SCOPES,
    AuthorizationRequest,
    Client,
    Parameters,
    RedirectedError,
    UntrustedClientError,
    is_on_this_machine,
    proves,
    read,
)
from yarrow.web.tokens import SUBJECT

TOKEN_SECONDS = 3600

MCP_CLIENT = "mcp"
"""The client of apps on this machine that call the MCP server."""

_COOKIE = "yarrow_issuer"
_NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}

Sign = Callable[[Mapping[str, Any]], str]
"""Makes a JWT of the issuer with these claims."""


class Provider:
    """Signs users in for the console; `url` is the issuer's, `sign` makes its tokens, `store` has who is signed in."""

    def __init__(self, url: str, audience: str, sign: Sign, store: Sqlite, clock: Clock = time.time) -> None:
        self._url = url
        self._sign = sign
        self._path = f"{urlsplit(url).path}/oauth"
        self.origins = origins_of(url)
        self._audience = audience
        self._client = Client(audience, tuple(f"{origin}/" for origin in self.origins))
        self._clients = (self._client, Client(MCP_CLIENT, native=True))
        self._mcp_server, *_ = self._mcp_servers = tuple(f"{origin}/mcp" for origin in self.origins)
        self._grants = Grants(store, clock)
        self._sessions = Sessions(store, clock)

    def metadata(self) -> dict[str, Any]:
        """Return the members about sign-in for the issuer's configuration (OpenID Connect Discovery, 3)."""
        return {
            "authorization_endpoint": f"{self._url}/oauth/authorize",
            "token_endpoint": f"{self._url}/oauth/token",
            "registration_endpoint": f"{self._url}/oauth/register",
            "end_session_endpoint": f"{self._url}/oauth/logout",
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "scopes_supported": list(SCOPES),
            "claims_supported": ["sub", "name", "locale", "zoneinfo", "nonce", "auth_time"],
            "prompt_values_supported": list(PROMPTS),
            "ui_locales_supported": list(pages.LOCALES),
            "authorization_response_iss_parameter_supported": True,
            "request_parameter_supported": False,
            "request_uri_parameter_supported": False,
        }

    def routes(self) -> list[BaseRoute]:
        return [
            Mount(
                "/oauth",
                routes=[
                    Route("/authorize", self._authorize, methods=["GET", "POST"]),
                    Route("/token", self._token, methods=["POST"]),
                    Route("/register", self._register, methods=["POST"]),
                    Route("/logout", self._logout, methods=["GET", "POST"]),
                    Route("/sign-in.css", self._style),
                ],
                middleware=[Middleware(CORSMiddleware, allow_origins=list(self.origins), allow_methods=["POST"])],
            )
        ]

    # ---- Signing in ----------------------------------------------------------------------------------------------
    async def _authorize(self, request: Request) -> Response:
        posted: FormData | ImmutableMultiDict[str, str] = ImmutableMultiDict()
        if request.method == "POST":
            if (
                request.headers.get("origin", self.origins[0]) not in self.origins
            ):  # another site could sign the user in as somebody else
                return HTMLResponse("", 403)
            posted = await request.form()
        every = [(name, str(value)) for name, value in (posted or request.query_params).multi_items()]
        parameters = [(name, value) for name, value in every if not name.startswith("as_")]
        try:
            authorization = read(parameters, self._clients, self._url, self._mcp_servers)
        except RedirectedError as error:
            return RedirectResponse(error.location, 303)
        except UntrustedClientError as error:
            locale = pages.locale_of(*_accepted(request))
            return HTMLResponse(pages.refused(str(error), self._css, locale), 400, pages.headers(*self.origins))
        if "as_name" in dict(every):
            return self._signed_in(request, authorization, parameters, dict(every))
        session = self._sessions.find(request.cookies.get(_COOKIE, ""))
        if session is not None and not authorization.prompt - {"none"}:
            return RedirectResponse(self._granted(authorization, session), 303)
        if "none" in authorization.prompt:
            return RedirectResponse(authorization.back(error="login_required"), 303)
        locale = pages.locale_of(*filter(None, [authorization.locale]), *_accepted(request))
        zone = authorization.zoneinfo or "UTC"
        return self._form(parameters, locale=locale, zoneinfo=zone, name=authorization.login_hint)

    def _signed_in(
        self, request: Request, authorization: AuthorizationRequest, parameters: Parameters, fields: Mapping[str, str]
    ) -> Response:
        name, zone = fields["as_name"].strip(), fields.get("as_zoneinfo", "")
        locale = pages.locale_of(fields.get("as_locale", ""))
        try:
            identity = Identity(sub=subject_of(name), locale=locale, zoneinfo=zone, name=name)
        except ValidationError:
            return self._form(parameters, locale=locale, zoneinfo=zone, name=name, is_invalid=True)
        session = SignIn(identity, int(time.time()))
        self._sessions.end(request.cookies.get(_COOKIE, ""))
        response = RedirectResponse(self._granted(authorization, session), 303, _NO_STORE)
        response.set_cookie(
            _COOKIE, self._sessions.begin(session), SESSION_SECONDS, path=self._path, httponly=True, samesite="lax"
        )
        return response

    def _form(
        self, parameters: Parameters, *, locale: str, zoneinfo: str, name: str, is_invalid: bool = False
    ) -> Response:
        page = pages.form(
            parameters, self._css, locale=locale, zoneinfo=zoneinfo, name=name[:128], is_invalid=is_invalid
        )
        return HTMLResponse(page, 422 if is_invalid else 200, pages.headers(*self.origins))

    def _granted(self, authorization: AuthorizationRequest, session: SignIn) -> str:
        grant = Grant(
            session,
            authorization.client_id,
            authorization.redirect_uri,
            authorization.scope,
            authorization.challenge,
            authorization.nonce,
            self._mcp_server if authorization.resource else self._audience,
        )
        return authorization.back(code=self._grants.code(grant))

    async def _style(self, _: Request) -> Response:
        return Response(pages.STYLE, media_type="text/css", headers={"Cache-Control": "max-age=3600"})

    @property
    def _css(self) -> str:
        return f"{self._path}/sign-in.css"

    # ---- Tokens --------------------------------------------------------------------------------------------------
    async def _token(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/x-www-form-urlencoded":
            return _refusal("invalid_request", "the body must be application/x-www-form-urlencoded")
        form = await request.form()
        fields = {name: str(value) for name, value in form.items()}
        if len(fields) != len(form.multi_items()):
            return _refusal("invalid_request", "a parameter is repeated")
        if fields.get("client_id") not in [client.id for client in self._clients]:
            return _refusal("invalid_client", "unknown client_id", 401)
        match fields.get("grant_type"):
            case "authorization_code":
                grant = self._grants.of_code(fields.get("code", ""))
                if grant is None or grant.redirect_uri != fields.get("redirect_uri") or not _is_of(grant, fields):
                    return _refusal("invalid_grant", "the code is unknown, used, expired or of another redirect_uri")
                if not proves(fields.get("code_verifier", ""), grant.challenge):
                    return _refusal("invalid_grant", "code_verifier does not match code_challenge")
            case "refresh_token":
                grant = self._grants.of_refresh_token(fields.get("refresh_token", ""))
                if grant is None or not _is_of(grant, fields):
                    return _refusal("invalid_grant", "the refresh token is unknown, used or expired")
            case None:
                return _refusal("invalid_request", "grant_type is required")
            case _:
                return _refusal("unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
        return JSONResponse(self._tokens(grant), headers=_NO_STORE)

    async def _register(self, request: Request) -> Response:
        """Register a client of MCP that cannot be given an id (RFC 7591): all of them are one."""
        try:
            asked = json.loads(await request.body())
            redirect_uris = asked["redirect_uris"]
            is_known = bool(redirect_uris) and all(map(is_on_this_machine, redirect_uris))
        except (ValueError, KeyError, TypeError, AttributeError):
            is_known = False
        if not is_known:
            return _refusal("invalid_redirect_uri", "redirect_uris must be on this machine")
        registered = {
            "client_id": MCP_CLIENT,
            "redirect_uris": redirect_uris,
            "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
        }
        return JSONResponse(registered, 201, _NO_STORE)

    def _tokens(self, grant: Grant) -> dict[str, Any]:
        now = int(time.time())
        claims = {"aud": grant.audience or self._audience, "iat": now, "exp": now + TOKEN_SECONDS}
        claims |= grant.session.identity.model_dump(exclude_none=True)
        nonce = {} if grant.nonce is None else {"nonce": grant.nonce}
        # The console sends the id token, which has the scope only for operators.
        operates = {"scope": grant.scope} if "operate" in grant.scope.split() else {}
        return {
            "access_token": self._sign({**claims, "client_id": grant.client_id, "scope": grant.scope}),
            "id_token": self._sign({**claims, **nonce, **operates, "auth_time": grant.session.at}),
            "refresh_token": self._grants.refresh_token(grant),
            "token_type": "Bearer",
            "expires_in": TOKEN_SECONDS,
            "scope": grant.scope,
        }

    # ---- Signing out ---------------------------------------------------------------------------------------------
    async def _logout(self, request: Request) -> Response:
        fields = request.query_params if request.method == "GET" else await request.form()
        self._sessions.end(request.cookies.get(_COOKIE, ""))
        back = str(fields.get("post_logout_redirect_uri", ""))
        if back and back not in self._client.redirect_uris:
            why = "post_logout_redirect_uri must be that of the console on this machine"
            locale = pages.locale_of(*_accepted(request))
            response: Response = HTMLResponse(pages.refused(why, self._css, locale), 400, pages.headers(*self.origins))
        else:
            state = f"?{urlencode({'state': str(fields['state'])})}" if "state" in fields else ""
            response = RedirectResponse(f"{back or self._client.redirect_uris[0]}{state}", 303, _NO_STORE)
        response.delete_cookie(_COOKIE, path=self._path, httponly=True, samesite="lax")
        return response


def origins_of(url: str) -> tuple[str, ...]:
    """Return the console's origins: the issuer's, and `localhost` with the same port."""
    parts = urlsplit(url)
    names = dict.fromkeys([parts.netloc, f"localhost:{parts.port}" if parts.port else "localhost"])
    return tuple(f"{parts.scheme}://{name}" for name in names)


def subject_of(name: str) -> str:
    """Return the `sub` for a name: the name if it is valid as one, else a hash of it."""
    if not name or SUBJECT.fullmatch(name):
        return name
    return f"name-{sha256(name.encode()).hexdigest()[:32]}"


def _is_of(grant: Grant, fields: Mapping[str, str]) -> bool:
    return grant.client_id == fields.get("client_id")


def _accepted(request: Request) -> list[str]:
    return [tag.partition(";")[0].strip() for tag in request.headers.get("accept-language", "").split(",")]


def _refusal(error: str, why: str, status: int = 400) -> Response:
    return JSONResponse({"error": error, "error_description": why}, status, _NO_STORE)
