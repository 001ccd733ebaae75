"""Webhooks of the local stack, received with what others have released: `standardwebhooks` and the `openai` package."""

import json
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from openai import InvalidWebhookSignatureError, OpenAI

from tests.support.stack.app import App, SignIn
from tests.support.stack.process import free_port, running
from tests.support.stack.scheduler_clock import SchedulerClock
from tests.support.webhooks.http_receiver import Receiver, until


@pytest.fixture(scope="module")
def internal_port() -> str:
    return free_port()


@pytest.fixture(scope="module")
def stack(internal_port: str) -> Iterator[str]:
    """A stack of their own: an operator's webhook is sent the runs of everybody, also those of other tests."""
    with running(internal_port=internal_port) as url:
        yield url


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as found:
        yield found


@pytest.fixture
def operator(sign_in: SignIn) -> Iterator[App]:
    app = sign_in("ops", scope="operate")
    yield app
    for webhook in app.http.get("/api/v1/webhooks").json()["webhooks"]:
        app.http.delete(f"/api/v1/webhooks/{webhook['id']}")


def created(operator: App, receiver: Receiver, **fields: Any) -> dict[str, Any]:
    body = {"url": receiver.url, "events": ["run.completed"], **fields}
    answer = operator.http.post("/api/v1/webhooks", json=body)
    assert answer.status_code == 201, answer.text
    webhook: dict[str, Any] = answer.json()
    return webhook


def run_of(alice: App) -> str:
    """Have a run finish; returns its thread."""
    thread = str(uuid.uuid4())
    assert alice.submit(thread, "run-1").status_code == 202
    list(alice.watch(thread, "run-1"))
    return thread


def delivery_of(operator: App, webhook: dict[str, Any]) -> dict[str, Any]:
    deliveries = operator.http.get(f"/api/v1/webhooks/{webhook['id']}").json()["deliveries"]
    return dict(deliveries[0]) if deliveries else {}


def test_a_run_that_ends_is_received_with_standard_webhooks(operator: App, alice: App, receiver: Receiver) -> None:
    """EVB-04: by the library that the standard's authors release; what was changed on its way is refused."""
    library = pytest.importorskip("standardwebhooks", reason="needs the package standardwebhooks")
    webhook = created(operator, receiver, include=["answer"])
    thread = run_of(alice)
    headers, body = receiver.wait(1)[0]
    verified = library.Webhook(webhook["secret"]).verify(body, headers)
    assert (verified["type"], verified["data"]["threadId"]) == ("run.completed", thread)
    answer = [message for message in alice.history(threadId=thread)["messages"] if message["role"] == "assistant"][-1]
    assert verified["data"]["answer"] == answer["content"]
    for wrong_headers, wrong_body in (
        (headers, body.replace(b"completed", b"cOmpleted")),
        (headers | {"webhook-id": "msg_2"}, body),
        (headers | {"webhook-timestamp": str(int(headers["webhook-timestamp"]) - 1)}, body),
    ):
        with pytest.raises(library.WebhookVerificationError):
            library.Webhook(webhook["secret"]).verify(wrong_body, wrong_headers)


def test_a_run_that_ends_is_received_by_openais_package(operator: App, alice: App, receiver: Receiver) -> None:
    """EVB-04: which reads the same headers; and both secrets are good while one is rotated."""
    webhook = created(operator, receiver)
    rotated = operator.http.post(f"/api/v1/webhooks/{webhook['id']}/rotate", json={}).json()
    thread = run_of(alice)
    headers, body = receiver.wait(1)[0]
    client = OpenAI(api_key="none")
    for secret in (webhook["secret"], rotated["secret"]):
        client.webhooks.verify_signature(body, headers, secret=secret)
        unwrapped: Any = client.webhooks.unwrap(body, headers, secret=secret)
        assert (unwrapped.type, unwrapped.to_dict()["data"]["threadId"]) == ("run.completed", thread)
    with pytest.raises(InvalidWebhookSignatureError):
        client.webhooks.verify_signature(body, headers, secret="whsec_" + "A" * 43 + "=")


def test_a_receiver_that_fails_gets_it_again_by_the_schedulers_clock(
    operator: App, alice: App, receiver: Receiver, scheduler_clock: SchedulerClock
) -> None:
    """EVB-04: by delayed messages first, by schedules for longer pauses."""
    webhook = created(operator, receiver)
    receiver.status = 503
    run_of(alice)
    receiver.wait(2)
    until(lambda: delivery_of(operator, webhook).get("attemptCount") == 2 or None, "the second result")
    tested = operator.http.post(f"/api/v1/webhooks/{webhook['id']}/test")
    assert tested.status_code == 202
    receiver.wait(3)
    last = until(
        lambda: delivery_of(operator, webhook) if delivery_of(operator, webhook)["status"] == "failed" else None,
        "the result of the test",
    )
    assert (last["type"], last["attempts"][0]["status"]) == ("webhook.test", 503)
    receiver.status = 204
    (_, first), *_ = receiver.requests
    message_id = receiver.requests[0][0]["webhook-id"]
    replayed = operator.http.post(f"/api/v1/webhooks/{webhook['id']}/deliveries/{message_id}/replay")
    assert replayed.status_code == 202
    headers, body = receiver.wait(4)[3]
    assert (headers["webhook-id"], body) == (message_id, first)
    assert scheduler_clock.move(scheduler_clock.now() + timedelta(seconds=1)) == []


def test_a_webhook_sends_to_no_private_address(operator: App, alice: App, receiver: Receiver) -> None:
    """EVB-04: that a name has; on the local stack loopback alone is let through."""
    webhook = created(operator, receiver, url="https://private.invalid/hooks")
    run_of(alice)
    until(lambda: delivery_of(operator, webhook).get("attempts") or None, "an attempt")
    assert delivery_of(operator, webhook)["attempts"][0]["error"] == "no connection"
    assert receiver.requests == []


def test_users_have_webhooks_only_if_the_deployment_lets_them(alice: App, receiver: Receiver) -> None:
    """EVB-04."""
    answer = alice.http.post("/api/v1/webhooks", json={"url": receiver.url, "events": ["run.completed"]})
    assert (answer.status_code, json.loads(answer.text)["code"]) == (403, "AGENT_FORBIDDEN")
