"""Sessions whose agent asks, and the deployment's events: one on the bus if and only if its transaction happened.

Questions have their timers, so that nothing is left open that is over.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from local import template
from local.__main__ import TEMPLATE
from local.dynamodb.table import ItemChange
from tests.simulation.rules import lines_of, stored_runs
from tests.simulation.scenarios import questions
from tests.simulation.schedules import Schedules
from tests.simulation.table_stream import TableStream
from tests.simulation.world import World, _handler
from tests.support.domain_events.bus import Bus, patterns, wanted
from yarrow.store import run_hours
from yarrow.store.table import from_wire

DAYS: Final = 30
TRIES: Final = 1_000
"""The mapping tries a batch for 23 hours."""
REFUSED: Final = 0.05
"""The share of events that the bus refuses while AWS has faults."""

FILTERS: Final = patterns(template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"}))
_HOW: Final = {"finished": "completed", "failed": "failed", "canceled": "canceled"}
_ENDS: Final = {"finished": "run.completed", "failed": "run.failed", "canceled": "run.canceled"}


def begin(world: World) -> Callable[[], None]:
    """Begin the sessions of `questions`, and publish what happens in them."""
    chance = world.scheduler.chance
    bus = Bus(lambda _: world.aws.rate > 0 and chance.random() < REFUSED)
    world.aws.services["events"] = bus
    stream = TableStream(world, "publish_events", lambda change: wanted(change, FILTERS), TRIES)
    timers = Schedules(world, _handler("expire_question"), DAYS, "expire")
    world.aws.services["scheduler"] = timers
    lapsed: set[str] = set()
    others = world.aws.table.on_change

    def hear(change: ItemChange) -> None:
        others(change)
        if "lapsed" in change.item:
            lapsed.add(change.item["sk"]["S"].partition("#")[2])

    world.aws.table.on_change = hear
    check_questions = questions.begin(world)
    world.scheduler.seconds = DAYS * 86_400.0

    def check() -> None:
        _check_timers(world, timers)
        check_questions()
        _check(world, stream, bus, lapsed)

    return check


def _check_timers(world: World, timers: Schedules) -> None:
    """Check that what is still open has lapsed: all timers have fired, but for those that could not be delivered."""
    given_up = {event["interruptId"] for event in timers.undelivered}
    for item in map(from_wire, world.aws.table.items):
        kind, _, name = item["sk"].partition("#")
        if kind == "OPEN" and not item.get("lapsed") and name not in given_up:
            world.violated(f"the timer of a question did not fire, {name[:12]}")


def _check(world: World, stream: TableStream, bus: Bus, lapsed: set[str]) -> None:
    if stream.given_up:
        world.violated(f"{stream.given_up} records were given up")
    published, expected = Counter(_fact(event) for event in bus.once), Counter(_facts(world, lapsed))
    for fact in expected - published:
        world.violated(f"{fact} happened and is not on the bus")
    for fact in published - expected:
        world.violated(f"{fact} is on the bus and did not happen")
    _check_usage(world)
    _check_repeats(world, bus)
    _check_order(world, bus)


def _facts(world: World, lapsed: set[str]) -> Iterator[tuple[str, str]]:
    """Yield what the table says has happened: the kind of the event, and the id of its run or question."""
    opened: set[str] = set()
    for run in stored_runs():
        if run.ended:
            yield _ENDS[run.phase], run.key
            last = json.loads(lines_of(run.key)[-1])
            opened |= {one["id"] for one in last.get("outcome", {}).get("interrupts", ())}
    yield from (("interrupt.opened", question) for question in opened)
    items = map(from_wire, world.aws.table.items)
    closed = {item["sk"].partition("#")[2] for item in items if item.get("answer_status") == "expired"}
    yield from (("interrupt.expired", question) for question in lapsed | closed)


def _check_usage(world: World) -> None:
    """Every run that has ended is in the sums of its day, agent and user once."""
    ended = Counter((run.ended_at[:10], run.agent, run.user_id) for run in stored_runs() if run.ended and run.ended_at)
    counted: Counter[tuple[str, str, str]] = Counter()
    for item in map(from_wire, world.aws.table.items):
        if item["pk"].startswith("USED#"):
            counted[item["pk"].removeprefix("USED#"), item["agent_name"], item["user_id"]] += int(item["runs"])
    if counted != ended:
        world.violated(f"{ended.total()} runs have ended, {counted.total()} were counted")
    _check_hours(world)


def _check_hours(world: World) -> None:
    """Every run that has ended is in the sums of its hour and agent once, as it ended."""
    ended: Counter[tuple[str, ...]] = Counter()
    for run in stored_runs():
        if run.ended and run.ended_at:
            ended[run.ended_at[:13], run.agent, _HOW[run.phase]] += 1
    counted: Counter[tuple[str, ...]] = Counter()
    for day in {hour[:10] for hour, *_ in ended}:
        for part in run_hours.read(day):
            asked = part.counts.get("asked", 0)
            for how in set(_HOW.values()):
                counted[part.hour, part.agent, how] += part.counts.get(how, 0) + (asked if how == "completed" else 0)
            if sum(part.duration) != part.counts.get("runs", 0):
                world.violated(f"{part.hour} has {part.counts} and {sum(part.duration)} durations")
    if +counted != ended:
        world.violated(f"{ended.total()} runs have ended, their hours have {counted.total()}")


def _fact(event: dict[str, Any]) -> tuple[str, str]:
    return event["type"], event["data"].get("interruptId", event["data"]["runKey"])


def _check_repeats(world: World, bus: Bus) -> None:
    """An event that comes again is the same."""
    known: dict[str, dict[str, Any]] = {}
    for event in bus.events:
        if known.setdefault(event["id"], event) != event:
            world.violated(f"{event['id']} came again as another event")


def _check_order(world: World, bus: Bus) -> None:
    """Of a run's events, those of one record come in order; what comes again comes later."""
    latest: dict[str, int] = {}
    for event in bus.once:
        data = event["data"]
        if event["type"] != "interrupt.expired":  # another record, which may overtake: `sequence` says its place
            if data["sequence"] < latest.get(data["runKey"], 0):
                world.violated(f"{event['id']} came after a later event of its run")
            latest[data["runKey"]] = data["sequence"]
