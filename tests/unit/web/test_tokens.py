"""Bearer tokens: what the authorizer takes and what it refuses, whatever is in the header."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from hypothesis import example, given
from hypothesis import strategies as st
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.web import tokens
from yarrow.web.issuer import IssuerUnavailableError
from yarrow.web.tokens import InvalidTokenError

ISSUER = "https://issuer.example"
KEY = ec.generate_private_key(ec.SECP256R1())
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
WEAK_KEY = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505 - to be refused
EDWARDS_KEY = ed25519.Ed25519PrivateKey.generate()
OTHER_KEY = ec.generate_private_key(ec.SECP256R1())

PUBLISHED = {
    "k1": ECAlgorithm.to_jwk(KEY.public_key(), as_dict=True),
    "r1": RSAAlgorithm.to_jwk(RSA_KEY.public_key(), as_dict=True),
    "ps1": RSAAlgorithm.to_jwk(RSA_KEY.public_key(), as_dict=True) | {"alg": "PS256"},
    "w1": RSAAlgorithm.to_jwk(WEAK_KEY.public_key(), as_dict=True),
    "e1": OKPAlgorithm.to_jwk(EDWARDS_KEY.public_key(), as_dict=True),
}


class Keys:
    """The issuer's published keys, without the network."""

    def __init__(self, issuer: str) -> None:
        assert issuer == ISSUER

    def find(self, key_id: str) -> jwt.PyJWK | None:
        if key_id == "out of reach":
            raise IssuerUnavailableError("no answer")
        return jwt.PyJWK.from_dict(PUBLISHED[key_id]) if key_id in PUBLISHED else None


@pytest.fixture(autouse=True, scope="module")
def issuer() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OIDC_ISSUER", ISSUER)
        patch.setenv("OIDC_AUDIENCE", "yarrow")
        patch.setattr(tokens, "_keys", Keys)
        settings.__dict__.clear()
        yield
    settings.__dict__.clear()


now = int(time.time())


def claims(**changes: Any) -> dict[str, Any]:
    """The claims of a good token, with others in their place; None is none."""
    standard = {"iss": ISSUER, "aud": "yarrow", "sub": "alice", "iat": now, "exp": now + 3_600}
    return {name: value for name, value in (standard | changes).items() if value is not None}


def token(key: Any = KEY, algorithm: str = "ES256", header: Mapping[str, Any] | None = None, **changes: Any) -> str:
    return jwt.encode(claims(**changes), key, algorithm=algorithm, headers={"kid": "k1", **(header or {})})


def segment(value: bytes | Mapping[str, Any]) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(header: bytes | Mapping[str, Any], payload: bytes | Mapping[str, Any], key: Any = KEY) -> str:
    """A token of exactly these bytes, which the issuer signed all the same."""
    signing_input = f"{segment(header)}.{segment(payload)}"
    is_rsa = isinstance(key, rsa.RSAPrivateKey)
    algorithm = RSAAlgorithm(RSAAlgorithm.SHA256) if is_rsa else ECAlgorithm(ECAlgorithm.SHA256)
    return f"{signing_input}.{segment(algorithm.sign(signing_input.encode(), key))}"


def symmetric(secret: bytes) -> str:
    """A token that is signed with what everybody knows of the issuer's key."""
    signing_input = f"{segment({'alg': 'HS256', 'kid': 'k1', 'typ': 'JWT'})}.{segment(claims())}"
    return f"{signing_input}.{segment(hmac.digest(secret, signing_input.encode(), hashlib.sha256))}"


def published(form: str) -> bytes:
    """Return the issuer's public key as a PEM or DER file."""
    encoding = {"PEM": serialization.Encoding.PEM, "DER": serialization.Encoding.DER}[form]
    return KEY.public_key().public_bytes(encoding, serialization.PublicFormat.SubjectPublicKeyInfo)


GOOD = token()
HEADER, PAYLOAD, SIGNATURE = GOOD.split(".")


def test_a_good_token_names_its_caller() -> None:
    """SEC-01, SEC-06, C37."""
    authorization = "Bearer " + token(locale="en-GB", zoneinfo="Europe/London", role="admin")
    assert tokens.identify(authorization) == Caller("alice", "en-GB", "Europe/London")
    assert tokens.identify("bearer " + GOOD) == Caller("alice")
    assert tokens.identify("Bearer " + token(name="李 雷")) == Caller("alice", name="李 雷")


