"""A user's browsers, which are told of ends of runs and of questions: registered, refreshed, gone, quiet while the user
watches; and their push services, which fail, are slow, or do not know a browser any more.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final
from unittest.mock import patch

import http_ece

from tests.simulation import bursts, clients
from tests.simulation.bursts import Bursts, wall_time
from tests.simulation.receivers import Post, Posts, Servers
from tests.simulation.scenarios.jobs import DAY
from tests.simulation.scenarios.webhooks import _insist
from tests.simulation.world import World
from tests.support.notifications.deployment import Browser
from yarrow.notifications import queue, send_notifications
from yarrow.notifications.devices import register_device, remove_device
from yarrow.notifications.messages import KEPT
from yarrow.notifications.web_push import sending
from yarrow.outbound.posting import PostResult
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import devices
from yarrow.store.table import from_wire

DAYS: Final = 2
KINDS: Final = ("run.completed", "run.failed", "interrupt.opened")
IN_FLIGHT: Final = 60.0
UP: Final = PostResult(20, 201)
BUSY: Final = PostResult(20, 429, retry_after=30.0)
DOWN: Final = PostResult(20, 503)
DEAD: Final = PostResult(10_000)
GONE: Final = PostResult(20, 410)
SERVICES: Final = ("push.services.mozilla.com",)
CONTACT: Final = "mailto:ops@example.com"


@dataclass
class _Device:
    """A browser of the user. `registered` are the times at which its registration was answered."""

    browser: Browser
    answer: Callable[[float], PostResult]
    while_watched: bool
    registered: list[float] = field(default_factory=list)
    removals: list[float] = field(default_factory=list)
    """When a removal was asked for, and when it was answered."""

    @property
    def id(self) -> str:
        return devices.id_of(self.browser.endpoint)


@dataclass
class _Watch:
    world: World
    found: Bursts
    servers: Servers
    devices: list[_Device]

    def told(self, device: _Device) -> Iterator[tuple[Post, dict[str, Any]]]:
        """Yield what came to a device, as its browser decrypts it."""
        for post in self.servers.posts:
            if post.url == device.browser.endpoint:
                keys = {"private_key": device.browser.key, "auth_secret": device.browser.secret}
                yield post, json.loads(http_ece.decrypt(post.body, version="aes128gcm", **keys))


def begin(world: World) -> Callable[[], None]:
    """Begin two or three browsers of the user, and bursts of runs, some of which are watched."""
    chance, scheduler = world.scheduler.chance, world.scheduler
    world.skew = 1.0
    found = bursts.begin(world, "send_notifications", DAYS)
    vars(settings).update(web_push_contact=CONTACT, web_push_secret=b"of the simulation", web_push_services=SERVICES)
    made = [
        _Device(
            Browser(f"{number}"),
            partial(chance.choice(_PROFILES), chance, chance.uniform(0, 0.8)),
            chance.random() < 0.3,
        )
        for number in range(chance.choice((2, 3)))
    ]
    answers = {device.browser.endpoint: device.answer for device in made}
    servers = Servers(world, lambda url: answers[url](scheduler.now / DAY))
    world.patches.enter_context(patch.object(sending, "post", servers.post))
    world.patches.enter_context(patch.object(send_notifications, "event_loop", lambda: Posts(world)))
    watch = _Watch(world, found, servers, made)
    for device in made:
        scheduler.spawn("browser", lambda device=device: _use(watch, device))  # type: ignore[misc]
    scheduler.spawn(
        "beginning", lambda: found.runs(chance.randint(3, 4), lambda thread, run: _look(watch, thread, run))
    )

    def check() -> None:
        found.check()
        for device in made:
            _check_told(watch, device)
            _check_repeats(watch, device)
            _check_gone(watch, device)
            _check_quiet(watch, device)

    return check


# ---- Push services, by what they do at a time in days ----------------------------------------------------------------
def _gone(_: Any, at: float, now: float) -> PostResult:
    """Return the answer of one that does not know the browser from some time on."""
    return GONE if now > at else UP


def _down(chance: Any, at: float, now: float) -> PostResult:
    return chance.choice((DOWN, DEAD)) if at < now < at + 0.1 else UP


_PROFILES: Final[tuple[Callable[[Any, float, float], PostResult], ...]] = (
    lambda _chance, _at, _now: UP,
    lambda _chance, _at, _now: UP,
    lambda chance, _at, _now: chance.choice((UP, UP, DOWN, BUSY)),
    _gone,
    _down,
)


# ---- What browsers do ------------------------------------------------------------------------------------------------
def _use(watch: _Watch, device: _Device) -> None:
    """Register, and again now and then; one or another user signs in there; some are removed."""
    world, scheduler, chance = watch.world, watch.world.scheduler, watch.world.scheduler.chance
    _register(world, device)
    while scheduler.now < DAYS * DAY:
        scheduler.pause(chance.choice((0.1 * DAY, 0.4 * DAY, 0.7 * DAY)))
        match chance.choice(("register", "rest", "rest", "stranger", "remove")):
            case "register":
                _register(world, device)
            case "stranger":
                _sign_in_elsewhere(watch, device)
            case "remove" if chance.random() < 0.3:
                device.removals.append(scheduler.now)
                _insist(world, "remove", lambda: remove_device(clients.USER, device.id))
                device.removals.append(scheduler.now)
                return
            case _:
                pass


def _request(device: _Device) -> bytes:
    fields = {"kind": "web", "subscription": device.browser.subscription, "whileWatched": device.while_watched}
    return json.dumps(fields).encode()


def _register(world: World, device: _Device) -> None:
    answer = _insist(world, "register", lambda: register_device(_request(device), clients.USER))
    if isinstance(answer, tuple):
        device.registered.append(world.scheduler.now)


def _sign_in_elsewhere(watch: _Watch, device: _Device) -> None:
    """Another user registers the same browser, which is refused as long as it is the first one's."""
    was = _is_of_user(watch, device)
    answer = _insist(watch.world, "stranger", lambda: register_device(_request(device), clients.STRANGER))
    refused = isinstance(answer, Problem) and answer.code == Code.DEVICE_OF_OTHER_USER
    if was and _is_of_user(watch, device) and answer is not None and not refused:
        watch.world.violated("a browser is another user's as well")
    if isinstance(answer, tuple):
        _insist(watch.world, "stranger leaves", lambda: remove_device(clients.STRANGER, device.id))


