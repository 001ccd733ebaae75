"""Delivers the deployment's events to webhooks (EVB-04): at least once, each attempt's result stored.

A message of the queue is an event of the bus, which is first attempted here for every webhook that wants it, or a later
attempt. An attempt counts when its result is stored; the message of the next one is sent after that, and sent again if
the message comes again.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.outbound.posting import PostResult, event_loop, post
from yarrow.protocol.webhooks.kinds import TEST, DeliveryStatus, DisabledReason
from yarrow.settings import settings
from yarrow.store import clock
from yarrow.store.webhooks import deliveries, webhooks
from yarrow.store.webhooks.deliveries import StoredAttempt, StoredDelivery
from yarrow.store.webhooks.webhooks import StoredWebhook
from yarrow.webhooks import queue
from yarrow.webhooks.bodies import body_of
from yarrow.webhooks.pauses import LASTING, MAX_ATTEMPTS, pause, rest
from yarrow.webhooks.secrets import headers

USER_AGENT: Final = "Yarrow-Webhooks/1"

_GONE: Final = 410
MAX_SECONDS: Final = 30.0
"""An attempt that begins later would not end within the function's time."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An attempt of a message. `why_not` says why the receiver is not asked, if it is not; then there is no body."""

    message_id: str
    webhook: StoredWebhook
    delivery: StoredDelivery
    body: bytes
    why_not: str | None

    @property
    def number(self) -> int:
        return self.delivery.count + 1

    @property
    def is_test(self) -> bool:
        return _is_test(self.delivery)

    @property
    def is_last(self) -> bool:
        return _is_last(self.delivery)

    @property
    def lane(self) -> tuple[str, str]:
        """Attempts of a run, or of another subject, are made in order."""
        data = self.delivery.event["data"]
        return self.webhook.id, str(data.get("runKey", self.delivery.id))

    @property
    def sequence(self) -> int:
        return int(self.delivery.event["data"].get("sequence", 0))


def _is_test(delivery: StoredDelivery) -> bool:
    return bool(delivery.event["type"] == TEST)


def _in_round(delivery: StoredDelivery) -> int:
    """Return the number of the next attempt since the delivery's creation or latest replay."""
    return delivery.count + 1 - delivery.since


def _is_last(delivery: StoredDelivery) -> bool:
    return _is_test(delivery) or _in_round(delivery) >= MAX_ATTEMPTS


