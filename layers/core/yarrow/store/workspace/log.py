"""The log of a workspace: numbered entries, each a list of changes, and a head with the fold of the older ones.

Appending is one conditional put where the entry before ends, as in `yarrow.store.journal`. Compaction replaces nothing
that is read: the head moves forward, and entries are deleted long after they are in it, since connections are still to
get them. Entries do not expire: the last of a workspace that rests are in no head.
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
"""Entries behind the head that connections may still get; those of a connection further behind get a snapshot."""

_BATCH: Final = 25

Change = Mapping[str, Any]


def _compressed(state: Mapping[str, Any]) -> bytes:
    return zlib.compress(json_text.dumps(state).encode())


_COMPRESSED: Final = Form(_compressed, lambda folded: json_text.loads(zlib.decompress(bytes(folded))))


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: its changes, the time of it in milliseconds, and the message or run that caused it."""

    number: int = field(metadata=read_from("sk", lambda sk: int(sk.removeprefix("ENTRY#"))))
    changes: Sequence[Change] = field(metadata=stored_as("changes", JSON))
    at_ms: int = field(metadata=stored_as("created_at"))
    cause: str


@dataclass(frozen=True, slots=True)
class Head:
    """Whose workspace it is, and the state after entry `through`, if it was ever compacted."""

    user_id: str
    task_name: str
    latest_session: str | None = None
    """The session that was switched to last: what the next connection shows (C53)."""
    through: int = field(default=0, metadata=stored_as("through_entry", always=True))
    state: Mapping[str, Any] | None = field(default=None, metadata=stored_as("folded", _COMPRESSED))


_ENTRIES: Final = Codec(Entry)
_HEADS: Final = Codec(Head)


@dataclass(frozen=True, slots=True)
class Stored:
    """A workspace as read. `entries` are consecutive, and reach from the head's to the last."""

    head: Head
    entries: Sequence[Entry]
    connections: Sequence[Connection]

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return max(self.head.through, self.entries[-1].number if self.entries else 0)


def create(workspace: str, user_id: str, task_name: str) -> None:
    """Create a workspace, unless it is there."""
    try:
        table.put_alone({**keys.head(workspace), **_HEADS.item(Head(user_id, task_name))}, IS_NEW)
    except table.ConditionFailedError:
        return


def note_session(workspace: str, session_id: str) -> None:
    """Remember the session that was switched to last."""
    table.update_returning(keys.head(workspace), Update().set(latest_session=session_id), EXISTS)


def read(workspace: str) -> Stored | None:
    """A workspace, strongly consistent; None if it was never opened."""
    # One query, in which the head comes last: what it does not have of the entries is all there.
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


def append(workspace: str, entry: Entry) -> None:
    """Append an entry. Raises table.ConditionFailedError if its number is taken, possibly by this very write."""
    table.put_alone({**keys.entry(workspace, entry.number), **_ENTRIES.item(entry)}, IS_NEW)


def compact(workspace: str, stored: Stored, state: Mapping[str, Any]) -> None:
    """Move the head to the state after the last entry that was read, and delete what is far behind it."""
    moved = Update().set(folded=_compressed(state), through_entry=stored.last)
    is_unchanged = Attr("through_entry").eq(stored.head.through)
    if table.update_returning(keys.head(workspace), moved, is_unchanged) is None:  # someone else did
        return
    old = [entry.number for entry in stored.entries if entry.number <= stored.last - KEPT_BEHIND]
    for start in range(0, len(old), _BATCH):
        deleted = [table.to_wire(keys.entry(workspace, number)) for number in old[start : start + _BATCH]]
        # What is left undone, the next compaction finds again.
        clients.dynamodb().batch_write_item(
            RequestItems={settings.table_name: [{"DeleteRequest": {"Key": key}} for key in deleted]}
        )


def _consecutive(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries after the last gap: a deletion may have been cut short."""
    first = len(entries)
    while first and (first == len(entries) or entries[first - 1].number == entries[first].number - 1):
        first -= 1
    return entries[first:]
