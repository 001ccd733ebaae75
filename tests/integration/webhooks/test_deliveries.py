"""Deliveries to webhooks, from the queue to receivers, on virtual time (EVB-04)."""

import base64
import hmac
import json
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from tests.bench import scale
from tests.support.effort import examples
from tests.support.functions.api_calls import watched
from tests.support.webhooks.deployment import OPERATOR, URL, WebhookDeployment, event
from tests.support.webhooks.receivers import Received
from yarrow.outbound.posting import PostResult
from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.store import clock, table
from yarrow.store.items.updates import Condition, Update
from yarrow.store.webhooks import deliveries, webhooks
from yarrow.store.webhooks.webhooks import StoredWebhook
from yarrow.webhooks.bodies import MAX_BYTES
from yarrow.webhooks.change_webhook import change_webhook, rotate_secret
from yarrow.webhooks.delete_webhook import delete_webhook
from yarrow.webhooks.pauses import MAX_ATTEMPTS, PAUSES
from yarrow.webhooks.secrets import secret
from yarrow.webhooks.send_now import replay_delivery, send_test

DEAD = PostResult(10_000, error="no answer within 10 seconds")


def log_of(webhook: StoredWebhook) -> list[deliveries.StoredDelivery]:
    return deliveries.latest(webhook.id, 1_000, None)


def signatures(webhook: StoredWebhook, request: Received, *secrets: str) -> list[str]:
    """Return what the header should have, as Standard Webhooks says it is made."""
    signed = f"{request.id}.{request.headers['webhook-timestamp']}.".encode() + request.raw
    keys = [base64.b64decode(text.removeprefix("whsec_")) for text in secrets]
    return [f"v1,{base64.b64encode(hmac.digest(key, signed, 'sha256')).decode()}" for key in keys]


def test_an_event_is_delivered_once_signed_and_logged(deployment: WebhookDeployment) -> None:
    """EVB-04: with its ids, and its event's own members."""
    webhook = deployment.create()
    deployment.publish(event())
    deployment.run()
    (request,) = deployment.receivers.requests
    assert request.body == event()
    assert request.headers["webhook-timestamp"] == str(int(deployment.now.timestamp()))
    assert request.headers["webhook-signature"] == signatures(webhook, request, secret(webhook.id, webhook.salt))[0]
    (delivery,) = log_of(webhook)
    assert (delivery.id, delivery.status, delivery.count) == (request.id, "delivered", 1)
    assert "." not in request.id


