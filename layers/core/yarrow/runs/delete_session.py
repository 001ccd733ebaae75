"""Deletes a session."""

from yarrow.access import ownership
from yarrow.runs import cancel_run
from yarrow.store import event_log, sessions


def delete_session(user_id: str, thread_id: str) -> None:
    """Hide the user's session for good (SES-01), cancel its run, close its questions, and delete what its models were
    asked and answered (STP-10). A no-op if it is missing; again, it does what is left to do (SES-02). Raises Problem:
    422 for a bad thread id (SES-05), 403 for another user's session, even deleted (SES-03, C24).
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
    from yarrow.store.runner import contents  # the commands of workspaces import this module, and few delete

    for run_key in event_log.run_keys(thread_id):
        contents.delete(run_key)
