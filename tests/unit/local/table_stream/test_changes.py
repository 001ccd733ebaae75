"""The emulator's tables report their changes as DynamoDB's streams do, and nothing that was undone."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import boto3
import pytest
from moto import mock_aws
from moto.dynamodb import models
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.table import Table

from local.emulator import tables
from local.table_stream import changes
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY: Final[list[Any]] = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator["DynamoDBClient"]:
    monkeypatch.setattr(models, "Table", Table)
    monkeypatch.setattr(DynamoDBBackend, "transact_write_items", DynamoDBBackend.transact_write_items)
    monkeypatch.setattr(changes, "_listening", [True])
    tables.install()
    changes.take()
    with mock_aws():
        client = boto3.client("dynamodb", region_name="us-east-1")
        client.create_table(
            TableName="t",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=KEY,
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        )
        yield client


def item(sk: str, **attributes: Any) -> dict[str, Any]:
    return {"pk": {"S": "p"}, "sk": {"S": sk}, **attributes}


def taken() -> list[Any]:
    read: list[Any] = json.loads(changes.as_json(changes.take()))
    return read


def test_a_change_is_a_record_of_the_stream(client: "DynamoDBClient") -> None:
    """WSP-34: in the form of `events/dynamodb_workspace_push.json`."""
    client.put_item(TableName="t", Item=item("1", n={"N": "1"}))
    ((table, record),) = taken()
    (sample,) = json.loads((ROOT / "events/dynamodb_workspace_push.json").read_text(encoding="utf-8"))["Records"]
    assert table == "t"
    assert record.keys() == sample.keys()
    assert record["dynamodb"].keys() == sample["dynamodb"].keys()
    assert (record["eventName"], record["dynamodb"]["NewImage"]) == ("INSERT", item("1", n={"N": "1"}))


def test_bytes_are_in_base64_however_they_came(client: "DynamoDBClient") -> None:
    """A stream that cannot be told ends for good."""
    client.put_item(TableName="t", Item=item("1", b={"B": b"\xff\x00"}))
    client.update_item(
        TableName="t",
        Key=item("1"),
        UpdateExpression="SET c = :b, d = :d",
        ExpressionAttributeValues={":b": {"B": b"\xff\x00"}, ":d": {"M": {"e": {"L": [{"B": b"\xff\x00"}]}}}},
    )
    put, updated = (record["dynamodb"]["NewImage"] for _, record in taken())
    assert put["b"] == {"B": "/wA="}
    assert updated["c"] == {"B": "/wA="}
    assert updated["d"] == {"M": {"e": {"L": [{"B": "/wA="}]}}}


def test_what_a_transaction_undid_is_not_told(client: "DynamoDBClient") -> None:
    client.put_item(TableName="t", Item=item("1"))
    changes.take()
    failing: Any = {"TableName": "t", "Item": item("1"), "ConditionExpression": "attribute_not_exists(pk)"}
    writes: list[Any] = [{"Put": {"TableName": "t", "Item": item("2")}}, {"Put": failing}]
    with pytest.raises(client.exceptions.TransactionCanceledException):
        client.transact_write_items(TransactItems=writes)
    assert taken() == []
    client.transact_write_items(TransactItems=writes[:1])
    client.delete_item(TableName="t", Key=item("2"))
    assert [record["eventName"] for _, record in taken()] == ["INSERT", "REMOVE"]
