"""Sessions whose agent asks: answers of several devices, late, wrong or again; and what else ends a question."""

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from starlette.requests import ClientDisconnect

from tests.simulation import clients
from tests.simulation.askers import Asker, bad_payload_for, payload_for
from tests.simulation.effects import Effects
from tests.simulation.question_rules import Watch
from tests.simulation.rules import stored_runs
from tests.simulation.scenarios.steps import TURNS, longer_runs
from tests.simulation.world import World
from tests.support.agui.app import body as agui_body
from tests.support.memory_aws.aws import MemoryBucket
from yarrow.protocol.caller import Caller
from yarrow.protocol.interrupts import ResumeEntry
from yarrow.protocol.problems import Code, Problem
from yarrow.runs.answer_questions import answer_question, resume_run
from yarrow.runs.list_interrupts import list_interrupts
from yarrow.runs.send_message import send_message
from yarrow.runs.submit_run import submit_run
from yarrow.settings import settings
from yarrow.web.streams.stream_formats import agui_format

ROUNDS: Final = 6
TRIES: Final = 12
DELAYS: Final = (0.0, 0.0, 0.05, 1.0, 8.0, 25.0, 100.0, 1_000.0)
"""Seconds after which a device answers."""
WRONG: Final = frozenset({Code.AGENT_INTERRUPT_ANSWER_INVALID, Code.AGENT_RUN_INPUT_INVALID})
TOO_LATE: Final = frozenset(
    {
        *(Code.AGENT_INTERRUPT_ANSWERED, Code.AGENT_INTERRUPT_EXPIRED, Code.AGENT_RUN_IN_PROGRESS),
        *(Code.AGENT_INTERRUPT_INCOMPLETE, Code.AGENT_SESSION_NOT_FOUND),
    }
)
"""What a device may get for a good answer to a question that it was shown."""
LEFT: Final = frozenset(
    {Code.AGENT_INTERRUPT_OPEN, Code.AGENT_RUN_IN_PROGRESS, Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_BRANCH_LIMIT}
)
"""What a new message may get."""

FIRST: Final = {"id": "msg-run-1", "role": "user", "content": "合适吗?"}

Interrupt = Mapping[str, Any]


@dataclass
class _Use:
    """One session, and what its devices have done."""

    world: World
    watch: Watch
    thread: str
    seen: set[str] = field(default_factory=set)
    """Ids of runs that were watched to their end."""

    def new_runs(self) -> list[str]:
        """Return the ids of runs of the session that nobody has watched yet, whoever submitted them."""
        found = [run for run in stored_runs() if run.thread_id == self.thread and run.run_id not in self.seen]
        return [run.run_id for run in sorted(found, key=lambda run: run.created_at)]


def begin(world: World) -> Callable[[], None]:
    """Begin one or two sessions."""
    effects, chance = Effects(world), world.scheduler.chance
    world.runner = lambda _: Asker(effects)
    world.aws.services["s3"] = MemoryBucket()
    settings.turn_seconds = chance.choice(TURNS)
    longer_runs(world)
    effects.watch()
    watch = Watch(world, effects)
    watch.begin()
    for _ in range(chance.choice((1, 1, 2))):
        use = _Use(world, watch, str(uuid.uuid4()))
        world.scheduler.spawn(f"user of {use.thread[:4]}", partial(_use, use))
    return lambda: _end(world, watch)


def _use(use: _Use) -> None:
    world, thread, chance = use.world, use.thread, use.world.scheduler.chance
    if clients.submit(world, thread, "run-1", follow_up=False) is None:
        return
    if chance.random() < 0.12:
        world.scheduler.spawn("removal", lambda: clients.delete(world, thread), after=chance.uniform(0, 150))
    interrupts: Sequence[Interrupt] = ()
    for number in range(ROUNDS):
        for run in use.new_runs():
            interrupts = _watched(use, run)
        if not interrupts:
            return
        acts = [partial(_answer, use, interrupts, device) for device in ("phone", "page")][: chance.choice((1, 2, 2))]
        if chance.random() < 0.15:
            acts.append(partial(_leave, use, number, interrupts))
        if chance.random() < 0.1:
            acts.append(partial(_try_badly, use, interrupts))
        actors = [world.scheduler.spawn(f"device of {thread[:4]}", act, after=chance.choice(DELAYS)) for act in acts]
        for actor in actors:
            world.scheduler.join(actor, 3_000)


def _watched(use: _Use, run: str) -> Sequence[Interrupt]:
    """Watch a run to its end, or cancel it; returns what it asks."""
    world, chance = use.world, use.world.scheduler.chance
    if chance.random() < 0.1:
        world.scheduler.spawn("stop", partial(clients.cancel, world, use.thread, run), after=chance.uniform(0, 60))
    events = clients.watch(world, use.thread, run)
    use.seen.add(run)
    last = json.loads(events[-1][2]) if events else {}
    if last.get("type") == "RUN_ERROR" and use.watch.answers and chance.random() < 0.7:
        _again(use)
    interrupts: Sequence[Interrupt] = last.get("outcome", {}).get("interrupts", ())
    return interrupts


