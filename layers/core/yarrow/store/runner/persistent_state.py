"""Persistent state of runners: JSON values by key, per runner, binding, scope and identity. One item lists the keys of
a space; transactions that add or remove a key update it, which bounds their number under concurrent writes (RNR-36,
RNR-60, RNR-84).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from yarrow.formats import json_text
from yarrow.protocol.runner.api import AgentAPIException, StateScope
from yarrow.store import table
from yarrow.store.items.updates import EXISTS, Attr, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

VALUE_BYTES: Final = 256 * 1024
KEYS_OF_A_SPACE: Final = 200


@dataclass(frozen=True, slots=True)
class StateSpace:
    """`scope_id` is the thread, actor, subject, runner or binding. Erasing a user finds values by `user_id`."""

    runner_id: str
    binding_id: str
    scope: StateScope
    scope_id: str
    user_id: str | None = field(default=None, compare=False)


def read_all(space: StateSpace) -> dict[str, Any]:
    names = _key_of_names(space)
    prefix = f"{names['sk']}#"
    # "$" follows "#": keys of any script are between.
    items = table.query(names["pk"], start=prefix, before=f"{names['sk']}$")
    return {item["sk"].removeprefix(prefix): _value(item) for item in items}


def get(space: StateSpace, key: str) -> Any:
    item = table.get(_key(space, key))
    return None if item is None else _value(item)


def set_value(space: StateSpace, key: str, value: Any) -> None:
    """Store a value. Raises AgentAPIException: `invalid_argument` if it is not JSON, `payload_too_large` over
    VALUE_BYTES or KEYS_OF_A_SPACE.
    """
    item = _item(space, key, value)
    try:
        table.put_alone(item, EXISTS)
    except table.ConditionFailedError:
        _add(space, key, item)


def delete(space: StateSpace, key: str) -> bool:
    """Delete a value; False if it is missing."""
    forget = table.update(_key_of_names(space), Update().delete(state_keys={key}), Attr("state_keys").contains(key))
    try:
        table.transact(forget, table.delete(_key(space, key)))
    except table.ConditionFailedError:
        return False
    return True


def keys(space: StateSpace, prefix: str = "", limit: int = 100) -> tuple[list[str], bool]:
    """Return the first `limit` keys, sorted, and whether there are more."""
    found = sorted(key for key in _names(space) if key.startswith(prefix))
    return found[:limit], len(found) > limit


def has_room(space: StateSpace, new: set[str]) -> bool:
    """Return whether the space can have these keys too; to be checked before `keep`."""
    return len(_names(space) | new) <= KEYS_OF_A_SPACE


def keep(space: StateSpace, values: Mapping[str, Any]) -> list["WriteItem"]:
    """Make the items that store values. The number of keys is not checked, which could fail a run's end. Raises
    AgentAPIException as `set_value` does.
    """
    if not values:
        return []
    puts = [table.put(_item(space, key, value)) for key, value in values.items()]
    return [table.update(_key_of_names(space), _named(space, set(values))), *puts]


def _add(space: StateSpace, key: str, item: table.Item) -> None:
    names = Attr("state_keys")
    has_room = names.not_exists() | names.size_lt(KEYS_OF_A_SPACE) | names.contains(key)
    name = table.update(_key_of_names(space), _named(space, {key}), has_room)
    try:
        table.transact(name, table.put(item))
    except table.ConditionFailedError as error:
        raise AgentAPIException("payload_too_large", f"the scope has {KEYS_OF_A_SPACE} keys already") from error


def _named(space: StateSpace, keys: set[str]) -> Update:
    named = Update().add(state_keys=keys)
    return named if space.user_id is None else named.set(user_id=space.user_id)


def _names(space: StateSpace) -> set[str]:
    item = table.get(_key_of_names(space))
    return set() if item is None else item.get("state_keys", set())


def _key_of_names(space: StateSpace) -> table.Item:
    # A digest: ids may be longer than the table's keys, and have any characters.
    scope_id = space.scope_id.lower() if space.scope == "conversation" else space.scope_id
    names = json_text.dumps([space.runner_id, space.binding_id, space.scope, scope_id])
    own = f"STATE#{hashlib.sha256(names.encode()).hexdigest()}"
    return {"pk": table.session_partition(scope_id) if space.scope == "conversation" else own, "sk": own}


def _key(space: StateSpace, key: str) -> table.Item:
    names = _key_of_names(space)
    return {**names, "sk": f"{names['sk']}#{key}"}


def _item(space: StateSpace, key: str, value: Any) -> table.Item:
    return {**_key(space, key), "value_json": _to_json(value)}


def _value(item: table.Item) -> Any:
    return json_text.loads(item["value_json"].encode())


def _to_json(value: Any) -> str:
    try:
        text = json_text.dumps(value)
        raw = text.encode()
        json_text.loads(raw)  # it must be readable
    except (TypeError, ValueError, RecursionError) as error:
        raise AgentAPIException("invalid_argument", "the value is not JSON") from error
    if len(raw) > VALUE_BYTES:
        raise AgentAPIException("payload_too_large", f"a value must have at most {VALUE_BYTES} bytes of JSON")
    return text
