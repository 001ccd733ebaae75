"""Credentials at the far side: the issuer's keys over HTTP, API keys in the table, and API Gateway's answer to both."""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from functions.authorize.app import handler
from local.api_gateway import authorizer
from local.api_gateway.authorizer import ApiAuthorization, allows
from local.api_gateway.proxy_event import ProxyCall
from local.api_gateway.responses import GatewayError, ResponseType, render
from local.api_gateway.routing import Router
from local.functions import LambdaHost
from local.identity import Issuer
from local.oidc.claims import Identity
from local.sandboxes.invocations import Result
from local.stack import Stack
from tests.support.functions.api_calls import refused, watched
from tests.support.functions.calls import NO_CONTEXT
from tests.support.functions.payloads import Case, with_header
from tools import api_keys as command
from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.store import clock as store_clock
from yarrow.store.limits import buckets
from yarrow.web import api_keys, issuer, tokens
from yarrow.web.issuer import IssuerKeys, IssuerUnavailableError

OPEN = {
    ("POST", "/send-message"),
    ("GET", "/send-message/capabilities"),
    ("GET", "/api/v1/agent/runs/{threadId}/events"),
    ("GET", "/api/v1/agent/runs/{threadId}/stream"),
    ("HEAD", "/api/v1/agent/runs/{threadId}/stream"),
    ("GET", "/api/v1/agent/runs/{threadId}/steps"),
    ("POST", "/api/v1/agent/runs/{threadId}/cancel"),
    ("GET", "/api/v1/usage"),
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("DELETE", "/mcp"),
}
"""The routes that an API key opens (C42)."""

WEBHOOK = "/api/v1/webhooks/{webhookId}"
OPEN_TO_OPERATORS = {
    ("GET", "/api/v1/agent/runs/{threadId}/diagnostics"),
    ("GET", "/api/v1/operations/runs"),
    ("GET", "/api/v1/operations/users"),
    ("GET", "/api/v1/webhooks"),
    ("POST", "/api/v1/webhooks"),
    *((method, WEBHOOK) for method in ("GET", "PATCH", "DELETE")),
    *(("POST", f"{WEBHOOK}/{part}") for part in ("rotate", "test", "deliveries/{deliveryId}/replay")),
}
"""Those that an operator's opens as well (EVB-04, EVB-12, STP-08)."""

CONFIGURATION, KEYS = "/.well-known/openid-configuration", "/keys"
DOOR = "/send-message"


# ---- The issuer's keys ---------------------------------------------------------------------------------------------


def jwk(key_id: str, **members: Any) -> dict[str, Any]:
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    return ECAlgorithm.to_jwk(key, as_dict=True) | {"kid": key_id, **members}


def run_command(arguments: list[str]) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "use", {"yarrow": None}.__getitem__)
        return command.main(["--stack", "yarrow", *arguments])


