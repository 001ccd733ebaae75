"""A user at small limits: runs and streams at once, and rates a minute, drawn on by several clients."""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from tests.simulation import clients
from tests.simulation.rules import stored_runs
from tests.simulation.world import World
from yarrow.access import limits
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem, ProblemCode
from yarrow.runs.stream_events import stream_events
from yarrow.runs.submit_run import submit_run
from yarrow.settings import settings
from yarrow.store.limits import buckets, stream_slots

LIMITS: Final = {"runs_per_user": 2, "streams_per_user": 2, "runs_per_minute": 6, "signed_urls_per_minute": 4}
SKEW: Final = 1.0
"""A fast clock admits more, by as much as it is fast."""
ROUNDS: Final = 2
TRIES: Final = 20
LATE: Final = frozenset({Code.AGENT_RATE_LIMIT, Code.AGENT_RUN_LIMIT, Code.AGENT_SSE_CONNECTION_LIMIT})


@dataclass
class _Admitted:
    """When calls that drew on a bucket began and ended, in seconds."""

    per_minute: int
    calls: list[tuple[float, float]] = field(default_factory=list)


def begin(world: World) -> Callable[[], None]:
    """Three clients with a session each, and two that sign URLs."""
    chance, scheduler = world.scheduler.chance, world.scheduler
    world.skew = SKEW
    vars(settings).update(LIMITS)
    streaming = _look_on(world)
    submitted, signed = _Admitted(settings.runs_per_minute), _Admitted(settings.signed_urls_per_minute)
    for _ in range(3):
        scheduler.spawn("user", lambda: _use(world, submitted), after=chance.uniform(0, 1))
    for _ in range(chance.choice((0, 2))):
        scheduler.spawn("signer", lambda: _sign(world, signed, ROUNDS * 4))
    for _ in range(chance.choice((0, 0, 3 * settings.signed_urls_per_minute))):
        scheduler.spawn("signer at once", lambda: _sign(world, signed, 1))

    def check() -> None:
        for admitted in (submitted, signed):
            _check_rate(world, admitted)
        scheduler.spawn("late user", lambda: _come_late(world, streaming))
        scheduler.run()

    return check


def _look_on(world: World) -> set[str]:
    """Check after each write that the limit holds. Returns the streams that began and did not end."""
    table = world.aws.table
    transact, update = table.TransactWriteItems, table.UpdateItem

    def transacted(**parameters: Any) -> Any:
        answer = transact(**parameters)
        live = sum(item["sk"]["S"] == "RUN" and item["phase"]["S"] in ("queued", "running") for item in table.items)
        if live > settings.runs_per_user:
            world.violated(f"{live} runs are active")
        return answer

    streaming: set[str] = set()

    def updated(**parameters: Any) -> Any:
        expression, slot = parameters["UpdateExpression"], parameters.get("ExpressionAttributeNames", {}).get("#slots")
        removes = "REMOVE slots.#slots" in expression
        if removes and slot is not None and "attribute_exists(slots.#" in parameters["ConditionExpression"]:
            streaming.discard(slot)  # whether it was listed or not
        answer = update(**parameters)
        if parameters["Key"]["sk"]["S"] == "STREAMS":
            if not removes:
                streaming.add(slot or next(iter(parameters["ExpressionAttributeValues"][":slots"]["M"])))
            if len(streaming) > settings.streams_per_user and not world.aws.faults:
                world.violated(f"{len(streaming)} streams go on")
            key = stream_slots.key(clients.USER)
            found = table.GetItem(Key={"pk": {"S": key["pk"]}, "sk": {"S": key["sk"]}})
            open_ = len(found["Item"]["slots"]["M"])
            if open_ > settings.streams_per_user:
                world.violated(f"{open_} streams are open")
        return answer

    vars(table).update(TransactWriteItems=transacted, UpdateItem=updated)
    return streaming


def _insist(world: World, name: str, act: Callable[[], Any], admitted: _Admitted | None = None) -> Any:
    """What is answered at last; None if there is no answer."""
    for _ in range(TRIES):
        pause, began = world.scheduler.chance.uniform(0.2, 8), world.scheduler.now
        try:
            answer = world.function(name, act)
        except Problem as problem:
            if problem.code not in LATE and problem.status < 500:
                return problem
            pause = _pause_after(world, problem, pause)
        except Exception:  # noqa: BLE001, S110 (the client repeats it)
            pass
        else:
            if admitted is not None and not getattr(answer, "is_repeated", False):
                admitted.calls.append((began, world.scheduler.now))
            return answer
        world.scheduler.pause(pause)
    return None


def _pause_after(world: World, problem: Problem, otherwise: float) -> float:
    if problem.code != Code.AGENT_RATE_LIMIT:
        return otherwise
    if not problem.retry_after or problem.retry_after > buckets.CAPACITY / 1000:
        world.violated(f"a rate limit says to try again after {problem.retry_after}")
        return otherwise
    return problem.retry_after + world.scheduler.chance.choice((0.0, 0.5))


