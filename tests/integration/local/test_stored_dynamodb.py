"""The table on disk is the table in memory, through any number of restarts."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local.data.sqlite import Sqlite
from local.dynamodb.database import Database, Json
from local.dynamodb.errors import OperationError
from local.dynamodb.stored import SCHEMA, StoredDatabase
from local.dynamodb.table import ItemChange, Table
from tests.support.effort import examples

DEFINITION: Final[Json] = {
    "TableName": "t",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}],
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "n", "AttributeType": "N"},
        {"AttributeName": "phase", "AttributeType": "S"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_phase",
            "KeySchema": [{"AttributeName": "phase", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}
BY_PHASE: Final[Json] = {
    "TableName": "t",
    "IndexName": "by_phase",
    "KeyConditionExpression": "phase = :p",
    "ExpressionAttributeValues": {":p": {"S": "one"}},
}

# 1 and 1.0 are one key.
KEYS: Final = [{"pk": {"S": pk}, "n": {"N": n}} for pk in ("P", "卦") for n in ("1", "1.0", "2")]
VALUES: Final = [
    {"S": "one"},
    {"S": 'with "quotes" and \x00'},
    {"B": b"\x00\xff"},
    {"L": [{"NULL": True}, {"BOOL": False}, {"M": {"B": {"S": "no bytes"}, "n": {"NS": ["1.5"]}}}]},
]


class Records:
    def __init__(self) -> None:
        self.waiting: list[Any] = []

    def record(self, table: Table, change: ItemChange) -> tuple[str, Json]:
        return table.name, {"event": change.event, "key": change.key, "number": str(change.sequence)}

    def put(self, records: Sequence[tuple[str, Json]]) -> None:
        self.waiting += records


def opened(path: Path, outbox: Records | None = None) -> tuple[StoredDatabase, Sqlite]:
    store = Sqlite(path / "aws.sqlite3", SCHEMA)
    return StoredDatabase(store, outbox or Records()), store


@st.composite
def write(draw: st.DrawFn) -> tuple[str, Json]:
    key, kind = draw(st.sampled_from(KEYS)), draw(st.sampled_from(["Put", "Put", "Update", "Delete"]))
    request: Json = {"TableName": "t"}
    if kind == "Put":
        names = draw(st.sets(st.sampled_from(["a", "b", "c"])))
        request["Item"] = key | {name: draw(st.sampled_from(VALUES)) for name in names}
        request["Item"] |= draw(st.sampled_from([{}, {"phase": {"S": "one"}}]))
    else:
        request["Key"] = key
    if kind == "Update":
        update, values = draw(st.sampled_from([("REMOVE phase", {}), ("ADD tries :v", {":v": {"N": "1"}})]))
        request["UpdateExpression"] = update
        request |= {"ExpressionAttributeValues": values} if values else {}
    if draw(st.booleans()):
        request["ConditionExpression"] = draw(st.sampled_from(["attribute_exists(pk)", "attribute_not_exists(phase)"]))
    return kind, request


@st.composite
def transaction(draw: st.DrawFn) -> tuple[str, Json]:
    token = draw(st.sampled_from(["first", "second", "third"]))
    items = [{kind: request} for kind, request in draw(st.lists(write(), min_size=1, max_size=3))]
    return "TransactWriteItems", {"TransactItems": items, "ClientRequestToken": token}


@st.composite
def batch(draw: st.DrawFn) -> tuple[str, Json]:
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=3))
    values = [*VALUES, {"S": "x" * 500_000}]  # the last is too large
    puts = [{"PutRequest": {"Item": key | {"a": draw(st.sampled_from(values))}}} for key in keys]
    return "BatchWriteItem", {"RequestItems": {"t": puts}}


EXPIRE: Final[tuple[str, Json]] = ("expire", {})
RESTART: Final[tuple[str, Json]] = ("restart", {})
STEP: Final = write() | write() | transaction() | batch() | st.sampled_from([RESTART, EXPIRE])


def outcome(database: Database, kind: str, request: Json) -> Any:
    if kind == "expire":
        return database.delete_expired(1)
    try:
        return database.call(f"{kind}Item" if kind in ("Put", "Update", "Delete") else kind, request)
    except OperationError as error:
        return error.code, error.message, error.members


def everything(database: Database) -> Any:
    found = database.call("Scan", {"TableName": "t"})["Items"]
    return found, database.call("Query", BY_PHASE)["Items"]


@given(st.lists(STEP, min_size=1, max_size=25))
@settings(max_examples=examples(40), deadline=None)
def test_it_is_as_the_one_in_memory(steps: list[tuple[str, Json]]) -> None:
    """The same answers and the same items, whenever the process ends in between."""
    in_memory = Database()
    with TemporaryDirectory() as folder:
        stored, store = opened(Path(folder))
        in_memory.call("CreateTable", DEFINITION)
        stored.call("CreateTable", DEFINITION)
        for kind, request in [*steps, RESTART]:
            if kind == "restart":
                store.close()
                stored, store = opened(Path(folder))
            else:
                assert outcome(stored, kind, request) == outcome(in_memory, kind, request)
            assert everything(stored) == everything(in_memory)
        store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    database, store = opened(tmp_path)
    database.call("CreateTable", DEFINITION)
    store.close()
    return tmp_path


def put(database: Database, n: int, **members: Any) -> None:
    database.call("PutItem", {"TableName": "t", "Item": {"pk": {"S": "P"}, "n": {"N": str(n)}, **members}})


def test_a_record_waits_until_it_is_delivered(path: Path) -> None:
    """Records survive restarts in order, each numbered after those before it."""
    first = Records()
    database, store = opened(path, first)
    for n in range(3):
        put(database, n)
    numbers = [record["number"] for _, record in first.waiting]
    database.delivered([("t", numbers[1])])
    store.close()
    second = Records()
    database, store = opened(path, second)
    assert second.waiting == [first.waiting[0], first.waiting[2]]
    put(database, 3)
    database.delivered([("t", number) for number in (numbers[0], numbers[2])])
    store.close()
    third = Records()
    _, store = opened(path, third)
    assert [record["key"]["n"]["N"] for _, record in third.waiting] == ["3"]
    assert int(third.waiting[0][1]["number"]) > int(numbers[2])
    store.close()


def test_a_table_keeps_its_items_when_its_definition_changes(path: Path) -> None:
    database, store = opened(path)
    put(database, 1, phase={"S": "one"})
    without = [{"Delete": {"IndexName": "by_phase"}}]
    database.call("UpdateTable", {"TableName": "t", "GlobalSecondaryIndexUpdates": without})
    with pytest.raises(OperationError):
        database.call("Query", BY_PHASE)
    (index,) = DEFINITION["GlobalSecondaryIndexes"]
    database.call("UpdateTable", {"TableName": "t", "GlobalSecondaryIndexUpdates": [{"Create": index}]})
    store.close()
    database, store = opened(path)
    assert [item["n"] for item in database.call("Query", BY_PHASE)["Items"]] == [{"N": "1"}]
    store.close()


def test_a_deleted_table_comes_back_empty(path: Path) -> None:
    database, store = opened(path)
    put(database, 1)
    database.call("DeleteTable", {"TableName": "t"})
    database.call("CreateTable", DEFINITION)
    store.close()
    database, store = opened(path)
    assert database.call("Scan", {"TableName": "t"})["Items"] == []
    store.close()


def test_what_has_expired_stays_away(path: Path) -> None:
    database, store = opened(path)
    specification = {"Enabled": True, "AttributeName": "until"}
    database.call("UpdateTimeToLive", {"TableName": "t", "TimeToLiveSpecification": specification})
    put(database, 1, until={"N": "99"})
    put(database, 2, until={"N": "101"})
    store.close()
    database, store = opened(path)
    database.delete_expired(100)
    store.close()
    database, store = opened(path)
    assert [item["n"] for item in database.call("Scan", {"TableName": "t"})["Items"]] == [{"N": "2"}]
    store.close()