class Published:
    """An issuer on this machine: what it answers by path, with what status, and what it was asked."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        published = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                published.paths.append(self.path)
                self.send_response(published.status)
                for name, value in published.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(published.answers.get(self.path, b""))

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.answers = {
            CONFIGURATION: json.dumps({"issuer": self.url, "jwks_uri": self.url + KEYS}).encode(),
            KEYS: b"",
        }
        self.publish(jwk("k1"))

    def publish(self, *keys: dict[str, Any]) -> None:
        self.answers[KEYS] = json.dumps({"keys": keys}).encode()


@pytest.fixture
def published() -> Iterator[Published]:
    published = Published()
    thread = Thread(target=published.server.serve_forever, args=(0.01,))
    thread.start()
    yield published
    published.server.shutdown()
    thread.join()
    published.server.server_close()


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(issuer, "time", clock)
    monkeypatch.setattr(authorizer, "time", SimpleNamespace(monotonic=clock.monotonic))
    return clock


def names(keys: IssuerKeys, *key_ids: str) -> list[bool]:
    """Which of these keys are known."""
    return [keys.find(key_id) is not None for key_id in key_ids]


def test_keys_are_fetched_once_and_again_when_they_are_old(published: Published, clock: Clock) -> None:
    """SEC-01: a key that is no longer published stops counting."""
    keys = IssuerKeys(published.url)
    assert names(keys, "k1", "k1") == [True, True]
    assert published.paths == [CONFIGURATION, KEYS]
    published.publish(jwk("k2"))
    assert names(keys, "k1") == [True]
    clock.now += issuer.KEYS_SECONDS
    assert names(keys, "k1", "k2") == [False, True]
    assert published.paths == [CONFIGURATION, KEYS] * 2


def test_a_new_key_is_found_and_strangers_cannot_make_us_ask_all_the_time(published: Published, clock: Clock) -> None:
    """SEC-01."""
    keys = IssuerKeys(published.url)
    assert names(keys, "k1", *(f"stranger {number}" for number in range(50))) == [True] + [False] * 50
    assert len(published.paths) == 2
    published.publish(jwk("k1"), jwk("k2"))
    assert names(keys, "k2") == [False]
    clock.now += issuer.UNKNOWN_KEY_SECONDS
    assert names(keys, "k2", "stranger", "k1") == [True, False, True]
    assert len(published.paths) == 4


def test_while_the_issuer_is_out_of_reach_known_keys_count_and_nothing_is_known_of_others(
    published: Published, clock: Clock
) -> None:
    """SEC-01: Unknown keys get neither a 401 nor a wait each."""
    keys = IssuerKeys(published.url)
    assert names(keys, "k1") == [True]
    published.status = 500
    clock.now += issuer.UNKNOWN_KEY_SECONDS
    for _ in range(5):
        with pytest.raises(IssuerUnavailableError):
            keys.find("k2")
        assert names(keys, "k1") == [True]
    assert len(published.paths) == 3
    clock.now += issuer.KEYS_SECONDS
    with pytest.raises(IssuerUnavailableError):
        keys.find("k1")
    published.status = 200
    clock.now += issuer.RETRY_SECONDS
    assert names(keys, "k1") == [True]


BROKEN: dict[str, Callable[[Published], Any]] = {
    "refuses": lambda it: setattr(it, "status", 404),
    "sends elsewhere": lambda it: vars(it).update(status=302, headers={"Location": it.url + KEYS}),
    "says nothing": lambda it: it.answers.update({CONFIGURATION: b""}),
    "speaks no JSON": lambda it: it.answers.update({KEYS: b"<html>"}),
    "nests without end": lambda it: it.answers.update({KEYS: b"[" * 100_000}),
    "says something else": lambda it: it.answers.update({KEYS: b"[]"}),
    "is another issuer": lambda it: it.answers.update(
        {CONFIGURATION: json.dumps({"issuer": it.url + "/", "jwks_uri": it.url + KEYS}).encode()}
    ),
    "names no keys": lambda it: it.answers.update({CONFIGURATION: json.dumps({"issuer": it.url}).encode()}),
    "names keys in a file": lambda it: it.answers.update(
        {CONFIGURATION: json.dumps({"issuer": it.url, "jwks_uri": "file:///etc/passwd"}).encode()}
    ),
    "names keys without TLS": lambda it: it.answers.update(
        {CONFIGURATION: json.dumps({"issuer": it.url, "jwks_uri": "http://issuer.example/keys"}).encode()}
    ),
    "says too much": lambda it: it.answers.update({KEYS: it.answers[KEYS] + b" " * issuer.MAX_DOCUMENT_BYTES}),
    "has no keys": lambda it: it.publish(),
    "has keys to encrypt with": lambda it: it.publish(jwk("k1", use="enc")),
    "has shared secrets": lambda it: it.publish({"kty": "oct", "kid": "k1", "k": "c2VjcmV0", "alg": "HS256"}),
    "has keys without a name": lambda it: it.publish(jwk("")),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_an_issuer_that_cannot_be_believed_gives_no_keys(published: Published, fault: str) -> None:
    """SEC-01."""
    BROKEN[fault](published)
    with pytest.raises(IssuerUnavailableError):
        IssuerKeys(published.url).find("k1")


def test_an_issuer_is_asked_over_tls_alone() -> None:
    """SEC-01."""
    with pytest.raises(IssuerUnavailableError, match="is not https"):
        IssuerKeys("http://issuer.example").find("k1")


def test_an_issuer_that_takes_its_time_is_not_waited_for(
    published: Published, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SEC-01."""

    def late() -> float:
        clock.now += issuer.FETCH_SECONDS + 1
        return clock.now

    monkeypatch.setattr(issuer, "time", SimpleNamespace(monotonic=late))
    with pytest.raises(IssuerUnavailableError, match="too slow"):
        IssuerKeys(published.url).find("k1")


