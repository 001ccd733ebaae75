"""Values that a tool stores once a run, such as random ones, so that the next worker continues with them."""

import hashlib
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from yarrow.store import clock, table
from yarrow.store.items.updates import IS_NEW

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

DAYS: Final = 30
_NAME: Final = re.compile(r"[A-Z][A-Z_]{0,31}")
_OURS: Final = frozenset(kind.sk.partition("#")[0] for kind in table.KINDS if kind.pk.startswith("RUN#"))
"""Kinds of the platform's own items in a run's partition."""
_RESERVED: Final = frozenset({"pk", "sk", "expires_at"})


def keep(run_key: str, kind: str, of: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value stored under this kind and name in this run, else store `value` for 30 days. `kind` is in
    capitals, `of` any text; a value has text, whole numbers, booleans, lists and objects. Raises ValueError for another
    kind, or for a member whose name the item itself needs.
    """
    if not _NAME.fullmatch(kind) or kind in _OURS or not _RESERVED.isdisjoint(value):
        raise ValueError(f"{kind} is not a valid kind, or a member has the name of a key")
    try:
        table.put_alone({**_key(run_key, kind, of), **value, "expires_at": clock.epoch_in(DAYS)}, IS_NEW)
    except table.ConditionFailedError:
        kept = read(run_key, kind, of)
        if kept is not None:
            return kept
    return dict(value)


def read(run_key: str, kind: str, of: str) -> dict[str, Any] | None:
    """Return the value stored under this kind and name in this run; None if there is none."""
    kept = table.get(_key(run_key, kind, of))
    if kept is None:
        return None
    return {name: _plain(member) for name, member in kept.items() if name not in _RESERVED}


def put(run_key: str, kind: str, of: str, value: Mapping[str, Any]) -> "WriteItem":
    """Make the put of a value, on condition that there is none: a tool's effect in one transaction with it is once."""
    return table.put({**_key(run_key, kind, of), **value, "expires_at": clock.epoch_in(DAYS)}, IS_NEW)


def _key(run_key: str, kind: str, of: str) -> table.Item:
    return table.run_key_of(run_key, f"{kind}#{hashlib.sha256(of.encode()).hexdigest()}")


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value)
    if isinstance(value, list):
        return [_plain(member) for member in value]
    return {name: _plain(member) for name, member in value.items()} if isinstance(value, dict) else value
