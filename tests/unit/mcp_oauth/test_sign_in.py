"""A user's sign-in to an MCP server: discovery, registration, a code with PKCE, refresh, revocation, and what hostile
servers cannot do (MCP-01).
"""

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from tests.support.oauth_servers import RESOURCE, SERVER, OAuthServerFake, listening
from yarrow.mcp_oauth import exchange, tokens
from yarrow.mcp_oauth.discovery import AuthorizationServer, discover
from yarrow.mcp_oauth.exchange import OAuthError, is_safe
from yarrow.mcp_oauth.tokens import Client, RefusedError, Tokens, UnknownClientError
from yarrow.observability import redaction
from yarrow.settings import Settings

pytestmark = pytest.mark.enable_socket
HERE = "https://yarrow.example/console/"


@pytest.fixture
def fake() -> Iterator[OAuthServerFake]:
    server = OAuthServerFake()
    with listening(server):
        yield server


def found(fake: OAuthServerFake) -> AuthorizationServer:
    return asyncio.run(discover(fake.url))


def sent_to(server: AuthorizationServer, client: Client, verifier: str, *scopes: str) -> str:
    return tokens.authorization_url(
        server, client, redirect_uri=HERE, state="a-state", verifier=verifier, scopes=scopes
    )


def exchanged(server: AuthorizationServer, client: Client, code: str, verifier: str) -> Tokens:
    return asyncio.run(tokens.exchange_code(server, client, code=code, verifier=verifier, redirect_uri=HERE))


def signed_in(fake: OAuthServerFake) -> tuple[AuthorizationServer, Client, Tokens]:
    server = found(fake)
    client = asyncio.run(tokens.register(server, HERE)).client
    verifier = tokens.new_secret()
    back = fake.authorize(sent_to(server, client, verifier))
    tokens.check_issuer(server, back["iss"])
    return server, client, exchanged(server, client, back["code"], verifier)


def test_a_user_signs_in_and_the_server_takes_the_token(fake: OAuthServerFake) -> None:
    """MCP-01: the code is exchanged with the verifier, for this resource, by the client that was registered."""
    _, client, got = signed_in(fake)
    assert got.access in fake.good
    assert got.seconds == 3_600
    assert fake.registered[0]["redirect_uris"] == [HERE]
    assert (client.id, client.method) == ("client-1", "none")
    assert fake.forms[0]["resource"] == fake.url
    assert fake.authorizations == [""]


def test_the_address_says_all_that_the_server_has_to_know(fake: OAuthServerFake) -> None:
    fake.issuer_metadata = {
        "authorization_endpoint": f"{fake.origin}/authorize?tenant=1",
        "scopes_supported": ["read", "offline_access"],
    }
    verifier, challenge = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    url = sent_to(found(fake), Client("me"), verifier)
    assert url.startswith(f"{fake.origin}/authorize?tenant=1&response_type=code")
    query = {name: value for name, (value,) in parse_qs(urlsplit(url).query).items()}
    assert query["scope"] == "read write offline_access"  # as the server's refusal says
    assert query["prompt"] == "consent"
    assert query["code_challenge"] == challenge  # the example of RFC 7636, appendix B
    assert verifier not in url
    other = parse_qs(urlsplit(sent_to(found(fake), Client("me"), verifier, "one")).query)
    assert other["scope"] == ["one offline_access"]


def test_metadata_is_found_without_a_hint(fake: OAuthServerFake) -> None:
    """RFC 9728 §3.1: below the path of the server, else of its origin; the scopes are those of the metadata."""
    fake.challenge = "Bearer"
    fake.resource_metadata = {"scopes_supported": ["all"]}
    assert found(fake).scopes == ("all",)
    root = RESOURCE.removesuffix("/mcp")
    described = {"resource": fake.origin, "authorization_servers": [fake.origin]}
    fake.replies = {RESOURCE: Response(status_code=404), root: JSONResponse(described)}
    assert found(fake).resource == fake.origin


@pytest.mark.parametrize("suffix", ["", "/tenant"])
def test_an_issuer_with_a_path_is_found_where_openid_has_it(fake: OAuthServerFake, suffix: str) -> None:
    issuer = fake.origin + suffix
    fake.resource_metadata = {"authorization_servers": [issuer]}
    document = fake._described() | {"issuer": issuer}
    fake.replies = {
        SERVER: Response(status_code=404),
        f"{suffix}/.well-known/openid-configuration": JSONResponse(document),
    }
    assert found(fake).issuer == issuer


