"""Webhooks of the deployment, with receivers that fail, are dead for a day, are slow or gone, while their operator
changes, tests, replays, disables, enables and removes them.
"""

import base64
import hmac
import json
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import pairwise
from typing import Any, Final
from unittest.mock import patch

from tests.simulation import bursts
from tests.simulation.bursts import Bursts, wall_time
from tests.simulation.receivers import Post, Posts, Servers
from tests.simulation.rules import messages_of, stored_runs
from tests.simulation.scenarios.jobs import DAY
from tests.simulation.world import World
from yarrow.outbound.posting import PostResult
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Problem
from yarrow.settings import settings
from yarrow.store import clients as aws_clients
from yarrow.store import table
from yarrow.store.table import Item
from yarrow.store.webhooks import deliveries, webhooks
from yarrow.store.webhooks.deliveries import StoredDelivery
from yarrow.store.webhooks.webhooks import StoredWebhook
from yarrow.webhooks import deliver
from yarrow.webhooks.change_webhook import change_webhook, rotate_secret
from yarrow.webhooks.create_webhook import create_webhook
from yarrow.webhooks.delete_webhook import delete_webhook
from yarrow.webhooks.pauses import LASTING, MAX_ATTEMPTS, PAUSES
from yarrow.webhooks.secrets import secret
from yarrow.webhooks.send_now import replay_delivery, send_test

OPERATOR: Final = Caller("ops", operates=True)
KINDS: Final = (
    *("run.completed", "run.failed", "run.canceled", "interrupt.opened", "interrupt.expired"),
    *("webhook.disabled",),
)
DAYS: Final = 3
SKEWS: Final = (1.0, 30.0)
TRIES: Final = 12
IN_FLIGHT: Final = 60.0
"""Seconds that an invocation lasts at most, so that it acts on what it has read before a change."""
AGAIN: Final = 10 * 400.0
"""Seconds within which a message comes again that is not dead."""
UP: Final = PostResult(20, 204)
DOWN: Final = PostResult(20, 503, "busy")
GONE: Final = PostResult(20, 410)
DEAD: Final = PostResult(10_000)
SLOW: Final = PostResult(9_000, 200)
PATIENT: Final = PostResult(20, 429, retry_after=900.0)


@dataclass
class _Receiver:
    """One receiver and what its operator has done. It verifies with the secret that it has at the time."""

    url: str
    answer: Callable[[float], PostResult]
    id: str | None = None
    secrets: list[tuple[float, float, str]] = field(default_factory=list)
    """From when and until when a signature by a secret is there to be found."""
    removed_at: float | None = None
    replayed: list[tuple[float, str]] = field(default_factory=list)
    tested: list[tuple[float, str]] = field(default_factory=list)


@dataclass
class _Watch:
    world: World
    found: Bursts
    servers: Servers
    receivers: list[_Receiver]

    def states(self, receiver: _Receiver) -> list[tuple[float, StoredWebhook]]:
        """Return what was stored of a webhook, and when."""
        key = webhooks.OF_DEPLOYMENT, f"WEBHOOK#{receiver.id}"
        return [(at, webhooks.stored(item)) for at, item in self.found.seen[key]]

    def deliveries_of(self, receiver: _Receiver) -> Iterator[list[tuple[float, StoredDelivery]]]:
        """Yield what was stored of each delivery, and when."""
        for (pk, _), items in list(self.found.seen.items()):
            if pk == f"DELIVERIES#{receiver.id}":
                yield [(at, deliveries._DELIVERIES.record(item)) for at, item in items]

    def posts_of(self, receiver: _Receiver) -> list[Post]:
        return [post for post in self.servers.posts if post.url == receiver.url]


