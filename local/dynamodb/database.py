"""The tables of a stack, and DynamoDB's operations by their names.

Requests and responses are DynamoDB's JSON, with binary values as bytes. Only one thread at a time may call.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from zlib import crc32

from local.dynamodb import expressions, reads, writes
from local.dynamodb.errors import OperationError, invalid
from local.dynamodb.evaluation import Item, Request
from local.dynamodb.keys import Key, Place
from local.dynamodb.reads import item_filter, key_range, page, projected, values_of
from local.dynamodb.sizes import MAX_TRANSACTION_BYTES
from local.dynamodb.table import ItemChange, Table
from local.dynamodb.writes import FAILED, Write, reason, require_distinct, returned
from local.stack import ACCOUNT, REGION

Json = dict[str, Any]

MAX_BATCH_GETS: Final = 100
MAX_BATCH_WRITES: Final = 25
MAX_TRANSACTION_WRITES: Final = 100
TOKEN_SECONDS: Final = 600
"""So long a transaction with the same token is the same one."""


class Database:
    def __init__(self, on_change: Callable[[Table, ItemChange], object] = lambda *_: None) -> None:
        """`on_change` is called after each change of an item, in order."""
        self.tables: dict[str, Table] = {}
        self._on_change = on_change
        self._tokens: OrderedDict[str, tuple[float, Any]] = OrderedDict()

    def call(self, operation: str, request: Json) -> Json:
        """Run an operation. Raises OperationError, also for unsupported operations and parameters."""
        if operation not in _OPERATIONS:
            raise OperationError("UnknownOperationException", f"{operation} is not supported locally")
        known = _OPERATIONS[operation]
        if not known.parameters.issuperset(request):
            raise invalid(f"{operation}: {min(request.keys() - known.parameters)} is not supported locally")
        return known.function(self, request)

    def delete_expired(self, now: float) -> None:
        """Delete items that expired before `now` (epoch seconds), as time to live does."""
        for table in self.tables.values():
            table.delete_expired(now)

    # ---- tables

    def _create_table(self, request: Json) -> Json:
        name = request["TableName"]
        if name in self.tables:
            raise OperationError("ResourceInUseException", f"Table already exists: {name}")
        self.tables[name] = table = Table(request, self._on_change)
        return {"TableDescription": _description(table)}

    def _describe_table(self, request: Json) -> Json:
        return {"Table": _description(self._table(request))}

    def _delete_table(self, request: Json) -> Json:
        table = self._table(request)
        del self.tables[table.name]
        return {"TableDescription": _description(table) | {"TableStatus": "DELETING"}}

    def _update_table(self, request: Json) -> Json:
        """Add or remove indexes, or give the table a stream."""
        table = self._table(request)
        definition = dict(table.definition) | {name: request[name] for name in _REPLACED if name in request}
        indexes = {index["IndexName"]: index for index in definition.get("GlobalSecondaryIndexes", ())}
        for update in request.get("GlobalSecondaryIndexUpdates", ()):
            ((kind, index),) = update.items()
            if kind not in ("Create", "Delete"):
                raise invalid(f"{kind} of an index is not supported locally")
            if kind == "Create":
                indexes[index["IndexName"]] = index
            elif indexes.pop(index["IndexName"], None) is None:
                raise OperationError("ResourceNotFoundException", f"There is no index {index['IndexName']}")
        self.tables[table.name] = new = table.changed(definition | {"GlobalSecondaryIndexes": [*indexes.values()]})
        return {"TableDescription": _description(new)}

    def _list_tables(self, _: Json) -> Json:
        return {"TableNames": sorted(self.tables)}

    def _update_time_to_live(self, request: Json) -> Json:
        wanted = request["TimeToLiveSpecification"]
        self._table(request).ttl_attribute = wanted["AttributeName"] if wanted["Enabled"] else None
        return {"TimeToLiveSpecification": wanted}

    def _describe_time_to_live(self, request: Json) -> Json:
        attribute = self._table(request).ttl_attribute
        on = {} if attribute is None else {"AttributeName": attribute}
        return {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED" if on else "DISABLED", **on}}

    # ---- reads

    def _get_item(self, request: Json) -> Json:
        table = self._table(request)
        project = projected(request, [])
        found = table.get(table.schema.only_key(request["Key"]))
        return {} if found is None else {"Item": project(found)}

    def _batch_get_item(self, request: Json) -> Json:
        responses: dict[str, list[Item]] = {}
        if not 0 < sum(len(selection["Keys"]) for selection in request["RequestItems"].values()) <= MAX_BATCH_GETS:
            raise invalid("Too many items requested for the BatchGetItem call")
        for name, selection in request["RequestItems"].items():
            table, project = self._table({"TableName": name}), projected(selection, [])
            keys = [table.schema.only_key(key) for key in selection["Keys"]]
            if len(set(keys)) < len(keys):
                raise invalid("Provided list of item keys contains duplicates")
            responses[name] = [project(item) for key in keys if (item := table.get(key)) is not None]
        return {"Responses": responses, "UnprocessedKeys": {}}

    def _query(self, request: Json) -> Json:
        table, name = self._table(request), request.get("IndexName")
        order = table.order(name)
        condition = expressions.key_condition(request["KeyConditionExpression"])
        passes, read = item_filter(request)
        project = projected(request, [condition, *read])
        placed = Request({}, request.get("ExpressionAttributeNames", {}), values_of(request))
        partition, bounds = key_range(order.schema, condition.parsed, placed)
        after: Place | None = None
        if start := request.get("ExclusiveStartKey"):
            key = table.schema.key(start)
            after = (order.schema.key(start)[1], *key) if order.is_index else (key[1],)
        places = order.within(partition, bounds, forward=request.get("ScanIndexForward", True), after=after)
        keys = (order.key_at(partition, place) for place in places)
        return page(request, table, order.schema, keys, passes, project)

    def _scan(self, request: Json) -> Json:
        table = self._table(request)
        passes, read = item_filter(request)
        project = projected(request, read)
        keys: Iterable[Key] = table.keys()
        if "TotalSegments" in request:
            total, segment = request["TotalSegments"], request["Segment"]
            keys = (key for key in keys if crc32(str(key[0]).encode()) % total == segment)
        if start := request.get("ExclusiveStartKey"):
            last = table.schema.key(start)
            keys = (key for key in keys if key > last)
        return page(request, table, table.schema, keys, passes, project)

    # ---- writes

    def _put_item(self, request: Json) -> Json:
        old = self._alone(Write.of(self._table, "Put", request))
        return returned(request, old, None)

    def _delete_item(self, request: Json) -> Json:
        old = self._alone(Write.of(self._table, "Delete", request))
        return returned(request, old, None)

    def _update_item(self, request: Json) -> Json:
        write = Write.of(self._table, "Update", request)
        old = self._alone(write)
        return returned(request, old, write.table.get(write.key))

    def _batch_write_item(self, request: Json) -> Json:
        writes = [
            Write.of(self._table, kind.removesuffix("Request"), {"TableName": name, **arguments})
            for name, requests in request["RequestItems"].items()
            for operation in requests
            for kind, arguments in operation.items()
        ]
        if not 0 < len(writes) <= MAX_BATCH_WRITES:
            raise invalid("Too many items requested for the BatchWriteItem call")
        require_distinct(writes, "Provided list of item keys contains duplicates")
        for write in writes:
            write.apply(write.after(None))
        return {"UnprocessedItems": {}}

    def _transact_write_items(self, request: Json) -> Json:
        token = request.get("ClientRequestToken")
        if token is not None and self._is_repeated(token, request["TransactItems"]):
            return {}
        writes = [
            Write.of(self._table, kind, arguments)
            for operation in request["TransactItems"]
            for kind, arguments in operation.items()
        ]
        if not 0 < len(writes) <= MAX_TRANSACTION_WRITES:
            raise invalid(f"A transaction has 1 to {MAX_TRANSACTION_WRITES} items, not {len(writes)}")
        require_distinct(writes, "Transaction request cannot include multiple operations on one item")
        old = [write.table.get(write.key) for write in writes]
        if not all(map(Write.is_allowed, writes, old)):
            reasons = [*map(reason, writes, old)]
            codes = ", ".join(reason["Code"] for reason in reasons)
            message = f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"
            raise OperationError("TransactionCanceledException", message, CancellationReasons=reasons)
        results = [*map(Write.after, writes, old)]
        if sum(size for _, size in results) > MAX_TRANSACTION_BYTES:
            raise invalid("Transaction request size has exceeded the maximum allowed size")
        for write, result in zip(writes, results, strict=True):
            write.apply(result)
        if token is not None:
            self._remember(token, request["TransactItems"])
        return {}

    def _alone(self, write: Write) -> Item | None:
        """Apply a write outside a transaction; returns the item before it."""
        old = write.table.get(write.key)
        if not write.is_allowed(old):
            raise OperationError("ConditionalCheckFailedException", FAILED, **write.failed_item(old))
        write.apply(write.after(old))
        return old

    def _is_repeated(self, token: str, items: Sequence[Json]) -> bool:
        oldest = time.monotonic() - TOKEN_SECONDS
        while self._tokens and next(iter(self._tokens.values()))[0] < oldest:
            self._tokens.popitem(last=False)
        if token not in self._tokens:
            return False
        if self._tokens[token][1] != items:
            raise OperationError("IdempotentParameterMismatchException", "The token is of another transaction")
        return True

    def _remember(self, token: str, items: Sequence[Json]) -> None:
        self._tokens[token] = time.monotonic(), items

    def _table(self, request: Mapping[str, Any]) -> Table:
        name = request["TableName"].rpartition("/")[2]  # it may be an ARN
        if name not in self.tables:
            raise OperationError("ResourceNotFoundException", f"Requested resource not found: Table: {name} not found")
        return self.tables[name]


def _description(table: Table) -> Json:
    arn = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table.name}"
    kept = ("TableName", "AttributeDefinitions", "KeySchema", "StreamSpecification")
    indexes = [
        {**index, "IndexStatus": "ACTIVE", "IndexArn": f"{arn}/index/{index['IndexName']}"}
        for index in table.definition.get("GlobalSecondaryIndexes", ())
    ]
    return {
        **{name: table.definition[name] for name in kept if name in table.definition},
        **({"GlobalSecondaryIndexes": indexes} if indexes else {}),
        "TableArn": arn,
        "TableStatus": "ACTIVE",
        "CreationDateTime": table.created_at,
        "ItemCount": len(table),
        "TableSizeBytes": table.size,
        "BillingModeSummary": {"BillingMode": table.definition.get("BillingMode", "PROVISIONED")},
    }


@dataclass(frozen=True, slots=True)
class _Operation:
    function: Callable[[Database, Json], Json]
    parameters: frozenset[str]


_IGNORED: Final = frozenset({"ReturnConsumedCapacity", "ReturnItemCollectionMetrics"})
_OF_ITEMS: Final = writes.CONDITIONAL | writes.RETURNS
_DEFINITION: Final = frozenset(
    {
        "TableName",
        "AttributeDefinitions",
        "KeySchema",
        "BillingMode",
        "GlobalSecondaryIndexes",
        "StreamSpecification",
        "ProvisionedThroughput",
        "SSESpecification",
        "DeletionProtectionEnabled",
        "Tags",
    }
)

_REPLACED: Final = ("AttributeDefinitions", "StreamSpecification")

_OPERATIONS: Final[Mapping[str, _Operation]] = {
    "CreateTable": _Operation(Database._create_table, _DEFINITION),
    "DescribeTable": _Operation(Database._describe_table, frozenset({"TableName"})),
    "DeleteTable": _Operation(Database._delete_table, frozenset({"TableName"})),
    "UpdateTable": _Operation(
        Database._update_table, frozenset({"TableName", "GlobalSecondaryIndexUpdates", *_REPLACED})
    ),
    "ListTables": _Operation(Database._list_tables, frozenset({"Limit"})),
    "UpdateTimeToLive": _Operation(Database._update_time_to_live, frozenset({"TableName", "TimeToLiveSpecification"})),
    "DescribeTimeToLive": _Operation(Database._describe_time_to_live, frozenset({"TableName"})),
    "GetItem": _Operation(Database._get_item, reads.PARAMETERS | {"Key"}),
    "BatchGetItem": _Operation(Database._batch_get_item, _IGNORED | {"RequestItems"}),
    "Query": _Operation(Database._query, reads.OF_PAGES | {"IndexName", "KeyConditionExpression", "ScanIndexForward"}),
    "Scan": _Operation(Database._scan, reads.OF_PAGES | {"Segment", "TotalSegments"}),
    "PutItem": _Operation(Database._put_item, writes.PARAMETERS["Put"] | _OF_ITEMS),
    "UpdateItem": _Operation(Database._update_item, writes.PARAMETERS["Update"] | _OF_ITEMS),
    "DeleteItem": _Operation(Database._delete_item, writes.PARAMETERS["Delete"] | _OF_ITEMS),
    "BatchWriteItem": _Operation(Database._batch_write_item, _IGNORED | {"RequestItems"}),
    "TransactWriteItems": _Operation(
        Database._transact_write_items, _IGNORED | {"TransactItems", "ClientRequestToken"}
    ),
}

OPERATIONS: Final = frozenset(_OPERATIONS)
