"""What the runner of a run raised, for its author: it is stored with the run's end and goes with the run's events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from yarrow.store import clock, journal, table
from yarrow.store.items.records import JSON, Codec, stored_as

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem


@dataclass(frozen=True, slots=True)
class Raised:
    """What worker `attempt` got: the exception that ended the run, then its causes or members.

    Each has a `type`, a `message` and `frames`, the innermost last, each with a `file`, `line`, `function` and `code`.
    """

    attempt: int
    exceptions: Sequence[Mapping[str, Any]] = field(metadata=stored_as("raised", JSON))


_RAISED: Final = Codec(Raised)


def keep(run_key: str, raised: Raised) -> "WriteItem":
    """Make the put that belongs to the transaction which ends the run: so it is of the worker that ended it."""
    expires_at = clock.epoch_in(journal.EVENT_DAYS + journal.LONGEST_RUN_DAYS)
    return table.put({**_key(run_key), **_RAISED.item(raised), "expires_at": expires_at})


def read(run_key: str) -> Raised | None:
    """Read what the run's runner raised; None if it raised nothing, or that has expired."""
    return _RAISED.record_if(table.get(_key(run_key)))


def _key(run_key: str) -> table.Item:
    return table.run_key_of(run_key, "RAISED")
