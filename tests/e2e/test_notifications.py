"""Notifications of the local stack, received with what others have released: `http_ece` and `py_vapid`."""

import json
import secrets
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

from tests.support.stack.app import App, SignIn

DEVICES = "/api/v1/devices"
SECONDS = 30.0


class Browser:
    """A push service with one subscription, which decrypts what it gets. `statuses` are its first answers."""

    def __init__(self) -> None:
        self.key, self.secret = generate_private_key(SECP256R1()), secrets.token_bytes(16)
        self.requests: list[tuple[Message, bytes]] = []
        self.statuses: list[int] = []
        browser = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                browser.requests.append((self.headers, body))
                self.send_response(browser.statuses.pop(0) if browser.statuses else 201)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def subscription(self) -> dict[str, Any]:
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": b64urlencode(public), "auth": b64urlencode(self.secret)}
        return {"endpoint": f"http://127.0.0.1:{self.server.server_port}/{uuid.uuid4()}", "keys": keys}

    def read(self, body: bytes) -> dict[str, Any]:
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        message: dict[str, Any] = json.loads(text)
        return message


def until(found: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come")


@pytest.fixture
def browser() -> Iterator[Browser]:
    found = Browser()
    yield found
    found.server.shutdown()
    found.server.server_close()


def register(app: App, subscription: dict[str, Any], **fields: Any) -> str:
    answer = app.http.post(DEVICES, json={"kind": "web", "subscription": subscription, **fields})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def pushes(app: App) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = app.http.get("/local/pushes").json()["pushes"]
    return found


def test_a_browser_reads_that_a_run_has_ended(alice: App, browser: Browser) -> None:
    """EVB-08, EVB-09: with the content that it asked for, signed by the key that the list of devices names."""
    register(alice, browser.subscription, include=["answer"])
    thread = str(uuid.uuid4())
    assert alice.submit(thread, "run-1").status_code == 202
    until(lambda: browser.requests, "a push")
    headers, body = browser.requests[0]
    message = browser.read(body)
    assert (message["type"], message["threadId"], message["runId"]) == ("run.completed", thread, "run-1")
    answer = [item for item in alice.history(threadId=thread)["messages"] if item["role"] == "assistant"][-1]["content"]
    assert " ".join(answer.split()).startswith(message["answer"].rstrip("…"))
    assert Vapid02.verify(headers["Authorization"])
    key = alice.http.get(DEVICES).json()["web"]["applicationServerKey"]
    assert headers["Authorization"].endswith(f"k={key}")
    assert 0 < int(headers["TTL"]) <= 86_400


def test_a_browser_that_is_gone_is_removed(alice: App, browser: Browser) -> None:
    """EVB-09."""
    browser.statuses = [410]
    device = register(alice, browser.subscription)
    assert alice.submit(str(uuid.uuid4()), "run-1").status_code == 202
    until(lambda: device not in alice.http.get(DEVICES).text, "the removal")
    assert len(browser.requests) == 1


def test_the_local_push_service_shows_what_is_sent(alice: App) -> None:
    """EVB-09: nothing of a run whose end was watched, and nothing once the browser is unsubscribed."""
    answer = alice.http.post("/local/push-subscriptions")
    assert answer.status_code == 201
    subscription = answer.json()
    register(alice, subscription)
    watched, other = (str(uuid.uuid4()) for _ in range(2))
    assert alice.submit(watched, "run-1").status_code == 202
    list(alice.watch(watched, "run-1"))
    assert alice.submit(other, "run-1").status_code == 202
    place = subscription["endpoint"].rpartition("/")[2]
    found = until(lambda: [push for push in pushes(alice) if push["subscription"] == place], "a push")
    assert [(push["message"]["threadId"], push["urgency"]) for push in found] == [(other, "normal")]
    assert "answer" not in found[0]["message"]
    assert alice.http.delete(subscription["endpoint"]).status_code == 204
    assert alice.submit(str(uuid.uuid4()), "run-2").status_code == 202
    until(lambda: alice.http.get(DEVICES).json()["devices"] == [], "the removal")


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 401),
        ({"TTL": "soon"}, 400),
        ({"Urgency": "now"}, 400),
        ({"Topic": "x" * 33}, 400),
        ({"Content-Encoding": "aesgcm"}, 415),
        ({"Authorization": "vapid t=a.b.c, k=d"}, 403),
    ],
)
def test_the_local_push_service_refuses_what_others_refuse(alice: App, changed: dict[str, str], status: int) -> None:
    """EVB-08: RFC 8030 and 8292."""
    endpoint = alice.http.post("/local/push-subscriptions").json()["endpoint"]
    headers = {"TTL": "60", "Content-Encoding": "aes128gcm", **changed}
    assert alice.http.post(endpoint, content=b"message", headers=headers).status_code == status