def begin(world: World) -> Callable[[], None]:
    """Begin two or three webhooks, one of which has a receiver that is well, and bursts of runs."""
    chance, scheduler = world.scheduler.chance, world.scheduler
    world.skew = chance.choice(SKEWS)
    found = bursts.begin(world, "deliver_webhooks", DAYS)
    vars(settings).update(webhook_sends_per_minute=0)
    profiles = ["well", *(chance.choice(tuple(_PROFILES)) for _ in range(chance.choice((1, 1, 2))))]
    receivers = [
        _Receiver(f"https://{name}-{number}.example.com/in", partial(_PROFILES[name], chance, chance.uniform(0, 1.5)))
        for number, name in enumerate(profiles)
    ]
    answers = {receiver.url: receiver.answer for receiver in receivers}
    servers = Servers(world, lambda url: answers[url](scheduler.now / DAY))
    world.patches.enter_context(patch.object(deliver, "post", servers.post))
    world.patches.enter_context(patch.object(deliver, "event_loop", lambda: Posts(world)))
    watch = _Watch(world, found, servers, receivers)
    _hear_removals(world, receivers)

    def operate() -> None:
        for receiver in receivers:
            _create(world, receiver)
        for receiver in receivers[1:]:
            scheduler.spawn("operator", lambda receiver=receiver: _operate(watch, receiver))  # type: ignore[misc]
        found.runs(chance.randint(3, 5))

    scheduler.spawn("beginning", operate)

    def check() -> None:
        found.check()
        for receiver in receivers:
            if receiver.id is not None:
                _check(watch, receiver)
        _check_notices(watch)
        _check_waiting(watch)

    return check


# ---- Receivers, by what they do at a time in days --------------------------------------------------------------------
def _dead(chance: Any, at: float, now: float) -> PostResult:
    """Return the answer of one that is dead for a day and some hours."""
    return chance.choice((DEAD, DOWN, DOWN)) if at <= now < at + 1.2 else UP


def _gone(_: Any, at: float, now: float) -> PostResult:
    return GONE if now > at else UP


def _patient(_: Any, at: float, now: float) -> PostResult:
    return PATIENT if at / 4 < now < at / 2 else UP


_PROFILES: Final[dict[str, Callable[[Any, float, float], PostResult]]] = {
    "well": lambda _chance, _at, _now: UP,
    "flaky": lambda chance, _at, _now: DOWN if chance.random() < 0.3 else UP,
    "slow": lambda chance, _at, _now: DEAD if chance.random() < 0.2 else SLOW,
    "never": lambda chance, _at, _now: chance.choice((DOWN, DEAD)),
    "dead": _dead,
    "gone": _gone,
    "patient": _patient,
}


# ---- What operators do -----------------------------------------------------------------------------------------------
def _insist(world: World, name: str, act: Callable[[], Any]) -> Any:
    """What is answered at last: a Problem if it is refused, None if there is no answer."""
    for _ in range(TRIES):
        try:
            return world.function(name, act, is_ended=True)
        except Problem as problem:
            if problem.status < 500:
                return problem
        except Exception:  # noqa: BLE001, S110 (the operator repeats it)
            pass
        world.scheduler.pause(world.scheduler.chance.uniform(0.2, 8))
    return None


def _create(world: World, receiver: _Receiver) -> None:
    chance = world.scheduler.chance
    name = str(uuid.UUID(int=chance.getrandbits(128), version=4))
    include = ["answer"] if chance.random() < 0.5 else []
    body = json.dumps({"id": name, "url": receiver.url, "events": KINDS, "include": include}).encode()
    made = _insist(world, "create", lambda: create_webhook(body, OPERATOR))
    if isinstance(made, StoredWebhook):
        receiver.id = made.id
        receiver.secrets.append((0.0, float("inf"), secret(made.id, made.salt)))