def deliver(messages: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Handle messages, which come with their ids; returns the ids of those that have to come again."""
    failed: dict[str, None] = {}
    attempts: list[_Attempt] = []
    for message_id, document in messages:
        try:
            attempts += _attempts_of(message_id, document)
        except Exception:  # the others must not wait for it
            logger.warning("a message could not be read", exc_info=True)
            failed[message_id] = None
    results = event_loop().run_until_complete(_post_all(attempts))
    for attempt, result in zip(attempts, results, strict=True):
        try:
            if result is None:
                failed[attempt.message_id] = None
                continue
            _record(attempt, result)
        except Exception:
            logger.warning("the result of an attempt could not be stored", exc_info=True)
            failed[attempt.message_id] = None
    return list(failed)


# ---- What is due -----------------------------------------------------------------------------------------------------
def _attempts_of(message_id: str, document: Mapping[str, Any]) -> Iterator[_Attempt]:
    if "detail" in document:
        yield from _first_attempts(message_id, document["detail"])
        return
    due = queue.read_due(document)
    webhook, delivery = webhooks.read(due.owner, due.webhook_id), deliveries.read(due.webhook_id, due.delivery_id)
    if webhook is None or delivery is None:
        if delivery is not None:
            deliveries.give_up(due.webhook_id, delivery)
        return
    if delivery.count == due.number:
        _complete(webhook, delivery)
    elif delivery.count < due.number and delivery.status == "pending":
        yield _attempt(message_id, webhook, delivery, is_asked_for=due.is_asked_for)


def _first_attempts(message_id: str, event: dict[str, Any]) -> Iterator[_Attempt]:
    user_id = event["data"]["userId"]
    owners = [None, user_id] if settings.webhooks == "users" else [None]
    for webhook in (found for owner in owners for found in webhooks.of(owner)):
        if not _wants(webhook, event):
            continue
        # What was stored before the webhook was disabled ends, and can be replayed.
        delivery = (
            deliveries.create(webhook.id, event, user_id)
            if webhook.is_active
            else deliveries.read(webhook.id, deliveries.id_of(webhook.id, event))
        )
        if delivery is None:
            continue
        if delivery.count == 1:
            _complete(webhook, delivery)
        elif delivery.count == 0 and delivery.status == "pending":
            yield _attempt(message_id, webhook, delivery)


def _attempt(
    message_id: str, webhook: StoredWebhook, delivery: StoredDelivery, *, is_asked_for: bool = False
) -> _Attempt:
    is_wanted = is_asked_for or _is_last(delivery)
    why_not = None if _is_test(delivery) else _why_not(webhook, is_wanted=is_wanted)
    return _Attempt(message_id, webhook, delivery, b"" if why_not else body_of(webhook, delivery.event), why_not)


def _why_not(webhook: StoredWebhook, *, is_wanted: bool) -> str | None:
    """Return why a receiver is not asked, if it is not; a resting one is asked if `is_wanted`."""
    if not webhook.is_active:
        return "the webhook is disabled"
    rests = webhook.rests_until is not None and webhook.rests_until > clock.now_iso()
    return "left out, as the receiver has just failed" if rests and not is_wanted else None


def _wants(webhook: StoredWebhook, event: Mapping[str, Any]) -> bool:
    agent = event["data"].get("agent")
    is_of_agent = not webhook.agents or agent is None or agent in webhook.agents
    return event["type"] in webhook.events and is_of_agent


# ---- Attempts --------------------------------------------------------------------------------------------------------
async def _post_all(attempts: Sequence[_Attempt]) -> list[PostResult | None]:
    """Make attempts, those of a run in the order of its events; None for those that have no time left."""
    loop = asyncio.get_running_loop()
    ends = loop.time() + MAX_SECONDS
    lanes: dict[tuple[str, str], list[int]] = {}
    for place in sorted(range(len(attempts)), key=lambda place: attempts[place].sequence):
        lanes.setdefault(attempts[place].lane, []).append(place)
    results: dict[int, PostResult] = {}

    async def in_order(places: Sequence[int]) -> None:
        for place in places:
            if loop.time() < ends:
                results[place] = await _make(attempts[place])

    await asyncio.gather(*map(in_order, lanes.values()))
    return [results.get(place) for place in range(len(attempts))]


async def _make(attempt: _Attempt) -> PostResult:
    if attempt.why_not is not None:
        return PostResult(0, error=attempt.why_not)
    webhook, body = attempt.webhook, attempt.body
    signed = headers(webhook, attempt.delivery.id, int(clock.now().timestamp()), body)
    own = {"Content-Type": "application/json", "User-Agent": USER_AGENT}
    return await post(webhook.url, body, {**own, **signed}, allows_loopback=not settings.in_lambda)


# ---- Their results ---------------------------------------------------------------------------------------------------
def _record(attempt: _Attempt, result: PostResult) -> None:
    webhook, delivery = attempt.webhook, attempt.delivery
    status = _status(attempt, result)
    due_at = None
    if status == "pending":
        due_at = clock.iso(clock.now() + pause(delivery.id, _in_round(delivery), result.retry_after))
    made = StoredAttempt(
        attempt.number, clock.now_iso(), result.milliseconds, result.status, result.error, result.answer
    )
    stored = deliveries.record(webhook, delivery, made, status, due_at)
    if stored is None:
        return  # the message came twice at once, and the other one has stored it
    if not attempt.is_test:
        _follow(attempt, result, stored)
    if status == "pending":
        _send_next(webhook, stored)


def _status(attempt: _Attempt, result: PostResult) -> DeliveryStatus:
    if result.is_success:
        return "delivered"
    ends = attempt.is_last or result.status == _GONE or not attempt.webhook.is_active
    return "failed" if ends else "pending"


def _follow(attempt: _Attempt, result: PostResult, stored: StoredDelivery) -> None:
    """Count what came of an attempt, and disable a webhook that fails for good."""
    webhook = attempt.webhook
    if result.is_success:
        emit("a webhook is delivered", {Metric.WEBHOOKS_DELIVERED: 1}, webhook_id=webhook.id)
        if webhook.failing_since is not None:
            webhooks.succeeded(webhook)
        return
    if not webhook.is_active:
        return
    is_made = attempt.why_not is None
    if is_made:
        rests = clock.iso(clock.now() + rest(webhook.failure_count + 1, result.retry_after))
        webhooks.failed(webhook, rests)
    counts = {
        Metric.WEBHOOK_ATTEMPTS_FAILED: float(is_made),
        Metric.WEBHOOKS_UNDELIVERED: float(stored.status == "failed"),
    }
    emit("an attempt failed", counts, webhook_id=webhook.id)
    if stored.status == "failed":
        _disable_if_lasting(webhook, stored)


def _complete(webhook: StoredWebhook, delivery: StoredDelivery) -> None:
    """Do what follows from the result that was stored last; its function may have died before that."""
    if delivery.status == "pending":
        _send_next(webhook, delivery)
        return
    attempt = delivery.attempts[-1]
    if _is_test(delivery) or not webhook.is_active or webhook.updated_at > attempt.at:
        return  # somebody has changed the webhook since
    if delivery.status == "failed":
        _disable_if_lasting(webhook, delivery)
    elif webhook.failing_since is not None and webhook.failing_since < attempt.at:
        webhooks.succeeded(webhook)


def _disable_if_lasting(webhook: StoredWebhook, delivery: StoredDelivery) -> None:
    """Disable a webhook whose receiver is gone, or has taken nothing for as long as a delivery is attempted."""
    if delivery.attempts[-1].status == _GONE:
        _disable(webhook, "gone")
    elif _in_round(delivery) > MAX_ATTEMPTS and clock.since(webhook.failing_since or clock.now_iso()) >= LASTING:
        _disable(webhook, "failures")


def _disable(webhook: StoredWebhook, reason: DisabledReason) -> None:
    if webhooks.disable(webhook, reason) is not None:
        logger.warning("a webhook is disabled", extra={"webhook_id": webhook.id, "reason": reason})
        emit("a webhook is disabled", {Metric.WEBHOOKS_DISABLED: 1}, webhook_id=webhook.id)


def _send_next(webhook: StoredWebhook, delivery: StoredDelivery) -> None:
    due_at = clock.now() if delivery.due_at is None else datetime.fromisoformat(delivery.due_at)
    queue.send_at(due_at, webhook, delivery.id, delivery.count + 1)