def _again(use: _Use) -> None:
    """Give the session's latest answer again: its run may have failed."""
    given = [entry for thread, entry, _ in use.watch.answers if thread == use.thread]
    if given:
        _post(use, given[-1])


def _answer(use: _Use, interrupts: Sequence[Interrupt], device: str) -> None:
    """Answer by one of the doors; now and then twice."""
    chance = use.world.scheduler.chance
    door = chance.choice(("one by one", "resume", "agui", "inbox"))
    entries = [_entry(use, interrupt) for interrupt in interrupts]
    if door == "one by one":
        _post(use, chance.choice(entries))
    elif door == "inbox":
        page = _tried(use, "inbox", lambda: list_interrupts(clients.USER))[0]
        listed = {item.id for item in page.interrupts} if page is not None else set()
        for entry in entries:
            if entry.interrupt_id in listed:
                _post(use, entry)
                break
    else:
        run = f"go-{device}-{chance.randint(1, 10**6)}"
        for _ in range(chance.choice((1, 1, 2))):
            _resume(use, run, entries, door)


def _entry(use: _Use, interrupt: Interrupt) -> ResumeEntry:
    chance = use.world.scheduler.chance
    if chance.random() < 0.2:
        return ResumeEntry(interrupt["id"], "cancelled")
    return ResumeEntry(interrupt["id"], "resolved", payload_for(interrupt, chance))


def _post(use: _Use, entry: ResumeEntry) -> None:
    for _ in range(use.world.scheduler.chance.choice((1, 1, 2))):
        accepted, code = _tried(use, "answer", lambda: answer_question(Caller(clients.USER), entry))
        _note(use, [entry], None if accepted is None else accepted.task_id, code)


def _resume(use: _Use, run: str, entries: Sequence[ResumeEntry], door: str) -> None:
    resume = [{"interruptId": one.interrupt_id, "status": one.status, "payload": one.payload} for one in entries]
    if door == "resume":
        raw = json.dumps({"threadId": use.thread, "runId": run, "resume": resume}).encode()
        accepted, code = _tried(use, f"resume {run}", lambda: resume_run(raw, Caller(clients.USER)))
        _note(use, entries, None if accepted is None else accepted.task_id, code)
        return
    changes = {"threadId": use.thread, "resume": resume, "protocolVersion": "1.0"}
    taken: list[str] = []
    raw = json.dumps(agui_body(run, FIRST, {"id": "reply", "role": "assistant", "content": "?"}, **changes)).encode()
    _, code = _tried(use, f"talk {run}", lambda: _talk(use, raw, taken), clients.STREAM_SECONDS)
    _note(use, entries, taken[-1] if taken else None, code)


def _talk(use: _Use, raw: bytes, taken: list[str]) -> None:
    stream = send_message(raw, Caller(clients.USER))
    taken.append(stream.subscription.run_key)
    cut = use.world.scheduler.chance.choice((1, 3, 1_000, 1_000))
    frames: list[bytes] = []
    with suppress(ClientDisconnect):
        clients.respond(stream.subscription, agui_format(stream.profile, stream.snapshot_event), frames, cut)


def _note(use: _Use, entries: Sequence[ResumeEntry], run_key: str | None, code: Code | None) -> None:
    """Note what an answer led to. A run that asks while its session is deleted ends with a question that is nowhere."""
    is_gone = code == Code.AGENT_INTERRUPT_NOT_FOUND and use.watch.is_deleted(use.thread)
    if code is not None and code not in TOO_LATE and not is_gone:
        use.world.violated(f"an answer gets {code.name}")
    if run_key is not None:
        use.watch.answers += [(use.thread, entry, run_key) for entry in entries]


def _leave(use: _Use, number: int, interrupts: Sequence[Interrupt]) -> None:
    """Send another message instead: a new one, or an edit of the first; by a client that may leave questions or not."""
    chance, run = use.world.scheduler.chance, f"other-{number}"
    new = {"id": f"msg-{run}", "role": "user", "content": "Or not?"}
    match chance.randrange(5):
        case 0:
            raw = json.dumps(clients.request(use.thread, run, follow_up=False)).encode()
            _, code = _tried(use, f"submit {run}", lambda: submit_run(raw, Caller(clients.USER)))
        case 1:  # as clients before 1.0 do
            code = _speak(use, run, new)
        case 2:
            code = _speak(use, run, {"id": "msg-run-1", "role": "user", "content": f"Edited {run}"})
        case 3:
            left = [{"interruptId": interrupt["id"], "status": "cancelled"} for interrupt in interrupts]
            code = _speak(use, run, new, protocolVersion="1.0", resume=left)
        case _:
            code = _speak(use, run, new, protocolVersion="1.0")
    if code is not None and code not in LEFT:
        use.world.violated(f"a message instead of an answer gets {code.name}")


