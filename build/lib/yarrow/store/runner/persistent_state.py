"""What runners keep with the host: small JSON values by key, in spaces that no two runners or bindings share.

A space belongs to a runner, in a binding, for one scope and one identity in it: this conversation, that user. The
values of a conversation lie with its session, those of other scopes apart. Each space has one item with the names of
its keys, which every transaction that adds or removes a key also writes: a set, not a counter, so that it is right
whatever is repeated, and a bound on it holds whoever writes at the same time (RNR-36, RNR-60, RNR-84).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from yarrow.formats import json_text
from yarrow.protocol.runner.api import AgentAPIException, StateScope
from yarrow.store import table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

VALUE_BYTES: Final = 256 * 1024
KEYS_OF_A_SPACE: Final = 200


@dataclass(frozen=True, slots=True)
class StateSpace:
    """Whose values these are. `scope_id` is the thread, actor, subject, runner or binding; ids are of any form.

    `user_id` is kept with those that are one user's, so that they are found when all of that user's is erased.
    """

    runner_id: str
    binding_id: str
    scope: StateScope
    scope_id: str
    user_id: str | None = field(default=None, compare=False)


def read_all(space: StateSpace) -> dict[str, Any]:
    """Every value of a space by its key."""
    names = _key_of_names(space)
    prefix = f"{names['sk']}#"
    # "$" follows "#": all keys are between, in whatever script.
    items = table.query(names["pk"], start=prefix, before=f"{names['sk']}$")
    return {item["sk"].removeprefix(prefix): _value(item) for item in items}


def get(space: StateSpace, key: str) -> Any:
    """A value; None when there is none."""
    item = table.get(_key(space, key))
    return None if item is None else _value(item)


def set_value(space: StateSpace, key: str, value: Any) -> None:
    """Keep a value in place of what the key had.

    Raises AgentAPIException: `invalid_argument` for what is not JSON, `payload_too_large` for a value of more than
    VALUE_BYTES or a key more than KEYS_OF_A_SPACE.
    """
    item = {**_key(space, key), "value_json": _to_json(value)}
    try:
        table.put_alone(item, "attribute_exists(pk)")
    except table.ConditionFailedError:
        _add(space, key, item)


def delete(space: StateSpace, key: str) -> bool:
    """Delete a value. False when there was none."""
    forget = table.update(
        _key_of_names(space),
        "DELETE state_keys :keys",
        {":keys": {key}, ":key": key},
        "contains(state_keys, :key)",
    )
    try:
        table.transact(forget, table.delete(_key(space, key)))
    except table.ConditionFailedError:
        return False
    return True


def keys(space: StateSpace, prefix: str = "", limit: int = 100) -> tuple[list[str], bool]:
    """The first `limit` keys that begin so, in order, and whether there are more."""
    found = sorted(key for key in _names(space) if key.startswith(prefix))
    return found[:limit], len(found) > limit


def has_room(space: StateSpace, new: set[str]) -> bool:
    """Whether the space can have these keys beside those it has: what to ask before `keep`."""
    return len(_names(space) | new) <= KEYS_OF_A_SPACE


def keep(space: StateSpace, values: Mapping[str, Any]) -> list["WriteItem"]:
    """Keep values of one space within a transaction, which has an item for each value and one more.

    The number of keys is not a condition, so that a run's end does not fail for it: the caller asks `has_room` first.
    Raises AgentAPIException for a value as `set_value` does.
    """
    if not values:
        return []
    puts = [table.put({**_key(space, key), "value_json": _to_json(value)}) for key, value in values.items()]
    owned, owner = _owned(space)
    return [table.update(_key_of_names(space), f"ADD state_keys :keys{owned}", {":keys": set(values), **owner}), *puts]


def _add(space: StateSpace, key: str, item: table.Item) -> None:
    owned, owner = _owned(space)
    name = table.update(
        _key_of_names(space),
        f"ADD state_keys :keys{owned}",
        {":keys": {key}, ":key": key, ":most": KEYS_OF_A_SPACE, **owner},
        "attribute_not_exists(state_keys) OR size(state_keys) < :most OR contains(state_keys, :key)",
    )
    try:
        table.transact(name, table.put(item))
    except table.ConditionFailedError as error:
        raise AgentAPIException("payload_too_large", f"the scope has {KEYS_OF_A_SPACE} keys already") from error


def _owned(space: StateSpace) -> tuple[str, dict[str, str]]:
    """What an update of the names says of their user: a part of its expression, and the values of that."""
    return ("", {}) if space.user_id is None else (" SET user_id = :user", {":user": space.user_id})


def _names(space: StateSpace) -> set[str]:
    item = table.get(_key_of_names(space))
    return set() if item is None else item.get("state_keys", set())


def _key_of_names(space: StateSpace) -> table.Item:
    # A digest, for ids may be longer than keys of the table, and have any character in them.
    scope_id = space.scope_id.lower() if space.scope == "conversation" else space.scope_id
    names = json_text.dumps([space.runner_id, space.binding_id, space.scope, scope_id])
    own = f"STATE#{hashlib.sha256(names.encode()).hexdigest()}"
    return {"pk": table.session_partition(scope_id) if space.scope == "conversation" else own, "sk": own}


def _key(space: StateSpace, key: str) -> table.Item:
    names = _key_of_names(space)
    return {**names, "sk": f"{names['sk']}#{key}"}


def _value(item: table.Item) -> Any:
    return json_text.loads(item["value_json"].encode())


def _to_json(value: Any) -> str:
    try:
        text = json_text.dumps(value)
        raw = text.encode()
        json_text.loads(raw)  # what could not be read back is not kept
    except (TypeError, ValueError, RecursionError) as error:
        raise AgentAPIException("invalid_argument", "the value is not JSON") from error
    if len(raw) > VALUE_BYTES:
        raise AgentAPIException("payload_too_large", f"a value may have {VALUE_BYTES} bytes of JSON")
    return text