def _operate(watch: _Watch, receiver: _Receiver) -> None:
    world, name = watch.world, receiver.id
    scheduler, chance = world.scheduler, world.scheduler.chance
    rotates_after = 0.0
    while name is not None and scheduler.now < (DAYS + 2) * DAY and receiver.removed_at is None:
        scheduler.pause(chance.choice((30.0, 0.1 * DAY, 0.3 * DAY, 0.8 * DAY)))
        match chance.choice(("rest", "rest", "enable", "rest", "test", "replay", "disable", "rotate", "remove")):
            case "enable":
                _insist(world, "enable", lambda: change_webhook(b'{"status": "active"}', OPERATOR, name))
            case "disable":
                _insist(world, "disable", lambda: change_webhook(b'{"status": "disabled"}', OPERATOR, name))
                scheduler.pause(chance.choice((1.0, 900.0, 0.5 * DAY)))
                _insist(world, "enable", lambda: change_webhook(b'{"status": "active"}', OPERATOR, name))
            case "test":
                answer = _insist(world, "test", lambda: send_test(OPERATOR, name))
                if isinstance(answer, str):
                    receiver.tested.append((scheduler.now, answer))
            case "replay":
                _replay(watch, receiver, name)
            case "rotate" if scheduler.now > rotates_after:
                rotates_after = _rotate(world, receiver, name)
            case "remove" if chance.random() < 0.3:
                _insist(world, "remove", lambda: delete_webhook(OPERATOR, name))
            case _:
                pass


def _replay(watch: _Watch, receiver: _Receiver, name: str) -> None:
    world = watch.world
    known = [states[-1][1].id for states in watch.deliveries_of(receiver)]
    if known:
        delivery = world.scheduler.chance.choice(known)
        began = world.scheduler.now
        if _insist(world, "replay", lambda: replay_delivery(OPERATOR, name, delivery)) == delivery:
            receiver.replayed.append((began, delivery))


def _rotate(world: World, receiver: _Receiver, name: str) -> float:
    """Rotate the secret, and have the receiver use the new one within the overlap; returns when that is over."""
    scheduler, chance = world.scheduler, world.scheduler.chance
    hours, began = chance.choice((0, 1, 24)), scheduler.now
    body = json.dumps({"overlapHours": hours}).encode()
    rotated = _insist(world, "rotate", lambda: rotate_secret(body, OPERATOR, name))
    now, since, before = scheduler.now, *receiver.secrets[-1][::2]
    if not isinstance(rotated, StoredWebhook):
        receiver.secrets.append((began, float("inf"), ""))  # nobody knows which one it is
        return float("inf")
    new = secret(rotated.id, rotated.salt)
    ends = now + hours * 3_600 - 2 * IN_FLIGHT - 2 * world.skew
    changes = chance.uniform(now + IN_FLIGHT, ends) if hours else now + IN_FLIGHT
    receiver.secrets[-1] = since, changes, before
    receiver.secrets.append((changes if hours else began, float("inf"), new))
    if not hours and now - began > 1.0:  # one that got no answer may have been in force
        receiver.secrets.append((began, now + IN_FLIGHT, ""))
        receiver.secrets[-2:] = receiver.secrets[:-3:-1]
    return now + (hours + 1) * 3_600


def _hear_removals(world: World, receivers: list[_Receiver]) -> None:
    """Note when webhooks are removed, of which the stream has no record."""
    table = world.aws.table
    transact = table.TransactWriteItems

    def transacted(**parameters: Any) -> Any:
        answer = transact(**parameters)
        keys: list[Item] = [item["Delete"]["Key"] for item in parameters["TransactItems"] if "Delete" in item]
        for receiver in receivers:
            if any(key["sk"]["S"] == f"WEBHOOK#{receiver.id}" for key in keys) and receiver.removed_at is None:
                receiver.removed_at = world.scheduler.now
        return answer

    vars(table)["TransactWriteItems"] = transacted


# ---- What must hold --------------------------------------------------------------------------------------------------
def _check(watch: _Watch, receiver: _Receiver) -> None:
    _check_missing(watch, receiver)
    for states in watch.deliveries_of(receiver):
        _check_delivery(watch, receiver, states)
    _check_asked_for(watch, receiver)
    _check_quiet(watch, receiver)
    _check_posts(watch, receiver)
    _check_order(watch, receiver)
    _check_answers(watch, receiver)
    _check_disabled(watch, receiver)


def _late(watch: _Watch) -> float:
    """Seconds by which what follows from a read or a clock may be late, or early."""
    return (IN_FLIGHT if watch.world.aws.faults else 15.0) + 2 * watch.world.skew


