"""Changes of a table are told as DynamoDB's streams tell them, and only those that somebody wants."""

import json
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any, Final

import pytest

from local.dynamodb.database import Database
from local.table_stream import changes
from tests.support.paths import ROOT

SECONDS: Final = 10

DEFINITION: Final[dict[str, Any]] = {
    "TableName": "t",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}


class Posts:
    """What a sender posts, in the order in which it does."""

    def __init__(self) -> None:
        self._records: SimpleQueue[Any] = SimpleQueue()

    def take(self, url: str, body: bytes, what: str) -> bytes:
        for record in json.loads(body):
            self._records.put(record)
        return b""

    def next(self) -> Any:
        return self._records.get(timeout=SECONDS)


@pytest.fixture
def posts(monkeypatch: pytest.MonkeyPatch) -> Posts:
    made = Posts()
    monkeypatch.setattr(changes, "post", made.take)
    return made


@pytest.fixture
def sender(posts: Posts) -> changes.Sender:
    return changes.Sender("http://host/changes")


@pytest.fixture
def database(sender: changes.Sender) -> Database:
    made = Database(sender.add)
    made.call("CreateTable", DEFINITION)
    return made


def item(sk: str, **attributes: Any) -> dict[str, Any]:
    return {"pk": {"S": "p"}, "sk": {"S": sk}, **attributes}


def put(sk: str, **attributes: Any) -> dict[str, Any]:
    return {"TableName": "t", "Item": item(sk, **attributes)}


def test_a_change_is_a_record_of_the_stream(database: Database, posts: Posts) -> None:
    """WSP-34: The form is that of `events/dynamodb_workspace_push.json`."""
    database.call("PutItem", put("1", n={"N": "1"}))
    table, record = posts.next()
    (sample,) = json.loads((ROOT / "events/dynamodb_workspace_push.json").read_text(encoding="utf-8"))["Records"]
    assert table == "t"
    assert record.keys() == sample.keys()
    assert record["dynamodb"].keys() == sample["dynamodb"].keys()
    assert (record["eventName"], record["dynamodb"]["NewImage"]) == ("INSERT", item("1", n={"N": "1"}))


def test_bytes_are_in_base64(database: Database, posts: Posts) -> None:
    database.call("PutItem", put("1", b={"B": b"\xff\x00"}, m={"M": {"e": {"L": [{"B": b"\xff\x00"}]}}}))
    _, record = posts.next()
    image = record["dynamodb"]["NewImage"]
    assert image["b"] == {"B": "/wA="}
    assert image["m"] == {"M": {"e": {"L": [{"B": "/wA="}]}}}


def kinds(posts: Posts, count: int) -> Iterator[tuple[str, str]]:
    for _ in range(count):
        _, record = posts.next()
        yield record["eventName"], record["dynamodb"]["Keys"]["sk"]["S"]


def test_each_change_is_told_once_in_order(database: Database, posts: Posts) -> None:
    """A write that changes nothing, and a deletion of nothing, are none."""
    database.call("PutItem", put("1"))
    database.call("PutItem", put("1"))
    database.call("DeleteItem", {"TableName": "t", "Key": item("0")})
    database.call("TransactWriteItems", {"TransactItems": [{"Put": put("2")}, {"Put": put("1", n={"N": "1"})}]})
    database.call("DeleteItem", {"TableName": "t", "Key": item("2")})
    assert list(kinds(posts, 4)) == [("INSERT", "1"), ("INSERT", "2"), ("MODIFY", "1"), ("REMOVE", "2")]


def test_what_no_mapping_wants_is_not_told(database: Database, sender: changes.Sender, posts: Posts) -> None:
    sender.wanted = {"t": [{"eventName": ["INSERT"], "dynamodb": {"Keys": {"sk": {"S": [{"prefix": "ENTRY#"}]}}}}]}
    for sk in ("OTHER#1", "ENTRY#1", "ENTRY#2"):
        database.call("PutItem", put(sk))
    database.call("DeleteItem", {"TableName": "t", "Key": item("ENTRY#1")})
    database.call("PutItem", put("ENTRY#3"))
    assert list(kinds(posts, 3)) == [("INSERT", f"ENTRY#{number}") for number in (1, 2, 3)]


def test_a_table_without_a_stream_tells_nothing(database: Database, posts: Posts) -> None:
    plain = {name: value for name, value in DEFINITION.items() if name != "StreamSpecification"}
    database.call("CreateTable", plain | {"TableName": "plain"})
    database.call("PutItem", put("1") | {"TableName": "plain"})
    database.call("PutItem", put("2"))
    assert list(kinds(posts, 1)) == [("INSERT", "2")]