def _is_of_user(watch: _Watch, device: _Device) -> bool:
    items = map(from_wire, watch.world.aws.table.items)
    return any(item["pk"] == f"DEVICE#{device.id}" and item["user_id"] == clients.USER for item in items)


def _look(watch: _Watch, thread: str, run: str) -> None:
    """Watch some of the runs, each on one device, to their end."""
    if watch.world.scheduler.chance.random() < 0.4:
        watch.world.scheduler.spawn(f"viewer {run}", lambda: clients.watch(watch.world, thread, run))


# ---- What must hold --------------------------------------------------------------------------------------------------
def _events(watch: _Watch) -> Iterator[dict[str, Any]]:
    """Yield the events that devices are told of: of a run that asks, its question."""
    for event in watch.found.bus.once:
        if event["type"] in KINDS and event["data"].get("outcome") != "interrupt":
            yield event


def _handed(watch: _Watch, event: dict[str, Any], device: _Device) -> list[tuple[float, dict[str, Any]]]:
    """Return the messages about an event that could reach a device, and when functions had them."""
    return [
        (batch.began, document)
        for batch in watch.found.queue.batches.values()
        for document in batch.documents
        if _event_of(document)["id"] == event["id"] and document.get("deviceId", device.id) == device.id
    ]


def _event_of(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["detail"] if "detail" in document else document["event"]
    return found


def _is_of(message: dict[str, Any], event: dict[str, Any]) -> bool:
    return bool(message["type"] == event["type"] and message["timestamp"] == event["timestamp"]) and all(
        message.get(name) == event["data"].get(name) for name in ("threadId", "runId", "interruptId")
    )


def _posts(watch: _Watch, event: dict[str, Any], device: _Device) -> list[Post]:
    return [post for post, message in watch.told(device) if _is_of(message, event)]


def _closed_at(watch: _Watch, event: dict[str, Any]) -> float:
    """Return when a question was closed, or lapsed; infinity for another event, or one that is open."""
    name, pk = event["data"].get("interruptId"), f"QUESTIONS#{clients.USER}"
    times = [at for at, _ in watch.found.seen[pk, f"CLOSED#{name}"]]
    times += [at for at, item in watch.found.seen[pk, f"OPEN#{name}"] if item.get("lapsed")]
    return min(times, default=float("inf"))


def _streams(watch: _Watch, run_key: str, since: float, until: float) -> list[bool]:
    """Return whether a run is watched, or was last, as the user's streams are stored from one time to another."""
    states = watch.found.seen[f"USER#{clients.USER}", "STREAMS"]
    there = [item for at, item in states if at <= since][-1:] + [item for at, item in states if since < at <= until]
    return [
        item.get("shown_run") == run_key
        or any(
            slot.startswith(f"{run_key}.") and int(ends) > wall_time(until) + 2 * watch.world.skew
            for slot, ends in item["slots"].items()
        )
        for item in there
    ]


def _was_ever_watched(watch: _Watch, run_key: str) -> bool:
    return any(
        item.get("shown_run") == run_key or any(slot.startswith(f"{run_key}.") for slot in item["slots"])
        for _, item in watch.found.seen[f"USER#{clients.USER}", "STREAMS"]
    )


def _check_told(watch: _Watch, device: _Device) -> None:
    """Check that a device that was there all the time is told of what happened, if its service takes it in time."""
    if not device.registered or any(post.status == GONE.status for post, _ in watch.told(device)):
        return
    since, until = min(device.registered), min(device.removals, default=float("inf"))
    for event in _events(watch):
        handed, came = _handed(watch, event, device), watch.found.bus.came[event["id"]]
        latest = max((at for at, _ in handed), default=0.0) + IN_FLIGHT
        is_watched = not device.while_watched and _was_ever_watched(watch, event["data"]["runKey"])
        is_over = _closed_at(watch, event) <= latest or wall_time(latest) >= _expires_at(event)
        is_tried = any(document.get("attempt") == send_notifications.MAX_ATTEMPTS for _, document in handed)
        is_dead = any(_event_of(document)["id"] == event["id"] for document in watch.found.queue.dead)
        if not since < came < latest < until or is_watched or is_over or is_tried or is_dead:
            continue
        if not any(post.is_taken for post in _posts(watch, event, device)):
            watch.world.violated(f"browser {device.browser.name} was not told of {event['id']}")


def _expires_at(event: dict[str, Any]) -> float:
    if "expiresAt" in event["data"]:
        return datetime.fromisoformat(event["data"]["expiresAt"]).timestamp()
    return datetime.fromisoformat(event["timestamp"]).timestamp() + KEPT.total_seconds()


def _check_repeats(watch: _Watch, device: _Device) -> None:
    """Check that a device is told again only as messages come again, or its service did not take one, in its time."""
    for event in _events(watch):
        handed, posts = _handed(watch, event, device), _posts(watch, event, device)
        taken = sum(post.is_taken for post in posts)
        came = sum(one["id"] == event["id"] for one in watch.found.bus.events)
        if len(posts) > len(handed) or (taken > came and not watch.found.fails):
            watch.world.violated(f"browser {device.browser.name} was told {taken} times of {event['id']}")
        first: dict[int, float] = {}
        for at, document in sorted(handed, key=lambda one: one[0]):
            first.setdefault(document.get("attempt", 1), at)
            if "detail" not in document and "deviceId" not in document:
                watch.world.violated(f"{event['id']} was sent again for every device")
        for number, at in first.items():
            if number > 1 and at - first.get(number - 1, 0.0) < queue.PAUSES[number - 2].total_seconds():
                watch.world.violated(f"browser {device.browser.name} was told again too soon")
        if max(first, default=1) > send_notifications.MAX_ATTEMPTS:
            watch.world.violated(f"browser {device.browser.name} was told {max(first)} times")


def _check_gone(watch: _Watch, device: _Device) -> None:
    """Check that nothing is sent to a browser that was removed, nor again to one that is gone."""
    posts = [post for post, _ in watch.told(device)]
    if device.removals and any(post.at > device.removals[-1] + IN_FLIGHT for post in posts):
        watch.world.violated(f"browser {device.browser.name} was told something after it was removed")
    gone = [post.at for post in posts if post.status == GONE.status]
    for at in gone:
        again = min((then for then in device.registered if then > at - IN_FLIGHT), default=float("inf"))
        if not watch.found.fails and any(at + IN_FLIGHT < post.at < again for post in posts):
            watch.world.violated(f"browser {device.browser.name} was told something after it was gone")
    if gone and not watch.found.fails and max(gone) > max(device.registered) + IN_FLIGHT:
        stored = [item for _, item in watch.found.seen[devices.partition(clients.USER), "DEVICES"]][-1]
        if device.id in [one["id"] for one in stored["devices"]]:
            watch.world.violated(f"browser {device.browser.name} is gone, and still there")


def _check_quiet(watch: _Watch, device: _Device) -> None:
    """Check that a message has no words, is of something that is not over, and of no run that the user watches."""
    for post, message in watch.told(device):
        event = next(event for event in _events(watch) if _is_of(message, event))
        began = watch.found.queue.batch_of(post.actor).began
        if {"answer", "question"} & message.keys():
            watch.world.violated(f"browser {device.browser.name} was told words that it did not ask for")
        if _closed_at(watch, event) < began or wall_time(began) > _expires_at(event) + watch.world.skew:
            watch.world.violated(f"browser {device.browser.name} was told of {event['id']}, which was over")
        watched = _streams(watch, event["data"]["runKey"], began, post.at)
        if not device.while_watched and watched and all(watched):
            watch.world.violated(f"browser {device.browser.name} was told of {event['id']}, which the user watched")
