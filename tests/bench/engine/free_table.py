"""A DynamoDB that costs nothing, so that what is measured is our own work. It checks and changes nothing."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

Item = dict[str, Any]


class FreeTable:
    """Stands in for the boto3 client; takes what is put and gives it back."""

    exceptions = SimpleNamespace(TransactionCanceledException=Exception)

    def __init__(self) -> None:
        self._items: defaultdict[str, dict[str, Item]] = defaultdict(dict)

    def transact_write_items(self, *, TransactItems: Sequence[Item]) -> None:  # noqa: N803 (boto3's name)
        for item in (write["Put"]["Item"] for write in TransactItems if "Put" in write):
            self._items[item["pk"]["S"]][item["sk"]["S"]] = item

    def put_item(self, *, Item: Item, **_: Any) -> None:  # noqa: N803
        self._items[Item["pk"]["S"]][Item["sk"]["S"]] = Item

    def get_item(self, *, Key: Item, **_: Any) -> Item:  # noqa: N803
        """The item of a key, if there is one."""
        item = self._items[Key["pk"]["S"]].get(Key["sk"]["S"])
        return {"Item": item} if item else {}

    def update_item(self, **_: Any) -> Item:
        return {"Attributes": {}}

    def query(self, *, ExpressionAttributeValues: Item, Limit: int | None = None, **_: Any) -> Item:  # noqa: N803
        """The only page of a partition, whose items were put in their order."""
        partition = self._items[ExpressionAttributeValues[":pk"]["S"]]
        keys = [key for key in partition if key < ExpressionAttributeValues[":before"]["S"]]
        start = bisect_left(keys, ExpressionAttributeValues[":start"]["S"])
        return {"Items": [partition[key] for key in keys[start:][:Limit]]}