# ---- API keys ------------------------------------------------------------------------------------------------------


def request(credential: str, resource: str = DOOR) -> dict[str, Any]:
    event = with_header(Case().payload("authorizer_request"), "Authorization", f"Bearer {credential}")
    return event | {"resource": resource}


def is_let_in(credential: str, resource: str = DOOR) -> bool:
    try:
        return bool(handler(request(credential, resource), NO_CONTEXT))
    except Exception as error:
        if str(error) != "Unauthorized":
            raise
        return False


@pytest.mark.usefixtures("aws")
class TestApiKeys:
    def test_a_key_acts_as_its_user_on_a_few_routes(self, stack: Stack) -> None:
        """SEC-02, SEC-06, C42: whatever the answer is kept for."""
        key_id, key = api_keys.create("alice", "laptop")
        decision = handler(request(key), NO_CONTEXT)
        assert decision["context"] == {"sub": "alice", "folder": "alice", "apiKey": key_id}
        arn = "arn:aws:execute-api:eu-west-1:123456789012:a1b2c3d4e5/live"
        for route in stack.api.routes:
            allowed = allows(decision["policyDocument"], f"{arn}/{route.method}{route.path}")
            assert allowed is ((route.method, route.path) in OPEN), route
            assert is_let_in(key, route.path) is (route.path in {path for _, path in OPEN}), route
            of_operators = (route.method, route.path) in OPEN_TO_OPERATORS
            if route.authorizer is not None:
                assert (route.authorizer == "JwtOrApiKey") is (allowed or of_operators), route

    def test_an_operators_key_opens_webhooks_as_well(self, stack: Stack) -> None:
        """EVB-04, SEC-02: which no other key does."""
        _, key = api_keys.create("ops", "integration", operates=True)
        policy = handler(request(key), NO_CONTEXT)["policyDocument"]
        arn = "arn:aws:execute-api:eu-west-1:123456789012:a1b2c3d4e5/live"
        for route in stack.api.routes:
            allowed = allows(policy, f"{arn}/{route.method}{route.path}")
            assert allowed is ((route.method, route.path) in OPEN | OPEN_TO_OPERATORS), route
            assert is_let_in(key, route.path) is (route.path in {path for _, path in OPEN | OPEN_TO_OPERATORS}), route

    def test_keys_are_random_and_their_bits_are_stored_nowhere(self) -> None:
        """SEC-02, SEC-05."""
        keys = [api_keys.create("alice", "laptop")[1] for _ in range(2)]
        assert keys[0] != keys[1]
        items = json.dumps(boto3.client("dynamodb").scan(TableName=settings.table_name)["Items"])
        for key in keys:
            assert re.fullmatch(r"yk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}", key)
            assert key[-4:] in items
            assert key[-10:] not in items

    def test_what_is_not_exactly_a_key_is_refused(self) -> None:
        """SEC-02."""
        (_, key), (_, other) = (api_keys.create("alice", "laptop") for _ in range(2))
        id_, secret = key[:20], key[20:]
        assert is_let_in(key)
        for wrong in (
            key + "a",
            key + "=",
            key[:-1],
            key.upper(),
            id_ + secret.swapcase(),
            id_ + other[20:],
            other[:20] + secret,
            f"yk_{'0' * 16}_{secret}",
            f"yk_{secret}",
        ):
            assert not is_let_in(wrong), wrong

    def test_an_unknown_key_and_a_wrong_one_cost_the_same(self) -> None:
        """SEC-02: one read and one comparison each, so that the time does not tell which ids there are."""
        _, key = api_keys.create("alice", "laptop")
        for wrong in (f"yk_{'0' * 16}_{'a' * 43}", key[:20] + "a" * 43):
            with watched() as calls:
                assert not is_let_in(wrong)
            assert calls.made == ["GetItem"]

    def test_a_revoked_key_is_refused_and_its_end_does_not_move(self, capsys: pytest.CaptureFixture[str]) -> None:
        """SEC-02."""
        key_id, key = api_keys.create("alice", "laptop")
        assert run_command(["revoke", key_id]) == 0
        assert not is_let_in(key)
        run_command(["list"])
        listed = capsys.readouterr().out
        assert "\trevoked " in listed
        assert run_command(["revoke", key_id]) == 0
        run_command(["list"])
        assert capsys.readouterr().out == listed
        assert run_command(["revoke", "0" * 16]) == 1

    def test_a_user_who_is_gone_leaves_no_key(self) -> None:
        """SEC-02: one command ends all keys of a user, and nobody else's."""
        gone = [api_keys.create("alice", f"key {number}")[1] for number in range(3)]
        _, other = api_keys.create("bob", "laptop")
        run_command(["revoke", "--user", "alice"])
        assert [is_let_in(key) for key in [*gone, other]] == [False, False, False, True]

    def test_the_command_shows_a_key_once(self, capsys: pytest.CaptureFixture[str]) -> None:
        """SEC-02, SEC-05, SEC-08."""
        assert run_command(["create", "alice", "my laptop"]) == 0
        key = capsys.readouterr().out.strip()
        assert is_let_in(key)
        assert run_command(["list", "alice"]) == 0
        (line,) = capsys.readouterr().out.splitlines()
        _, last_four, user, label, created, state = line.split("\t")
        assert (last_four, user, label, state) == (f"…{key[-4:]}", "alice", "my laptop", "good")
        assert created.endswith("+00:00")
        assert key[20:-4] not in line
        run_command(["list", "bob"])
        assert capsys.readouterr().out == ""

    @pytest.mark.parametrize(("user", "label"), [("", "x"), ("a" * 129, "x"), ("álice", "x"), ("a", ""), ("a", "\t")])
    def test_a_key_needs_a_user_and_a_label(self, user: str, label: str) -> None:
        """SEC-02."""
        assert run_command(["create", user, label]) == 2

    def test_the_log_has_nothing_of_a_key(self, caplog: pytest.LogCaptureFixture) -> None:
        """SEC-05."""
        key_id, key = api_keys.create("alice", "laptop")
        run_command(["revoke", key_id])
        with caplog.at_level(logging.DEBUG):
            assert not is_let_in(key)
            assert not is_let_in(key.swapcase())
            assert not is_let_in(key[:20] + key[20:].swapcase())
        reasons = [vars(record)["reason"] for record in caplog.records if "reason" in vars(record)]
        assert reasons == ["revoked API key", "DecodeError", "unknown API key"]
        text = str([vars(record) for record in caplog.records])
        assert key[20:-4] not in text
        assert key[20:-4].swapcase() not in text


