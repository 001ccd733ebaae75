"""The product's table, as the local stack keeps it, without HTTP; with botocore's errors, and its stream."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, cast

from botocore.exceptions import ClientError

from local.dynamodb.database import OPERATIONS, Database
from local.dynamodb.errors import OperationError
from local.dynamodb.evaluation import Item
from local.dynamodb.table import ItemChange, Table

Key = tuple[str, str]

_DEFINITION: Final = {
    "TableName": "yarrow",
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "listed_for", "last_active")
    ],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "sessions_by_activity",
            "KeySchema": [
                {"AttributeName": "listed_for", "KeyType": "HASH"},
                {"AttributeName": "last_active", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}


class MemoryTable(Database):
    """The table, whatever its name, with DynamoDB's operations as methods.

    `changes` are its stream, without deletions, of each of which `on_change` is told. `digest` is of all items, and the
    same for the same ones.
    """

    def __init__(self) -> None:
        super().__init__(self._changed)
        self.changes: list[ItemChange] = []
        self.on_change: Callable[[ItemChange], object] = lambda _: None
        self.digest = 0
        self.earlier: dict[Key, Item | None] = {}
        """Items as they were before their latest changes."""
        self._latest: dict[Key, Item | None] = {}
        self._digests: dict[str, int] = {}
        self._only = Table(_DEFINITION, self._changed)

    @property
    def items(self) -> list[Item]:
        return self._only.items

    def __getattr__(self, operation: str) -> Callable[..., Item]:
        if operation not in OPERATIONS:
            raise AttributeError(operation)
        return partial(self._made, operation)

    def _made(self, operation: str, **request: Any) -> Item:
        try:
            return self.call(operation, request)
        except OperationError as refused:
            raise error(operation, refused.code, refused.message, **refused.members) from refused

    def _table(self, _: Mapping[str, Any]) -> Table:
        return self._only

    def _changed(self, _: Table, change: ItemChange) -> None:
        key, is_there = repr(change.key), change.event != "REMOVE"
        place = change.key["pk"]["S"], change.key["sk"]["S"]
        self.earlier[place] = self._latest.get(place)
        self._latest[place] = change.item if is_there else None
        self.digest ^= self._digests.pop(key, 0)
        if is_there:
            self._digests[key] = hash(repr(change.item))
            self.digest ^= self._digests[key]
            self.changes.append(change)
            self.on_change(change)


def error(operation: str, code: str, message: str = "", **more: Any) -> ClientError:
    return ClientError(cast(Any, {"Error": {"Code": code, "Message": message or code}, **more}), operation)
