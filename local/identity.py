"""A token issuer for one machine, in place of Cognito or another OpenID provider.

`POST /local/token` signs whatever identity it is asked for; `/local/.well-known/*` is what the authorizer of the
product needs to verify it. The signing key lives as long as the process.
"""

import time
import uuid
from typing import Annotated
from zoneinfo import available_timezones

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

AUDIENCE = "yarrow"
TOKEN_SECONDS = 12 * 3600

_ALGORITHM = "ES256"


def _time_zone(name: str) -> str:
    if name not in available_timezones():
        raise ValueError("not the name of an IANA time zone")
    return name


class Identity(BaseModel):
    """Who a token is for; the claims are OpenID Connect's."""

    model_config = ConfigDict(extra="forbid", strict=True)

    sub: Annotated[str, Field(min_length=1, max_length=255)]
    locale: Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] | None = None
    zoneinfo: Annotated[str, AfterValidator(_time_zone)] | None = None


class Issuer:
    """Signs tokens as `url`, which is also where its public key is found."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._key_id = str(uuid.uuid4())

    def token(self, identity: Identity) -> str:
        """A signed JWT that holds for `TOKEN_SECONDS`."""
        now = int(time.time())
        claims = {"iss": self.url, "aud": AUDIENCE, "iat": now, "exp": now + TOKEN_SECONDS}
        claims |= identity.model_dump(exclude_none=True)
        return jwt.encode(claims, self._key, _ALGORITHM, headers={"kid": self._key_id})

    def app(self) -> Starlette:
        """The ASGI app of everything under `/local`."""

        async def token(request: Request) -> Response:
            try:
                identity = Identity.model_validate_json(await request.body())
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(map(str, first["loc"])) or "the body"
                return _unprocessable(f"{where}: {first['msg']}", request.url.path)
            return JSONResponse({"token": self.token(identity)})

        async def configuration(_: Request) -> Response:
            return JSONResponse(
                {
                    "issuer": self.url,
                    "jwks_uri": f"{self.url}/.well-known/jwks.json",
                    "token_endpoint": f"{self.url}/token",
                    "id_token_signing_alg_values_supported": [_ALGORITHM],
                    "response_types_supported": ["token"],
                    "subject_types_supported": ["public"],
                }
            )

        async def keys(_: Request) -> Response:
            key = ECAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
            return JSONResponse({"keys": [{**key, "kid": self._key_id, "alg": _ALGORITHM, "use": "sig"}]})

        routes = [
            Route("/token", token, methods=["POST"]),
            Route("/.well-known/openid-configuration", configuration),
            Route("/.well-known/jwks.json", keys),
        ]
        return Starlette(routes=[Mount("/local", routes=routes)])


def _unprocessable(detail: str, path: str) -> Response:
    problem = {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "detail": detail,
        "code": "LOCAL_IDENTITY_INVALID",
        "instance": path,
    }
    return JSONResponse(problem, 422, media_type="application/problem+json")
