"""The latest answer of a job, for its input template."""

from typing import Final

from yarrow.store import sessions
from yarrow.store.automation.jobs import StoredJob

_MESSAGES: Final = 10
"""How many messages are searched, as the last runs may have no answer."""


def latest_result(job: StoredJob) -> str:
    """Return the text of the last answer in the job's session, possibly empty."""
    session = sessions.read(job.thread_id)
    if session is None or session.deleted_at is not None:
        return ""
    latest = sessions.messages_on(session.path, session.thread_id, limit=_MESSAGES)
    return next((message.content for message in latest if message.role == "assistant"), "")
