"""Reads history: one session, the latest answer of each session, or one day (the older view); only user and assistant
messages (HIS-15, MSG-08).
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import asdict
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec

from yarrow.access import ownership
from yarrow.formats.query_number import whole_number
from yarrow.media import attachments
from yarrow.protocol.caller import Caller
from yarrow.protocol.history import (
    AssistantItem,
    Attachment,
    CardAssistantItem,
    CardSnapshot,
    DayAssistantItem,
    DaySnapshot,
    Snapshot,
    UserItem,
)
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.reading_outcome import SessionOutcome, record_of
from yarrow.protocol.response_body import to_json
from yarrow.protocol.run_ids import is_uuid
from yarrow.protocol.ui_schema.hints import MEMBER as UI_HINTS
from yarrow.protocol.usage import TokenCounts
from yarrow.runs import message_cards
from yarrow.runs.history_questions import answers_of, interrupt_of, with_statuses
from yarrow.store import session_list, sessions
from yarrow.store.branches import Path
from yarrow.store.feedback import session_outcomes

DEFAULT_SESSIONS = 20
MAX_SESSIONS = 50
MAX_BYTES = 3_000_000
"""Lambda returns 6 MB, and the proxy response escapes JSON again. Longer sessions show the newest messages and set
`hasMore`."""

UI_VERSION: Final = "2.0"
"""The version of cards, as `ui` requests it."""

CURSOR: Final = r"[1-9][0-9]{0,9}"
"""The seq of the oldest message of the previous answer."""

_PAGE: Final = 20
"""Messages of a day that are read at a time."""
_NEARBY: Final = 8
"""Latest messages that are read without a search for the day."""

_SHOWN: Final = ("user", "assistant")


def wants_ui(version: str | None) -> bool:
    """Return whether `ui` requests cards. Raises Problem 422 for an unknown version."""
    if version not in (None, UI_VERSION):
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, f"ui must be {UI_VERSION}")
    return version is not None


def whole_session(thread_id: str, user_id: str, *, ui: bool = False) -> Snapshot:
    """Read all messages by ascending seq (HIS-01), with cards if `ui`. Raises Problem 403, 404 or 422 (HIS-16)."""
    ownership.check_thread_id(thread_id)
    session = sessions.read_owned(thread_id, user_id)
    items, cut = _in_one_answer(
        _item(message, ui=ui) for message in _shown(sessions.messages_on(session.path, thread_id))
    )
    return _kind(ui=ui)(
        scope="history_session_full",
        thread_id=session.thread_id,
        has_more=cut,
        messages=tuple(with_statuses(user_id, items[::-1])),
        agent=session.agent,
        outcome=None if session.outcome is None else _outcome(session),
    )


def latest_by_session(
    user_id: str, limit: str | None = None, after_thread: str | None = None, *, ui: bool = False
) -> Snapshot:
    """Read the latest assistant message of each session, last active first (HIS-02, HIS-03). `after_thread` is the
    previous page's last; without it, the user's record is included. Raises Problem 422.
    """
    count = _session_limit(limit)
    if after_thread is not None and not is_uuid(after_thread):
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, "after_thread must be a valid UUID")
    answers, more = session_list.latest_answers(user_id, count, after_thread)
    listed = {answer.thread_id: answer for answer in answers}
    messages = session_list.messages_of(answers)
    items, cut = _in_one_answer(_item(message, ui=ui, listed=listed.get(message.thread_id)) for message in messages)
    return _kind(ui=ui)(
        scope="history_sessions_latest_assistant",
        thread_id=None,
        has_more=more or cut,
        messages=tuple(with_statuses(user_id, items)),
        record=None if after_thread is not None else record_of(session_outcomes.counts(user_id)),
    )


def _session_limit(limit: str | None) -> int:
    count = DEFAULT_SESSIONS if limit is None else whole_number(limit, MAX_SESSIONS)
    if count is None:
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, f"session_limit must be 1 to {MAX_SESSIONS}")
    return count


def day_of_session(caller: Caller, thread_id: str | None, before: str | None, cursor: str | None = None) -> DaySnapshot:
    """Read the last day's messages (before `before`) of a session, by default the last answered one (HIS-12). Days are
    in the caller's time zone (C37). `cursor` is the previous answer's: a long day takes several. Raises Problem 422 for
    an invalid `before` (HIS-14) or `cursor`, and as `whole_session`.
    """
    limit = None if before is None else _date(before)
    if cursor is not None and not re.fullmatch(CURSOR, cursor):
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, "cursor must be the nextCursor of a response")
    if thread_id is None:
        latest, _ = session_list.latest_answers(caller.user_id, 1)
        if not latest:
            return DaySnapshot(thread_id=None, day=None, has_more=False, messages=())
        thread_id = latest[0].thread_id
    ownership.check_thread_id(thread_id)
    session = sessions.read_owned(thread_id, caller.user_id)
    zone = ZoneInfo(caller.zoneinfo or "UTC")
    path = session.path if cursor is None else session.path.before(int(cursor))
    if limit is not None:
        path = _until(limit, zone, path, thread_id)
    day: date | None = None
    items: list[UserItem | DayAssistantItem] = []
    size, has_more = 0, False
    for message in _shown(sessions.messages_on(path, thread_id, per_page=_PAGE)):
        sent_on = _date_in(zone, message.timestamp)
        if limit is not None and sent_on >= limit:
            continue
        day = day or sent_on
        item = _day_item(message)
        size += _size(item)
        if sent_on != day or size > MAX_BYTES:
            has_more = True
            break
        items.append(item)
    return DaySnapshot(
        thread_id=session.thread_id,
        day=None if day is None else day.isoformat(),
        has_more=has_more,
        next_cursor=str(items[-1].seq) if has_more and items else None,
        messages=tuple(with_statuses(caller.user_id, items[::-1])),
    )


def _outcome(session: sessions.Session) -> SessionOutcome | None:
    """Read the outcome; None if it was deleted with the session meanwhile."""
    stored = session_outcomes.read(session.user_id, session.thread_id)
    return None if stored is None else SessionOutcome(thread_id=session.thread_id, **asdict(stored))


def _until(limit: date, zone: ZoneInfo, path: Path, thread_id: str) -> Path:
    """Drop most messages of `limit` and later days, by a binary search: they are in order of time."""

    def is_later(index: int) -> bool:
        timestamp = sessions.timestamp_of(thread_id, path.at(index))
        return timestamp is None or _date_in(zone, timestamp) >= limit

    nearby = path.count - _NEARBY
    if nearby <= 0 or not is_later(nearby):
        return path
    return path.before(path.at(bisect_left(range(nearby), True, key=is_later)))


def _date_in(zone: ZoneInfo, timestamp: str) -> date:
    return datetime.fromisoformat(timestamp).astimezone(zone).date()


def _kind(*, ui: bool) -> type[Snapshot]:
    return CardSnapshot if ui else Snapshot


def _in_one_answer(items: Iterable[UserItem | AssistantItem]) -> tuple[list[UserItem | AssistantItem], bool]:
    """Return the first items within MAX_BYTES, and whether there are more."""
    kept: list[UserItem | AssistantItem] = []
    size = 0
    for item in items:
        size += _size(item)
        if size > MAX_BYTES:
            return kept, True
        kept.append(item)
    return kept, False


def _size(item: UserItem | AssistantItem | DayAssistantItem) -> int:
    return len(to_json(item))


def _shown(messages: Iterable[sessions.StoredMessage]) -> Iterable[sessions.StoredMessage]:
    return (message for message in messages if message.role in _SHOWN)


def _date(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, "before must be a date, YYYY-MM-DD")
    return day


def _item(
    message: sessions.StoredMessage, *, ui: bool, listed: session_list.LatestAnswer | None = None
) -> UserItem | AssistantItem:
    """Make the item of a message, as that of a session in a list if it is `listed`."""
    if message.role == "user":
        return _user_item(message)
    members = {
        **_item_members(message),
        "agent_output": _without_hints(message.agent_output),
        "agent": None if listed is None else listed.agent,
        "outcome": None if listed is None else listed.outcome,
        "interrupt": interrupt_of(message),
        "usage": _usage(message),
    }
    return CardAssistantItem(**members, ui_schema=_ui_schema(message)) if ui else AssistantItem(**members)


def _day_item(message: sessions.StoredMessage) -> UserItem | DayAssistantItem:
    if message.role == "user":
        return _user_item(message)
    interrupt, usage = interrupt_of(message), _usage(message)
    return DayAssistantItem(**_item_members(message), ui_schema=_ui_schema(message), interrupt=interrupt, usage=usage)


def _usage(message: sessions.StoredMessage) -> tuple[TokenCounts, ...] | None:
    return tuple(msgspec.convert(entry, TokenCounts) for entry in message.usage) or None


def _ui_schema(message: sessions.StoredMessage) -> dict[str, Any] | None:
    """Compile the message's card (HIS-13, UIS-04)."""
    if message.agent_output is None or UI_HINTS not in message.agent_output:
        return None
    return message_cards.ui_schema(message.agent_output)


def _without_hints(output: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the output as clients know it; None if it was hints alone."""
    if output is None or UI_HINTS not in output:
        return output
    return {name: value for name, value in output.items() if name != UI_HINTS} or None


def _user_item(message: sessions.StoredMessage) -> UserItem:
    """Sign the picture URLs anew (HIS-07)."""
    pictures = (attachments.attachment(picture.path) for picture in message.pictures)
    return UserItem(
        **_item_members(message),
        attachments=tuple(Attachment(mime_type=p.mime_type, url=p.url) for p in pictures),
        name=message.extras.get("name"),
        encrypted_value=message.extras.get("encryptedValue"),
        metadata=message.extras.get("metadata"),
        answers=answers_of(message),
    )


def _item_members(message: sessions.StoredMessage) -> dict[str, Any]:
    return {
        "id": message.id,
        "thread_id": message.thread_id,
        "seq": message.seq,
        "content": message.content,
        "timestamp": message.timestamp,
    }
