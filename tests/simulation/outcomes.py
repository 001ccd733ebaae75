"""Outcomes of readings, recorded on two devices while sessions are deleted; a part of `user_items`."""

import uuid
from collections.abc import Callable
from typing import Any, Final

from tests.simulation import clients
from tests.simulation.world import World
from yarrow.protocol.outcome_request import OutcomeRequest
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.reading_outcome import OUTCOMES
from yarrow.runs.delete_session import delete_session
from yarrow.runs.record_outcome import record_outcome
from yarrow.store import clock, sessions, table
from yarrow.store.feedback import session_outcomes

STEPS: Final = 4
READING: Final[dict[str, Any]] = {"status": "success", "answer": "好", "error": None, "divination_derived": {}}


def begin(world: World) -> Callable[[], None]:
    """Two devices at the same sessions, each of which has a reading."""
    chance, scheduler = world.scheduler.chance, world.scheduler
    threads = [_with_reading() for _ in range(2)]
    for _ in range(2):
        scheduler.spawn("recorder", lambda: _record(world, threads), after=chance.uniform(0, 1))
    return lambda: _check(world, threads)


def _with_reading() -> str:
    thread, now = str(uuid.uuid4()), clock.now_iso()
    message = sessions.StoredMessage(f"answer-{thread}", thread, 1, "assistant", "好", now, READING)
    session = {
        **table.session_key(thread),
        "thread_id": thread,
        "user_id": clients.USER,
        "agent": "divination",
        "created_at": now,
        "last_active": now,
        "listed_for": clients.USER,
        "latest": {"id": message.id, "seq": 1},
        "message_count": 1,
        "run_count": 1,
    }
    table.transact(table.put(session), sessions.add_message(message))
    return thread


def _record(world: World, threads: list[str]) -> None:
    chance = world.scheduler.chance
    for _ in range(STEPS):
        thread = chance.choice(threads)
        if chance.random() < 0.15:
            clients.delete(world, thread)
        else:
            request = OutcomeRequest(outcome=chance.choice(OUTCOMES), note=chance.choice((None, "a", "b")))
            try:
                world.function("outcome", lambda: record_outcome(clients.USER, thread, request))  # noqa: B023
            except Problem as problem:
                if problem.code is Code.AGENT_OUTCOME_NO_READING:
                    world.violated("a reading is not found")
            except Exception:  # noqa: BLE001, S110 (no answer)
                pass
        world.scheduler.pause(chance.choice((0.0, 0.01, 1.0)))


def _check(world: World, threads: list[str]) -> None:
    """The counts are those of the sessions; a delete that broke off is finished by the next."""
    words = []
    for thread in threads:
        if sessions.must_read(thread).deleted_at is not None:
            delete_session(clients.USER, thread)
        session, stored = sessions.must_read(thread), session_outcomes.read(clients.USER, thread)
        if session.outcome != (stored.outcome if stored else None):
            world.violated(f"a session is {session.outcome}, its outcome {stored}")
        if session.deleted_at is not None and session.outcome is not None:
            world.violated("a deleted session has an outcome")
        words += [session.outcome] if session.outcome else []
    counted = {outcome: count for outcome, count in session_outcomes.counts(clients.USER).items() if count}
    if counted != {word: words.count(word) for word in words}:
        world.violated(f"{counted} are counted, the sessions are {words}")
