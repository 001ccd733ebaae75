"""Makes moto's DynamoDB scale with the items a request touches, not with the table.

moto sorts the whole table for every query and copies it for every operation of a transaction. Here a query reads one
partition, and a transaction keeps only the items it changes. Both need serialised requests, which the emulator's
dispatcher ensures. Changes of tables with a stream are kept for `table_stream`.
"""

import copy
from collections.abc import Iterator
from typing import Any

from moto.core.model import Shape
from moto.core.serialize import ResponseSerializer
from moto.dynamodb import models
from moto.dynamodb.models import DynamoDBBackend, dynamodb_backends
from moto.dynamodb.models.dynamo_type import DynamoType, Item
from moto.dynamodb.models.table import Table

from local.table_stream import changes


def install() -> None:
    """Replace moto's tables, transactions and answers; existing tables stay as they are."""
    vars(models)["Table"] = PartitionedTable
    DynamoDBBackend.transact_write_items = _transact_write_items  # type: ignore[method-assign]  # that is the purpose
    ResponseSerializer.get_value = _get_value  # type: ignore[method-assign]


def delete_expired(now: float) -> int:
    """Delete items that expired before `now` (epoch seconds); returns their number. moto alone keeps them."""
    deleted = 0
    for backend in _backends():
        for table in backend.tables.values():
            if table.ttl.get("TimeToLiveStatus") == "ENABLED":
                deleted += _delete_expired(table, table.ttl["AttributeName"], now)
    return deleted


def _backends() -> Iterator[DynamoDBBackend]:
    for _, _, backend in dynamodb_backends.iter_backends():
        if isinstance(backend, DynamoDBBackend):
            yield backend


def _delete_expired(table: Table, attribute: str, now: float) -> int:
    expired = [item for item in table.all_items() if _expires(item, attribute) < now]
    for item in expired:
        table.delete_item(item.hash_key, item.range_key)
    for key in [key for key, partition in table.items.items() if table.range_key_attr and not partition]:
        del table.items[key]
    return len(expired)


def _expires(item: Item, attribute: str) -> float:
    expiry = item.attrs.get(attribute)
    return float(expiry.value) if expiry is not None and expiry.is_number() else float("inf")


class PartitionedTable(Table):
    """A table whose queries read one partition; index queries read every item."""

    _queried: list[Item] | None = None

    def set_stream_specification(self, streams: dict[str, Any] | None) -> None:
        super().set_stream_specification(streams)
        self.stream_shard = changes.of(self)  # type: ignore[assignment]  # it has what moto calls

    def query(
        self,
        hash_key: DynamoType | None,
        range_comparison: Any,
        range_objs: Any,
        limit: Any,
        exclusive_start_key: Any,
        scan_index_forward: Any,
        projection_expressions: Any,
        index_name: str | None = None,
        *arguments: Any,
        **options: Any,
    ) -> tuple[list[Item], int, dict[str, Any] | None]:
        # moto sorts the results itself.
        partitions = self.items.values() if index_name else [self.items.get(hash_key, {})]
        if self.range_key_attr:
            self._queried = [item for partition in partitions for item in partition.values()]
        try:
            return super().query(
                hash_key,
                range_comparison,
                range_objs,
                limit,
                exclusive_start_key,
                scan_index_forward,
                projection_expressions,
                index_name,
                *arguments,
                **options,
            )
        finally:
            self._queried = None

    def all_items(self) -> list[Item]:
        return super().all_items() if self._queried is None else self._queried

    def __deepcopy__(self, memo: dict[int, Any]) -> "PartitionedTable":
        """Itself: moto copies tables only for rollbacks, done here by item."""
        return self


_moto_get_value = ResponseSerializer.get_value


def _get_value(self: ResponseSerializer, value: Any, key: str, shape: Shape) -> Any:
    """An attribute's value has one of ten members; moto would look for each of the others under several names."""
    if type(value) is dict and shape.parent.name == "AttributeValue":  # type: ignore[attr-defined]  # moto's own
        return value.get(key)
    return _moto_get_value(self, value, key, shape)


_moto_transact_write_items = DynamoDBBackend.transact_write_items


def _transact_write_items(self: DynamoDBBackend, transact_items: list[dict[str, Any]]) -> None:
    before = [_Before(self, operation) for item in transact_items for operation in item.values()]
    marked = changes.mark()
    try:
        _moto_transact_write_items(self, transact_items)
    except Exception:
        for item in before:
            item.restore()
        changes.undo(marked)
        raise


class _Before:
    """An item before an operation of a transaction."""

    def __init__(self, backend: DynamoDBBackend, operation: dict[str, Any]) -> None:
        self._table = backend.get_table(operation["TableName"])
        self._key = backend.get_keys_value(self._table, operation.get("Key") or operation["Item"])
        self._item = copy.deepcopy(self._table.get_item(*self._key))

    def restore(self) -> None:
        hash_key, range_key = self._key
        if self._item is None:
            self._table.delete_item(hash_key, range_key)
            return
        items: dict[Any, Any] = self._table.items
        if range_key:
            items = items[hash_key]
        items[range_key or hash_key] = self._item