def _speak(use: _Use, run: str, message: Mapping[str, Any], **changes: Any) -> Code | None:
    listed = [message] if message["id"] == FIRST["id"] else [FIRST, message]
    raw = json.dumps(agui_body(run, *map(dict, listed), threadId=use.thread, **changes)).encode()
    return _tried(use, f"talk {run}", lambda: _talk(use, raw, []), clients.STREAM_SECONDS)[1]


def _try_badly(use: _Use, interrupts: Sequence[Interrupt]) -> None:
    """Give answers that nobody may give; `Watch` sees if one had an effect."""
    chance = use.world.scheduler.chance
    interrupt = chance.choice(interrupts)
    good = payload_for(interrupt, chance)
    bad = ResumeEntry(interrupt["id"], "resolved", bad_payload_for(interrupt, chance))
    if interrupt["metadata"]["kind"] == "text" and bad.payload == "":
        bad = ResumeEntry(interrupt["id"], "resolved", 7)
    tries: Sequence[tuple[Callable[[], object], frozenset[Code]]] = (
        (lambda: answer_question(Caller(clients.USER), bad), WRONG | TOO_LATE),
        (
            lambda: answer_question(Caller(clients.STRANGER), ResumeEntry(interrupt["id"], "resolved", good)),
            frozenset({Code.AGENT_INTERRUPT_NOT_FOUND}),
        ),
        (
            lambda: answer_question(Caller(clients.USER), ResumeEntry("0" * 32, "cancelled")),
            frozenset({Code.AGENT_INTERRUPT_NOT_FOUND}),
        ),
    )
    for act, codes in tries:
        answer, code = _tried(use, "bad answer", act)
        if answer is not None or (code is not None and code not in codes):
            use.world.violated(f"a bad answer gets {None if code is None else code.name}")


def _tried(use: _Use, name: str, act: Callable[[], Any], seconds: float = 30.0) -> tuple[Any, Code | None]:
    """Repeat a request until there is an answer; returns it, or the code of its refusal, or neither."""
    world = use.world
    error: Exception | None = None
    for _ in range(TRIES):
        try:
            return world.function(name, act, seconds), None
        except Problem as problem:
            error = problem
            if problem.status < 500:
                return None, Code[problem.code.name]
        except Exception as failure:  # noqa: BLE001 (the function failed: a client repeats the request)
            error = failure
            if not world.aws.faults:
                world.violated(f"{name} failed: {failure!r}")
        world.scheduler.pause(world.scheduler.chance.uniform(0.2, 5))
    if not world.aws.faults:
        world.violated(f"{name} had no answer: {error!r}")
    return None, None


def _end(world: World, watch: Watch) -> None:
    """Check what there is while questions are open; then have each of them end."""
    watch.check()
    _check_free(world, watch)
    for _ in range(ROUNDS * 3):
        ids = watch.open_ids()
        if not ids:
            break
        world.scheduler.spawn("last answer", partial(_cancel, world, watch, ids))
        world.scheduler.run()
    else:
        world.violated("questions do not end")
    watch.check()


def _cancel(world: World, watch: Watch, ids: Sequence[str]) -> None:
    """Cancel open questions; those of deleted sessions are closed by a deletion that is repeated."""
    use = _Use(world, watch, "")
    for question in ids:
        entry = ResumeEntry(question, "cancelled")
        accepted, code = _tried(use, "last answer", partial(answer_question, Caller(clients.USER), entry))
        if code == Code.AGENT_SESSION_NOT_FOUND and world.aws.faults:
            clients.delete(world, watch.thread_of(question))
        elif accepted is None and code not in (Code.AGENT_RUN_IN_PROGRESS, Code.AGENT_INTERRUPT_ANSWERED):
            world.violated(f"an open question cannot be cancelled: {code}")


def _check_free(world: World, watch: Watch) -> None:
    """Open questions hold no slot and no execution: another session's run is admitted where one is the limit."""
    if not watch.open_ids():
        return
    watch.check_no_execution()
    limit, settings.runs_per_user = settings.runs_per_user, 1
    found: list[str | None] = []
    world.scheduler.spawn(
        "other session", lambda: found.append(clients.submit(world, str(uuid.uuid4()), "run-1", follow_up=False))
    )
    world.scheduler.run()
    settings.runs_per_user = limit
    if found == [None]:
        world.violated("an open question holds a slot")