@pytest.mark.parametrize(
    ("methods", "secret", "method"),
    [
        (None, "s3cr:t/", "client_secret_basic"),
        (["client_secret_post", "private_key_jwt"], "s3cr:t/", "client_secret_post"),
        (["client_secret_post"], None, "none"),
    ],
)
def test_a_known_client_authenticates_as_the_server_can(
    fake: OAuthServerFake, methods: list[str] | None, secret: str | None, method: str
) -> None:
    """A secret is in the header or the form, and never in the address."""
    fake.issuer_metadata = {"token_endpoint_auth_methods_supported": methods}
    server = found(fake)
    client = tokens.known_client(server, "me:you", secret)
    assert client.method == method
    url = sent_to(server, client, "v" * 43)
    assert "s3cr" not in url
    exchanged(server, client, fake.authorize(url)["code"], "v" * 43)
    form = fake.forms[-1]
    assert form["client_id"] == "me:you"
    assert (form.get("basic"), form.get("client_secret")) == (
        secret if method == "client_secret_basic" else None,
        secret if method == "client_secret_post" else None,
    )


def test_a_server_that_authenticates_otherwise_is_refused(fake: OAuthServerFake) -> None:
    fake.issuer_metadata = {"token_endpoint_auth_methods_supported": ["private_key_jwt"]}
    with pytest.raises(OAuthError, match="no way to authenticate"):
        tokens.known_client(found(fake), "me", "secret")


def test_a_refresh_token_that_rotates_is_replaced(fake: OAuthServerFake) -> None:
    server, client, got = signed_in(fake)
    new = asyncio.run(tokens.refresh(server, client, got))
    assert new.access != got.access
    assert new.refresh in fake.refresh_tokens
    with pytest.raises(RefusedError, match="invalid_grant"):
        asyncio.run(tokens.refresh(server, client, got))  # it is good once


def test_a_refresh_token_that_stays_is_kept(fake: OAuthServerFake) -> None:
    server, client, got = signed_in(fake)
    fake.replies["/token"] = JSONResponse({"access_token": "next", "token_type": "bearer"})
    new = asyncio.run(tokens.refresh(server, client, got))
    assert (new.access, new.refresh, new.seconds) == ("next", got.refresh, None)


@pytest.mark.parametrize(
    ("reply", "final"),
    [
        (JSONResponse({"error": "invalid_grant"}, 400), True),
        (JSONResponse({"error": "invalid_client"}, 401), True),
        (JSONResponse({"error": "temporarily_unavailable"}, 400), False),
        (JSONResponse({"error": "slow_down"}, 429), False),
        (Response("<html>", 503), False),
    ],
)
def test_a_failure_that_may_pass_is_told_from_one_that_stays(
    fake: OAuthServerFake, reply: Response, *, final: bool
) -> None:
    """Only the second one asks the user to sign in again."""
    server, client, got = signed_in(fake)
    fake.replies["/token"] = reply
    with pytest.raises(OAuthError) as failed:
        asyncio.run(tokens.refresh(server, client, got))
    assert isinstance(failed.value, RefusedError) is final


def test_without_a_refresh_token_the_user_signs_in_again() -> None:
    server = AuthorizationServer("https://a", "https://r", "https://a/a", "https://a/t")
    with pytest.raises(RefusedError):
        asyncio.run(tokens.refresh(server, Client("me"), Tokens("only")))


def test_tokens_are_revoked_where_the_server_does_so(fake: OAuthServerFake) -> None:
    """RFC 7009: with the refresh token, the access token goes as well."""
    server, client, got = signed_in(fake)
    assert asyncio.run(tokens.revoke(server, client, got))
    assert fake.revoked == [got.refresh]
    fake.replies["/revoke"] = Response(status_code=503)
    assert not asyncio.run(tokens.revoke(server, client, got))
    fake.issuer_metadata = {"revocation_endpoint": None}
    assert not asyncio.run(tokens.revoke(found(fake), client, got))


