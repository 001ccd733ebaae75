"""Deletes a session."""

from yarrow.access import ownership
from yarrow.runs import cancel_run
from yarrow.store import sessions


def delete_session(user_id: str, thread_id: str) -> None:
    """Hide the user's session for good (SES-01), cancel its run and close its questions. A no-op if it is missing or
    deleted (SES-02). Raises Problem: 422 for a bad thread id (SES-05), 403 for another user's session, even deleted
    (SES-03, C24).
    """
    ownership.check_thread_id(thread_id)
    session = sessions.read(thread_id)
    if session is None:
        return
    sessions.check_owner(session, user_id)
    deleted = sessions.mark_deleted(session)
    if deleted is not None and deleted.active_run is not None:
        cancel_run.stop(deleted.active_run)
    if deleted is not None and deleted.open_questions:
        from yarrow.store import questions  # few sessions have open ones

        questions.close_of(deleted)