# ---- Behind API Gateway ----------------------------------------------------------------------------------------------


class Host(LambdaHost):
    """The authorizer's function, as Lambda would run it."""

    async def invoke(
        self, _name: str, payload: bytes, refusal: str | None = None, *, throttles: bool = False
    ) -> Result:
        try:
            return Result(json.dumps(handler(json.loads(payload), NO_CONTEXT)).encode(), failed=False)
        except Exception as error:  # noqa: BLE001 - as Lambda reports it
            return Result(json.dumps({"errorMessage": str(error)}).encode(), failed=True)


@pytest.mark.usefixtures("aws")
class TestBehindApiGateway:
    @pytest.fixture
    def ask(self, stack: Stack) -> Callable[[str, str, str], ResponseType | str]:
        """The user whom a request is let in as, or what it is answered instead."""
        authorization, router = ApiAuthorization(stack.api, Host({})), Router(stack.api.routes)

        def send(credential: str, method: str, path: str) -> ResponseType | str:
            match = router.match(method, path)
            assert match is not None
            try:
                identity = asyncio.run(authorization.identity(call(credential, method, path), match))
            except GatewayError as error:
                return error.kind
            assert identity is not None
            return str(identity["sub"])

        return send

    def test_a_revoked_key_is_good_for_a_minute_at_most(self, ask: Callable[..., Any], clock: Clock) -> None:
        """SEC-02: as long as API Gateway keeps what it was told; a key that was not used lately ends at once."""
        (first, used), (second, unused) = (api_keys.create("alice", "laptop") for _ in range(2))
        assert ask(used, "POST", DOOR) == "alice"
        for key_id in (first, second):
            run_command(["revoke", key_id])
        assert ask(unused, "POST", DOOR) == ResponseType.UNAUTHORIZED
        clock.now += 59
        assert ask(used, "POST", DOOR) == "alice"
        clock.now += 1
        assert ask(used, "POST", DOOR) == ResponseType.UNAUTHORIZED

    def test_what_is_kept_of_a_key_opens_no_other_route(self, ask: Callable[..., Any]) -> None:
        """SEC-02, C42."""
        _, key = api_keys.create("alice", "laptop")
        assert ask(key, "POST", DOOR) == "alice"
        assert ask(key, "GET", "/api/v1/agent/runs/7/events") == "alice"
        assert ask(key, "POST", "/api/v1/agent/runs/7/cancel") == "alice"
        assert ask(key, "POST", "/api/v1/agent/runs") == ResponseType.UNAUTHORIZED
        assert ask(key, "GET", "/api/v1/agent/history") == ResponseType.UNAUTHORIZED
        assert ask(key, "POST", DOOR) == "alice"

    def test_a_header_that_comes_twice_is_refused_whatever_is_kept_of_it(self, stack: Stack) -> None:
        """SEC-01: even of a credential that was let in a moment ago."""
        authorization, router = ApiAuthorization(stack.api, Host({})), Router(stack.api.routes)
        _, key = api_keys.create("alice", "laptop")
        match = router.match("POST", DOOR)
        assert match is not None

        def ask(*values: str) -> ResponseType | None:
            headers = {"authorization": list(values), "host": ["127.0.0.1"]}
            call = ProxyCall("POST", DOOR, "", headers, "127.0.0.1", 3000, "1.1")
            try:
                asyncio.run(authorization.identity(call, match))
            except GatewayError as error:
                return error.kind
            return None

        good = f"Bearer {key}"
        assert ask(good) is None
        for twice in ((good, good), ("Bearer other", good), (good, "Bearer other"), ("", good), (good, "")):
            assert ask(*twice) == ResponseType.UNAUTHORIZED, twice
        assert ask(good) is None

    @pytest.mark.parametrize("form", ["/api/v1/agent/attachments", "/api/v1/agent/transcribe"])
    def test_a_user_sends_so_many_forms_whether_they_are_finished_or_not(
        self, form: str, ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """CMP-12: API Gateway stores their bodies without asking another function; other requests are not concerned."""
        monkeypatch.setattr(tokens, "identify", lambda header: Caller(user_id=tokens.bearer(header)))
        monkeypatch.setitem(settings.__dict__, "uploads_per_minute", 3)
        burst = 2 * 3 * buckets.BURST_MINUTES
        now = store_clock.now_ms()
        monkeypatch.setattr(store_clock, "now_ms", lambda: now)
        assert [ask("alice", "POST", form) for _ in range(burst)] == ["alice"] * burst
        assert ask("alice", "POST", form) == ResponseType.ACCESS_DENIED
        assert ask("alice", "GET", "/api/v1/agent/history") == "alice"
        assert ask("bob", "POST", form) == "bob"
        now += 10_000
        assert [ask("alice", "POST", form) for _ in "12"] == ["alice", ResponseType.ACCESS_DENIED]

    def test_what_cannot_be_checked_may_be_sent_again(self, ask: Callable[..., Any], stack: Stack) -> None:
        """SEC-01, SEC-02, ERR-01: neither let in nor refused; the issuer of this deployment is out of reach."""
        token = Issuer(settings.oidc_issuer).token(Identity(sub="alice"))
        assert ask(token, "GET", "/api/v1/agent/history") == ResponseType.AUTHORIZER_FAILURE
        _, key = api_keys.create("alice", "laptop")
        with watched() as calls:
            calls.reset(1, refused)
            assert ask(key, "POST", DOOR) == ResponseType.AUTHORIZER_FAILURE
        answer = render(stack.api, call(key, "POST", DOOR), None, ResponseType.AUTHORIZER_FAILURE)
        assert (answer.status, answer.headers["retry-after"]) == (503, "1")
        assert answer.headers["content-type"] == "application/problem+json"
        problem = json.loads(answer.body)
        assert (problem["status"], problem["code"], problem["instance"]) == (503, "SERVICE_UNAVAILABLE", DOOR)


def call(credential: str, method: str, path: str) -> ProxyCall:
    headers = {"authorization": [f"Bearer {credential}"], "host": ["127.0.0.1"]}
    return ProxyCall(method, path, "", headers, "127.0.0.1", 3000, "1.1")