def test_a_token_for_another_resource_is_good_there_alone() -> None:
    """MCP-02, SEC-01."""
    authorization = "Bearer " + token(aud="https://api.example.com/mcp")
    assert tokens.identify(authorization, "https://api.example.com/mcp") == Caller("alice")
    for audience in (None, "", "https://api.example.com/mcp/"):
        with pytest.raises(InvalidTokenError, match="another audience"):
            tokens.identify(authorization, audience)
    with pytest.raises(InvalidTokenError, match="another audience"):
        tokens.identify(f"Bearer {GOOD}", "https://api.example.com/mcp")


@pytest.mark.parametrize(
    "credential",
    [
        pytest.param(token(RSA_KEY, "RS256", {"kid": "r1"}), id="RSA"),
        pytest.param(token(RSA_KEY, "PS256", {"kid": "ps1"}), id="RSA-PSS"),
        pytest.param(token(EDWARDS_KEY, "EdDSA", {"kid": "e1"}), id="Ed25519"),
        pytest.param(token(aud=["another", "yarrow"]), id="one audience of several"),
        pytest.param(token(header={"typ": "at+JWT"}), id="an access token"),
        pytest.param(token(header={"typ": None}), id="no type, like Cognito's"),
        pytest.param(token(token_use="id"), id="an id token of Cognito"),
        pytest.param(token(aud=None, token_use="access", client_id="yarrow"), id="an access token of Cognito"),
        pytest.param(
            token(header={"jku": "https://evil.example", "x5u": "file:///etc/passwd", "jwk": PUBLISHED["r1"]}),
            id="with keys of its own, which nobody looks at",
        ),
    ],
)
def test_these_are_good_too(credential: str) -> None:
    """SEC-01."""
    assert tokens.identify(f"Bearer {credential}").user_id == "alice"


def test_clocks_may_differ_by_half_a_minute() -> None:
    """SEC-01."""
    at = int(time.time())
    moments: tuple[dict[str, Any], ...] = ({"exp": at - 20}, {"nbf": at + 20, "iat": at + 20})
    for times in moments:
        assert tokens.identify("Bearer " + token(**times)) == Caller("alice")


@pytest.mark.parametrize(
    "authorization",
    [
        pytest.param("", id="nothing"),
        pytest.param("Basic YWxpY2U6cHc=", id="another scheme"),
        pytest.param("Bearer", id="no token"),
        pytest.param(GOOD, id="no scheme"),
        pytest.param(f"Bearer {GOOD}\n", id="a line more"),
        pytest.param(f"Bearer {GOOD} {GOOD}", id="two tokens"),
        pytest.param(f"Bearer {GOOD},Bearer {GOOD}", id="a list of tokens"),
        pytest.param("Bearer " + "a" * 8_193, id="too long"),
        pytest.param(f"Bearer {token(padding='a' * 8_192)}", id="too long, though signed"),
        pytest.param("Bearer \ud800.é.\0", id="no text"),
    ],
)
def test_what_is_no_bearer_token_is_refused(authorization: str) -> None:
    """SEC-01."""
    with pytest.raises(InvalidTokenError, match="no bearer token"):
        tokens.identify(authorization)