@pytest.mark.parametrize("iss", [None, "https://other.example", "https://issuer.example/"])
def test_the_response_of_another_issuer_is_refused(iss: str | None) -> None:
    """RFC 9207."""
    server = AuthorizationServer("https://issuer.example", "r", "a", "t", names_itself=True)
    with pytest.raises(OAuthError, match="another"):
        tokens.check_issuer(server, iss)
    tokens.check_issuer(server, "https://issuer.example")


def test_an_issuer_that_does_not_name_itself_need_not() -> None:
    server = AuthorizationServer("https://issuer.example", "r", "a", "t")
    tokens.check_issuer(server, None)
    with pytest.raises(OAuthError):
        tokens.check_issuer(server, "https://other.example")


@pytest.mark.parametrize(
    ("resource", "issuer", "why"),
    [
        ({"resource": "https://bank.example/mcp"}, {}, "another server"),
        ({"resource": "http://127.0.0.1:1/mcp"}, {}, "another server"),
        ({"resource": None}, {}, "another server"),
        ({"authorization_servers": []}, {}, "names no"),
        ({"authorization_servers": "https://a.example"}, {}, "names no"),
        ({"authorization_servers": ["http://a.example"]}, {}, "names no"),
        ({"authorization_servers": ["https://10.0.0.1"]}, {}, "not public"),
        ({"authorization_servers": ["https://[::ffff:169.254.169.254]"]}, {}, "not public"),
        ({}, {"issuer": "https://bank.example"}, "another one"),
        ({}, {"code_challenge_methods_supported": None}, "PKCE"),
        ({}, {"code_challenge_methods_supported": ["plain"]}, "PKCE"),
        ({}, {"token_endpoint": "http://a.example/token"}, "https"),
        ({}, {"authorization_endpoint": "javascript:alert(1)"}, "https"),
        ({}, {"token_endpoint": None}, "https"),
    ],
)
def test_hostile_metadata_is_refused(
    fake: OAuthServerFake, resource: dict[str, Any], issuer: dict[str, Any], why: str
) -> None:
    fake.resource_metadata, fake.issuer_metadata = resource, issuer
    with pytest.raises(OAuthError, match=why):
        found(fake)


@pytest.mark.parametrize("path", ["/mcp", RESOURCE, SERVER])
def test_redirects_are_not_followed(fake: OAuthServerFake, path: str) -> None:
    """Neither inward nor elsewhere."""
    fake.replies[path] = RedirectResponse(f"{fake.origin}/inside")
    if path == "/mcp":
        found(fake)  # no token was sent, and the metadata is where it is without a hint
    else:
        with pytest.raises(OAuthError):
            found(fake)
    assert "/inside" not in fake.paths


@pytest.mark.parametrize("path", ["/token", "/register", "/revoke"])
def test_no_secret_follows_a_redirect(fake: OAuthServerFake, path: str) -> None:
    """By 307 and 308, a client would send the same form again: the code with its verifier, or a token."""
    server, client, got = signed_in(fake)
    fake.replies[path] = RedirectResponse(f"{fake.origin}/inside", 308)
    if path == "/revoke":
        assert not asyncio.run(tokens.revoke(server, client, got))
    else:
        ask = tokens.refresh(server, client, got) if path == "/token" else tokens.register(server, HERE)
        with pytest.raises(OAuthError):
            asyncio.run(ask)
    assert "/inside" not in fake.paths


@pytest.mark.parametrize(
    ("path", "query"), [("/m", ""), ("/mcp/..", ""), ("/mcp/inner", ""), ("/mcp", "?tenant=2"), ("/MCP", "")]
)
def test_a_token_for_what_is_not_the_server_is_not_asked_for(fake: OAuthServerFake, path: str, query: str) -> None:
    """RFC 9728 §3.3: a server could ask for tokens that are good for its neighbour."""
    fake.resource_metadata = {"resource": f"{fake.origin}{path}{query}"}
    with pytest.raises(OAuthError, match="another server"):
        found(fake)


def test_a_resource_of_another_host_is_none_however_it_is_written(fake: OAuthServerFake) -> None:
    host = fake.origin.removeprefix("http://")
    for resource in (f"http://{host}@bank.example/mcp", f"https://{host}/mcp", f"http://{host}.bank.example/mcp"):
        fake.resource_metadata = {"resource": resource}
        with pytest.raises(OAuthError, match="another server"):
            found(fake)


