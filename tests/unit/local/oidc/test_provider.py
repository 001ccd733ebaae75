"""The local issuer as an OpenID provider: authorization code with PKCE, refresh, logout, and what it refuses."""

import asyncio
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import jwt
import pytest

from local.identity import AUDIENCE, Issuer
from local.oidc.grants import CODE_SECONDS, Clock
from local.oidc.provider import TOKEN_SECONDS, subject_of

BASE = "http://127.0.0.1:3000"
CONSOLE = f"{BASE}/"
VERIFIER = "v" * 43
CHALLENGE = urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
ASKED = {
    "client_id": AUDIENCE,
    "redirect_uri": CONSOLE,
    "response_type": "code",
    "scope": "openid profile",
    "code_challenge": CHALLENGE,
    "code_challenge_method": "S256",
    "state": "s&t=1",
    "nonce": "n-1",
}
ALICE = {"as_name": "alice", "as_locale": "zh-TW", "as_zoneinfo": "Asia/Taipei"}


class Browser:
    """A user's browser: it keeps cookies, and follows no redirect."""

    def __init__(self, clock: Clock = time.time) -> None:
        self.issuer = Issuer(f"{BASE}/local", clock)
        self.cookies = httpx.Cookies()
        self.app = self.issuer.app()

    def ask(self, method: str, path: str, **content: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url=BASE, cookies=self.cookies) as client:
                response = await client.request(method, path, **content)
                self.cookies = client.cookies
                return response

        return asyncio.run(ask())

    def authorize(self, **changed: str) -> httpx.Response:
        return self.ask("GET", "/local/oauth/authorize", params=ASKED | changed)

    def sign_in(self, **changed: str) -> str:
        """The code that the form leads to."""
        response = self.ask("POST", "/local/oauth/authorize", data=ASKED | ALICE | changed)
        return parameters_of(response)["code"]

    def token(self, **members: str) -> httpx.Response:
        return self.ask("POST", "/local/oauth/token", data={"client_id": AUDIENCE, **members})

    def redeem(self, code: str, **changed: str) -> httpx.Response:
        members = {"code": code, "redirect_uri": CONSOLE, "code_verifier": VERIFIER} | changed
        return self.token(grant_type="authorization_code", **members)

    def refresh(self, token: str) -> httpx.Response:
        return self.token(grant_type="refresh_token", refresh_token=token)


@pytest.fixture
def browser() -> Browser:
    return Browser()


def parameters_of(response: httpx.Response) -> dict[str, str]:
    """What the console is told at its address."""
    assert response.status_code == 303, response.text
    location = response.headers["location"]
    assert location.startswith(f"{CONSOLE}?")
    return {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}


def test_the_configuration_describes_what_there_is(browser: Browser) -> None:
    configuration = browser.ask("GET", "/local/.well-known/openid-configuration").json()
    assert configuration["issuer"] == browser.issuer.url
    assert configuration["code_challenge_methods_supported"] == ["S256"]
    for name in ("authorization_endpoint", "token_endpoint", "end_session_endpoint", "jwks_uri"):
        method = "POST" if name == "token_endpoint" else "GET"
        assert browser.ask(method, configuration[name]).status_code != 404, name


def test_a_user_signs_in_and_the_tokens_say_who(browser: Browser) -> None:
    """The page repeats the request; state, nonce and iss come back."""
    page = browser.authorize(ui_locales="zh-TW", zoneinfo="Asia/Taipei")
    assert page.status_code == 200
    assert 'lang="zh-TW"' in page.text
    assert 'value="s&amp;t=1"' in page.text
    assert "script" not in page.text
    answer = parameters_of(browser.ask("POST", "/local/oauth/authorize", data=ASKED | ALICE))
    assert (answer["state"], answer["iss"]) == (ASKED["state"], browser.issuer.url)
    response = browser.redeem(answer["code"])
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    tokens = response.json()
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", TOKEN_SECONDS, ASKED["scope"])
    keys = jwt.PyJWKSet.from_dict(browser.ask("GET", "/local/.well-known/jwks.json").json())
    key = keys[jwt.get_unverified_header(tokens["id_token"])["kid"]]
    for name in ("id_token", "access_token"):
        claims = jwt.decode(tokens[name], key, ["ES256"], audience=AUDIENCE, issuer=browser.issuer.url)
        assert claims["exp"] - claims["iat"] == TOKEN_SECONDS
        identity = {"sub": "alice", "name": "alice", "locale": "zh-TW", "zoneinfo": "Asia/Taipei"}
        assert identity.items() <= claims.items()
        assert claims.get("nonce") == (ASKED["nonce"] if name == "id_token" else None)