def test_a_delivery_makes_the_calls_that_the_length_of_a_burst_is_reckoned_from(
    deployment: WebhookDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As docs/scale.md has it, where users have webhooks too."""
    monkeypatch.setitem(settings.__dict__, "webhooks", "users")
    deployment.create()
    deployment.publish(event())
    with watched() as calls:
        deployment.run()
    assert len(deployment.receivers.requests) == 1
    assert len(calls.made) == scale.DELIVERY_CALLS


def test_what_comes_again_is_not_delivered_again(deployment: WebhookDeployment) -> None:
    """EVB-04: an event of the bus, or a message of the queue."""
    deployment.create()
    deployment.publish(event(), event())
    deployment.run()
    deployment.publish(event())
    deployment.run()
    assert len({request.id for request in deployment.receivers.requests}) == 1
    assert len(deployment.receivers.requests) <= 2  # those of one batch are attempted together


def test_a_webhook_gets_the_events_and_agents_that_it_names(deployment: WebhookDeployment) -> None:
    """EVB-04."""
    deployment.create(events=["run.failed"], url=f"{URL}/failed")
    deployment.create(agents=["divination"], url=f"{URL}/divination")
    deployment.publish(event(1), event(2, "run.failed"), event(3, agent="divination"))
    deployment.run()
    assert [request.body["data"]["runId"] for request in deployment.receivers.to(f"{URL}/failed")] == ["run-2"]
    assert [request.body["data"]["runId"] for request in deployment.receivers.to(f"{URL}/divination")] == ["run-3"]


def test_a_user_gets_their_own_events_if_the_deployment_lets_them(
    deployment: WebhookDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-04."""
    monkeypatch.setitem(settings.__dict__, "webhooks", "users")
    deployment.create(Caller("alice"), f"{URL}/alice")
    deployment.create(Caller("bob"), f"{URL}/bob")
    deployment.publish(event(1, user="alice"), event(2, user="bob"))
    deployment.run()
    assert [request.body["data"]["userId"] for request in deployment.receivers.to(f"{URL}/alice")] == ["alice"]
    assert [request.body["data"]["userId"] for request in deployment.receivers.to(f"{URL}/bob")] == ["bob"]
    monkeypatch.setitem(settings.__dict__, "webhooks", "operators")
    deployment.publish(event(3, user="alice"))
    deployment.run()
    assert len(deployment.receivers.requests) == 2


def test_a_receiver_that_was_away_gets_the_same_message_later(deployment: WebhookDeployment) -> None:
    """EVB-04: signed anew by the time of the attempt."""
    webhook = deployment.create()
    deployment.receivers.answer = lambda _: PostResult(5, 503, "busy")
    deployment.publish(event())
    deployment.wait(minutes=30)
    assert webhooks.of(None)[0].failing_since is not None
    deployment.receivers.answer = lambda _: PostResult(5, 204)
    deployment.run()
    first, *_, last = deployment.receivers.requests
    assert (first.id, first.raw) == (last.id, last.raw)
    assert int(last.headers["webhook-timestamp"]) == int(last.at.timestamp())
    (delivery,) = log_of(webhook)
    assert delivery.status == "delivered"
    assert [attempt.status for attempt in delivery.attempts][-2:] == [503, 204]
    assert delivery.attempts[0].answer == "busy"
    assert webhooks.of(None)[0].failing_since is None


def test_a_result_that_is_written_twice_does_not_end_the_attempts(
    deployment: WebhookDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-04: botocore repeats a write whose answer was lost, and the repeat fails its condition."""
    update = table.update_returning

    def twice(key: table.Item, changes: Update, condition: Condition) -> table.Item | None:
        update(key, changes, condition)
        return update(key, changes, condition)

    monkeypatch.setattr(table, "update_returning", twice)
    webhook = deployment.create()
    deployment.receivers.answer = lambda _: PostResult(5, 503)
    deployment.publish(event())
    deployment.wait(minutes=2)
    (delivery,) = log_of(webhook)
    assert (delivery.status, delivery.count, len(deployment.receivers.requests)) == ("pending", 3, 3)


def test_what_was_not_attempted_before_a_webhook_was_disabled_ends(deployment: WebhookDeployment) -> None:
    """EVB-04: so that it can be replayed; an event that comes later is not kept."""
    webhook = deployment.create()
    deliveries.create(webhook.id, event(1), "alice")  # by a function that died next
    change_webhook(b'{"status": "disabled"}', OPERATOR, webhook.id)
    deployment.publish(event(1), event(2))
    deployment.run()
    (delivery,) = log_of(webhook)
    assert (delivery.event, delivery.status) == (event(1), "failed")
    assert deployment.receivers.requests == []


def test_pauses_grow_for_a_day_and_then_the_webhook_is_disabled(deployment: WebhookDeployment) -> None:
    """EVB-04: a receiver that is dead for 24 hours."""
    webhook = deployment.create()
    deployment.receivers.answer = lambda _: DEAD
    deployment.publish(event())
    began = deployment.now
    deployment.run()
    times = [request.at - began for request in deployment.receivers.requests]
    pauses = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    assert len(times) == MAX_ATTEMPTS
    for pause, planned in zip(pauses, PAUSES, strict=True):
        assert planned - 1 <= pause <= planned * 1.1 + 1
    assert timedelta(hours=23) < times[-1] < timedelta(hours=27)
    (delivery,) = log_of(webhook)
    assert (delivery.status, delivery.due_at) == ("failed", None)
    (disabled,) = webhooks.of(None)
    assert (disabled.status, disabled.disabled_reason) == ("disabled", "failures")
    deployment.publish(event(2))
    deployment.run()
    assert len(deployment.receivers.requests) == MAX_ATTEMPTS


def test_a_failing_delivery_alone_disables_nothing(deployment: WebhookDeployment) -> None:
    """EVB-04: the receiver works; it does not like this one."""
    webhook = deployment.create()
    deployment.receivers.answer = lambda request: PostResult(
        5, 500 if request.body["data"]["runId"] == "run-1" else 200
    )
    deployment.publish(event(1))
    for number in range(2, 30):
        deployment.publish(event(number))
        deployment.wait(hours=1)
    deployment.run()
    assert webhooks.of(None)[0].is_active
    assert [delivery.status for delivery in log_of(webhook)].count("failed") == 1


def test_a_receiver_that_is_gone_is_not_asked_again(deployment: WebhookDeployment) -> None:
    """EVB-04: 410."""
    webhook = deployment.create()
    deployment.receivers.answer = lambda _: PostResult(5, 410)
    deployment.publish(event())
    deployment.run()
    assert len(deployment.receivers.requests) == 1
    assert webhooks.of(None)[0].disabled_reason == "gone"
    assert log_of(webhook)[0].status == "failed"


def test_a_receiver_says_when_to_come_again(deployment: WebhookDeployment) -> None:
    """EVB-04: Retry-After."""
    deployment.create()
    deployment.receivers.answer = lambda _: PostResult(5, 429, retry_after=120.0)
    deployment.publish(event())
    deployment.wait(minutes=3)
    first, second = deployment.receivers.requests
    assert timedelta(seconds=120) <= second.at - first.at <= timedelta(seconds=122)


def test_a_dead_receiver_is_asked_little_and_holds_up_nobody(deployment: WebhookDeployment) -> None:
    """EVB-04: of many events, few are tried; the others keep their places in line."""
    dead, alive = f"{URL}/dead", f"{URL}/alive"
    webhook = deployment.create(url=dead)
    deployment.create(url=alive)
    deployment.receivers.answer = lambda request: DEAD if request.url == dead else PostResult(5, 200)
    deployment.publish(*map(event, range(300)))
    deployment.wait(seconds=1)
    assert len(deployment.receivers.ids(alive)) == 300
    assert len(deployment.receivers.to(dead)) <= 20
    deployment.receivers.answer = lambda _: PostResult(5, 200)
    deployment.run()
    assert len(deployment.receivers.ids(dead)) == 300
    assert {delivery.status for delivery in log_of(webhook)} == {"delivered"}


def test_events_of_a_run_that_come_together_are_delivered_in_order(deployment: WebhookDeployment) -> None:
    """EVB-04: and `sequence` says the order to those that get them otherwise."""
    deployment.create()
    deployment.publish(event(1, "interrupt.opened"), event(2), event(1))
    deployment.run()
    of_run = [request.body for request in deployment.receivers.requests if request.body["data"]["runId"] == "run-1"]
    assert [body["data"]["sequence"] for body in of_run] == [1, 2]


@pytest.mark.parametrize("faults", [0.0, 0.02])
def test_a_burst_is_delivered_whole(deployment: WebhookDeployment, faults: float) -> None:
    """EVB-04: whatever call the function ends at; what a receiver gets twice has one id."""
    webhook = deployment.create()
    count = examples(1_000)
    deployment.faults = faults
    deployment.publish(*map(event, range(count)))
    deployment.run()
    assert len(deployment.receivers.ids(URL)) == count
    assert deployment.queue.dead == []
    assert (deployment.kills > 0) == (faults > 0)
    if not faults:
        assert len(deployment.receivers.requests) == count
    deployment.faults = 0.0
    assert {delivery.status for delivery in deliveries.latest(webhook.id, count, None)} == {"delivered"}


def test_a_function_that_dies_loses_no_retry(deployment: WebhookDeployment) -> None:
    """EVB-04: between the result of an attempt and the message of the next one, or anywhere."""
    webhook = deployment.create()
    count, down = examples(100), deployment.now + timedelta(hours=3)
    deployment.receivers.answer = lambda request: DEAD if request.at < down else PostResult(5, 200)
    deployment.faults = 0.01
    deployment.publish(*map(event, range(count)))
    deployment.run()
    deployment.faults = 0.0
    assert deployment.kills > 20
    assert deployment.queue.dead == []
    assert {delivery.status for delivery in deliveries.latest(webhook.id, count, None)} == {"delivered"}


def waiting_items(deployment: WebhookDeployment) -> set[tuple[str, str]]:
    """Return of each item that says so since when which delivery waits."""
    items = map(table.from_wire, deployment.aws.table.items)
    found = [item["sk"].split("#") for item in items if item["pk"].startswith("WAITING_DELIVERIES#")]
    return {(since, delivery) for _, since, delivery in found}


def test_those_that_wait_are_counted_until_they_end(deployment: WebhookDeployment) -> None:
    """EVB-12: since their first failure, also of users; what is taken at once or was the last attempt never waits."""
    webhook = deployment.create()
    deployment.receivers.answer = lambda request: PostResult(5, 503 if "run-1" in request.raw.decode() else 200)
    assert deliveries.waiting() == deliveries.WaitingDeliveries(0, None, is_whole=True)
    first = clock.now_iso()
    deployment.publish(event(1), event(2))
    send_test(OPERATOR, webhook.id)
    deployment.run(deployment.now)
    deployment.wait(minutes=2)
    deployment.publish(event(11))
    deployment.wait(seconds=1)
    assert deliveries.waiting() == deliveries.WaitingDeliveries(2, first, is_whole=True)
    deployment.receivers.answer = lambda _: PostResult(5, 200)
    deployment.run()
    assert deliveries.waiting() == deliveries.WaitingDeliveries(0, None, is_whole=True)
    assert waiting_items(deployment) == set()


def test_more_than_is_counted_is_said(deployment: WebhookDeployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-12: the read is bounded, and the oldest is found all the same."""
    monkeypatch.setattr(deliveries, "MAX_WAITING", 8)
    deployment.create()
    deployment.receivers.answer = lambda _: DEAD
    first = clock.now_iso()
    deployment.publish(*map(event, range(60)))
    deployment.run(deployment.now)
    assert deliveries.waiting() == deliveries.WaitingDeliveries(8, first, is_whole=False)
    monkeypatch.setattr(deliveries, "MAX_WAITING", 240)
    assert deliveries.waiting() == deliveries.WaitingDeliveries(60, first, is_whole=True)


def test_a_function_that_dies_leaves_the_count_right(deployment: WebhookDeployment) -> None:
    """EVB-12: at any call; each delivery that waits has one item, of its own time, and no other has any."""
    webhook = deployment.create()
    count, down = examples(60), deployment.now + timedelta(hours=3)
    deployment.receivers.answer = lambda request: DEAD if request.at < down else PostResult(5, 200)
    deployment.faults = 0.03
    deployment.publish(*map(event, range(count)))
    seen: set[int] = set()
    for _ in range(40):
        deployment.wait(minutes=10)
        faults, deployment.faults = deployment.faults, 0.0
        waits = {(delivery.waits_since, delivery.id) for delivery in log_of(webhook) if delivery.waits_since}
        assert waiting_items(deployment) == waits
        assert deliveries.waiting().count == len(waits)
        seen.add(len(waits))
        deployment.faults = faults
    deployment.run()
    deployment.faults = 0.0
    assert deployment.kills > 10
    assert max(seen) > 5
    # A message whose function died each time is a dead letter, and its delivery waits until operators send it again.
    for message in deployment.queue.dead:
        deployment.queue.put(message)
    deployment.run()
    assert waiting_items(deployment) == set()


def test_a_result_that_two_functions_store_is_counted_once(deployment: WebhookDeployment) -> None:
    """EVB-12: the later one finds the condition failed, and a repeat of the same write is the same."""
    webhook = deployment.create()
    made = deliveries.create(webhook.id, event(), "alice")
    attempts = [deliveries.StoredAttempt(1, clock.now_iso(), number, 503) for number in (1, 2)]
    stored = deliveries.record(webhook, made, attempts[0], "pending", clock.now_iso())
    assert stored is not None
    assert deliveries.record(webhook, made, attempts[0], "pending", clock.now_iso()) == stored
    assert deliveries.record(webhook, made, attempts[1], "pending", clock.now_iso()) is None
    assert deliveries.waiting().count == 1
    ended = deliveries.StoredAttempt(2, clock.now_iso(), 1, 200)
    assert deliveries.record(webhook, stored, ended, "delivered", None) == deliveries.read(webhook.id, made.id)
    deliveries.give_up(webhook.id, stored)
    assert deliveries.waiting().count == 0
    assert log_of(webhook)[0].status == "delivered"


def test_what_a_deleted_webhook_has_not_sent_waits_no_more_once_it_is_due(deployment: WebhookDeployment) -> None:
    """EVB-12."""
    webhook = deployment.create()
    deployment.receivers.answer = lambda _: DEAD
    deployment.publish(event())
    deployment.wait(seconds=1)
    delete_webhook(OPERATOR, webhook.id)
    assert deliveries.waiting().count == 1
    deployment.wait(seconds=10)
    assert deliveries.waiting().count == 0
    assert [delivery.status for delivery in log_of(webhook)] == ["failed"]


def test_a_delivery_that_expired_is_not_counted(deployment: WebhookDeployment) -> None:
    """EVB-12: DynamoDB may take days to delete what has expired."""
    deployment.create()
    deployment.receivers.answer = lambda _: DEAD
    deployment.publish(event())
    deployment.run(deployment.now)
    deployment.now += timedelta(days=deliveries.KEPT_DAYS) - timedelta(seconds=1)
    assert deliveries.waiting().count == 1
    deployment.now += timedelta(seconds=2)
    assert deliveries.waiting() == deliveries.WaitingDeliveries(0, None, is_whole=True)


def test_a_replay_is_attempted_under_its_id(deployment: WebhookDeployment) -> None:
    """EVB-04: with later attempts as for a new delivery."""
    webhook = deployment.create()
    deployment.receivers.answer = lambda _: PostResult(5, 410)
    deployment.publish(event())
    deployment.run()
    (first,) = deployment.receivers.requests
    change_webhook(b'{"status": "active"}', OPERATOR, webhook.id)
    deployment.receivers.answer = lambda _: PostResult(5, 200 if len(deployment.receivers.requests) > 2 else 500)
    assert replay_delivery(OPERATOR, webhook.id, first.id) == first.id
    deployment.run()
    assert [request.id for request in deployment.receivers.requests] == [first.id] * 3
    (delivery,) = log_of(webhook)
    assert (delivery.status, delivery.count, delivery.since) == ("delivered", 3, 1)


def test_a_test_is_sent_once_even_to_a_webhook_that_is_disabled(deployment: WebhookDeployment) -> None:
    """EVB-04: and counts as no failure."""
    webhook = deployment.create()
    change_webhook(b'{"status": "disabled"}', OPERATOR, webhook.id)
    deployment.receivers.answer = lambda _: PostResult(5, 500)
    delivery_id = send_test(OPERATOR, webhook.id)
    deployment.run()
    (request,) = deployment.receivers.requests
    assert (request.id, request.body["type"]) == (delivery_id, "webhook.test")
    assert log_of(webhook)[0].status == "failed"
    assert webhooks.of(None)[0].failing_since is None


def test_what_is_left_of_a_deleted_or_disabled_webhook_is_not_sent(deployment: WebhookDeployment) -> None:
    """EVB-04."""
    deleted, disabled = deployment.create(url=f"{URL}/1"), deployment.create(url=f"{URL}/2")
    deployment.receivers.answer = lambda _: DEAD
    deployment.publish(event())
    deployment.wait(seconds=1)
    delete_webhook(OPERATOR, deleted.id)
    change_webhook(b'{"status": "disabled"}', OPERATOR, disabled.id)
    deployment.run()
    assert len(deployment.receivers.requests) == 2
    (delivery,) = log_of(disabled)
    assert (delivery.status, delivery.attempts[-1].error) == ("failed", "the webhook is disabled")


def test_both_secrets_sign_while_one_is_rotated(deployment: WebhookDeployment) -> None:
    """EVB-04: until the earlier one expires."""
    webhook = deployment.create()
    earlier = secret(webhook.id, webhook.salt)
    rotated = rotate_secret(b'{"overlapHours": 2}', OPERATOR, webhook.id)
    later = secret(webhook.id, rotated.salt)
    for number, secrets in ((1, (later, earlier)), (2, (later,))):
        deployment.publish(event(number))
        deployment.wait(seconds=1)
        request = deployment.receivers.requests[-1]
        assert request.headers["webhook-signature"].split(" ") == signatures(webhook, request, *secrets)
        deployment.wait(hours=2)


def test_a_rotation_that_is_repeated_keeps_the_secret_that_receivers_have(deployment: WebhookDeployment) -> None:
    """EVB-04: a client whose request got no answer does not know the one in between."""
    webhook = deployment.create()
    for _ in range(3):
        rotated = rotate_secret(b"", OPERATOR, webhook.id)
    assert rotated.previous_salt == webhook.salt
    at_once = rotate_secret(b'{"overlapHours": 0}', OPERATOR, webhook.id)
    assert (at_once.previous_salt, at_once.previous_until) == (None, None)


def test_a_body_stays_small(deployment: WebhookDeployment) -> None:
    """EVB-04."""
    deployment.create()
    usage: list[dict[str, Any]] = [{"model": "m" * 200, "inputTokens": 1}] * 200
    deployment.publish(event(usage=usage))
    deployment.run()
    (request,) = deployment.receivers.requests
    assert len(request.raw) <= MAX_BYTES
    assert "usage" not in request.body["data"]


def test_a_message_that_nobody_can_read_holds_up_no_other(deployment: WebhookDeployment) -> None:
    """EVB-04: it is put aside."""
    deployment.create()
    deployment.queue.put("[")
    deployment.queue.put({"detail": {"id": "1"}})
    deployment.publish(event())
    deployment.run()
    assert len(deployment.receivers.requests) == 1
    assert len(deployment.queue.dead) == 2


def test_a_receiver_that_fails_costs_no_secret(deployment: WebhookDeployment) -> None:
    """EVB-04, SEC-05: nothing that is stored has the secret, or the key that it is derived from."""
    webhook = deployment.create()
    deployment.publish(event())
    deployment.run()
    stored = json.dumps([change.item for change in deployment.aws.table.changes], default=str)
    assert secret(webhook.id, webhook.salt).removeprefix("whsec_") not in stored
    assert settings.webhook_signing_key.decode() not in stored
    assert clock.iso(deployment.now)[:4] in stored
