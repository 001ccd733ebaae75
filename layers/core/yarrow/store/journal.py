"""The journal of a run: its events, numbered densely from 1, stored before anyone sees them (EVT-27).

Events are kept as the JSON text they are sent as, several to an item; an item's key is the number of its last event, so
one query finds what follows a cursor. Every append also moves the run's `last_sequence`, on condition that nobody else
has: that keeps the numbers dense and shuts out a worker that was replaced or a run that has ended.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from yarrow.store import clock, table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

EVENT_DAYS = 30
"""How long a run can be replayed; its answer stays in the history."""


def append(run_key: str, attempt: int, after: int, lines: Sequence[str], others: Sequence["WriteItem"] = ()) -> int:
    """Append a worker's events after a sequence number; returns the number of the last one.

    Raises table.ConditionFailedError when the run has ended, another worker has claimed it, or `after` is not its end.
    """
    last = after + len(lines)
    advance = table.update(
        table.run_key_of(run_key),
        "SET last_sequence = :last",
        {":last": last, ":after": after, ":attempt": attempt, ":running": "running"},
        "phase = :running AND attempt = :attempt AND last_sequence = :after",
    )
    batches = [batch(run_key, after + 1, lines)] if lines else []
    table.transact(advance, *batches, *others)
    return last


def end(
    run_key: str,
    after: int,
    lines: Sequence[str],
    phase: Literal["finished", "failed", "canceled"],
    others: Sequence["WriteItem"],
) -> None:
    """Append the last events and end the run: the one place where a run ends, whoever ends it (EVT-08).

    Raises table.ConditionFailedError when it has ended already or `after` is not its end.
    """
    last = after + len(lines)
    close = table.update(
        table.run_key_of(run_key),
        "SET phase = :phase, last_sequence = :last, ended_at = :now",
        {
            ":phase": phase,
            ":last": last,
            ":now": clock.now_iso(),
            ":after": after,
            ":queued": "queued",
            ":running": "running",
        },
        "phase IN (:queued, :running) AND last_sequence = :after",
    )
    table.transact(close, batch(run_key, after + 1, lines), *others)


def batch(run_key: str, first: int, lines: Sequence[str]) -> "WriteItem":
    """An item that holds consecutive events, `first` and those after it."""
    item = {
        **table.event_key(run_key, first + len(lines) - 1),
        "first_sequence": first,
        "events": "\n".join(lines),
        "expires_at": clock.epoch_in(EVENT_DAYS),
    }
    return table.put(item, "attribute_not_exists(pk)")


def read(run_key: str, after: int, *, batches: int | None = None) -> Iterator[tuple[int, str]]:
    """The events after a sequence number with their own, in order, from at most that many batches."""
    start = table.event_key(run_key, after)
    for item in table.query(start["pk"], after=start["sk"], before="EVENT#~", limit=batches):
        first = int(item["first_sequence"])
        if first > after + 1:
            return  # a query is no snapshot: the batch before this one was stored while it ran
        for sequence, line in enumerate(item["events"].split("\n"), first):
            if sequence > after:
                yield sequence, line
                after = sequence
