"""Deliveries of a webhook: each event that it sends, with the latest attempts, for KEPT_DAYS.

An id depends on the webhook and the event alone: whatever comes again is the same delivery. Ids sort by the events'
times. An event has no content; what a webhook asks for of it is read at each attempt.

A delivery that waits for another attempt has a second item, whose key begins with the time since when it waits. That
comes and goes with `waits_since` of the delivery, in one transaction, so that a bounded query counts those that wait. A
counter would be no cheaper to write, would collide where many fail at once, and would drift when a delivery expires or
its user is erased; the item expires and is erased as its delivery is.
"""

import hashlib
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from yarrow.formats import json_text
from yarrow.protocol.webhooks.kinds import DeliveryStatus
from yarrow.store import clock, table
from yarrow.store.items.records import JSON, Codec, Form, in_key, stored_as
from yarrow.store.items.updates import IS_NEW, Attr, Condition, Update

if TYPE_CHECKING:
    from yarrow.store.webhooks.webhooks import StoredWebhook

KEPT_DAYS: Final = 7
MAX_ATTEMPTS_KEPT: Final = 10

MAX_WAITING: Final = 10_000
"""So many are counted at most: 1 MB, 125 read units."""

_PREFIX: Final = "DELIVERY#"
_PARTITION: Final = "DELIVERIES#"
_WAITING: Final = "WAITING#"
_ALL_WAITING: Final = "WAITING_DELIVERIES#"
_SHARDS: Final = 4
"""Ten executions that deliver write fewer than the thousand units a second of one partition each."""


class StoredAttempt(NamedTuple):
    """An attempt; without `status` no answer came, or none was asked for, and `error` says why."""

    number: int
    at: str
    milliseconds: int
    status: int | None = None
    error: str | None = None
    answer: str | None = None


_ATTEMPTS: Final = Form(JSON.dump, lambda text: tuple(StoredAttempt(*line) for line in JSON.load(text)))


@dataclass(frozen=True, slots=True)
class StoredDelivery:
    """`count` attempts were made or left out; retries count from `since`, that of its creation or latest replay.

    `user_id` is whom the event is about. `waits_since` is the time of the first failure since then, while more follow.
    """

    id: str = field(metadata=in_key("sk", _PREFIX))
    user_id: str
    event: dict[str, Any] = field(metadata=stored_as("event_document", JSON))
    created_at: str
    status: DeliveryStatus = field(default="pending", metadata=stored_as("delivery_status", always=True))
    count: int = field(default=0, metadata=stored_as("attempt_count", always=True))
    since: int = field(default=0, metadata=stored_as("counted_since"))
    attempts: tuple[StoredAttempt, ...] = field(default=(), metadata=stored_as("attempts", _ATTEMPTS))
    due_at: str | None = None
    waits_since: str | None = None


@dataclass(frozen=True, slots=True)
class WaitingDeliveries:
    """Deliveries that wait for another attempt, the oldest since a time; if not `is_whole`, there are more."""

    count: int
    since: str | None
    is_whole: bool


_DELIVERIES: Final = Codec(StoredDelivery)


def id_of(webhook_id: str, event: "dict[str, Any]") -> str:
    """Return the id of an event's delivery, without the dots that separate what is signed."""
    milliseconds = int(datetime.fromisoformat(event["timestamp"]).timestamp() * 1000)
    digest = hashlib.sha256(f"{webhook_id} {event['id']}".encode()).hexdigest()
    return f"msg_{milliseconds:012x}{digest[:20]}"


def create(webhook_id: str, event: "dict[str, Any]", user_id: str) -> StoredDelivery:
    """Store the delivery of an event, or return the one that is there."""
    delivery = StoredDelivery(id_of(webhook_id, event), user_id, event, clock.now_iso())
    item = {**_key(webhook_id, delivery.id), **_DELIVERIES.item(delivery), "expires_at": clock.epoch_in(KEPT_DAYS)}
    try:
        table.put_alone(item, IS_NEW)
    except table.ConditionFailedError:
        return read(webhook_id, delivery.id) or delivery
    return delivery


def read(webhook_id: str, delivery_id: str) -> StoredDelivery | None:
    return _DELIVERIES.record_if(table.get(_key(webhook_id, delivery_id)))


def latest(webhook_id: str, limit: int, before: str | None) -> list[StoredDelivery]:
    """Read deliveries, latest first, those before the one of an id."""
    end = f"{_PREFIX}~" if before is None else f"{_PREFIX}{before}"
    found = table.query(
        f"{_PARTITION}{webhook_id}", start=_PREFIX, before=end, limit=limit + (before is not None), newest_first=True
    )
    return [delivery for delivery in map(_DELIVERIES.record, found) if delivery.id != before][:limit]


