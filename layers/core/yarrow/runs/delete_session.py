"""Deletes a session."""

from yarrow.access import ownership
from yarrow.runs import cancel_run
from yarrow.store import sessions


def delete_session(user_id: str, thread_id: str) -> None:
    """Hide the user's session for good (SES-01) and cancel its run; a no-op if missing or deleted (SES-02).

    Raises Problem: 422 for a bad thread id (SES-05), 403 for another user's session, even deleted (SES-03, C24).
    """
    ownership.check_thread_id(thread_id)
    session = sessions.read(thread_id)
    if session is None:
        return
    sessions.check_owner(session, user_id)
    active_run = sessions.mark_deleted(session)
    if active_run is not None:
        cancel_run.stop(active_run)
