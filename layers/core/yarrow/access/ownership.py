"""Finds the caller's session and run."""

from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH, is_uuid
from yarrow.store import runs, sessions, submit_snapshot, table


def check_thread_id(thread_id: str) -> None:
    """Raise Problem 422 unless it is a UUID (SES-05)."""
    if not is_uuid(thread_id):
        raise Problem(Code.AGENT_SESSION_ID_INVALID, "threadId must be a valid UUID")


def run_of(user_id: str, thread_id: str, run_id: str | None) -> runs.Run:
    """Find the user's run (SEC-03). Raises Problem: 422 for a bad id, 404 for an unknown session or run, 403 for
    another user's session.
    """
    run, _ = run_with(user_id, thread_id, run_id)
    return run


def run_with(
    user_id: str, thread_id: str, run_id: str | None, *more: table.Item
) -> tuple[runs.Run, list[table.Item | None]]:
    """Read the items of more keys with the run. Raises Problem as `run_of`."""
    check_thread_id(thread_id)
    if not run_id or len(run_id) > MAX_RUN_ID_LENGTH:
        raise Problem(Code.AGENT_INVALID_RUN_ID, "the query parameter runId is required, of at most 128 characters")
    key = runs.key_of(user_id, thread_id, run_id)
    (session, run, _), others = submit_snapshot.read_with(thread_id, key, *more)
    sessions.of_user(session, user_id)
    if run is None:
        raise Problem(Code.AGENT_RUN_NOT_FOUND, "the session has no such run")
    return run, others
