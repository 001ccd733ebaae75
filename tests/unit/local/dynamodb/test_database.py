"""What the local DynamoDB does that random operations beside other engines do not show."""

from collections.abc import Iterator
from typing import Any

import pytest

from local.dynamodb import database as databases
from local.dynamodb.database import Database
from local.dynamodb.errors import OperationError

BY_COLOUR = [{"AttributeName": "colour", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]


@pytest.fixture
def database() -> Database:
    made = Database()
    made.call(
        "CreateTable",
        {
            "TableName": "t",
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "colour")],
            "GlobalSecondaryIndexes": [
                {"IndexName": "by_colour", "KeySchema": BY_COLOUR, "Projection": {"ProjectionType": "ALL"}}
            ],
        },
    )
    return made


@pytest.fixture
def filled(database: Database) -> Database:
    for pk in "ab":
        for sk in "312":
            put(database, pk, sk, colour="red" if sk != "2" else "blue")
    return database


def item(pk: str, sk: str, **attributes: str) -> dict[str, Any]:
    return {name: {"S": value} for name, value in {"pk": pk, "sk": sk, **attributes}.items()}


def put(database: Database, pk: str, sk: str, **attributes: str) -> None:
    database.call("PutItem", {"TableName": "t", "Item": item(pk, sk, **attributes)})


def keys(answer: dict[str, Any]) -> list[str]:
    return [found["pk"]["S"] + found["sk"]["S"] for found in answer["Items"]]


def of_colour(database: Database, colour: str, **more: Any) -> dict[str, Any]:
    request = {
        "TableName": "t",
        "IndexName": "by_colour",
        "KeyConditionExpression": "colour = :c",
        "ExpressionAttributeValues": {":c": {"S": colour}},
    }
    return database.call("Query", request | more)


def scanned(database: Database, **more: Any) -> Iterator[str]:
    """Scan page by page."""
    request = {"TableName": "t", **more}
    while True:
        page = database.call("Scan", request)
        yield from keys(page)
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def test_an_index_has_the_items_of_every_partition_in_its_own_order(filled: Database) -> None:
    assert keys(of_colour(filled, "red")) == ["a1", "b1", "a3", "b3"]
    assert keys(of_colour(filled, "red", ScanIndexForward=False, Limit=1)) == ["b3"]


def test_pages_of_an_index_go_on_where_they_ended(filled: Database) -> None:
    first = of_colour(filled, "red", Limit=2)
    assert first["LastEvaluatedKey"].keys() == {"pk", "sk", "colour"}
    assert keys(of_colour(filled, "red", ExclusiveStartKey=first["LastEvaluatedKey"])) == ["a3", "b3"]


def test_an_index_loses_what_changes_its_key_or_goes(filled: Database) -> None:
    put(filled, "a", "1", colour="blue")
    put(filled, "b", "1")
    filled.call("DeleteItem", {"TableName": "t", "Key": item("a", "3")})
    assert keys(of_colour(filled, "red")) == ["b3"]
    assert keys(of_colour(filled, "blue")) == ["a1", "a2", "b2"]


def test_a_scan_finds_everything_once_page_by_page_and_in_segments(filled: Database) -> None:
    everything = ["a1", "a2", "a3", "b1", "b2", "b3"]
    assert list(scanned(filled, Limit=1)) == everything
    segments = [list(scanned(filled, Segment=segment, TotalSegments=4, Limit=2)) for segment in range(4)]
    assert sorted(key for segment in segments for key in segment) == everything