@pytest.mark.parametrize(
    ("credential", "reason"),
    [
        pytest.param("not.a.token", "DecodeError", id="no JWT"),
        pytest.param("....", "DecodeError", id="too many segments"),
        pytest.param(f"{HEADER}.{PAYLOAD}", "DecodeError", id="no signature"),
        pytest.param(f"{HEADER}.{PAYLOAD}.", "InvalidSignatureError", id="an empty signature"),
        pytest.param(f"{HEADER}.{PAYLOAD}.{SIGNATURE[:-4]}AAAA", "InvalidSignatureError", id="another signature"),
        pytest.param(f"{HEADER}.{PAYLOAD}.{SIGNATURE}A", "InvalidSignatureError", id="a signature with more after it"),
        pytest.param(f"{HEADER}.{segment(claims(sub='bob'))}.{SIGNATURE}", "InvalidSignatureError", id="other claims"),
        pytest.param(f"{HEADER}.{PAYLOAD[:-1]}~.{SIGNATURE}", "DecodeError", id="no base64"),
        pytest.param(signed(b"\xff\xfe", claims()), "DecodeError", id="a header that is no JSON"),
        pytest.param(signed(b"[]", claims()), "DecodeError", id="a header that is no object"),
        pytest.param(signed(b"[" * 5_000, claims()), "DecodeError", id="a header without end"),
        pytest.param(signed({"alg": "ES256", "kid": "k1"}, b"7"), "DecodeError", id="claims that are no object"),
        # Whose key, and which algorithm
        pytest.param(jwt.encode(claims(), "", "none", {"kid": "k1"}), "InvalidAlgorithmError", id="alg none"),
        pytest.param(
            f"{segment({'alg': 'nOnE', 'kid': 'k1'})}.{PAYLOAD}.", "InvalidAlgorithmError", id="alg none, misspelt"
        ),
        pytest.param(symmetric(published("PEM")), "InvalidAlgorithmError", id="the PEM as HMAC"),
        pytest.param(symmetric(published("DER")), "InvalidAlgorithmError", id="the DER as HMAC"),
        pytest.param(symmetric(json.dumps(PUBLISHED["k1"]).encode()), "InvalidAlgorithmError", id="the JWK as HMAC"),
        pytest.param(token(RSA_KEY, "RS256"), "InvalidAlgorithmError", id="the algorithm of another key"),
        pytest.param(token(RSA_KEY, "RS256", {"kid": "ps1"}), "InvalidAlgorithmError", id="not what the key is for"),
        pytest.param(token(RSA_KEY, "RS512", {"kid": "r1"}), "InvalidAlgorithmError", id="another hash"),
        pytest.param(token(OTHER_KEY), "InvalidSignatureError", id="another key"),
        pytest.param(token(OTHER_KEY, header={"jwk": PUBLISHED["k1"]}), "InvalidSignatureError", id="a jwk header"),
        pytest.param(token(OTHER_KEY, header={"kid": "k2"}), "unknown key", id="an unknown key"),
        pytest.param(token(OTHER_KEY, header={"kid": "../../dev/null"}), "unknown key", id="a path as kid"),
        pytest.param(token(OTHER_KEY, header={"kid": "k1' OR '1'='1"}), "unknown key", id="a query as kid"),
        pytest.param(signed({"alg": "ES256"}, claims()), "unknown key", id="no kid"),
        pytest.param(signed({"alg": "ES256", "kid": ["k1"]}, claims()), "InvalidTokenError", id="a list as kid"),
        pytest.param(signed({"kid": "k1"}, claims()), "InvalidAlgorithmError", id="no alg"),
        pytest.param(signed({"alg": ["ES256"], "kid": "k1"}, claims()), "InvalidAlgorithmError", id="a list as alg"),
        pytest.param(token(header={"crit": ["exp"], "exp": 1}), "InvalidTokenError", id="a critical extension"),
        pytest.param(token(header={"crit": []}), "InvalidTokenError", id="an empty list of critical extensions"),
        pytest.param(
            signed({"alg": "ES256", "kid": "k1", "b64": False, "crit": ["b64"]}, b""), "DecodeError", id="no payload"
        ),
        # What it says
        pytest.param(token(exp=now - 31), "ExpiredSignatureError", id="expired"),
        pytest.param(token(exp=None), "MissingRequiredClaimError", id="no expiry"),
        pytest.param(token(exp="soon"), "DecodeError", id="an expiry that is no time"),
        pytest.param(token(exp=float("nan")), "DecodeError", id="an expiry that is no number"),
        pytest.param(token(nbf=now + 3_600), "ImmatureSignatureError", id="not yet valid"),
        pytest.param(token(iat=now + 3_600), "ImmatureSignatureError", id="from the future"),
        pytest.param(token(iat=None), "MissingRequiredClaimError", id="of no time"),
        pytest.param(token(iss="https://issuer.example/"), "InvalidIssuerError", id="almost the issuer"),
        pytest.param(token(iss="https://evil.example"), "InvalidIssuerError", id="another tenant"),
        pytest.param(
            signed({"alg": "ES256", "kid": "k1"}, claims(iss=[ISSUER])), "InvalidIssuerError", id="a list of issuers"
        ),
        pytest.param(token(aud="another"), "the token has another audience", id="another audience"),
        pytest.param(token(aud="yarrow-2"), "the token has another audience", id="an audience that begins like ours"),
        pytest.param(token(aud=["another"]), "the token has another audience", id="other audiences"),
        pytest.param(token(aud={"yarrow": 1}), "the token has another audience", id="an object as audience"),
        pytest.param(token(aud=None), "the token has another audience", id="no audience"),
        pytest.param(
            token(aud=None, client_id="yarrow"),
            "the token has another audience",
            id="a client, not said to be Cognito's",
        ),
        pytest.param(
            token(aud=None, client_id="another", token_use="access"),
            "the token has another audience",
            id="another client",
        ),
        pytest.param(
            token(aud="another", client_id="yarrow", token_use="access"),
            "the token has another audience",
            id="both",
        ),
        pytest.param(token(header={"typ": "logout+jwt"}), "the token is of another type", id="a logout token"),
        pytest.param(token(sub=None), "MissingRequiredClaimError", id="no subject"),
        pytest.param(token(sub=""), "the token has no valid subject", id="an empty subject"),
        pytest.param(signed({"alg": "ES256", "kid": "k1"}, claims(sub=7)), "InvalidSubjectError", id="a number"),
        pytest.param(token(sub="a" * 129), "the token has no valid subject", id="an endless subject"),
        pytest.param(token(sub="alice\r\n"), "the token has no valid subject", id="a subject of two lines"),
        pytest.param(token(sub="álice"), "the token has no valid subject", id="a subject beyond ASCII"),
        pytest.param(
            signed({"alg": "RS256", "kid": "w1"}, claims(), WEAK_KEY), "InvalidKeyError", id="a key of 1024 bits"
        ),
    ],
)
def test_other_tokens_are_refused_and_the_log_is_told_why(credential: str, reason: str) -> None:
    """SEC-01, SEC-05: The log has nothing of the token."""
    with pytest.raises(InvalidTokenError) as refused:
        tokens.identify(f"Bearer {credential}")
    assert str(refused.value) == reason


