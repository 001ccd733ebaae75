"""Reading history: one session in full, or the latest answer of every session of a user."""

from yarrow.protocol.history import AssistantItem, Snapshot, UserItem
from yarrow.protocol.problems import Code, Problem
from yarrow.store import sessions

DEFAULT_SESSIONS = 20
MAX_SESSIONS = 50


def whole_session(thread_id: str, user_id: str) -> Snapshot:
    """All messages of the user's session by ascending seq (HIS-01). Raises Problem 403 or 404 (HIS-16)."""
    session = sessions.owned(thread_id, user_id)
    items = tuple(_item(message) for message in sessions.messages(thread_id))
    return Snapshot(scope="history_session_full", thread_id=session.thread_id, has_more=False, messages=items)


def latest_by_session(user_id: str, limit: str | None) -> Snapshot:
    """The latest assistant message of each session, last active first (HIS-02, HIS-03).

    `limit` is the query's `session_limit`. Raises Problem 422 unless it is 1 … MAX_SESSIONS.
    """
    wanted = DEFAULT_SESSIONS if limit is None else int(limit) if limit.isascii() and limit.isdecimal() else 0
    if not 1 <= wanted <= MAX_SESSIONS:
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, f"session_limit must be 1 to {MAX_SESSIONS}")
    messages, more = sessions.latest_messages(user_id, wanted)
    return Snapshot(
        scope="history_sessions_latest_assistant",
        thread_id=None,
        has_more=more,
        messages=tuple(_item(message) for message in messages),
    )


def _item(message: sessions.Message) -> UserItem | AssistantItem:
    shared = {
        "id": message.id,
        "thread_id": message.thread_id,
        "seq": message.seq,
        "content": message.content,
        "timestamp": message.timestamp,
    }
    if message.role == "user":
        return UserItem.model_validate(shared)
    return AssistantItem.model_validate({**shared, "agent_output": message.agent_output})
