"""One table: its items, in the orders of its key and of its indexes, and what changes in it."""

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
class Change:
    """`item` is what a deletion removed, else the new one, in wire format; `size` its bytes."""

    event: Event
    sequence: int
    key: Item
    item: Item
    size: int


class Table:
    """`definition` is CreateTable's arguments; `on_change` is called after each change."""

    def __init__(self, definition: Mapping[str, Any], on_change: Callable[["Table", Change], object]) -> None:
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
        """The bytes of its items."""
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
        """Raises ValidationException for an unknown index."""
        if index not in self._orders:
            raise invalid(f"The table does not have the specified index: {index}")
        return self._orders[index]

    def check(self, item: Item) -> int:
        """The item's bytes. Raises ValidationException if it is too large, or of another kind than an index's key."""
        for order in self._orders.values():
            order.check(item)
        size = item_size(item)
        if size > MAX_ITEM_BYTES:
            raise invalid("Item size has exceeded the maximum allowed size")
        return size

    def put(self, key: Key, item: Item, size: int) -> None:
        """Put an item that was checked."""
        if (old := self.get(key)) == item:
            return
        for order in self._orders.values():
            order.replace(key, old, item)
        self._items[key] = item, size
        self._tell("INSERT" if old is None else "MODIFY", item, size)

    def delete(self, key: Key) -> None:
        """The item may be missing."""
        if (found := self._items.pop(key, None)) is None:
            return
        item, size = found
        for order in self._orders.values():
            order.replace(key, item, None)
        self._tell("REMOVE", item, size)

    def load(self, item: Item) -> None:
        """Put an item that is no change: the table had it before."""
        key = self.schema.key(item)
        for order in self._orders.values():
            order.replace(key, None, item)
        self._items[key] = item, item_size(item)

    def changed(self, definition: Mapping[str, Any]) -> "Table":
        """The same table with another definition. Raises ValidationException if an item does not fit it."""
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
        """All, by partition: the same order as long as there are the same items."""
        order = self._orders[None]
        for partition in sorted(order.partitions):
            for place in order.partitions[partition]:
                yield order.key_at(partition, place)

    def _tell(self, event: Event, item: Item, size: int) -> None:
        self.changes += 1
        key = {name: item[name] for name in self.schema.kinds}
        self._on_change(self, Change(event, self.changes, key, item, size))


def _expiry(value: Mapping[str, Any] | None) -> float:
    return float(value["N"]) if value is not None and "N" in value else float("inf")
