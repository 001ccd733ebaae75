"""Writes of items, alone, in batches and in transactions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from local.dynamodb import expressions
from local.dynamodb.errors import invalid
from local.dynamodb.evaluation import Item, Request
from local.dynamodb.expressions import Condition, Expression
from local.dynamodb.keys import Key
from local.dynamodb.table import Table

Json = dict[str, Any]

FAILED: Final = "The conditional request failed"

CONDITIONAL: Final = frozenset(
    {
        "ConditionExpression",
        "ExpressionAttributeNames",
        "ExpressionAttributeValues",
        "ReturnValuesOnConditionCheckFailure",
    }
)
RETURNS: Final = frozenset({"ReturnConsumedCapacity", "ReturnItemCollectionMetrics", "ReturnValues"})

PARAMETERS: Final[Mapping[str, frozenset[str]]] = {
    "Put": frozenset({"TableName", "Item"}),
    "Update": frozenset({"TableName", "Key", "UpdateExpression"}),
    "Delete": frozenset({"TableName", "Key"}),
    "ConditionCheck": frozenset({"TableName", "Key"}),
}
"""Of each kind, beside those of conditions and answers."""

_ALLOWED: Final = {kind: each | CONDITIONAL | RETURNS for kind, each in PARAMETERS.items()}

Result = tuple[Item | None, int]
"""The item after a write, None if it is gone or stays as it is, and its bytes."""


@dataclass(frozen=True, slots=True)
class Write:
    """One write, alone or in a transaction."""

    kind: str
    table: Table
    key: Key
    named: Item
    """What names the item: its key, or a whole new one."""
    condition: Expression[Condition] | None
    update: Expression[tuple[expressions.Action, ...]] | None
    names: Mapping[str, str]
    values: Item
    tells_item: bool

    @classmethod
    def of(cls, table_of: Callable[[Json], Table], kind: str, given: Json) -> "Write":
        """Raises OperationError for a write that is wrong whatever the item is."""
        if kind not in PARAMETERS:
            raise invalid(f"{kind} is not supported locally")
        if not _ALLOWED[kind].issuperset(given):
            raise invalid(f"{kind}: {min(given.keys() - _ALLOWED[kind])} is not supported locally")
        table = table_of(given)
        named = given["Item" if kind == "Put" else "Key"]
        key = table.schema.key(named) if kind == "Put" else table.schema.only_key(named)
        condition = expressions.condition(text) if (text := given.get("ConditionExpression")) else None
        update = expressions.update(text) if (text := given.get("UpdateExpression")) else None
        names, values = given.get("ExpressionAttributeNames", {}), given.get("ExpressionAttributeValues", {})
        if condition is not None or update is not None or names or values:
            expressions.check_placeholders(names, values, [each for each in (condition, update) if each is not None])
        if kind == "ConditionCheck" and condition is None:
            raise invalid("The expression can not be empty; a ConditionCheck needs a ConditionExpression")
        told = given.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        return cls(kind, table, key, named, condition, update, names, values, told)

    def is_allowed(self, old: Item | None) -> bool:
        """With this item there, if any."""
        return self.condition is None or self.condition.parsed(Request(old or {}, self.names, self.values))

    def after(self, old: Item | None) -> Result:
        """Raises ValidationException if the write cannot be made of this item."""
        if self.kind == "Put":
            return self.named, self.table.check(self.named)
        if self.kind != "Update":
            return None, 0
        item = dict(old or self.named)
        if self.update is not None:
            request = Request(old or {}, self.names, self.values)
            for action in self.update.parsed:
                action(request, item)
        for name, value in self.named.items():
            if item.get(name) != value:
                raise invalid(f"Cannot update attribute {name}. This attribute is part of the key")
        return item, self.table.check(item)

    def apply(self, result: Result) -> None:
        item, size = result
        if self.kind == "Delete":
            self.table.delete(self.key)
        elif item is not None:
            self.table.put(self.key, item, size)

    def told(self, old: Item | None) -> Json:
        """The item that a condition failed for, if the write asks for it."""
        return {"Item": old} if old is not None and self.tells_item else {}


def require_distinct(writes: Sequence[Write], message: str) -> None:
    if len({(write.table.name, write.key) for write in writes}) < len(writes):
        raise invalid(message)


def reason(write: Write, old: Item | None) -> Json:
    """Why a transaction was cancelled, as far as this write goes."""
    if write.is_allowed(old):
        return {"Code": "None"}
    return {"Code": "ConditionalCheckFailed", "Message": FAILED, **write.told(old)}


def returned(request: Json, old: Item | None, new: Item | None) -> Json:
    match request.get("ReturnValues", "NONE"):
        case "NONE":
            return {}
        case "ALL_OLD":
            return {} if old is None else {"Attributes": old}
        case "ALL_NEW" if new is not None:
            return {"Attributes": new}
        case other:
            raise invalid(f"ReturnValues {other} is not supported locally")