@pytest.mark.parametrize("hint", ["http://169.254.169.254/latest", "file:///etc/passwd", "https://u:p@a.example/"])
def test_a_hint_leads_nowhere_else(fake: OAuthServerFake, hint: str) -> None:
    fake.challenge = f'Bearer resource_metadata="{hint}"'
    with pytest.raises(OAuthError, match="does not say"):
        found(fake)
    assert fake.paths == ["/mcp"]


def test_an_endpoint_inside_gets_no_secret(fake: OAuthServerFake) -> None:
    server = AuthorizationServer("https://a", fake.url, "https://a/a", "https://10.1.2.3/token")
    with pytest.raises(OAuthError, match="not public"):
        exchanged(server, Client("me"), "a-code", "v" * 43)


def test_a_slow_server_costs_its_time_alone(fake: OAuthServerFake) -> None:
    async def drops() -> Any:
        while True:
            yield b" "
            await asyncio.sleep(0.02)

    fake.replies[RESOURCE] = StreamingResponse(drops(), media_type="application/json")
    with pytest.raises(OAuthError, match="too long"):
        asyncio.run(exchange.ask("GET", f"{fake.origin}{RESOURCE}", seconds=0.3))


def test_an_answer_without_end_is_not_read(fake: OAuthServerFake) -> None:
    async def much() -> Any:
        while True:
            yield b"x" * 64_000
            await asyncio.sleep(0)

    fake.replies[RESOURCE] = StreamingResponse(much(), media_type="application/json")
    with pytest.raises(OAuthError, match="exceeds"):
        found(fake)


def test_an_answer_without_end_to_a_token_is_not_read(fake: OAuthServerFake) -> None:
    """Nor is what had come of it until then taken for a token."""
    server, client, got = signed_in(fake)

    async def much() -> Any:
        yield b'{"access_token": "a", "token_type": "Bearer", "more": "'
        while True:
            yield b"x" * 64_000
            await asyncio.sleep(0)

    fake.replies["/token"] = StreamingResponse(much(), media_type="application/json")
    with pytest.raises(OAuthError, match="exceeds") as failed:
        asyncio.run(tokens.refresh(server, client, got))
    assert not isinstance(failed.value, RefusedError)  # the refresh token may still be good


@pytest.mark.parametrize("error", ["<script>alert(1)</script>", "x" * 500, "refresh-token-2", ["invalid_grant"], None])
def test_an_error_repeats_no_text_of_a_stranger(fake: OAuthServerFake, error: Any) -> None:
    """It is shown to users and models: only codes as RFC 6749 writes them are."""
    server, client, got = signed_in(fake)
    fake.replies["/token"] = JSONResponse({"error": error, "error_description": f"see {got.refresh}"}, 400)
    with pytest.raises(OAuthError) as failed:
        asyncio.run(tokens.refresh(server, client, got))
    assert str(failed.value) == "the authorization server answered: status 400"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"resource": NaN}', b'{"resource": 1, "resource": 2}', b"\xff", b"[" * 5_000]
)
def test_what_is_no_object_says_nothing(fake: OAuthServerFake, body: bytes) -> None:
    fake.replies[RESOURCE] = Response(body, media_type="application/json")
    with pytest.raises(OAuthError, match="does not say"):
        found(fake)


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({"token_type": "mac"}, "no bearer"),
        ({"token_type": None}, "no bearer"),
        ({"access_token": ""}, "no usable token"),
        ({"access_token": "a\nCookie: b"}, "no usable token"),
        ({"access_token": "a" * 8_193}, "no usable token"),
        ({"access_token": ["a"]}, "no usable token"),
        ({"refresh_token": "密"}, "no usable refresh token"),
    ],
)
def test_what_is_no_token_is_refused(fake: OAuthServerFake, members: dict[str, Any], why: str) -> None:
    server, client, got = signed_in(fake)
    fake.replies["/token"] = JSONResponse({**fake.issue(), **members})
    with pytest.raises(OAuthError, match=why):
        asyncio.run(tokens.refresh(server, client, got))