def _submit(world: World, thread: str, run: str, admitted: _Admitted | None = None) -> Any:
    raw = json.dumps(clients.request(thread, run, follow_up=run != "run-1")).encode()
    return _insist(world, "submit", lambda: submit_run(raw, Caller(clients.USER)), admitted)


def _use(world: World, submitted: _Admitted) -> None:
    scheduler, chance = world.scheduler, world.scheduler.chance
    thread = str(uuid.uuid4())
    for number in range(1, ROUNDS + 1):
        run = f"run-{number}"
        accepted = _submit(world, thread, run, submitted)
        if accepted is None or isinstance(accepted, Problem):
            return
        for device in range(chance.choice((0, 1, 2))):
            scheduler.spawn(f"device {device}", lambda run=run: clients.watch(world, thread, run))  # type: ignore[misc]
        if chance.random() < 0.4:
            scheduler.pause(chance.uniform(0, 5))
            clients.cancel(world, thread, run)
        else:
            clients.watch(world, thread, run)


def _sign(world: World, signed: _Admitted, times: int) -> None:
    for _ in range(times):
        _insist(world, "sign", lambda: limits.count(clients.USER, "signed_urls") or True, signed)  # type: ignore[func-returns-value]
        world.scheduler.pause(world.scheduler.chance.choice((0.0, 0.0, 3.0, 40.0)))


def _check_rate(world: World, admitted: _Admitted) -> None:
    """In no time more than the bucket holds and what flows into it."""
    calls, per_minute = sorted(admitted.calls), admitted.per_minute
    for began, _ in calls:
        for _, ended in calls:
            inside = sum(began <= call[0] and call[1] <= ended for call in calls)
            most = per_minute * (buckets.BURST_MINUTES + (ended - began + 2 * SKEW) / 60)
            if ended >= began and inside > most + 1:
                world.violated(f"{inside} calls in {ended - began:.0f} s at {per_minute} a minute")


def _come_late(world: World, streaming: set[str]) -> None:
    """When nothing runs and nothing fails: no slot is taken, and what a limit says is so."""
    world.scheduler.pause(stream_slots.SLOT_SECONDS + 2 * SKEW)
    opened = []
    for _ in range(settings.runs_per_user):
        thread = str(uuid.uuid4())
        raw = json.dumps(clients.request(thread, "run-1", follow_up=False)).encode()
        _at_second_try(world, "submit", lambda: submit_run(raw, Caller(clients.USER)))  # noqa: B023
        opened.append(thread)
    _check_refused(world, Code.AGENT_RUN_LIMIT, opened)
    left = [_open(world, opened[0]) for _ in range(settings.streams_per_user)]
    for _ in range(settings.signed_urls_per_minute * buckets.BURST_MINUTES + 1):
        _at_second_try(world, "sign", lambda: limits.count(clients.USER, "signed_urls"))
    world.scheduler.pause(stream_slots.SLOT_SECONDS + 2 * SKEW)
    streaming.clear()
    left.append(_open(world, opened[0]))
    for subscription in left:
        if subscription is not None:
            stream_slots.release(subscription.slot)
    for thread in opened:
        clients.watch(world, thread, "run-1")
    if any(not run.ended and run.thread_id in opened for run in stored_runs()):
        world.violated("a late run does not end")


def _check_refused(world: World, code: Code, threads: list[str]) -> None:
    """One more run than there may be."""
    raw = json.dumps(clients.request(str(uuid.uuid4()), "run-1", follow_up=False)).encode()
    refused: ProblemCode | None = None
    try:
        world.function("submit", lambda: submit_run(raw, Caller(clients.USER)))
    except Problem as problem:
        refused = problem.code
    live = [run for run in stored_runs() if run.thread_id in threads and not run.ended]
    if len(live) == settings.runs_per_user and refused not in (code, Code.AGENT_RATE_LIMIT):
        world.violated(f"one run too many gets {refused}")


def _open(world: World, thread: str) -> Any:
    """A stream that nobody reads, renews or closes, as that of a killed function."""
    return _at_second_try(world, "stream", lambda: stream_events(clients.USER, thread, "run-1", None, None))


def _at_second_try(world: World, name: str, act: Callable[[], Any]) -> Any:
    """What is answered at once, or after the time that a rate limit says."""
    try:
        return world.function(name, act)
    except Problem as problem:
        if problem.code != Code.AGENT_RATE_LIMIT:
            world.violated(f"a late {name} is refused with {problem.code}")
            return None
        world.scheduler.pause((problem.retry_after or 0) + 2 * SKEW)
    try:
        return world.function(name, act)
    except Problem as second:
        world.violated(f"a late {name} is refused again with {second.code}")
        return None
