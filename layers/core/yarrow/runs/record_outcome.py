"""Records how the reading of a session turned out."""

from dataclasses import asdict
from itertools import islice
from typing import Final

from yarrow.access import ownership
from yarrow.packages.outcomes import is_reading
from yarrow.protocol.outcome_request import OutcomeRequest
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.reading_outcome import SessionOutcome
from yarrow.store import clock, event_log, runs, sessions, table
from yarrow.store.feedback import session_outcomes

SEARCHED: Final = 100
"""How many messages are searched for a reading."""
_PAGE: Final = 10
_TRIES: Final = 5


def record_outcome(user_id: str, thread_id: str, request: OutcomeRequest) -> SessionOutcome:
    """Record an outcome, replacing an earlier one; idempotent. Raises Problem: 403, 404 or 422 for the session, 404 for
    an unknown run, 422 without a reading.
    """
    ownership.check_thread_id(thread_id)
    for _ in range(_TRIES):
        session = sessions.read_owned(thread_id, user_id)
        run_id = _latest_reading(session) if request.run_id is None else _reading_of(session, request.run_id)
        there = None if session.outcome is None else session_outcomes.read(user_id, thread_id)
        new = session_outcomes.StoredOutcome(request.outcome, request.note or None, run_id, clock.now_iso())
        if there is not None and (there.outcome, there.note, there.run_id) == (new.outcome, new.note, new.run_id):
            return _shown(session, there)
        try:
            session_outcomes.record(user_id, thread_id, new, session.outcome)
        except table.ConditionFailedError:
            continue  # recorded by another request, or the session was deleted: read again
        return _shown(session, new)
    raise Problem(Code.SERVICE_UNAVAILABLE, "the session is busy")


def _shown(session: sessions.Session, stored: session_outcomes.StoredOutcome) -> SessionOutcome:
    return SessionOutcome(thread_id=session.thread_id, **asdict(stored))


def _latest_reading(session: sessions.Session) -> str | None:
    """Return the run id of the latest reading, if known. Raises Problem 422 if there is no reading."""
    messages = sessions.messages_on(session.path, session.thread_id, per_page=_PAGE)
    found = next((message for message in islice(messages, SEARCHED) if is_reading(message.agent_output)), None)
    if found is None:
        raise _no_reading()
    run_key = None if found.event_id is None else event_log.run_key_of(session.thread_id, found.event_id)
    run = None if run_key is None else runs.read(run_key)
    return None if run is None else run.run_id


def _reading_of(session: sessions.Session, run_id: str) -> str:
    """Return the id of a run with a reading. Raises Problem 404 for an unknown run, 422 without a reading."""
    run = runs.read(runs.key_of(session.user_id, session.thread_id, run_id))
    if run is None:
        raise Problem(Code.AGENT_RUN_NOT_FOUND, "the session has no such run")
    if run.message_seq is not None:
        event_id = event_log.event_id(run.key, run.created_at)
        for message in sessions.messages_after(session.thread_id, run.message_seq, SEARCHED):
            if message.event_id != event_id:
                break
            if is_reading(message.agent_output) and session.path.holds(message.seq):
                return run.run_id
    raise _no_reading()


def _no_reading() -> Problem:
    return Problem(Code.AGENT_OUTCOME_NO_READING, "there is no reading to record an outcome for")
