"""A session's messages as runners read them, without structured output or payloads. Reads are bounded and start by key,
as `seq` is dense from 1 (RNR-55 … RNR-57).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from yarrow.formats import json_text
from yarrow.protocol.runner.api import AgentAPIException, TranscriptItem, TranscriptPage
from yarrow.store import cursor, sessions, table
from yarrow.store.branches import Path
from yarrow.store.items.records import Codec

MAX_PAGE: Final = 100
CONTENT_CHARACTERS: Final = 4_000
SEARCH_DEPTH: Final = 500

_LAST_SEQ = 9_999_999_999
_LEAD = 200
"""Characters of an excerpt before a distant match."""

_FILTERS = {"role": ("user", "assistant")}


@dataclass(frozen=True, slots=True)
class TranscriptEnd:
    """Cursor and seq of the latest message, if any."""

    latest_cursor: str | None = None
    transcript_seq: int | None = None


@dataclass(frozen=True, slots=True)
class _Record:
    """`artifacts` and `extras` are JSON texts."""

    id: str
    seq: int
    role: Literal["user", "assistant"]
    content: str
    timestamp: str
    event_id: str | None = None
    artifacts: str | None = None
    extras: str | None = None


_RECORDS: Final = Codec(_Record)


def page(
    thread_id: str,
    *,
    before_cursor: str | None = None,
    after_cursor: str | None = None,
    limit: int = 50,
    direction: Literal["backward", "forward"] = "backward",
    include_artifacts: bool = False,
    path: Path | None = None,
) -> TranscriptPage:
    """Read messages between two cursors, backward from the later or forward from the earlier; in conversation order.
    `has_more` is for the requested direction. Raises AgentAPIException `invalid_argument` for a cursor of another
    transcript.
    """
    limit = min(limit, MAX_PAGE)
    first = 1 if after_cursor is None else _seq(thread_id, after_cursor) + 1
    last = _LAST_SEQ if before_cursor is None else min(_seq(thread_id, before_cursor) - 1, _LAST_SEQ)
    backward = direction == "backward"
    records = list(_records(thread_id, first, last, limit + 1, newest_first=backward, path=path))
    has_more = len(records) > limit
    selected = records[:limit][::-1] if backward else records[:limit]
    if not selected:
        return TranscriptPage(items=())
    items = tuple(_item(thread_id, record, artifacts=include_artifacts) for record in selected)
    more_after = before_cursor is not None if backward else has_more
    return TranscriptPage(
        items=items,
        prev_cursor=items[0].cursor if items[0].seq > _first(path) else None,
        next_cursor=items[-1].cursor if more_after else None,
        has_more=has_more,
    )


def search(
    thread_id: str,
    query: str,
    filters: Mapping[str, Any] | None = None,
    top_k: int = 10,
    path: Path | None = None,
) -> list[TranscriptItem]:
    """Find the latest `top_k` of the last SEARCH_DEPTH messages with every word of the query, newest first. Words are
    split at blanks and match anywhere, ignoring case, so Chinese phrases match. Raises AgentAPIException
    `invalid_argument` for `filters` other than `role`.
    """
    wanted = dict(filters or {})
    for name, value in wanted.items():
        if not isinstance(value, str) or value not in _FILTERS.get(name, ()):
            raise AgentAPIException("invalid_argument", "history can be filtered by role: user or assistant")
    words = query.casefold().split()
    found: list[TranscriptItem] = []
    for record in _records(thread_id, 1, _LAST_SEQ, SEARCH_DEPTH, newest_first=True, path=path):
        text = record.content.casefold()
        if words and all(word in text for word in words) and wanted.get("role", record.role) == record.role:
            found.append(_item(thread_id, record, around=text.index(words[0])))
            if len(found) == top_k:
                break
    return found


def tail(thread_id: str, limit: int, max_bytes: int, path: Path | None = None) -> list[TranscriptItem]:
    """Read the last messages in order, up to a number of messages and UTF-8 bytes."""
    items: list[TranscriptItem] = []
    room = max_bytes
    if limit < 1:
        return items
    for record in _records(thread_id, 1, _LAST_SEQ, min(limit, MAX_PAGE), newest_first=True, path=path):
        item = _item(thread_id, record, artifacts=True)
        room -= len(item.content.encode())
        if room < 0:
            break
        items.append(item)
    return items[::-1]


def position(session: sessions.Session) -> TranscriptEnd:
    seq = session.path.last
    return TranscriptEnd(_cursor(session.thread_id, seq), seq) if seq else TranscriptEnd()


def _records(
    thread_id: str, first: int, last: int, limit: int, *, newest_first: bool, path: Path | None
) -> Iterator[_Record]:
    segments = [(1, _LAST_SEQ)] if path is None else [segment[:2] for segment in path.segments]
    for begin, end in reversed(segments) if newest_first else segments:
        if limit > 0 and max(begin, first) <= min(end, last):
            start = table.message_key(thread_id, max(begin, first))
            before = table.message_key(thread_id, min(end, last))
            for item in table.query(
                start["pk"],
                start=start["sk"],
                before=before["sk"],
                limit=limit,
                newest_first=newest_first,
                attributes=_RECORDS.attributes,
            ):
                limit -= 1
                yield _RECORDS.record(item)


def _first(path: Path | None) -> int:
    return 1 if path is None else path.first


def _item(thread_id: str, record: _Record, *, artifacts: bool = False, around: int = 0) -> TranscriptItem:
    return TranscriptItem(
        item_id=record.id,
        seq=record.seq,
        cursor=_cursor(thread_id, record.seq),
        role=record.role,
        content=_excerpt(record.content, around),
        created_at=record.timestamp,
        artifacts=json_text.loads(record.artifacts.encode()) if artifacts and record.artifacts is not None else (),
        event_id=record.event_id,
        name=_name(record),
    )


def _name(record: _Record) -> str | None:
    """Return an assistant's name; a user's is in the actor."""
    if record.role != "assistant" or record.extras is None:
        return None
    name: str | None = json_text.loads(record.extras.encode()).get("name")
    return name


def _excerpt(content: str, around: int) -> str:
    """Return the beginning, or text near `around` beyond CONTENT_CHARACTERS; `…` marks a cut."""
    if len(content) <= CONTENT_CHARACTERS:
        return content
    if around < CONTENT_CHARACTERS - _LEAD:
        return content[: CONTENT_CHARACTERS - 1] + "…"
    rest = content[around - _LEAD :]
    return "…" + (rest if len(rest) < CONTENT_CHARACTERS else rest[: CONTENT_CHARACTERS - 2] + "…")


def _cursor(thread_id: str, seq: int) -> str:
    return cursor.encode("transcript", thread_id, seq)


def _seq(thread_id: str, text: str) -> int:
    return cursor.decode("transcript", thread_id, text)