def _is_dead(watch: _Watch, event_id: str, delivery_id: str) -> bool:
    """Return whether a message of the delivery came too often, and is left to the operators."""
    dead = watch.found.queue.dead
    return any(
        document.get("detail", {}).get("id") == event_id or document.get("deliveryId") == delivery_id
        for document in dead
    )


def _check_missing(watch: _Watch, receiver: _Receiver) -> None:
    """Check that each event has a delivery if the webhook wanted it all the time until it was handled."""
    states, known = watch.states(receiver), {states[-1][1].id for states in watch.deliveries_of(receiver)}
    handed: defaultdict[str, list[float]] = defaultdict(list)
    for batch in watch.found.queue.batches.values():
        for document in batch.documents:
            if "detail" in document:
                handed[document["detail"]["id"]].append(batch.began)
    for event in watch.found.bus.once:
        came = watch.found.bus.came[event["id"]]
        if not handed[event["id"]]:
            watch.world.violated(f"{event['id']} was handed to nobody")
            continue
        until = max(handed[event["id"]]) + IN_FLIGHT
        before = [webhook for at, webhook in states if at < came][-1:]
        there = [*before, *(webhook for at, webhook in states if came <= at <= until)]
        is_wanted = bool(before) and all(webhook.is_active and event["type"] in webhook.events for webhook in there)
        if not is_wanted or (receiver.removed_at is not None and receiver.removed_at <= until):
            continue
        delivery = deliveries.id_of(str(receiver.id), event)
        if delivery not in known and not _is_dead(watch, event["id"], delivery):
            watch.world.violated(f"{receiver.url} misses {event['id']}")


def _check_delivery(watch: _Watch, receiver: _Receiver, states: list[tuple[float, StoredDelivery]]) -> None:
    violated, (_, latest) = watch.world.violated, states[-1]
    posts = [post for post in watch.posts_of(receiver) if post.headers["webhook-id"] == latest.id]
    what = f"the delivery of {latest.event['id']} to {receiver.url}"
    is_left = receiver.removed_at is not None or _is_dead(watch, latest.event["id"], latest.id)
    is_test, is_replayed = "webhookId" in latest.event["data"], latest.id in {name for _, name in receiver.replayed}
    is_left = is_left or (is_test and latest.id not in {name for _, name in receiver.tested})  # nobody was told of it
    if latest.status == "pending" and not is_left:
        violated(f"{what} waits for nothing after {latest.count} attempts")
    if latest.status == "delivered" and not any(post.is_taken for post in posts):
        violated(f"{what} is delivered, and nobody has it")
    for (at, before), (then, after) in pairwise(states):
        made = before.count - before.since
        if after.count not in (before.count, before.count + 1):
            violated(f"{what} has attempt {after.count} after {before.count}")
        if after.count - after.since > MAX_ATTEMPTS:
            violated(f"{what} has {after.count - after.since} attempts")
        if after.count == before.count or before.status != "pending" or is_replayed:
            continue
        if made and then - at < PAUSES[made - 1] - _late(watch):
            violated(f"{what} has attempt {after.count} {then - at:.0f} s after the one before")
        attempt = after.attempts[-1]
        ends = made + 1 >= MAX_ATTEMPTS or attempt.status == 410 or attempt.error == "the webhook is disabled"
        if after.status == "failed" and not ends and not is_test:
            violated(f"{what} is given up after {made + 1} attempts")
    handed = [
        (document.get("deliveryId"), document.get("attempt"), document.get("askedFor"))
        for batch in watch.found.queue.batches.values()
        for document in batch.documents
        if document.get("deliveryId") == latest.id or document.get("detail", {}).get("id") == latest.event["id"]
    ]
    most = len(handed) if watch.found.fails or is_replayed else latest.count + len(handed) - len({*handed})
    if len(posts) > most:
        violated(f"{what} was sent {len(posts)} times, of {len(handed)} messages")


