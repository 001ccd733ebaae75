"""One table: its items, ordered by its key and its indexes, and their changes."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from local.dynamodb.errors import invalid
from local.dynamodb.evaluation import Item
from local.dynamodb.keys import Key, KeySchema, Order
from local.dynamodb.sizes import MAX_ITEM_BYTES, item_size

Event = Literal["INSERT", "MODIFY", "REMOVE"]


@dataclass(frozen=True, slots=True)
class ItemChange:
    """A change of an item: `item` is the removed or the new one, in wire format, `size` its bytes."""

    event: Event
    sequence: int
    key: Item
    item: Item
    size: int


class Table:
    """A table; `definition` is CreateTable's arguments, `on_change` is called after each change."""

    def __init__(self, definition: Mapping[str, Any], on_change: Callable[["Table", ItemChange], object]) -> None:
        self.definition = definition
        self.name: str = definition["TableName"]
        self.schema = KeySchema.of(definition, definition)
        self.created_at = time.time()
        self.ttl_attribute: str | None = None
        self.has_stream = bool(definition.get("StreamSpecification", {}).get("StreamEnabled"))
        self._orders: dict[str | None, Order] = {None: Order(self.schema)}
        for index in definition.get("GlobalSecondaryIndexes", ()):
            if index["Projection"] != {"ProjectionType": "ALL"}:
                raise invalid(f"{index['IndexName']}: only indexes of whole items are supported locally")
            self._orders[index["IndexName"]] = Order(KeySchema.of(index, definition), is_index=True)
        self._items: dict[Key, tuple[Item, int]] = {}
        """With their bytes."""
        self.changes = 0
        """How many there were: the sequence number of the latest."""
        self._on_change = on_change

    def __len__(self) -> int:
        return len(self._items)

    @property
    def size(self) -> int:
        """Return the bytes of all items."""
        return sum(size for _, size in self._items.values())

    @property
    def items(self) -> list[Item]:
        return [item for item, _ in self._items.values()]

    def get(self, key: Key) -> Item | None:
        found = self._items.get(key)
        return found and found[0]

    def get_with_size(self, key: Key) -> tuple[Item, int]:
        return self._items[key]

    def order(self, index: str | None) -> Order:
        """Return the order of the table or an index. Raises ValidationException for an unknown index."""
        if index not in self._orders:
            raise invalid(f"The table does not have the specified index: {index}")
        return self._orders[index]

    def check(self, item: Item) -> int:
        """Return the item's bytes. Raises ValidationException if it is too large or not valid for an index's key."""
        for order in self._orders.values():
            order.check(item)
        size = item_size(item)
        if size > MAX_ITEM_BYTES:
            raise invalid("Item size has exceeded the maximum allowed size")
        return size

    def put(self, key: Key, item: Item, size: int) -> None:
        """Put an item; `check` it before."""
        if (old := self.get(key)) == item:
            return
        for order in self._orders.values():
            order.replace(key, old, item)
        self._items[key] = item, size
        self._tell("INSERT" if old is None else "MODIFY", item, size)

    def delete(self, key: Key) -> None:
        """Delete an item, which may be missing."""
        if (found := self._items.pop(key, None)) is None:
            return
        item, size = found
        for order in self._orders.values():
            order.replace(key, item, None)
        self._tell("REMOVE", item, size)

    def load(self, item: Item) -> None:
        """Put an item from the store, without reporting a change."""
        key = self.schema.key(item)
        for order in self._orders.values():
            order.replace(key, None, item)
        self._items[key] = item, item_size(item)

    def changed(self, definition: Mapping[str, Any]) -> "Table":
        """Return this table with another definition. Raises ValidationException if an item does not fit it."""
        table = Table(definition, self._on_change)
        table.created_at, table.ttl_attribute, table.changes = self.created_at, self.ttl_attribute, self.changes
        for item in self.items:
            for order in table._orders.values():
                order.check(item)
            table.load(item)
        return table

    def delete_expired(self, now: float) -> None:
        """Delete the items that expired before `now` (epoch seconds)."""
        if self.ttl_attribute is None:
            return
        expired = [key for key, (item, _) in self._items.items() if _expiry(item.get(self.ttl_attribute)) < now]
        for key in expired:
            self.delete(key)

    def keys(self) -> Iterator[Key]:
        """Return all keys by partition, in the same order as long as the items are the same."""
        order = self._orders[None]
        for partition in sorted(order.partitions):
            for place in order.partitions[partition]:
                yield order.key_at(partition, place)

    def _tell(self, event: Event, item: Item, size: int) -> None:
        self.changes += 1
        key = {name: item[name] for name in self.schema.kinds}
        self._on_change(self, ItemChange(event, self.changes, key, item, size))


def _expiry(value: Mapping[str, Any] | None) -> float:
    return float(value["N"]) if value is not None and "N" in value else float("inf")
