"""What a run has answered, as its session keeps it: for those who are told of a run after it."""

from itertools import islice
from typing import Final

from yarrow.store import event_log, sessions

_MESSAGES: Final = 50
"""How many of a session's latest messages may be the run's."""


def answer_of(user_id: str, thread_id: str, run_key: str, created_at: str) -> str | None:
    """Return the text of a run's messages, without its questions; None if its session was deleted or has none."""
    session = sessions.read(thread_id)
    if session is None or session.deleted_at is not None or session.user_id != user_id:
        return None
    event_id = event_log.event_id(run_key, created_at)
    latest = islice(sessions.messages(thread_id, newest_first=True), _MESSAGES)
    texts = [
        message.content
        for message in latest
        if message.role == "assistant" and message.event_id == event_id and not message.interrupt
    ]
    return "\n\n".join(reversed(texts)) or None
