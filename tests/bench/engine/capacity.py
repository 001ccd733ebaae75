"""What DynamoDB charges for requests, counted from the requests themselves.

Sources (Amazon DynamoDB Developer Guide): "DynamoDB read and write operations" for units: a write is 1 per KB of the
item, before or after it, whichever is larger, and 2 in a transaction; a strongly consistent read is 1 per 4 KB, an
eventually consistent one half of that; a query counts its items together, and nothing found as one unit. "Using Global
Secondary Indexes": a write per entry put or deleted.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from local.dynamodb.sizes import item_size

ITEM_OVERHEAD = 100
"""Bytes that storage counts for an item beside its own."""

Item = Mapping[str, Any]


def write_units(size: int) -> int:
    """Return the units of writing an item outside a transaction."""
    return max(1, math.ceil(size / 1024))


def read_units(size: int, *, consistent: bool) -> float:
    """Return the units of reading so many bytes at once."""
    return max(1, math.ceil(size / 4096)) * (1 if consistent else 0.5)


class Meter:
    """Counts the requests and units of one boto3 client, from botocore's events.

    `other` is a second client of the same table: it looks at items before and after they are written. `index` names the
    key attributes of the table's one index, which holds whole items.
    """

    def __init__(self, client: Any, other: Any, index: tuple[str, str]) -> None:
        self.requests: Counter[str] = Counter()
        self.writes = 0
        self.reads = 0.0
        self._other = other
        self._index = index
        client.meta.events.register("provide-client-params.dynamodb.*", self._before)
        client.meta.events.register("after-call.dynamodb.*", self._after)

    def _before(self, params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        context["asked"] = params
        context["before"] = [self._look(*place) for place in _written(params)]

    def _after(self, parsed: dict[str, Any], model: Any, context: dict[str, Any], **_: Any) -> None:
        self.requests[model.name] += 1
        request = context["asked"]
        consistent = request.get("ConsistentRead", False)
        match model.name:
            case "GetItem":
                self.reads += read_units(item_size(parsed.get("Item", {})), consistent=consistent)
            case "BatchGetItem":
                self.reads += sum(_batch_units(table, parsed["Responses"]) for table in request["RequestItems"].items())
            case "Query":
                self.reads += read_units(sum(map(item_size, parsed["Items"])), consistent=consistent)
            case "PutItem" | "UpdateItem" | "TransactWriteItems":
                units = 2 if model.name == "TransactWriteItems" else 1
                for place, before in zip(_written(request), context["before"], strict=True):
                    after = self._look(*place)
                    self.writes += units * write_units(max(item_size(before), item_size(after)))
                    self.writes += self._index_units(before, after)
            case unknown:
                raise ValueError(f"no rule for {unknown}")

    def _look(self, table: str, key: Item) -> Item:
        item: Item = self._other.get_item(TableName=table, Key=key).get("Item", {})
        return item

    def _index_units(self, before: Item, after: Item) -> int:
        if before == after:
            return 0
        entries = [item for item in (before, after) if all(name in item for name in self._index)]
        if len(entries) == 2 and all(before[name] == after[name] for name in self._index):
            return write_units(max(map(item_size, entries)))
        return sum(write_units(item_size(entry)) for entry in entries)


def _batch_units(requests: tuple[str, Mapping[str, Any]], found: Mapping[str, list[Item]]) -> float:
    """Every item by itself; one that is not there is a unit, too."""
    table, request = requests
    sizes = [item_size(item) for item in found.get(table, [])]
    sizes += [0] * (len(request["Keys"]) - len(sizes))
    return sum(read_units(size, consistent=request["ConsistentRead"]) for size in sizes)


def _written(params: Mapping[str, Any]) -> Iterator[tuple[str, Item]]:
    """Table and key of every item that a request writes."""
    if "UpdateExpression" in params:
        yield params["TableName"], params["Key"]
    elif "Item" in params:
        yield params["TableName"], {name: params["Item"][name] for name in ("pk", "sk")}
    for write in params.get("TransactItems", ()):
        for action in write.values():
            key = action.get("Key") or {name: action["Item"][name] for name in ("pk", "sk")}
            yield action["TableName"], key
