"""The key schemas of tables and indexes, and the order of items by key."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from local.dynamodb.errors import invalid
from local.dynamodb.evaluation import Item

Value = str | bytes | Decimal
"""The content of a key's attribute; Python orders them as DynamoDB does."""

Key = tuple[Any, Any]
"""Values of an item's partition and sort key; the latter is empty where a table has none."""

Place = tuple[Any, ...]
"""Where an item is in its partition: the value of its sort key; in an index, its key in the table as well."""

_MAX_BYTES: Final = {"HASH": 2048, "RANGE": 1024}


@dataclass(frozen=True, slots=True)
class KeySchema:
    """The key of a table or index; `kinds` are S, N or B, by attribute."""

    partition: str
    sort: str | None
    kinds: Mapping[str, str]

    @classmethod
    def of(cls, definition: Mapping[str, Any], table: Mapping[str, Any]) -> "KeySchema":
        """Read the key schema of a table, or of an index, from CreateTable's arguments."""
        defined = {
            attribute["AttributeName"]: attribute["AttributeType"] for attribute in table["AttributeDefinitions"]
        }
        names = {element["KeyType"]: element["AttributeName"] for element in definition["KeySchema"]}
        return cls(names["HASH"], names.get("RANGE"), {name: defined[name] for name in names.values()})

    def key(self, item: Item) -> Key:
        """Return the key of an item. Raises ValidationException if it is incomplete or of another type."""
        return self._value(item, self.partition, "HASH"), self._value(item, self.sort, "RANGE") if self.sort else ""

    def only_key(self, key: Item) -> Key:
        """Return the key in a request's `Key`. Raises ValidationException if it has other attributes."""
        if key.keys() != self.kinds.keys():
            raise invalid("The provided key element does not match the schema")
        return self.key(key)

    def check_present(self, item: Item) -> None:
        """Raise ValidationException for a key attribute with an invalid value; attributes may be missing."""
        for role, name in (("HASH", self.partition), ("RANGE", self.sort)):
            if name in item:
                self._value(item, name, role)

    def value(self, name: str, value: Mapping[str, Any]) -> Value:
        """Return the content of a key attribute. Raises ValidationException if it is of another type."""
        kind = self.kinds[name]
        if kind not in value:
            raise invalid(f"One or more parameter values were invalid: Type mismatch for key {name} expected: {kind}")
        content: str | bytes = value[kind]
        return Decimal(str(content)) if kind == "N" else content

    def _value(self, item: Item, name: str, role: str) -> Value:
        if name not in item:
            raise invalid(f"One or more parameter values were invalid: Missing the key {name} in the item")
        value = self.value(name, item[name])
        if not isinstance(value, Decimal):
            size = len(value) if isinstance(value, bytes) or value.isascii() else len(value.encode())
            if not 0 < size <= _MAX_BYTES[role]:
                raise invalid(f"One or more parameter values are not valid: the key {name} has {size} bytes")
        return value


@dataclass(frozen=True, slots=True)
class Range:
    """A range of sort keys from `low` to `high`; None is no bound."""

    low: Value | None = None
    high: Value | None = None
    with_low: bool = True
    with_high: bool = True
    prefix: str | bytes | None = None


EVERYTHING: Final = Range()


@dataclass(slots=True)
class Order:
    """The sorted keys of a table's items, or of those in an index, by partition."""

    schema: KeySchema
    is_index: bool = False
    partitions: dict[Any, list[Place]] = field(default_factory=dict)

    def replace(self, key: Key, old: Item | None, new: Item | None) -> None:
        """Record that an item was added, changed or removed."""
        before = None if old is None else self._find(old, key)
        after = None if new is None else self._find(new, key)
        if before == after:
            return
        if before is not None:
            partition, place = before
            places = self.partitions[partition]
            del places[bisect_left(places, place)]
            if not places:
                del self.partitions[partition]
        if after is not None:
            insort(self.partitions.setdefault(after[0], []), after[1])

    def check(self, item: Item) -> None:
        """Raise ValidationException for an attribute that is not valid in an index's key."""
        if self.is_index:
            self.schema.check_present(item)

    def within(self, partition: Value, bounds: Range, *, forward: bool, after: Place | None) -> Sequence[Place]:
        """Return the positions of a partition within bounds, after another position."""
        places = self.partitions.get(partition, [])
        start, end = 0, len(places)
        if bounds.low is not None:
            start = (bisect_left if bounds.with_low else bisect_right)(places, bounds.low, key=_sort_key)
        if bounds.high is not None:
            end = (bisect_right if bounds.with_high else bisect_left)(places, bounds.high, key=_sort_key)
        if bounds.prefix is not None:
            prefix: Any = bounds.prefix
            start = bisect_left(places, prefix, key=_sort_key)
            end = bisect_right(places, prefix, start, key=lambda place: place[0][: len(prefix)])
        if after is not None and forward:
            start = max(start, bisect_right(places, after))
        elif after is not None:
            end = min(end, bisect_left(places, after))
        found = places[start:end]
        return found if forward else found[::-1]

    def key_at(self, partition: Value, place: Place) -> Key:
        """Return the key in the table of the item at a position."""
        return (place[1], place[2]) if self.is_index else (partition, place[0])

    def _find(self, item: Item, key: Key) -> tuple[Value, Place] | None:
        if not self.is_index:
            return key[0], (key[1],)
        if not self.schema.kinds.keys() <= item.keys():
            return None
        partition, sort = self.schema.key(item)
        return partition, (sort, *key)


def _sort_key(place: Place) -> Any:
    return place[0]