def _check_asked_for(watch: _Watch, receiver: _Receiver) -> None:
    """Check that what an operator has asked for was sent, unless the webhook was removed or disabled after it."""
    for asked in (receiver.tested, receiver.replayed):
        for at, delivery in asked:
            posts = [post for post in watch.posts_of(receiver) if post.headers["webhook-id"] == delivery]
            is_off = any(not webhook.is_active for then, webhook in watch.states(receiver) if then > at)
            is_excused = receiver.removed_at is not None or (asked is receiver.replayed and is_off)
            is_sent = any(post.at >= at - IN_FLIGHT for post in posts)
            if not is_sent and not is_excused and not _is_dead(watch, "", delivery):
                watch.world.violated(f"{receiver.url} was not sent {delivery}, which an operator asked for")


def _check_quiet(watch: _Watch, receiver: _Receiver) -> None:
    """Check that nothing is sent of a webhook that was removed or, but for tests, disabled."""
    off: float | None = None
    times: list[tuple[float, float]] = []
    for at, webhook in watch.states(receiver):
        if not webhook.is_active and off is None:
            off = at
        if webhook.is_active and off is not None:
            times.append((off, at))
            off = None
    times += [] if off is None else [(off, float("inf"))]
    for post in watch.posts_of(receiver):
        if receiver.removed_at is not None and post.at > receiver.removed_at + IN_FLIGHT:
            watch.world.violated(f"{receiver.url} was sent something after it was removed")
        is_test = json.loads(post.body)["type"] == "webhook.test"
        if not is_test and any(begins + IN_FLIGHT < post.at < ends for begins, ends in times):
            watch.world.violated(f"{receiver.url} was sent something while it was disabled")


def _check_posts(watch: _Watch, receiver: _Receiver) -> None:
    """Check that the same event has the same id and content, and that each is signed with the secret of the time."""
    events: dict[str, Any] = {}
    for post in watch.posts_of(receiver):
        event = json.loads(post.body)
        for member in ("answer", "answerTruncated"):
            event["data"].pop(member, None)
        if events.setdefault(post.headers["webhook-id"], event) != event:
            watch.world.violated(f"{receiver.url} got {event['id']} as another event")
        signed = f"{post.headers['webhook-id']}.{post.headers['webhook-timestamp']}.".encode() + post.body
        signatures = post.headers["webhook-signature"].split(" ")
        valid = [name for since, until, name in receiver.secrets if since <= post.at <= until]
        if "" not in valid and not any(_signature(name, signed) in signatures for name in valid):
            watch.world.violated(f"{receiver.url} cannot verify {event['id']}")
        now = wall_time(post.at)
        if abs(int(post.headers["webhook-timestamp"]) - now) > 1 + watch.world.skew + 3.0:
            watch.world.violated(f"{receiver.url} got {event['id']} with the time of another attempt")
    if len({event["id"] for event in events.values()}) != len(events):
        watch.world.violated(f"{receiver.url} got an event under two ids")


def _signature(name: str, signed: bytes) -> str:
    key = base64.b64decode(name.removeprefix("whsec_"))
    return f"v1,{base64.b64encode(hmac.digest(key, signed, 'sha256')).decode()}"


def _check_order(watch: _Watch, receiver: _Receiver) -> None:
    """Check that what an invocation sends of a run is in order."""
    sent: dict[tuple[object, str], int] = {}
    for post in watch.posts_of(receiver):
        data = json.loads(post.body)["data"]
        if "runKey" in data:
            place = post.actor, data["runKey"]
            if data["sequence"] < sent.get(place, 0):
                watch.world.violated(f"{receiver.url} got the events of a run in another order")
            sent[place] = data["sequence"]