def record(
    webhook: "StoredWebhook",
    delivery: StoredDelivery,
    attempt: StoredAttempt,
    status: DeliveryStatus,
    due_at: str | None,
) -> StoredDelivery | None:
    """Store the result of an attempt; None if another one of its number was stored."""
    attempts = (*delivery.attempts, attempt)[-MAX_ATTEMPTS_KEPT:]
    waits_since = (delivery.waits_since or attempt.at) if status == "pending" else None
    update = Update().set(
        delivery_status=status,
        attempt_count=attempt.number,
        attempts=json_text.dumps(attempts),
        due_at=due_at,
        waits_since=waits_since,
    )
    if waits_since == delivery.waits_since:
        stored = _changed(webhook.id, delivery, update, _is_next(delivery))
    else:
        made = replace(
            delivery,
            status=status,
            count=attempt.number,
            attempts=attempts,
            due_at=due_at,
            waits_since=waits_since,
        )
        stored = made if _changed_with_its_wait(webhook.id, delivery, update, made) else None
    if stored is not None:
        return stored
    # botocore repeats a write whose answer was lost, and the repeat fails its condition.
    there = read(webhook.id, delivery.id)
    return there if there is not None and there.attempts[-1:] == (attempt,) else None


def give_up(webhook_id: str, delivery: StoredDelivery) -> None:
    """End a delivery that waits for another attempt of a webhook that is gone, unless it was changed meanwhile."""
    if delivery.waits_since is not None:
        ended = replace(delivery, status="failed", due_at=None, waits_since=None)
        update = Update().set(delivery_status=ended.status, due_at=None, waits_since=None)
        _changed_with_its_wait(webhook_id, delivery, update, ended)


def waiting() -> WaitingDeliveries:
    """Count the deliveries that wait for another attempt, MAX_WAITING at most; a moment may be missing."""
    since = clock.iso(clock.now() - timedelta(days=KEPT_DAYS))  # what expires may be there for some days more
    of_shard = MAX_WAITING // _SHARDS
    found = [
        list(
            table.query(
                f"{_ALL_WAITING}{shard}",
                start=f"{_WAITING}{since}",
                before=f"{_WAITING}~",
                limit=of_shard,
                consistent=False,
                attributes=("sk",),
            )
        )
        for shard in range(_SHARDS)
    ]
    oldest = min((items[0]["sk"] for items in found if items), default=None)
    return WaitingDeliveries(
        count=sum(map(len, found)),
        since=None if oldest is None else oldest.split("#")[1],
        is_whole=all(len(items) < of_shard for items in found),
    )


def replay(webhook_id: str, delivery: StoredDelivery) -> StoredDelivery | None:
    """Have a delivery that ended begin anew, for KEPT_DAYS; None if it was changed meanwhile."""
    update = Update().set(delivery_status="pending", counted_since=delivery.count, expires_at=clock.epoch_in(KEPT_DAYS))
    is_same = Attr("attempt_count").eq(delivery.count) & Attr("delivery_status").eq(delivery.status)
    return _changed(webhook_id, delivery, update, is_same)


def _changed(webhook_id: str, delivery: StoredDelivery, update: Update, condition: Condition) -> StoredDelivery | None:
    return _DELIVERIES.record_if(table.update_returning(_key(webhook_id, delivery.id), update, condition))


def _changed_with_its_wait(webhook_id: str, delivery: StoredDelivery, update: Update, changed: StoredDelivery) -> bool:
    """Store that a delivery begins or ends to wait, with the item that says so; False if it was changed meanwhile."""
    if changed.waits_since is not None:
        item = {"user_id": delivery.user_id, "expires_at": clock.epoch_in(KEPT_DAYS)}
        wait = table.put({**_waiting_key(delivery.id, changed.waits_since), **item})
    else:
        wait = table.delete(_waiting_key(delivery.id, str(delivery.waits_since)))
    try:
        table.transact(table.update(_key(webhook_id, delivery.id), update, _is_next(delivery)), wait)
    except table.ConditionFailedError:
        return False
    return True


def _is_next(delivery: StoredDelivery) -> Condition:
    return Attr("attempt_count").eq(delivery.count)


def _waiting_key(delivery_id: str, since: str) -> table.Item:
    return {"pk": f"{_ALL_WAITING}{int(delivery_id[-1], 16) % _SHARDS}", "sk": f"{_WAITING}{since}#{delivery_id}"}


def _key(webhook_id: str, delivery_id: str) -> table.Item:
    return {"pk": f"{_PARTITION}{webhook_id}", "sk": f"{_PREFIX}{delivery_id}"}
