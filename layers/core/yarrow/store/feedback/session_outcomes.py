"""How readings turned out, as users recorded it: one outcome for each session, and counts. The session item repeats the
outcome: it changes in one transaction with the outcome and the counts, which are therefore exact and cost one read. A
deleted session gets none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from yarrow.store import table
from yarrow.store.items.records import Codec
from yarrow.store.items.updates import EXISTS, Attr, Update

if TYPE_CHECKING:  # only few functions need its models
    from yarrow.protocol.reading_outcome import Outcome


@dataclass(frozen=True, slots=True)
class StoredOutcome:
    outcome: "Outcome"
    note: str | None
    run_id: str | None
    recorded_at: str


_OUTCOMES: Final = Codec(StoredOutcome)


def read(user_id: str, thread_id: str) -> StoredOutcome | None:
    return _OUTCOMES.record_if(table.get(_key(user_id, thread_id)))


def counts(user_id: str) -> Mapping["Outcome", int]:
    head = _head(user_id)
    item = table.get(head) or {}
    return {cast("Outcome", name): int(count) for name, count in item.items() if name not in head}


def record(user_id: str, thread_id: str, new: StoredOutcome, replaced: "Outcome | None") -> None:
    """Store an outcome. Raises table.ConditionFailedError if another than `replaced` is stored, or the session is
    deleted.
    """
    is_unchanged = Attr("user_id").eq(user_id) & Attr("deleted_at").not_exists() & Attr("outcome").eq(replaced)
    session = table.update(table.session_key(thread_id), Update().set(outcome=new.outcome), is_unchanged)
    item = {**_key(user_id, thread_id), **_OUTCOMES.item(new)}
    if new.outcome == replaced:
        table.transact(session, table.put(item))
    elif replaced is None:
        table.transact(session, table.put(item), table.update(_head(user_id), Update().add(**{new.outcome: 1})))
    else:
        moved = Update().add(**{new.outcome: 1, replaced: -1})
        table.transact(session, table.put(item), table.update(_head(user_id), moved, EXISTS))


def delete(user_id: str, thread_id: str, outcome: "Outcome") -> None:
    """Delete the outcome of a deleted session; idempotent."""
    session = table.update(table.session_key(thread_id), Update().remove("outcome"), Attr("outcome").eq(outcome))
    counted = table.update(_head(user_id), Update().add(**{outcome: -1}), EXISTS)
    try:
        table.transact(session, counted, table.delete(_key(user_id, thread_id)))
    except table.ConditionFailedError:
        return


def partition(user_id: str) -> str:
    """Return the user's partition. It has nothing else, so that functions can be granted this alone."""
    return f"OUTCOMES#{user_id}"


def _key(user_id: str, thread_id: str) -> table.Item:
    return {"pk": partition(user_id), "sk": table.session_partition(thread_id)}


def _head(user_id: str) -> table.Item:
    return {"pk": partition(user_id), "sk": "OUTCOMES"}
