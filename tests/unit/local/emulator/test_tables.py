"""moto's DynamoDB with the local stack's tables still behaves like DynamoDB, and copies no tables."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import boto3
import pytest
from moto import mock_aws
from moto.dynamodb import models
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.table import Table

from local.emulator import tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY: Final[list[Any]] = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
BY_COLOUR: Final = [{"AttributeName": "colour", "KeyType": "HASH"}, KEY[1]]


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator["DynamoDBClient"]:
    # The fixture restores what `install` replaces.
    monkeypatch.setattr(models, "Table", Table)
    monkeypatch.setattr(DynamoDBBackend, "transact_write_items", DynamoDBBackend.transact_write_items)
    tables.install()
    with mock_aws():
        client = boto3.client("dynamodb", region_name="us-east-1")
        client.create_table(
            TableName="t",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=KEY,
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "colour")],
            GlobalSecondaryIndexes=[
                {"IndexName": "by_colour", "KeySchema": BY_COLOUR, "Projection": {"ProjectionType": "ALL"}}
            ],
        )
        yield client


def item(pk: str, sk: str, **attributes: str) -> dict[str, Any]:
    return {name: {"S": value} for name, value in {"pk": pk, "sk": sk, **attributes}.items()}


def put(pk: str, sk: str, condition: str | None = None, **attributes: str) -> Any:
    conditional = {"ConditionExpression": condition} if condition else {}
    return {"Put": {"TableName": "t", "Item": item(pk, sk, **attributes), **conditional}}


def keys(response: Any) -> list[str]:
    return [found["pk"]["S"] + found["sk"]["S"] for found in response["Items"]]


@pytest.fixture
def filled(client: "DynamoDBClient") -> "DynamoDBClient":
    for pk in "ab":
        for sk in "312":
            client.put_item(TableName="t", Item=item(pk, sk, colour="red" if sk != "2" else "blue"))
    return client


def query(client: "DynamoDBClient", **arguments: Any) -> list[str]:
    values = {":pk": {"S": "a"}} | arguments.pop("values", {})
    request = {"KeyConditionExpression": "pk = :pk"} | arguments
    return keys(client.query(TableName="t", ExpressionAttributeValues=values, **request))


def test_a_query_finds_its_partition_in_order(filled: "DynamoDBClient") -> None:
    assert query(filled) == ["a1", "a2", "a3"]
    assert query(filled, ScanIndexForward=False, Limit=2) == ["a3", "a2"]
    assert query(filled, KeyConditionExpression="pk = :pk AND sk > :sk", values={":sk": {"S": "1"}}) == ["a2", "a3"]
    assert query(filled, ExclusiveStartKey=item("a", "2")) == ["a3"]
    assert query(filled, values={":pk": {"S": "none"}}) == []


def test_a_query_of_an_index_finds_every_partition(filled: "DynamoDBClient") -> None:
    red = {"KeyConditionExpression": "colour = :pk", "values": {":pk": {"S": "red"}}}
    assert query(filled, IndexName="by_colour", **red) == ["a1", "b1", "a3", "b3"]


def test_a_scan_finds_everything(filled: "DynamoDBClient") -> None:
    query(filled)
    assert sorted(keys(filled.scan(TableName="t"))) == ["a1", "a2", "a3", "b1", "b2", "b3"]


def test_a_transaction_is_done_as_a_whole(filled: "DynamoDBClient") -> None:
    delete: Any = {"Delete": {"TableName": "t", "Key": item("a", "1")}}
    filled.transact_write_items(TransactItems=[put("c", "1"), delete])
    assert sorted(keys(filled.scan(TableName="t"))) == ["a2", "a3", "b1", "b2", "b3", "c1"]


def test_a_transaction_that_fails_leaves_every_item_as_it_was(filled: "DynamoDBClient") -> None:
    before = filled.scan(TableName="t")["Items"]
    update = {
        "TableName": "t",
        "Key": item("a", "2"),
        "UpdateExpression": "SET colour = :c",
        "ExpressionAttributeValues": {":c": {"S": "green"}},
    }
    operations: list[Any] = [
        put("c", "1"),
        put("b", "1", colour="green"),
        {"Update": update},
        {"Delete": {"TableName": "t", "Key": item("b", "2")}},
        put("a", "1", condition="attribute_not_exists(pk)"),
    ]
    with pytest.raises(filled.exceptions.TransactionCanceledException) as cancelled:
        filled.transact_write_items(TransactItems=operations)
    codes = [reason["Code"] for reason in cancelled.value.response["CancellationReasons"]]
    assert codes == ["None"] * 4 + ["ConditionalCheckFailed"]
    after = filled.scan(TableName="t")["Items"]
    assert sorted(after, key=str) == sorted(before, key=str)


def test_no_table_is_copied(filled: "DynamoDBClient", monkeypatch: pytest.MonkeyPatch) -> None:
    table = models.dynamodb_backends["123456789012"]["us-east-1"].tables["t"]
    filled.transact_write_items(TransactItems=[put("c", "1"), put("c", "2")])
    assert models.dynamodb_backends["123456789012"]["us-east-1"].tables["t"] is table
    assert isinstance(table, tables.PartitionedTable)
    assert table.__deepcopy__({}) is table


def test_what_has_expired_is_deleted(client: "DynamoDBClient") -> None:
    """DynamoDB's time to live, which moto stores and does nothing about."""
    client.update_time_to_live(TableName="t", TimeToLiveSpecification={"Enabled": True, "AttributeName": "until"})
    for sk, until in (("1", {"N": "99"}), ("2", {"N": "100"}), ("3", {"S": "99"}), ("4", None)):
        client.put_item(TableName="t", Item=item("a", sk) | ({"until": until} if until else {}))
    client.put_item(TableName="t", Item=item("b", "1") | {"until": {"N": "1"}})
    assert tables.delete_expired(100) == 2
    left = client.scan(TableName="t")["Items"]
    assert sorted((each["pk"]["S"], each["sk"]["S"]) for each in left) == [("a", "2"), ("a", "3"), ("a", "4")]
