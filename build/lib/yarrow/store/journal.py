"""The journal of a run: its events, numbered densely from 1, stored before anyone sees them (EVT-27).

Events are kept as the JSON text they are sent as, several to an item, what they all begin with only once. The items
form a chain: where one ends, and nowhere else, the next may be put, on condition that nobody else has. So one write of
one item appends, keeps the numbers dense, and shuts everybody else out of that place: whoever finds it taken has missed
something, be it the end of the run or another worker, and must look before going on. A worker that takes over puts an
empty item there first, after which an earlier one can append no more.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from yarrow.store import clock, table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

EVENT_DAYS = 30
"""How long a run can be replayed; its answer stays in the history."""

NOBODY = 0
"""The attempt of what is not put by a worker."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the next item of a journal goes: after event number `last`, and after so many empty ones at that point."""

    last: int = 0
    empties: int = 0

    @property
    def sort_key(self) -> str:
        """The key of the item in its run's partition; a later place has a greater one."""
        return f"EVENT#{self.last + 1:010d}.{self.empties:03d}"

    def after(self, events: int) -> "Place":
        """The place that follows an item of so many events."""
        return Place(self.last + events) if events else Place(self.last, self.empties + 1)


_BEGINNING = Place()


@dataclass(frozen=True, slots=True)
class Batch:
    """One item: its events as JSON texts, the attempt of the worker that put it, and the place that follows."""

    lines: Sequence[str]
    attempt: int
    end: Place

    def numbered(self) -> Iterator[tuple[int, str]]:
        """The events with their sequence numbers."""
        return enumerate(self.lines, self.end.last - len(self.lines) + 1)


def append(run_key: str, attempt: int, at: Place, lines: Sequence[str]) -> Place:
    """Append a worker's events at a place; returns the next. Without any events, take the place alone.

    Raises table.ConditionFailedError when the place is taken. It may have been by this very write, if its answer was
    lost: see `own`.
    """
    table.put_alone(_item(run_key, attempt, at, lines), "attribute_not_exists(pk)")
    return at.after(len(lines))


def own(run_key: str, attempt: int, at: Place) -> Place | None:
    """The place after what the worker itself has put at one; None when that was put by somebody else, or by nobody."""
    item = table.get(_key(run_key, at))
    batch = None if item is None else _batch(item, at)
    return batch.end if batch is not None and batch.attempt == attempt else None


def begin(run_key: str, line: str) -> "WriteItem":
    """Put the first event of a run."""
    return table.put(_item(run_key, NOBODY, Place(), [line]), "attribute_not_exists(pk)")


def end(
    run_key: str,
    attempt: int,
    at: Place,
    lines: Sequence[str],
    phase: Literal["finished", "failed", "canceled"],
    others: Sequence["WriteItem"],
) -> Place:
    """Append the last events and end the run: the one place where a run ends, whoever ends it (EVT-08).

    Raises table.ConditionFailedError, with what failed in the order run, journal, others.
    """
    last = at.after(len(lines))
    close = table.update(
        table.run_key_of(run_key),
        "SET phase = :phase, last_sequence = :last, ended_at = :now",
        {
            ":phase": phase,
            ":last": last.last,
            ":now": clock.now_iso(),
            ":queued": "queued",
            ":running": "running",
        },
        "phase IN (:queued, :running)",
    )
    table.transact(close, table.put(_item(run_key, attempt, at, lines), "attribute_not_exists(pk)"), *others)
    return last


def read(run_key: str, at: Place, *, limit: int | None = None, consistent: bool = True) -> Iterator[Batch]:
    """What was put from a place on, in order, at most so many items. An inconsistent reading may lag behind."""
    start = _key(run_key, at)
    yield from batches(
        table.query(start["pk"], start=start["sk"], before="EVENT#~", limit=limit, consistent=consistent), at
    )


def batches(items: Iterable[table.Item], at: Place = _BEGINNING) -> Iterator[Batch]:
    """What a run's items hold that were put from a place on, in order, to the end of the chain."""
    for item in items:
        if item["sk"] != at.sort_key:
            return  # a query is no snapshot: the item before this one was stored while it ran
        batch = _batch(item, at)
        at = batch.end
        yield batch


def place_of(run_key: str, sequence: int) -> Place | None:
    """The place of the item that has an event; None when there is no such event (yet)."""
    begins_later = Place(sequence).sort_key
    partition = _key(run_key, Place())["pk"]
    for item in table.query(partition, start="EVENT#", before=begins_later[:-1], limit=1, newest_first=True):
        place = _place(item)
        if _batch(item, place).end.last >= sequence:
            return place
    return None


def _key(run_key: str, at: Place) -> table.Item:
    return table.run_key_of(run_key, at.sort_key)


def _place(item: table.Item) -> Place:
    first, _, empties = item["sk"].removeprefix("EVENT#").partition(".")
    return Place(int(first) - 1, int(empties))


def _item(run_key: str, attempt: int, at: Place, lines: Sequence[str]) -> table.Item:
    item = {**_key(run_key, at), "attempt": attempt, "expires_at": clock.epoch_in(EVENT_DAYS)}
    if lines:
        opening = _common_start(lines)  # ids and names: most of a delta's text
        item |= {"opening": opening, "events": "\n".join(line[len(opening) :] for line in lines)}
    return item


def _batch(item: table.Item, at: Place) -> Batch:
    lines = [item["opening"] + rest for rest in item["events"].split("\n")] if "events" in item else []
    return Batch(lines, int(item["attempt"]), at.after(len(lines)))


def _common_start(lines: Sequence[str]) -> str:
    first, last = min(lines), max(lines)  # whatever these two share, all of them do
    differing = (length for length, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return first[: next(differing, len(first))]