def test_a_transaction_that_fails_leaves_every_item_as_it_was(filled: Database) -> None:
    before = list(filled.tables["t"].items)
    failing = {"TableName": "t", "Item": item("a", "1"), "ConditionExpression": "attribute_not_exists(pk)"}
    writes = [
        {"Put": {"TableName": "t", "Item": item("c", "1")}},
        {"Delete": {"TableName": "t", "Key": item("b", "2")}},
        {"Put": failing | {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
    ]
    with pytest.raises(OperationError) as cancelled:
        filled.call("TransactWriteItems", {"TransactItems": writes})
    reasons = cancelled.value.members["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "None", "ConditionalCheckFailed"]
    assert reasons[2]["Item"] == item("a", "1", colour="red")
    assert filled.tables["t"].items == before


def test_a_condition_that_changes_nothing_can_be_part_of_a_transaction(filled: Database) -> None:
    check = {"TableName": "t", "Key": item("a", "1"), "ConditionExpression": "colour = :c"}
    for colour in ("red", "blue"):
        checks = [{"ConditionCheck": check | {"ExpressionAttributeValues": {":c": {"S": colour}}}}]
        writes = [*checks, {"Put": {"TableName": "t", "Item": item("c", colour)}}]
        if colour == "red":
            filled.call("TransactWriteItems", {"TransactItems": writes})
        else:
            with pytest.raises(OperationError):
                filled.call("TransactWriteItems", {"TransactItems": writes})
    assert [key for key in scanned(filled) if key.startswith("c")] == ["cred"]


def test_a_token_is_forgotten_after_a_while(filled: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    request = {"TransactItems": [{"Put": {"TableName": "t", "Item": item("c", "1")}}], "ClientRequestToken": "once"}
    for _ in range(2):
        filled.call("TransactWriteItems", request)
    filled.call("DeleteItem", {"TableName": "t", "Key": item("c", "1")})
    filled.call("TransactWriteItems", request)
    assert "c1" not in scanned(filled)
    monkeypatch.setattr(databases, "TOKEN_SECONDS", -1)
    filled.call("TransactWriteItems", request)
    assert "c1" in scanned(filled)


def test_what_has_expired_is_deleted(database: Database) -> None:
    """Only a number in the attribute that time to live names expires."""
    specification = {"Enabled": True, "AttributeName": "until"}
    database.call("UpdateTimeToLive", {"TableName": "t", "TimeToLiveSpecification": specification})
    for sk, until in (("1", {"N": "99"}), ("2", {"N": "100"}), ("3", {"S": "99"}), ("4", None)):
        database.call("PutItem", {"TableName": "t", "Item": item("a", sk) | ({"until": until} if until else {})})
    database.delete_expired(100)
    assert list(scanned(database)) == ["a2", "a3", "a4"]


@pytest.mark.parametrize(
    ("operation", "request_", "named"),
    [
        ("ExecuteStatement", {"Statement": "SELECT"}, "ExecuteStatement"),
        ("GetItem", {"TableName": "t", "Key": item("a", "1"), "AttributesToGet": ["pk"]}, "AttributesToGet"),
        ("PutItem", {"TableName": "t", "Item": item("a", "1"), "Expected": {}}, "Expected"),
        ("UpdateItem", {"TableName": "t", "Key": item("a", "1"), "ReturnValues": "UPDATED_NEW"}, "UPDATED_NEW"),
        ("TransactWriteItems", {"TransactItems": [{"Get": {}}]}, "Get"),
    ],
)
def test_what_it_does_not_have_is_refused_by_name(
    database: Database, operation: str, request_: dict[str, Any], named: str
) -> None:
    with pytest.raises(OperationError, match=f"{named}.* is not supported locally"):
        database.call(operation, request_)


def test_an_index_of_parts_of_items_is_refused_when_its_table_is_made() -> None:
    index = {"IndexName": "i", "KeySchema": BY_COLOUR, "Projection": {"ProjectionType": "KEYS_ONLY"}}
    definition = {
        "TableName": "t",
        "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("sk", "colour")],
        "GlobalSecondaryIndexes": [index],
    }
    with pytest.raises(OperationError, match="only indexes of whole items"):
        Database().call("CreateTable", definition)


def test_keys_of_numbers_and_bytes_are_in_their_own_order() -> None:
    database = Database()
    for name, kind, values in (
        ("n", "N", ({"N": "10"}, {"N": "9"}, {"N": "-1.5"})),
        ("b", "B", ({"B": b"\xff"}, {"B": b"b"}, {"B": b"\x00"})),
    ):
        definition = {
            "TableName": name,
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "at", "KeyType": "RANGE"}],
            "AttributeDefinitions": [
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "at", "AttributeType": kind},
            ],
        }
        database.call("CreateTable", definition)
        for value in values:
            database.call("PutItem", {"TableName": name, "Item": {"pk": {"S": "p"}, "at": value}})
        query = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "p"}}}
        found = database.call("Query", {"TableName": name, **query})["Items"]
        assert [item["at"] for item in found] == list(reversed(values))


def test_a_table_tells_how_much_it_has(database: Database) -> None:
    def outcome_of() -> tuple[int, int]:
        described = database.call("DescribeTable", {"TableName": "t"})["Table"]
        return described["ItemCount"], described["TableSizeBytes"]

    assert outcome_of() == (0, 0)
    put(database, "a", "1", colour="red")  # pk a, sk 1, colour red
    put(database, "a", "2")
    assert outcome_of() == (2, 3 + 3 + 9 + 3 + 3)
    database.call("DeleteItem", {"TableName": "t", "Key": item("a", "2")})
    assert outcome_of() == (1, 15)
