"""Bearer tokens: what the authorizer takes and what it refuses."""

import time
from collections.abc import Iterator
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm

from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.web import tokens

ISSUER = "https://issuer.example"
KEY = ec.generate_private_key(ec.SECP256R1())
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Keys:
    """The issuer's published keys, without the network."""

    def get_signing_key_from_jwt(self, token: str) -> jwt.PyJWK:
        try:
            kid = jwt.get_unverified_header(token)["kid"]
        except jwt.DecodeError as error:
            raise jwt.PyJWKClientError("unreadable") from error
        if kid != "k1":
            raise jwt.PyJWKClientError("no such key")
        return jwt.PyJWK.from_dict(ECAlgorithm.to_jwk(KEY.public_key(), as_dict=True))


@pytest.fixture(autouse=True)
def issuer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OIDC_ISSUER", ISSUER)
    monkeypatch.setenv("OIDC_AUDIENCE", "yarrow")
    monkeypatch.setattr(tokens, "_keys", Keys)
    settings.__dict__.clear()
    yield
    settings.__dict__.clear()


def token(key: Any = KEY, algorithm: str = "ES256", kid: str = "k1", **claims: Any) -> str:
    now = int(time.time())
    standard = {"iss": ISSUER, "aud": "yarrow", "sub": "alice", "iat": now, "exp": now + 3_600}
    kept = {name: value for name, value in (standard | claims).items() if value is not None}
    return jwt.encode(kept, key, algorithm=algorithm, headers={"kid": kid})


def test_a_good_token_names_its_caller() -> None:
    """SEC-01, SEC-06, C37."""
    authorization = "Bearer " + token(locale="en-GB", zoneinfo="Europe/London")
    assert tokens.identify(authorization) == Caller("alice", "en-GB", "Europe/London")
    assert tokens.identify("bearer " + token()) == Caller("alice")


now = int(time.time())
unsigned = jwt.encode({"iss": ISSUER, "aud": "yarrow", "sub": "alice", "exp": now + 3_600}, None, "none", {"kid": "k1"})


@pytest.mark.parametrize(
    "authorization",
    [
        pytest.param("", id="nothing"),
        pytest.param("Basic YWxpY2U6cHc=", id="another scheme"),
        pytest.param("Bearer", id="no token"),
        pytest.param("Bearer not.a.token", id="no JWT"),
        pytest.param("Bearer " + "a" * 8_193, id="too long"),
        pytest.param("Bearer " + unsigned, id="alg none"),
        pytest.param("Bearer " + token("a shared secret of thirty-two bytes", "HS256"), id="a symmetric algorithm"),
        pytest.param("Bearer " + token(OTHER_KEY, "RS256"), id="another key"),
        pytest.param("Bearer " + token(kid="k2"), id="an unknown key"),
        pytest.param("Bearer " + token(exp=now - 31), id="expired"),
        pytest.param("Bearer " + token(exp=None), id="no expiry"),
        pytest.param("Bearer " + token(nbf=now + 3_600), id="not yet valid"),
        pytest.param("Bearer " + token(aud="another"), id="another audience"),
        pytest.param("Bearer " + token(aud=None), id="no audience"),
        pytest.param("Bearer " + token(iss="https://evil.example"), id="another issuer"),
        pytest.param("Bearer " + token(sub=None), id="no subject"),
        pytest.param("Bearer " + token(sub=""), id="an empty subject"),
        pytest.param("Bearer " + token(sub="a" * 129), id="an endless subject"),
        pytest.param("Bearer " + token()[:-4] + "AAAA", id="tampered"),
    ],
)
def test_other_credentials_are_refused(authorization: str) -> None:
    """SEC-01."""
    with pytest.raises(tokens.InvalidTokenError):
        tokens.identify(authorization)


def test_a_claim_that_is_no_short_text_is_left_out() -> None:
    """C37."""
    assert tokens.identify("Bearer " + token(locale=["zh"], zoneinfo="a" * 129)) == Caller("alice")
