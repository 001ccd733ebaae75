"""Writes of items: single, in batches and in transactions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from local.dynamodb import expressions
from local.dynamodb.errors import invalid
from local.dynamodb.evaluation import Item, Request
from local.dynamodb.expressions import Condition, ParsedExpression
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

_ALLOWED: Final = {kind: parameters | CONDITIONAL | RETURNS for kind, parameters in PARAMETERS.items()}

Result = tuple[Item | None, int]
"""The item after a write, None if it is gone or stays as it is, and its bytes."""


@dataclass(frozen=True, slots=True)
class Write:
    """One write, single or in a transaction."""

    kind: str
    table: Table
    key: Key
    named: Item
    """What names the item: its key, or a whole new one."""
    condition: ParsedExpression[Condition] | None
    update: ParsedExpression[tuple[expressions.Action, ...]] | None
    names: Mapping[str, str]
    values: Item
    tells_item: bool

    @classmethod
    def of(cls, table_of: Callable[[Json], Table], kind: str, arguments: Json) -> "Write":
        """Parse a write. Raises OperationError if it is invalid whatever the item is."""
        if kind not in PARAMETERS:
            raise invalid(f"{kind} is not supported locally")
        if not _ALLOWED[kind].issuperset(arguments):
            raise invalid(f"{kind}: {min(arguments.keys() - _ALLOWED[kind])} is not supported locally")
        table = table_of(arguments)
        named = arguments["Item" if kind == "Put" else "Key"]
        key = table.schema.key(named) if kind == "Put" else table.schema.only_key(named)
        condition = expressions.condition(text) if (text := arguments.get("ConditionExpression")) else None
        update = expressions.update(text) if (text := arguments.get("UpdateExpression")) else None
        names, values = arguments.get("ExpressionAttributeNames", {}), arguments.get("ExpressionAttributeValues", {})
        if condition is not None or update is not None or names or values:
            expressions.check_placeholders(
                names, values, [expression for expression in (condition, update) if expression is not None]
            )
        if kind == "ConditionCheck" and condition is None:
            raise invalid("The expression can not be empty; a ConditionCheck needs a ConditionExpression")
        tells_item = arguments.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        return cls(kind, table, key, named, condition, update, names, values, tells_item)

    def is_allowed(self, old: Item | None) -> bool:
        """Return whether the condition allows the write, given the current item."""
        return self.condition is None or self.condition.parsed(Request(old or {}, self.names, self.values))

    def after(self, old: Item | None) -> Result:
        """Return the new item and its bytes. Raises ValidationException if the write does not fit the current item."""
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

    def failed_item(self, old: Item | None) -> Json:
        """Return the item for which a condition failed, if the write asks for it."""
        return {"Item": old} if old is not None and self.tells_item else {}


def require_distinct(writes: Sequence[Write], message: str) -> None:
    if len({(write.table.name, write.key) for write in writes}) < len(writes):
        raise invalid(message)


def reason(write: Write, old: Item | None) -> Json:
    if write.is_allowed(old):
        return {"Code": "None"}
    return {"Code": "ConditionalCheckFailed", "Message": FAILED, **write.failed_item(old)}


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