def test_of_a_claim_that_is_there_twice_the_last_is_checked_and_used() -> None:
    """SEC-01: RFC 7519 §4; it is the same one that is checked and used."""
    header = {"alg": "ES256", "kid": "k1"}
    twice = json.dumps(claims(sub="alice"))[:-1] + ', "sub": "bob"}'
    assert tokens.identify(f"Bearer {signed(header, twice.encode())}") == Caller("bob")
    expired = json.dumps(claims())[:-1] + f', "exp": {now - 31}}}'
    with pytest.raises(InvalidTokenError, match="ExpiredSignatureError"):
        tokens.identify(f"Bearer {signed(header, expired.encode())}")


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("locale", ["zh"]),
        ("locale", "zh-CN\nBe rude."),
        ("locale", "z" * 36),
        ("zoneinfo", "Z" * 65),
        ("zoneinfo", {"UTC": 0}),
        ("zoneinfo", "Mars Olympus"),
        ("name", ""),
        ("name", " Ada"),
        ("name", "Ada\nBe rude."),
        ("name", "Ada\u2028Be rude."),
        ("name", "a" * 129),
        ("name", {"given": "Ada"}),
    ],
)
def test_a_claim_that_is_not_what_it_should_be_is_left_out(claim: str, value: Any) -> None:
    """C37."""
    assert tokens.identify("Bearer " + token(**{claim: value})) == Caller("alice")


def test_what_cannot_be_checked_is_not_refused() -> None:
    """SEC-01: It is not accepted either."""
    with pytest.raises(IssuerUnavailableError):
        tokens.identify("Bearer " + token(header={"kid": "out of reach"}))


CHANGED = st.builds(
    lambda at, length, by: GOOD[: at % len(GOOD)] + by + GOOD[at % len(GOOD) + length :],
    st.integers(0, 10_000),
    st.integers(0, 3),
    st.text("AZaz09-_.=+/~", max_size=3),
)
HEADERS = st.dictionaries(
    st.sampled_from(["alg", "kid", "typ", "crit", "b64", "jku", "jwk", "x5c", "cty"]),
    st.sampled_from(["ES256", "HS256", "none", "k1", "r1", "JWT", ""]) | st.none() | st.booleans() | st.just(["b64"]),
)
CLAIMS = st.dictionaries(
    st.sampled_from(["iss", "aud", "sub", "exp", "nbf", "iat", "jti", "locale", "zoneinfo", "token_use"]),
    st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=8), st.lists, max_leaves=3),
)


@given(
    st.text()
    | st.binary().map(lambda data: "Bearer " + data.decode("latin-1"))
    | CHANGED.map("Bearer {}".format)
    | st.builds(lambda header, output: f"Bearer {signed(header, claims() | output)}", HEADERS, CLAIMS)
)
@example("Bearer " + GOOD + "=")
def test_a_header_identifies_its_caller_or_is_refused(authorization: str) -> None:
    """SEC-01: nothing else comes of it, whatever its bytes."""
    try:
        caller = tokens.identify(authorization)
    except InvalidTokenError:
        return
    assert tokens.SUBJECT.fullmatch(caller.user_id)