def test_another_page_reads_no_pushes(alice: App) -> None:
    for method, path in (("GET", "/local/pushes"), ("POST", "/local/push-subscriptions")):
        answer = alice.http.request(method, path, headers={"Origin": "https://other.example"})
        assert (answer.status_code, answer.json()["code"]) == (403, "LOCAL_PUSHES_FORBIDDEN")


# ---- Apps ------------------------------------------------------------------------------------------------------------
def register_app(app: App, kind: str, **fields: Any) -> tuple[str, str]:
    """Register an app with a new token; returns that and the device's id."""
    token = secrets.token_hex(32)
    answer = app.http.post(DEVICES, json={"kind": kind, "token": token, **fields})
    assert answer.status_code == 201, answer.text
    return token, str(answer.json()["id"])


def of_app(app: App, token: str) -> list[dict[str, Any]]:
    return [push for push in pushes(app) if push.get("token") == token]


@pytest.mark.parametrize("kind", ["apns", "apns_sandbox", "fcm"])
def test_an_app_is_told_that_a_run_has_ended(alice: App, kind: str) -> None:
    """EVB-10, EVB-11: in the form of its platform, by the stack's own SNS; removed, it is told no more."""
    token, device = register_app(alice, kind, include=["answer"])
    assert kind in alice.http.get(DEVICES).json()["kinds"]
    assert (
        alice.http.post(DEVICES, json={"kind": kind, "token": token.upper() if kind != "fcm" else token}).status_code
        == 200
    )
    thread = str(uuid.uuid4())
    assert alice.submit(thread, "run-1").status_code == 202
    (push,) = until(lambda: of_app(alice, token), "a push")
    message = push["message"]
    assert (message["data"] if kind == "fcm" else message)["threadId"] == thread
    assert (push["kind"], push["urgency"], 0 < push["ttl"] <= 86_400) == (kind, "normal", True)
    assert alice.http.delete(f"{DEVICES}/{device}").status_code == 204
    assert device not in alice.http.get(DEVICES).text


def test_an_app_that_is_no_longer_on_its_phone_is_removed(alice: App) -> None:
    """EVB-11: SNS learns so by the first message, and refuses the second."""
    token, device = register_app(alice, "fcm")
    assert alice.http.delete(f"/local/apps/{token}").status_code == 204

    def is_removed() -> bool:
        assert alice.submit(str(uuid.uuid4()), "run-1").status_code == 202
        return device not in alice.http.get(DEVICES).text

    until(is_removed, "the removal")
    assert of_app(alice, token) == []


def test_a_phone_that_another_user_takes_is_hers_no_more(alice: App, sign_in: SignIn) -> None:
    """EVB-10, SEC-03."""
    bob = sign_in(str(uuid.uuid4()))
    token, device = register_app(alice, "apns")
    assert bob.http.post(DEVICES, json={"kind": "apns", "token": token}).status_code == 201
    assert device not in alice.http.get(DEVICES).text
    thread, other = (str(uuid.uuid4()) for _ in range(2))
    assert alice.submit(thread, "run-1").status_code == 202
    assert bob.submit(other, "run-1").status_code == 202
    found = until(lambda: of_app(bob, token), "a push")
    assert [push["message"]["threadId"] for push in found] == [other]
