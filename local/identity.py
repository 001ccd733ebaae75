"""A local token issuer, in place of Cognito or another OpenID provider, and of the API key tool.

`POST /local/token` signs any identity, `/local/oauth/*` signs users in (`local.oidc`), `/local/.well-known/*` has the
public key, which is stored with the data. `POST /local/api-keys` makes an API key and `DELETE /local/api-keys/{id}`
revokes it, as `python -m tools.api_keys` does.
"""

import ipaddress
import re
import time
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from jwt.algorithms import ECAlgorithm
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from local.data.sqlite import Sqlite
from local.oidc.claims import Identity
from local.oidc.grants import SCHEMA, Clock
from local.oidc.provider import Provider
from local.problems import first_error, problem
from yarrow.store.api_keys import revoke
from yarrow.web.api_keys import create

AUDIENCE = "yarrow"
TOKEN_SECONDS = 12 * 3600

INVALID = "LOCAL_IDENTITY_INVALID"
"""The code of refused requests."""

_ALGORITHM = "ES256"


class KeyRequest(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    sub: str
    label: str = "local"
    operate: bool = False


class Issuer:
    """Signs tokens as `url`, which also serves its public key."""

    def __init__(
        self, url: str, clock: Clock = time.time, key: bytes | None = None, store: Sqlite | None = None
    ) -> None:
        """`key` comes from `new_key`, `store` has the tables of `grants`; without them, tokens end with the process."""
        self.url = url
        self._key = _read(key or new_key())
        self._jwk = ECAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        self._key_id = sha256(f"{self._jwk['x']}.{self._jwk['y']}".encode()).hexdigest()[:32]
        self._provider = Provider(url, AUDIENCE, self._sign, store or Sqlite(None, SCHEMA), clock)

    def token(self, identity: Identity) -> str:
        """Sign a JWT that is valid for `TOKEN_SECONDS`."""
        now = int(time.time())
        claims = {"aud": AUDIENCE, "iat": now, "exp": now + TOKEN_SECONDS}
        return self._sign(claims | identity.model_dump(exclude_none=True))

    def _sign(self, claims: Mapping[str, Any]) -> str:
        return jwt.encode({"iss": self.url, **claims}, self._key, _ALGORITHM, headers={"kid": self._key_id})

    @property
    def origins(self) -> tuple[str, ...]:
        return self._provider.origins

    def app(self, *more: BaseRoute) -> ASGIApp:
        """Return the ASGI app of `/local`, including these routes."""

        async def token(request: Request) -> Response:
            try:
                identity = Identity.model_validate_json(await request.body())
            except ValidationError as error:
                return problem(422, INVALID, first_error(error), request.url.path)
            return JSONResponse({"token": self.token(identity)})

        async def create_api_key(request: Request) -> Response:
            try:
                key_request = KeyRequest.model_validate_json(await request.body())
                make = partial(create, key_request.sub, key_request.label, operates=key_request.operate)
                key_id, key = await run_in_threadpool(make)
            except ValidationError as error:
                return problem(422, INVALID, first_error(error), request.url.path)
            except ValueError as error:
                return problem(422, INVALID, str(error), request.url.path)
            return JSONResponse({"id": key_id, "key": key}, 201)

        async def revoke_api_key(request: Request) -> Response:
            known = await run_in_threadpool(revoke, request.path_params["id"])
            return Response(status_code=204 if known else 404)

        async def configuration(_: Request) -> Response:
            return JSONResponse(
                {
                    "issuer": self.url,
                    "jwks_uri": f"{self.url}/.well-known/jwks.json",
                    "id_token_signing_alg_values_supported": [_ALGORITHM],
                    "subject_types_supported": ["public"],
                    **self._provider.metadata(),
                }
            )

        async def keys(_: Request) -> Response:
            return JSONResponse({"keys": [{**self._jwk, "kid": self._key_id, "alg": _ALGORITHM, "use": "sig"}]})

        routes = [
            Route("/token", token, methods=["POST"]),
            Route("/api-keys", create_api_key, methods=["POST"]),
            Route("/api-keys/{id}", revoke_api_key, methods=["DELETE"]),
            Mount(
                "/.well-known",
                routes=[Route("/openid-configuration", configuration), Route("/jwks.json", keys)],
                middleware=[Middleware(CORSMiddleware, allow_origins=list(self._provider.origins))],
            ),
            *self._provider.routes(),
            *more,
        ]
        return _for_this_machine(Starlette(routes=[Mount("/local", routes=routes)]))


def new_key() -> bytes:
    """Generate a private key in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _read(pem: bytes) -> ec.EllipticCurvePrivateKey:
    """Read a private key in PEM. Raises ValueError."""
    key = load_pem_private_key(pem, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("the issuer's key is of another kind")  # noqa: TRY004 (as for an unreadable key)
    return key


def _for_this_machine(app: ASGIApp) -> ASGIApp:
    """Refuse requests to other hosts than this machine: DNS rebinding could read tokens otherwise."""

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        if _is_this_machine(request.headers.get("host", "")):
            await app(scope, receive, send)
        else:
            detail = "/local is for requests to localhost or to an IP address"
            await problem(403, INVALID, detail, request.url.path)(scope, receive, send)

    return checked


def _is_this_machine(host: str) -> bool:
    name = re.sub(r":\d*$", "", host).lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
