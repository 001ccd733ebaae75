"""Deleting a session: hidden at once and for good, its active run cancelled."""

from yarrow.access import ownership
from yarrow.runs import cancel_run
from yarrow.store import sessions


def delete_session(user_id: str, thread_id: str) -> None:
    """Mark the user's session as deleted (SES-01); no effect on a missing or deleted one (SES-02).

    Raises Problem: 422 for a bad thread id (SES-05), 403 for another user's session, deleted or not (SES-03, C24).
    """
    ownership.check_thread_id(thread_id)
    session = sessions.read(thread_id)
    if session is None:
        return
    sessions.check_owner(session, user_id)
    active_run = sessions.mark_deleted(session)
    if active_run is not None:
        cancel_run.stop(active_run)
