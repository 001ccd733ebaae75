"""Reading history: one session in full, the latest answer of each session, or the older view of one day.

Only user and assistant messages are shown (HIS-15, MSG-08).
"""

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo

from yarrow.access import ownership
from yarrow.media import attachments
from yarrow.protocol.caller import Caller
from yarrow.protocol.history import AssistantItem, Attachment, DayAssistantItem, DaySnapshot, Snapshot, UserItem
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.store import sessions

DEFAULT_SESSIONS = 20
MAX_SESSIONS = 50
MAX_BYTES = 3_000_000
"""Message bytes in one response: Lambda returns 6 MB, and the proxy response escapes JSON again. Longer sessions show
the newest messages and set `hasMore`.
"""

_SHOWN: Final = ("user", "assistant")
_Shown = TypeVar("_Shown", UserItem | AssistantItem, UserItem | DayAssistantItem)


def whole_session(thread_id: str, user_id: str) -> Snapshot:
    """All messages of the user's session by ascending seq (HIS-01). Raises Problem 403, 404 or 422 (HIS-16)."""
    ownership.check_thread_id(thread_id)
    session = sessions.read_owned(thread_id, user_id)
    items, cut = _in_one_answer(map(_item, _shown(sessions.messages_on(session.path, thread_id))))
    return Snapshot(
        scope="history_session_full",
        thread_id=session.thread_id,
        has_more=cut,
        messages=tuple(reversed(items)),
    )


def latest_by_session(user_id: str, limit: str | None = None, after_thread: str | None = None) -> Snapshot:
    """The latest assistant message of each session, last active first (HIS-02, HIS-03).

    `limit` is `session_limit`; `after_thread` the previous page's last thread. Raises Problem 422 if either is invalid.
    """
    wanted = DEFAULT_SESSIONS if limit is None else int(limit) if re.fullmatch(r"[1-9]\d?", limit, re.ASCII) else 0
    if not 1 <= wanted <= MAX_SESSIONS:
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, f"session_limit must be 1 to {MAX_SESSIONS}")
    if after_thread is not None and not is_uuid(after_thread):
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, "after_thread must be a valid UUID")
    messages, more = sessions.latest_messages(user_id, wanted, after_thread)
    items, cut = _in_one_answer(map(_item, messages))
    return Snapshot(
        scope="history_sessions_latest_assistant", thread_id=None, has_more=more or cut, messages=tuple(items)
    )


def day_of_session(caller: Caller, thread_id: str | None, before: str | None) -> DaySnapshot:
    """The last day's messages, or those of the last day before `before`, of a session or the last answered one
    (HIS-12).

    Days are in the caller's time zone (C37). Raises Problem 422 for an invalid `before` (HIS-14), and as
    `whole_session`.
    """
    limit = None if before is None else _date(before)
    if thread_id is None:
        latest, _ = sessions.latest_messages(caller.user_id, 1)
        if not latest:
            return DaySnapshot(thread_id=None, day=None, has_more=False, messages=())
        thread_id = latest[0].thread_id
    ownership.check_thread_id(thread_id)
    session = sessions.read_owned(thread_id, caller.user_id)
    zone = ZoneInfo(caller.zoneinfo or "UTC")
    day: date | None = None
    of_day: list[UserItem | DayAssistantItem] = []
    has_more = False
    for message in _shown(sessions.messages_on(session.path, thread_id)):
        sent_on = datetime.fromisoformat(message.timestamp).astimezone(zone).date()
        if limit is not None and sent_on >= limit:
            continue
        if day is not None and sent_on != day:
            has_more = True
            break
        day = sent_on
        of_day.append(_day_item(message))
    items, cut = _in_one_answer(of_day)
    return DaySnapshot(
        thread_id=session.thread_id,
        day=None if day is None else day.isoformat(),
        has_more=has_more or cut,
        messages=tuple(reversed(items)),
    )


def _in_one_answer(items: Iterable[_Shown]) -> tuple[list[_Shown], bool]:
    """The first items within MAX_BYTES, and whether there are more."""
    kept: list[_Shown] = []
    size = 0
    for item in items:
        size += len(item.model_dump_json().encode())
        if size > MAX_BYTES:
            return kept, True
        kept.append(item)
    return kept, False


def _shown(messages: Iterable[sessions.Message]) -> Iterable[sessions.Message]:
    return (message for message in messages if message.role in _SHOWN)


def _date(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, "before must be a date, YYYY-MM-DD")
    return day


def _item(message: sessions.Message) -> UserItem | AssistantItem:
    if message.role == "user":
        return _user_item(message)
    return AssistantItem(**_item_members(message), agent_output=message.agent_output)


def _day_item(message: sessions.Message) -> UserItem | DayAssistantItem:
    return _user_item(message) if message.role == "user" else DayAssistantItem(**_item_members(message))


def _user_item(message: sessions.Message) -> UserItem:
    """The user's message, with a fresh URL for each picture (HIS-07)."""
    pictures = (attachments.attachment(picture.path) for picture in message.pictures)
    return UserItem(
        **_item_members(message), attachments=tuple(Attachment(mime_type=p.mime_type, url=p.url) for p in pictures)
    )


def _item_members(message: sessions.Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "thread_id": message.thread_id,
        "seq": message.seq,
        "content": message.content,
        "timestamp": message.timestamp,
    }
