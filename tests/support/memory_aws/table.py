"""One DynamoDB table in memory, with the operations and errors that the product's store uses, and its stream."""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from botocore.exceptions import ClientError

from tests.support.memory_aws import expressions
from tests.support.memory_aws.expressions import Item

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A record of the table's stream: the item after the change, in wire format."""

    event: Literal["INSERT", "MODIFY"]
    sequence: int
    image: Item


class MemoryTable:
    """The table, and its stream: `changes`, of each of which `on_change` is told."""

    def __init__(self) -> None:
        self.on_change: Callable[[Change], object] = lambda _: None
        self._items: dict[Key, Item] = {}
        self._sort_keys: dict[str, list[str]] = defaultdict(list)
        self.changes: list[Change] = []

    @property
    def items(self) -> list[Item]:
        """All items."""
        return list(self._items.values())

    # ---- operations, by their AWS names

    def GetItem(self, Key: Item, **_: Any) -> Item:  # noqa: N802, N803
        found = self._items.get(_key(Key))
        return {} if found is None else {"Item": dict(found)}

    def BatchGetItem(self, RequestItems: Mapping[str, Item]) -> Item:  # noqa: N802, N803
        ((name, request),) = RequestItems.items()
        found = [self._items.get(_key(key)) for key in request["Keys"]]
        return {"Responses": {name: [dict(item) for item in found if item is not None]}, "UnprocessedKeys": {}}

    def Query(  # noqa: N802
        self,
        KeyConditionExpression: str,  # noqa: N803
        ExpressionAttributeValues: Item,  # noqa: N803
        ScanIndexForward: bool = True,  # noqa: N803
        IndexName: str | None = None,  # noqa: N803
        Limit: int | None = None,  # noqa: N803
        ExclusiveStartKey: Item | None = None,  # noqa: N803
        **rest: Any,
    ) -> Item:
        if IndexName is not None:
            return self._of_index(ExpressionAttributeValues[":user"]["S"], Limit)
        assert KeyConditionExpression == "pk = :pk AND sk BETWEEN :start AND :before"
        partition = ExpressionAttributeValues[":pk"]["S"]
        keys = self._sort_keys[partition]
        start = bisect_left(keys, ExpressionAttributeValues[":start"]["S"])
        end = bisect_right(keys, ExpressionAttributeValues[":before"]["S"])
        found = keys[start:end] if ScanIndexForward else keys[start:end][::-1]
        if ExclusiveStartKey is not None:
            found = found[found.index(ExclusiveStartKey["sk"]["S"]) + 1 :]
        cut = found[:Limit] if Limit else found
        items = [dict(self._items[partition, each]) for each in cut]
        if names := rest.get("ProjectionExpression"):
            aliases = rest.get("ExpressionAttributeNames", {})
            wanted = {aliases.get(name.strip(), name.strip()) for name in names.split(",")}
            items = [{name: value for name, value in item.items() if name in wanted} for item in items]
        last = {"LastEvaluatedKey": {"pk": {"S": partition}, "sk": {"S": cut[-1]}}} if len(cut) < len(found) else {}
        return {"Items": items, "Count": len(items), **last}

    def _of_index(self, user: str, limit: int | None) -> Item:
        """The first page of `sessions_by_activity`, the latest first."""
        found = [dict(item) for item in self._items.values() if item.get("listed_for", {}).get("S") == user]
        found.sort(key=lambda item: str(item["last_active"]["S"]), reverse=True)
        return {"Items": found[:limit], "Count": len(found[:limit])}

    def Scan(self, **_: Any) -> Item:  # noqa: N802
        items = [dict(item) for item in self._items.values()]
        return {"Items": items, "Count": len(items)}

    def PutItem(self, **write: Any) -> Item:  # noqa: N802
        self._alone("PutItem", {"Put": write})
        return {}

    def UpdateItem(self, ReturnValues: str = "NONE", **write: Any) -> Item:  # noqa: N802, N803
        self._alone("UpdateItem", {"Update": write})
        return {"Attributes": dict(self._items[_key(write["Key"])])} if ReturnValues == "ALL_NEW" else {}

    def DeleteItem(self, **write: Any) -> Item:  # noqa: N802
        self._alone("DeleteItem", {"Delete": write})
        return {}

    def BatchWriteItem(self, RequestItems: Mapping[str, Any]) -> Item:  # noqa: N802, N803
        ((_, requests),) = RequestItems.items()
        for request in requests:
            self._apply({kind.removesuffix("Request"): write for kind, write in request.items()})
        return {"UnprocessedItems": {}}

    def TransactWriteItems(self, TransactItems: list[Item]) -> Item:  # noqa: N802, N803
        keys = [_key_of(write) for write in TransactItems]
        assert len(set(keys)) == len(keys), "a transaction may not write an item twice"
        assert len(keys) <= 100
        allowed = [self._allows(write) for write in TransactItems]
        if not all(allowed):
            reasons = [{"Code": "None" if each else "ConditionalCheckFailed"} for each in allowed]
            raise error("TransactWriteItems", "TransactionCanceledException", CancellationReasons=reasons)
        for write in TransactItems:
            self._apply(write)
        return {}

    # ---- writes

    def _alone(self, operation: str, write: Item) -> None:
        if not self._allows(write):
            ((_, given),) = write.items()
            old = self._items.get(_key_of(write))
            told = old is not None and given.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
            raise error(operation, "ConditionalCheckFailedException", **({"Item": dict(old or {})} if told else {}))
        self._apply(write)

    def _allows(self, write: Item) -> bool:
        ((_, given),) = write.items()
        if "ConditionExpression" not in given:
            return True
        return expressions.condition(given["ConditionExpression"])(_request(given, self._items.get(_key_of(write))))

    def _apply(self, write: Item) -> None:
        ((kind, given),) = write.items()
        key = _key_of(write)
        old = self._items.get(key)
        if kind == "Delete":
            if self._items.pop(key, None) is not None:
                self._sort_keys[key[0]].remove(key[1])
            return
        if kind == "ConditionCheck":
            return
        if kind == "Put":
            new = dict(given["Item"])
        else:
            new = dict(old or given["Key"])
            request = _request(given, old)
            for action in expressions.update(given["UpdateExpression"]):
                action(request, new)
        if old is None:
            insort(self._sort_keys[key[0]], key[1])
        if new != old:
            self.changes.append(Change("MODIFY" if old else "INSERT", len(self.changes) + 1, new))
            self._items[key] = new
            self.on_change(self.changes[-1])


def _key(key: Item) -> Key:
    return key["pk"]["S"], key["sk"]["S"]


def _key_of(write: Item) -> Key:
    ((_, given),) = write.items()
    return _key(given["Item"] if "Item" in given else given["Key"])


def _request(given: Item, old: Item | None) -> expressions.Request:
    return expressions.Request(
        old or {}, given.get("ExpressionAttributeNames", {}), given.get("ExpressionAttributeValues", {})
    )


def error(operation: str, code: str, **more: Any) -> ClientError:
    """What botocore raises."""
    return ClientError(cast(Any, {"Error": {"Code": code, "Message": code}, **more}), operation)