def _check_answers(watch: _Watch, receiver: _Receiver) -> None:
    """Check that an answer is the run's, and is not sent once its session is deleted."""
    includes = any(webhook.include for _, webhook in watch.states(receiver))
    texts = {run.key: "\n\n".join(messages_of(run.key).values()) for run in stored_runs() if run.phase == "finished"}
    for post in watch.posts_of(receiver):
        event = json.loads(post.body)
        answer = event["data"].get("answer")
        if answer is None:
            continue
        if not includes or not texts[event["data"]["runKey"]].endswith(answer):
            watch.world.violated(f"{receiver.url} got an answer that is not of {event['id']}")
        deleted = watch.found.deleted.get(event["data"]["threadId"])
        if deleted is not None and post.at > deleted + IN_FLIGHT:
            watch.world.violated(f"{receiver.url} got the answer of a session that is deleted")


def _check_disabled(watch: _Watch, receiver: _Receiver) -> None:
    """Check why a webhook was disabled by itself, and that one that fails for good is."""
    taken = [
        then
        for states in watch.deliveries_of(receiver)
        for (_, before), (then, after) in pairwise(states)
        if after.status == "delivered" != before.status and "webhookId" not in after.event["data"]
    ]
    lasting, late = LASTING.total_seconds(), _late(watch)
    for at, webhook in _disabled(watch, receiver):
        if webhook.disabled_reason == "gone":
            if not any(post.status == 410 and post.at <= at for post in watch.posts_of(receiver)):
                watch.world.violated(f"{receiver.url} is disabled as gone, and is not")
        elif [then for then in taken if at - lasting + late < then < at - late]:
            watch.world.violated(f"{receiver.url} is disabled though it took something in the last 23 hours")
    for states in watch.deliveries_of(receiver):
        for (_, before), (at, after) in pairwise(states):
            if not before.status == "pending" != after.status == "failed" or "webhookId" in after.event["data"]:
                continue
            was = [webhook for then, webhook in watch.states(receiver) if then < at - 1][-1]
            lasts = (
                was.failing_since is not None
                and datetime.fromisoformat(was.failing_since).timestamp() < wall_time(at) - lasting - late
            )
            fails = after.attempts[-1].status == 410 or (lasts and after.count - after.since == MAX_ATTEMPTS)
            until = at + (AGAIN if watch.found.fails else late)
            later = [webhook for then, webhook in watch.states(receiver) if at - late < then < until]
            is_off = not was.is_active or any(webhook.version != was.version for webhook in later)
            if fails and not is_off and receiver.removed_at is None:
                watch.world.violated(f"{receiver.url} fails for good and is not disabled")


def _disabled(watch: _Watch, receiver: _Receiver) -> Iterator[tuple[float, StoredWebhook]]:
    """Yield how a webhook was when it disabled itself, and when that was."""
    known: set[int] = set()
    for at, webhook in watch.states(receiver):
        if webhook.disabled_version == webhook.version and webhook.version not in known:
            known.add(webhook.version)
            yield at, webhook


def _check_notices(watch: _Watch) -> None:
    """Check that each webhook that was disabled by itself is an event of the bus, and no other one."""
    expected = {
        f"{webhook.id}-disabled-{webhook.version}"
        for receiver in watch.receivers
        for _, webhook in _disabled(watch, receiver)
    }
    published = {event["id"] for event in watch.found.bus.once if event["type"] == "webhook.disabled"}
    if expected != published:
        watch.world.violated(f"{len(expected)} webhooks were disabled, {len(published)} are on the bus")


def _check_waiting(watch: _Watch) -> None:
    """Check that the items of deliveries that wait are those of the stored ones that do; those that wait are left."""
    items = list(map(table.from_wire, aws_clients.dynamodb().scan(TableName=settings.table_name)["Items"]))
    found = {tuple(item["sk"].split("#")[1:]) for item in items if item["pk"].startswith("WAITING_DELIVERIES#")}
    stored = [deliveries._DELIVERIES.record(item) for item in items if item["pk"].startswith("DELIVERIES#")]
    expected = {(delivery.waits_since, delivery.id) for delivery in stored if delivery.waits_since is not None}
    if found != expected:
        watch.world.violated(f"{len(found)} deliveries have the item of those that wait, and {len(expected)} wait")
    if any(delivery.status != "pending" for delivery in stored if delivery.waits_since is not None):
        watch.world.violated("a delivery waits that has ended")
