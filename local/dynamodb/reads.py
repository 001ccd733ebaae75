"""Filters, projections, key ranges and pages of reads."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from local.dynamodb import expressions
from local.dynamodb.errors import invalid
from local.dynamodb.evaluation import Item, Request
from local.dynamodb.expressions import KeyPart, ParsedExpression
from local.dynamodb.keys import EVERYTHING, Key, KeySchema, Range, Value
from local.dynamodb.sizes import MAX_PAGE_BYTES
from local.dynamodb.table import Table

Json = dict[str, Any]

PARAMETERS: Final = frozenset(
    {
        "ConsistentRead",
        "ExpressionAttributeNames",
        "ExpressionAttributeValues",
        "ProjectionExpression",
        "ReturnConsumedCapacity",
        "TableName",
    }
)
OF_PAGES: Final = PARAMETERS | {"ExclusiveStartKey", "FilterExpression", "Limit", "Select"}


def item_filter(request: Json) -> tuple[Callable[[Item], bool], list[ParsedExpression[Any]]]:
    """Return a test of items by the filter of a query or scan, and the filter."""
    if not (text := request.get("FilterExpression")):
        return _always, []
    parsed, names, values = expressions.condition(text), request.get("ExpressionAttributeNames", {}), values_of(request)
    return lambda item: parsed.parsed(Request(item, names, values)), [parsed]


def _always(_: Item) -> bool:
    return True


def projected(request: Json, others: list[ParsedExpression[Any]]) -> Callable[[Item], Item]:
    """Return the projection of a request; checks the placeholders of all its expressions."""
    names = request.get("ExpressionAttributeNames", {})
    text = request.get("ProjectionExpression")
    if not (text or others or names):
        return _whole
    read = [expressions.projection(text)] if text else []
    expressions.check_placeholders(names, values_of(request), [*others, *read])
    if not read:
        return _whole
    wanted = {names.get(name, name) for name in read[0].parsed}
    return lambda item: {name: value for name, value in item.items() if name in wanted}


def _whole(item: Item) -> Item:
    return item


def key_range(schema: KeySchema, parts: Sequence[KeyPart], request: Request) -> tuple[Value, Range]:
    """Return the partition and the range that a key condition names."""
    named = {request.names.get(part.name, part.name): part for part in parts}
    first = named.pop(schema.partition, None)
    if first is None or first.operator != "=":
        raise invalid(f"Query condition missed key schema element: {schema.partition}")
    partition = schema.value(schema.partition, first.operands[0](request))
    if not named:
        return partition, EVERYTHING
    name, part = named.popitem()
    if name != schema.sort or named or len(parts) > len(schema.kinds):
        raise invalid(f"Query condition missed key schema element: {schema.sort}")
    values: list[Any] = [schema.value(name, operand(request)) for operand in part.operands]
    match part.operator:
        case "BETWEEN":
            bounds = Range(values[0], values[1])
        case "begins_with":
            bounds = Range(prefix=values[0])
        case "=":
            bounds = Range(values[0], values[0])
        case "<" | "<=" as operator:
            bounds = Range(high=values[0], with_high=operator == "<=")
        case operator:
            bounds = Range(low=values[0], with_low=operator == ">=")
    return partition, bounds


def page(
    request: Json,
    table: Table,
    schema: KeySchema,
    keys: Iterable[Key],
    passes: Callable[[Item], bool],
    project: Callable[[Item], Item],
) -> Json:
    """Return the items up to `Limit` or a megabyte, and where the next page begins, even if it is empty."""
    limit = request.get("Limit")
    found: list[Item] = []
    scanned = size = 0
    more: Json = {}
    for key in keys:
        item, of_item = table.get_with_size(key)
        scanned += 1
        size += of_item
        if passes(item):
            found.append(project(item))
        if scanned == limit or size > MAX_PAGE_BYTES:
            named = {**table.schema.kinds, **schema.kinds}
            more = {"LastEvaluatedKey": {name: item[name] for name in named}}
            break
    items = {} if request.get("Select") == "COUNT" else {"Items": found}
    return {**items, "Count": len(found), "ScannedCount": scanned, **more}


def values_of(request: Mapping[str, Any]) -> Item:
    values: Item = request.get("ExpressionAttributeValues", {})
    return values
