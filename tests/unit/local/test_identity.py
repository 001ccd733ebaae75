"""The local token issuer."""

import asyncio
from typing import Any

import httpx
import jwt
import pytest

from local.identity import AUDIENCE, TOKEN_SECONDS, Issuer

ISSUER = Issuer("http://127.0.0.1:3000/local")
ALICE = {"sub": "alice", "locale": "zh-CN", "zoneinfo": "Asia/Shanghai"}


def request(method: str, path: str, issuer: Issuer = ISSUER, **content: Any) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(issuer.app())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:3000") as client:
            return await client.request(method, path, **content)

    return asyncio.run(ask())


def test_a_token_carries_the_identity_and_verifies_with_the_published_key() -> None:
    token = request("POST", "/local/token", json=ALICE).json()["token"]
    configuration = request("GET", "/local/.well-known/openid-configuration").json()
    assert configuration["issuer"] == ISSUER.url
    keys = jwt.PyJWKSet.from_dict(request("GET", configuration["jwks_uri"]).json())
    key = keys[jwt.get_unverified_header(token)["kid"]]
    claims = jwt.decode(token, key, ["ES256"], audience=AUDIENCE, issuer=ISSUER.url)
    assert ALICE.items() <= claims.items()
    assert claims["exp"] - claims["iat"] == TOKEN_SECONDS == 12 * 3600


def test_each_start_has_a_key_of_its_own() -> None:
    def key_id(issuer: Issuer) -> str:
        return str(request("GET", "/local/.well-known/jwks.json", issuer).json()["keys"][0]["kid"])

    assert key_id(Issuer(ISSUER.url)) != key_id(ISSUER)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('{"locale":"zh-CN"}', "sub: "),
        ('{"sub":""}', "sub: "),
        ('{"sub":7}', "sub: "),
        ('{"sub":"alice","zoneinfo":"Mars/Olympus"}', "zoneinfo: "),
        ('{"sub":"alice","locale":"中文"}', "locale: "),
        ('{"sub":"alice","role":"admin"}', "role: "),
        ("alice", "the body: "),
    ],
)
def test_what_is_not_an_identity_is_refused_by_name(body: str, named: str) -> None:
    response = request("POST", "/local/token", content=body)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["detail"].startswith(named)


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:3000", "127.0.0.1.evil.example", "", "[::1"])
def test_a_foreign_name_gets_no_token(host: str) -> None:
    """DNS rebinding: a page of evil.example that resolves to this machine reads what it likes."""
    refused = request("POST", "/local/token", json=ALICE, headers={"Host": host})
    assert (refused.status_code, refused.headers["content-type"]) == (403, "application/problem+json")
    assert "token" not in refused.json()


@pytest.mark.parametrize("host", ["localhost:3000", "LOCALHOST", "[::1]:3000", "10.0.2.2:3000", "yarrow.localhost"])
def test_a_name_of_this_machine_or_an_address_does(host: str) -> None:
    """An address cannot be rebound; an emulated phone calls this machine 10.0.2.2."""
    assert request("POST", "/local/token", json=ALICE, headers={"Host": host}).status_code == 200