@pytest.mark.parametrize(
    ("told", "seconds"), [(60, 60), ("60", 60), (-1, 0), (1e300, tokens.MAX_SECONDS), (True, None), ("soon", None)]
)
def test_what_a_server_says_of_a_tokens_time(fake: OAuthServerFake, told: Any, seconds: int | None) -> None:
    server, client, got = signed_in(fake)
    fake.replies["/token"] = JSONResponse({**fake.issue(), "expires_in": told})
    assert asyncio.run(tokens.refresh(server, client, got)).seconds == seconds


@pytest.mark.parametrize(
    "reply", [JSONResponse({}, 201), JSONResponse({"client_id": "a b"}), JSONResponse({"client_id": "a"}, 403)]
)
def test_a_registration_without_a_client_is_refused(fake: OAuthServerFake, reply: Response) -> None:
    fake.replies["/register"] = reply
    with pytest.raises(OAuthError, match="registers no client"):
        asyncio.run(tokens.register(found(fake), HERE))


@pytest.mark.parametrize(
    ("told", "ends_at"),
    [
        (1_900_000_000, 1_900_000_000),
        (1.9e9, 1_900_000_000),
        (0, None),
        (-1, None),
        (True, None),
        ("1900000000", None),
        (1e300, None),
        (None, None),
    ],
)
def test_a_secret_ends_when_the_registration_says_so(fake: OAuthServerFake, told: Any, ends_at: int | None) -> None:
    """MCP-01: 0 is never; without a secret nothing ends."""
    body = json.dumps({"client_id": "a", "client_secret": "a-secret", "client_secret_expires_at": told})
    fake.issuer_metadata = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    fake.replies["/register"] = Response(body, 201)
    got = asyncio.run(tokens.register(found(fake), HERE))
    assert (got.client.id, got.client.secret, got.ends_at) == ("a", "a-secret", ends_at)
    assert "a-secret" not in repr(got)
    fake.issuer_metadata = {}
    fake.replies["/register"] = JSONResponse({"client_id": "a", "client_secret_expires_at": told}, 201)
    assert asyncio.run(tokens.register(found(fake), HERE)).ends_at is None


@pytest.mark.parametrize(("error", "is_unknown"), [("invalid_client", True), ("unauthorized_client", False)])
def test_a_client_that_the_server_does_not_know_is_told(fake: OAuthServerFake, error: str, *, is_unknown: bool) -> None:
    """MCP-01."""
    server, client, got = signed_in(fake)
    fake.replies["/token"] = JSONResponse({"error": error}, 401)
    with pytest.raises(RefusedError) as failed:
        asyncio.run(tokens.refresh(server, client, got))
    assert isinstance(failed.value, UnknownClientError) is is_unknown


def test_a_server_that_registers_nobody_needs_a_client_id(fake: OAuthServerFake) -> None:
    fake.issuer_metadata = {"registration_endpoint": None}
    with pytest.raises(OAuthError, match="client_id"):
        asyncio.run(tokens.register(found(fake), HERE))


def test_nothing_shows_a_token(fake: OAuthServerFake, caplog: pytest.LogCaptureFixture) -> None:
    """SEC-05: neither representations, nor errors, which repeat no text of a server, nor logs."""
    caplog.set_level(logging.DEBUG, "yarrow")
    server, client, got = signed_in(fake)
    fake.replies["/token"] = JSONResponse({"error": "bad " + got.access, "error_description": got.access}, 400)
    with pytest.raises(OAuthError) as failed:
        asyncio.run(tokens.refresh(server, client, got))
    shown = f"{got!r} {Client('a', 'top-secret')!r} {failed.value} {caplog.text}"
    assert not any(secret in shown for secret in (got.access, str(got.refresh), "top-secret"))
    assert got.access not in redaction.without_secrets(f"token {got.access}, {got.refresh}")


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://a.example/x", True),
        ("http://127.0.0.1:8000/x", True),
        ("http://a.example/x", False),
        ("https://u@a.example/x", False),
        ("https://a.example/x#y", False),
        ("https://a.example:99999/", False),
        ("https:///x", False),
        ("https://ä.example/", False),
        ("https://a.example/ x", False),
        ("https://a.example/" + "x" * 2_000, False),
        (None, False),
    ],
)
def test_secrets_go_by_https(url: Any, *, safe: bool) -> None:
    assert is_safe(url) is safe


def test_in_lambda_this_machine_is_no_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9001")
    monkeypatch.setattr(exchange, "settings", Settings())
    assert not is_safe("http://127.0.0.1:8000/x")
