"""Short texts that a user had agents remember. A head item counts them, in the transaction that adds or removes one, so
that their number is bounded under concurrent writes. An id is a hash of the text: saving a text twice stores it once.
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from yarrow.store import clock, table
from yarrow.store.items.records import Codec, in_key
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

MAX_MEMORIES: Final = 200
CHARACTERS: Final = 1_000

_ID: Final = re.compile(r"[0-9a-f]{32}")


class TooManyMemoriesError(Exception):
    """The user has MAX_MEMORIES already."""


@dataclass(frozen=True, slots=True)
class Memory:
    id: str = field(metadata=in_key("sk", "MEMORY#"))
    text: str
    created_at: str


_MEMORIES: Final = Codec(Memory)


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def id_of(user_id: str, text: str) -> str:
    """Hash the text, ignoring spacing and case."""
    same = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return hashlib.sha256(f"{len(user_id)} {user_id} {same}".encode()).hexdigest()[:32]


def save(user_id: str, text: str, step_key: str | None = None) -> tuple[Memory, bool]:
    """Save a text; returns whether it is new, as it is to the step that saved it. Raises TooManyMemoriesError."""
    memory = Memory(id_of(user_id, text), text, clock.now_iso())
    by = {} if step_key is None else {"step_key": step_key}
    item = {**_key(user_id, memory.id), **_MEMORIES.item(memory), **by}
    counted = Attr("memory_count")
    has_room = counted.not_exists() | counted.lt(MAX_MEMORIES)
    count = table.update(_head(user_id), Update().add(memory_count=1), has_room)
    try:
        table.transact(count, table.put(item, IS_NEW))
    except table.ConditionFailedError as error:
        if not error.failed[1]:
            raise TooManyMemoriesError from error
        there = table.get(_key(user_id, memory.id))
        if there is None:
            return memory, False
        return _MEMORIES.record(there), step_key is not None and there.get("step_key") == step_key
    return memory, True


def forget(user_id: str, memory_id: str, others: Sequence["WriteItem"] = ()) -> bool:
    """Delete a memory, and write `others` with it; False if there is none, or a condition of theirs fails."""
    count = table.update(_head(user_id), Update().add(memory_count=-1), EXISTS)
    try:
        table.transact(count, table.delete(_key(user_id, memory_id), EXISTS), *others)
    except table.ConditionFailedError:
        return False
    return True


def of_user(user_id: str) -> list[Memory]:
    """Read a user's memories, latest first."""
    items = table.query(partition(user_id), start="MEMORY#", before="MEMORY#~")
    return sorted(map(_MEMORIES.record, items), key=lambda memory: (memory.created_at, memory.id), reverse=True)


def partition(user_id: str) -> str:
    """Return the user's partition. It has nothing else, so that functions can be granted this alone."""
    return f"MEMORIES#{user_id}"


def _key(user_id: str, memory_id: str) -> table.Item:
    return {"pk": partition(user_id), "sk": f"MEMORY#{memory_id}"}


def _head(user_id: str) -> table.Item:
    return {"pk": partition(user_id), "sk": "MEMORIES"}
