"""The journal of a run: its events, numbered from 1 without gaps, stored before anyone sees them (EVT-27).

Events are stored as the JSON text that is sent, several to an item, with their common prefix once. The items form a
chain: the next one goes where the previous one ends, by a conditional put, which keeps the numbers dense and fences out
other writers: a writer whose position is taken has missed the run's end or another worker. A worker that takes over
first puts an empty item, after which an earlier one can no longer append.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from yarrow.protocol.events.lines import event_type
from yarrow.protocol.runner.vocabulary import SHOWN_EVENTS
from yarrow.store import clock, table
from yarrow.store.items.records import Codec, stored_as
from yarrow.store.items.updates import IS_NEW, Attr, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

EVENT_DAYS = 30
"""Days after its end that a run can be replayed; its answer stays in the history."""

LONGEST_RUN_DAYS: Final = 1
"""A run may be this old when it ends: what it stores is kept that much longer."""

NOBODY = 0
"""The attempt of items that no worker wrote."""

IS_ACTIVE: Final = Attr("phase").is_in(("queued", "running"))


@dataclass(frozen=True, slots=True)
class Position:
    """The position of the next item: after event `last` and `empties` empty items there."""

    last: int = 0
    empties: int = 0

    @property
    def sort_key(self) -> str:
        """Later positions sort later."""
        return f"EVENT#{self.last + 1:010d}.{self.empties:03d}"

    def after(self, events: int) -> "Position":
        return Position(self.last + events) if events else Position(self.last, self.empties + 1)


_BEGINNING = Position()

AFTER_FIRST = _BEGINNING.after(1)
"""A run's first event has an item of its own."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One item: events as JSON texts, the attempt that wrote it, the position after it, and when it was stored (ms)."""

    lines: Sequence[str]
    attempt: int
    end: Position
    at: int | None = None

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Events with their sequence numbers."""
        return enumerate(self.lines, self.end.last - len(self.lines) + 1)


@dataclass(slots=True)  # frozen, it would take three times as long to make
class _Record:
    """`events` has a line for each event, without their common prefix `opening`; empty items have neither. `workspace`
    is the key of the workspace that shows some of the run's events.
    """

    attempt: int
    expires_at: int
    opening: str | None = None
    events: str | None = None
    workspace: str | None = None
    at: int | None = field(default=None, metadata=stored_as("stored_at"))


_RECORDS: Final = Codec(_Record)


def append(run_key: str, attempt: int, at: Position, lines: Sequence[str], workspace: str | None = None) -> Position:
    """Append events and return the next position; without events, only claim it. Raises table.ConditionFailedError if
    it is taken, possibly by this very write if its response was lost: see `own`.
    """
    table.put_alone(_item(run_key, attempt, at, lines, workspace), IS_NEW)
    return at.after(len(lines))


def own(run_key: str, attempt: int, at: Position) -> Position | None:
    """Return the position after this attempt's own item at `at`; None if it is another's or missing."""
    item = table.get(_key(run_key, at))
    batch = None if item is None else _batch(item, at)
    return batch.end if batch is not None and batch.attempt == attempt else None


def begin(run_key: str, line: str, workspace: str | None = None) -> "WriteItem":
    """Make the put of a run's first event."""
    return table.put(_item(run_key, NOBODY, Position(), [line], workspace), IS_NEW)


def end(
    run_key: str,
    attempt: int,
    at: Position,
    lines: Sequence[str],
    phase: Literal["finished", "failed", "canceled"],
    others: Sequence["WriteItem"],
    workspace: str | None = None,
    stored_ms: int | None = None,
    added: int | None = None,
) -> Position:
    """Append the last events and end the run: the only code that ends a run (EVT-08). With `added`, only if its user
    has added so many messages to it, and no more meanwhile (RNR-87). Raises table.ConditionFailedError; `failed` is in
    the order run, journal, others.
    """
    last = at.after(len(lines))
    ended = Update().set(phase=phase, last_sequence=last.last, ended_at=clock.now_iso())
    if stored_ms is not None:
        ended = ended.set(stored_ms=stored_ms)
    is_whole = IS_ACTIVE if added is None else IS_ACTIVE & Attr("added").eq(added or None)
    close = table.update(table.run_key_of(run_key), ended, is_whole)
    ending = table.put(_item(run_key, attempt, at, lines, workspace), IS_NEW)
    table.transact(close, ending, *others)
    return last


def read(run_key: str, at: Position, *, limit: int | None = None, consistent: bool = True) -> Iterator[Batch]:
    """Read up to `limit` items. Eventually consistent reads may lag."""
    start = _key(run_key, at)
    yield from batches(
        table.query(start["pk"], start=start["sk"], before="EVENT#~", limit=limit, consistent=consistent), at
    )


def batches(items: Iterable[table.Item], at: Position = _BEGINNING) -> Iterator[Batch]:
    """Yield batches from a position to the end of the chain."""
    for item in items:
        if item["sk"] != at.sort_key:
            return  # a query is not a snapshot: the item before this one was stored while it ran
        batch = _batch(item, at)
        at = batch.end
        yield batch


def position_of(run_key: str, sequence: int) -> Position | None:
    """Find the item with an event; None if there is no such event yet."""
    begins_later = Position(sequence).sort_key
    partition = _key(run_key, Position())["pk"]
    for item in table.query(partition, start="EVENT#", before=begins_later[:-1], limit=1, newest_first=True):
        position = _position(item)
        if _batch(item, position).end.last >= sequence:
            return position
    return None


def last_batch(run_key: str) -> Batch:
    """Read the newest item; an empty one if there is none."""
    partition = _key(run_key, _BEGINNING)["pk"]
    for item in table.query(partition, start="EVENT#", before="EVENT#~", limit=1, newest_first=True):
        return _batch(item, _position(item))
    return Batch((), NOBODY, _BEGINNING)


def _key(run_key: str, at: Position) -> table.Item:
    return table.run_key_of(run_key, at.sort_key)


def _position(item: table.Item) -> Position:
    first, _, empties = item["sk"].removeprefix("EVENT#").partition(".")
    return Position(int(first) - 1, int(empties))


def _item(run_key: str, attempt: int, at: Position, lines: Sequence[str], workspace: str | None) -> table.Item:
    record = _Record(attempt, clock.epoch_in(EVENT_DAYS + LONGEST_RUN_DAYS), at=clock.now_ms())
    if lines:
        record.opening = _common_start(lines)  # ids and names: most of a delta's text
        record.events = "\n".join(line[len(record.opening) :] for line in lines)
        if workspace is not None and any(event_type(line) in SHOWN_EVENTS for line in lines):
            record.workspace = workspace
    return {**_key(run_key, at), **_RECORDS.item(record)}


def _batch(item: table.Item, at: Position) -> Batch:
    record = _RECORDS.record(item)
    lines = [] if record.events is None else [f"{record.opening}{rest}" for rest in record.events.split("\n")]
    return Batch(lines, record.attempt, at.after(len(lines)), record.at)


def _common_start(lines: Sequence[str]) -> str:
    first, last = min(lines), max(lines)  # a prefix that these two share is shared by all
    differing = (length for length, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return first[: next(differing, len(first))]
