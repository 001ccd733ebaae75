"""The log of a workspace: numbered entries, each a list of changes, and a head with the state after the older ones.

Appending is one conditional put where the previous entry ends, as in `yarrow.store.journal`. Compaction moves the head
forward, and deletes entries long after they are in it, since connections may still need them. Entries do not expire:
the last ones of an idle workspace are in no head.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.settings import settings
from yarrow.store import clients, table
from yarrow.store.items.records import JSON, Codec, Form, read_from, stored_as
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Update
from yarrow.store.workspace import connections, keys
from yarrow.store.workspace.connections import Connection

COMPACT_EVERY: Final = 16
KEPT_BEHIND: Final = 64
"""Entries behind the head that stay for connections; one further behind gets a snapshot."""

_BATCH: Final = 25

Change = Mapping[str, Any]


def _compressed(state: Mapping[str, Any]) -> bytes:
    return zlib.compress(json_text.dumps(state).encode())


_COMPRESSED: Final = Form(_compressed, lambda folded: json_text.loads(zlib.decompress(bytes(folded))))


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Changes, the time in milliseconds, and the message or run that caused them."""

    number: int = field(metadata=read_from("sk", lambda sk: int(sk.removeprefix("ENTRY#"))))
    changes: Sequence[Change] = field(metadata=stored_as("changes", JSON))
    at_ms: int = field(metadata=stored_as("created_at"))
    cause: str


@dataclass(frozen=True, slots=True)
class Head:
    """The user and task, and the state after entry `through`, if it was ever compacted."""

    user_id: str
    task_name: str
    latest_session: str | None = None
    """The session switched to last, which the next connection shows (C53)."""
    through: int = field(default=0, metadata=stored_as("through_entry", always=True))
    state: Mapping[str, Any] | None = field(default=None, metadata=stored_as("folded", _COMPRESSED))


_ENTRIES: Final = Codec(LogEntry)
_HEADS: Final = Codec(Head)


@dataclass(frozen=True, slots=True)
class Stored:
    """A workspace as read. `entries` are consecutive, from the head to the last."""

    head: Head
    entries: Sequence[LogEntry]
    connections: Sequence[Connection]

    @property
    def last(self) -> int:
        return max(self.head.through, self.entries[-1].number if self.entries else 0)


def create(workspace: str, user_id: str, task_name: str) -> None:
    """Create a workspace, unless it exists."""
    try:
        table.put_alone({**keys.head(workspace), **_HEADS.item(Head(user_id, task_name))}, IS_NEW)
    except table.ConditionFailedError:
        return


def note_session(workspace: str, session_id: str) -> None:
    table.update_returning(keys.head(workspace), Update().set(latest_session=session_id), EXISTS)


def read(workspace: str) -> Stored | None:
    """Read a workspace; None if it was never opened."""
    # One query, in which the head comes last: every entry that the head lacks is in the result.
    items = list(table.query(keys.partition(workspace), start="CONNECTION#", before="WORKSPACE"))
    if not items or items[-1]["sk"] != "WORKSPACE":
        return None
    head = _HEADS.record(items[-1])
    of_log = [item for item in items if item["sk"].startswith("ENTRY#")]
    return Stored(
        head,
        _consecutive([_ENTRIES.record(item) for item in of_log]),
        [connections.stored(item) for item in items if item["sk"].startswith("CONNECTION#")],
    )


def append(workspace: str, entry: LogEntry) -> None:
    """Append an entry. Raises table.ConditionFailedError if its number is taken, possibly by this very write."""
    table.put_alone({**keys.entry(workspace, entry.number), **_ENTRIES.item(entry)}, IS_NEW)


def compact(workspace: str, stored: Stored, state: Mapping[str, Any]) -> None:
    """Move the head to the state after the last entry that was read, and delete the entries far behind it."""
    moved = Update().set(folded=_compressed(state), through_entry=stored.last)
    is_unchanged = Attr("through_entry").eq(stored.head.through)
    if table.update_returning(keys.head(workspace), moved, is_unchanged) is None:  # another worker did
        return
    old = [entry.number for entry in stored.entries if entry.number <= stored.last - KEPT_BEHIND]
    for start in range(0, len(old), _BATCH):
        deleted = [table.to_wire(keys.entry(workspace, number)) for number in old[start : start + _BATCH]]
        # The next compaction finds unprocessed deletions again.
        clients.dynamodb().batch_write_item(
            RequestItems={settings.table_name: [{"DeleteRequest": {"Key": key}} for key in deleted]}
        )


def _consecutive(entries: Sequence[LogEntry]) -> Sequence[LogEntry]:
    """Return the entries after the last gap: a deletion may have been cut short."""
    first = len(entries)
    while first and (first == len(entries) or entries[first - 1].number == entries[first].number - 1):
        first -= 1
    return entries[first:]