@pytest.mark.parametrize("scope", [ASKED["scope"], f"{ASKED['scope']} operate"])
def test_only_who_asks_for_the_operators_scope_has_it_in_the_token_of_the_console(browser: Browser, scope: str) -> None:
    answer = parameters_of(browser.ask("POST", "/local/oauth/authorize", data=ASKED | ALICE | {"scope": scope}))
    tokens = browser.redeem(answer["code"]).json()
    keys = jwt.PyJWKSet.from_dict(browser.ask("GET", "/local/.well-known/jwks.json").json())
    key = keys[jwt.get_unverified_header(tokens["id_token"])["kid"]]
    for _ in range(2):
        claims = jwt.decode(tokens["id_token"], key, ["ES256"], audience=AUDIENCE)
        assert claims.get("scope") == (scope if "operate" in scope else None)
        tokens = browser.refresh(tokens["refresh_token"]).json()


def test_a_name_that_is_no_subject_has_one() -> None:
    assert subject_of("alice") == "alice"
    assert subject_of("小明") == subject_of("小明") != subject_of("小红")
    assert subject_of("小明").isascii()


def test_a_code_is_for_one_use_and_using_it_again_revokes_what_it_gave(browser: Browser) -> None:
    code = browser.sign_in()
    tokens = browser.redeem(code).json()
    again = browser.redeem(code)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert browser.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_refresh_token_is_replaced_and_its_reuse_revokes_the_next(browser: Browser) -> None:
    first = browser.redeem(browser.sign_in()).json()
    second = browser.refresh(first["refresh_token"]).json()
    claims = jwt.decode(second["id_token"], options={"verify_signature": False})
    assert (claims["sub"], claims["nonce"]) == ("alice", ASKED["nonce"])
    third = browser.refresh(second["refresh_token"])
    assert third.status_code == 200
    assert browser.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert browser.refresh(third.json()["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_code_expires() -> None:
    now = 0.0
    browser = Browser(clock=lambda: now)
    early, late = browser.sign_in(), browser.sign_in()
    now = CODE_SECONDS - 1
    assert browser.redeem(early).status_code == 200
    now = CODE_SECONDS
    assert browser.redeem(late).json()["error"] == "invalid_grant"


REFUSED_TOKENS: dict[str, tuple[Callable[[Browser], httpx.Response], int, str]] = {
    "another verifier": (
        lambda browser: browser.redeem(browser.sign_in(), code_verifier="w" * 43),
        400,
        "invalid_grant",
    ),
    "a short verifier": (lambda browser: browser.redeem(browser.sign_in(), code_verifier="v"), 400, "invalid_grant"),
    "no verifier": (lambda browser: browser.redeem(browser.sign_in(), code_verifier=""), 400, "invalid_grant"),
    "another address": (
        lambda browser: browser.redeem(browser.sign_in(), redirect_uri="http://localhost:3000/"),
        400,
        "invalid_grant",
    ),
    "an unknown code": (lambda browser: browser.redeem("x"), 400, "invalid_grant"),
    "an unknown client": (
        lambda browser: browser.token(client_id="eve", grant_type="refresh_token"),
        401,
        "invalid_client",
    ),
    "no grant type": (lambda browser: browser.token(), 400, "invalid_request"),
    "a password": (lambda browser: browser.token(grant_type="password"), 400, "unsupported_grant_type"),
    "JSON": (lambda browser: browser.ask("POST", "/local/oauth/token", json={}), 400, "invalid_request"),
    "a code as a refresh token": (lambda browser: browser.refresh(browser.sign_in()), 400, "invalid_grant"),
}


def test_what_gets_no_token_is_told_as_rfc_6749_says(browser: Browser) -> None:
    for name, (ask, status, error) in REFUSED_TOKENS.items():
        response = ask(browser)
        assert (response.status_code, response.json()["error"]) == (status, error), name
        assert response.headers["cache-control"] == "no-store", name


def test_a_bad_request_is_told_to_the_console(browser: Browser) -> None:
    """RFC 6749, 4.1.2.1 requires its state."""
    for changed, error in (
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"scope": "profile"}, "invalid_scope"),
        ({"scope": "openid admin"}, "invalid_scope"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": ""}, "invalid_request"),
        ({"nonce": "n" * 2001}, "invalid_request"),
        ({"prompt": "none login"}, "invalid_request"),
        ({"prompt": "none"}, "login_required"),
        ({"request": "x"}, "request_not_supported"),
    ):
        answer = parameters_of(browser.authorize(**changed))
        assert answer["error"] == error, changed
        assert answer["iss"] == browser.issuer.url
        assert answer.get("state") == (None if "nonce" in changed else ASKED["state"])
    repeated = browser.ask("GET", "/local/oauth/authorize", params=[*ASKED.items(), ("nonce", "n-2")])
    assert parameters_of(repeated)["error"] == "invalid_request"


def test_nobody_is_sent_where_the_console_is_not(browser: Browser) -> None:
    for changed in (
        {"redirect_uri": "https://evil.example/"},
        {"redirect_uri": f"{BASE}.evil.example/"},
        {"redirect_uri": f"{BASE}/elsewhere"},
        {"redirect_uri": f"{BASE}/?x=1"},
        {"redirect_uri": ""},
        {"client_id": "eve"},
    ):
        response = browser.authorize(**changed)
        assert (response.status_code, response.headers.get("location")) == (400, None), changed
        assert "default-src 'none'" in response.headers["content-security-policy"]
    logout = browser.ask("GET", "/local/oauth/logout", params={"post_logout_redirect_uri": "https://evil.example/"})
    assert (logout.status_code, logout.headers.get("location")) == (400, None)


def test_who_is_signed_in_is_not_asked_again_until_the_logout(browser: Browser) -> None:
    browser.sign_in()
    for changed in ({}, {"prompt": "none"}):
        assert browser.redeem(parameters_of(browser.authorize(**changed))["code"]).status_code == 200
    assert browser.authorize(prompt="login").status_code == 200
    left = parameters_of(
        browser.ask("GET", "/local/oauth/logout", params={"post_logout_redirect_uri": CONSOLE, "state": "x"})
    )
    assert left == {"state": "x"}
    assert parameters_of(browser.authorize(prompt="none"))["error"] == "login_required"


def test_the_form_takes_names_and_time_zones_only(browser: Browser) -> None:
    for changed in ({"as_name": " "}, {"as_name": "a" * 129}, {"as_name": "a\nb"}, {"as_zoneinfo": "Mars/Olympus"}):
        response = browser.ask("POST", "/local/oauth/authorize", data=ASKED | ALICE | changed)
        assert (response.status_code, 'role="alert"' in response.text) == (422, True), changed
    hostile = browser.authorize(login_hint='"><script>alert(1)</script>')
    assert "<script" not in hostile.text


def test_another_site_can_neither_sign_in_nor_read_tokens(browser: Browser) -> None:
    """Nor by the name of the machine on another port; the console on `localhost` can."""
    for origin in ("https://evil.example", "http://127.0.0.1:9999", "null"):
        posted = browser.ask("POST", "/local/oauth/authorize", data=ASKED | ALICE, headers={"Origin": origin})
        assert posted.status_code == 403
        for path in ("oauth/token", ".well-known/openid-configuration"):
            method = "POST" if path == "oauth/token" else "GET"
            answer = browser.ask(method, f"/local/{path}", headers={"Origin": origin})
            assert "access-control-allow-origin" not in answer.headers
    local = browser.ask("GET", "/local/.well-known/jwks.json", headers={"Origin": "http://localhost:3000"})
    assert local.headers["access-control-allow-origin"] == "http://localhost:3000"
