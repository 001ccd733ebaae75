"""The table in memory against moto's, call for call: items, refusals and the stream."""

from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from moto import mock_aws
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb import models
from moto.dynamodb.models import DynamoDBBackend, dynamodb_backends
from moto.dynamodb.models.table import Table

from local.emulator import tables
from local.stack import REGION
from tests.support.effort import examples
from tests.support.memory_aws.aws import MemoryAws

pytestmark = pytest.mark.moto

TABLE = "yarrow"
KEYS = [{"pk": {"S": pk}, "sk": {"S": sk}} for pk in ("P", "Q") for sk in ("A", "B")]
TEXT, NUMBER, OTHER = {"S": "one"}, {"N": "1"}, {"N": "2"}

CONDITIONS: dict[str, dict[str, Any]] = {
    "attribute_not_exists(pk)": {},
    "attribute_exists(pk)": {},
    "phase IN (:s, :t)": {":s": TEXT, ":t": {"S": "two"}},
    "attribute_not_exists(tries) OR tries < :n": {":n": OTHER},
    "NOT phase = :s AND (tries <= :n OR attribute_exists(phase))": {":s": TEXT, ":n": NUMBER},
    "tries BETWEEN :n AND :m": {":n": NUMBER, ":m": OTHER},
    "phase <> :s": {":s": TEXT},
    "contains(names_kept, :s)": {":s": TEXT},
    "attribute_not_exists(names_kept) OR size(names_kept) < :m": {":m": OTHER},
    "attribute_exists(slots) AND size(slots) < :m AND attribute_exists(slots.one)": {":m": OTHER},
    "begins_with(phase, :s)": {":s": {"S": "on"}},
}
UPDATES: dict[str, dict[str, Any]] = {
    "SET phase = :s": {":s": TEXT},
    "SET phase = if_not_exists(phase, :t) REMOVE names_kept": {":t": {"S": "two"}},
    "SET expires_at = :n ADD tries :n": {":n": NUMBER},
    "ADD names_kept :set": {":set": {"SS": ["one", "two"]}},
    "DELETE names_kept :set": {":set": {"SS": ["one"]}},
    "REMOVE phase, tries": {},
    "SET notes = list_append(if_not_exists(notes, :none), :more)": {":none": {"L": []}, ":more": {"L": [NUMBER]}},
    "SET slots = :map": {":map": {"M": {"one": NUMBER, "two": TEXT}}},
}

Write = dict[str, dict[str, Any]]


@st.composite
def writes(draw: st.DrawFn) -> Write:
    key = draw(st.sampled_from(KEYS))
    given: dict[str, Any] = {"TableName": TABLE}
    values: dict[str, Any] = {}
    kind = draw(st.sampled_from(["Put", "Update", "Update", "Delete"]))
    if kind == "Put":
        members = {"phase": TEXT, "tries": NUMBER, "names_kept": {"SS": ["one"]}, "body": {"B": b"\x00\xff"}}
        given["Item"] = key | {name: members[name] for name in draw(st.sets(st.sampled_from(sorted(members))))}
    else:
        given["Key"] = key
    if kind == "Update":
        given["UpdateExpression"], more = draw(st.sampled_from(sorted(UPDATES.items(), key=str)))
        values |= more
    if draw(st.booleans()):
        given["ConditionExpression"], more = draw(st.sampled_from(sorted(CONDITIONS.items(), key=str)))
        values |= more
    return {kind: given | ({"ExpressionAttributeValues": values} if values else {})}


STEPS = st.lists(
    st.one_of(writes(), st.lists(writes(), min_size=2, max_size=3, unique_by=lambda each: str(_key(each)))),
    min_size=1,
    max_size=8,
)


def _key(write: Write) -> Any:
    ((_, given),) = write.items()
    item = given.get("Item") or given["Key"]
    return item["pk"]["S"], item["sk"]["S"]


def outcome(call: Callable[..., Any], **arguments: Any) -> Any:
    """What a call answers that the product reads, or its codes."""
    try:
        answer = call(**arguments)
    except ClientError as error:
        reasons = error.response.get("CancellationReasons", [])
        told = comparable(error.response.get("Item"))
        return error.response["Error"]["Code"], [each["Code"] for each in reasons], told
    return {name: comparable(answer[name]) for name in ("Item", "Items", "Attributes") if name in answer}


def comparable(value: Any) -> Any:
    """Sets have no order."""
    if isinstance(value, dict):
        return {
            name: sorted(each) if name == "SS" else comparable(each)
            for name, each in value.items()
            if name != "names_kept" or each != {"SS": []}
        }
    return [comparable(each) for each in value] if isinstance(value, list) else value


def run(steps: list[Write | list[Write]]) -> list[Any]:
    """Every outcome, then what is read of the table."""
    client = boto3.client("dynamodb", region_name=REGION)
    outcomes = []
    for step in steps:
        if isinstance(step, list):
            outcomes.append(outcome(client.transact_write_items, TransactItems=step))
            continue
        ((kind, given),) = step.items()
        more = {"ReturnValues": "ALL_NEW", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"} if kind == "Update" else {}
        outcomes.append(outcome(getattr(client, f"{kind.lower()}_item"), **given, **more))
    outcomes += [outcome(client.get_item, TableName=TABLE, Key=key) for key in KEYS]
    for forward in (True, False):
        query = client.get_paginator("query").paginate(
            TableName=TABLE,
            KeyConditionExpression="pk = :pk AND sk BETWEEN :start AND :before",
            ExpressionAttributeValues={":pk": {"S": "P"}, ":start": {"S": "A"}, ":before": {"S": "A~"}},
            ScanIndexForward=forward,
        )
        outcomes += [comparable(item) for page in query for item in page["Items"]]
    return outcomes


def moto_stream() -> list[tuple[str, Any]]:
    table = dynamodb_backends[DEFAULT_ACCOUNT_ID][REGION].get_table(TABLE)
    assert table.stream_shard is not None
    records = [each.record for each in table.stream_shard.items]
    return [
        (each["eventName"], comparable(each["dynamodb"]["NewImage"]))
        for each in records
        if each["eventName"] != "REMOVE"
    ]


@pytest.fixture
def whole_moto(monkeypatch: pytest.MonkeyPatch) -> None:
    """moto without what makes it quick here: its stream then forgets a transaction that is undone."""
    monkeypatch.setattr(models, "Table", Table)
    monkeypatch.setattr(DynamoDBBackend, "transact_write_items", tables._moto_transact_write_items)


@pytest.mark.usefixtures("whole_moto")
@given(STEPS)
@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
def test_it_does_what_moto_does(steps: list[Write | list[Write]]) -> None:
    with mock_aws():
        boto3.client("dynamodb", region_name=REGION).create_table(
            TableName=TABLE,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            BillingMode="PAY_PER_REQUEST",
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        )
        expected, stream = run(steps), moto_stream()
    memory = MemoryAws()
    with memory.installed():
        assert run(steps) == expected
    changes = [(each.event, comparable(each.image)) for each in memory.table.changes]
    assert changes == as_dynamodb_tells(stream)


@pytest.fixture
def engine(local_dynamodb: str) -> Iterator[Any]:
    """A client of DynamoDB Local with an empty table of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL_DYNAMODB", local_dynamodb)
        patch.setenv("AWS_ACCESS_KEY_ID", "memory")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "memory")
        client = boto3.client("dynamodb", region_name=REGION)
        client.create_table(**DEFINITION)
        yield client
        client.delete_table(TableName=TABLE)


DEFINITION: dict[str, Any] = {
    "TableName": TABLE,
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
    "BillingMode": "PAY_PER_REQUEST",
}


@given(STEPS)
@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
def test_it_does_what_dynamodb_local_does(engine: Any, steps: list[Write | list[Write]]) -> None:
    for key in KEYS:
        engine.delete_item(TableName=TABLE, Key=key)
    expected = run(steps)
    with MemoryAws().installed():
        assert run(steps) == expected


def as_dynamodb_tells(stream: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """moto tells of writes that change nothing, and of an update that makes an item twice, first of its key alone."""
    seen: dict[Any, Any] = {}
    told: list[tuple[str, Any]] = []
    for event, image in stream:
        key = image["pk"]["S"], image["sk"]["S"]
        if told and told[-1] == ("INSERT", {"pk": image["pk"], "sk": image["sk"]}) and event == "INSERT":
            told.pop()
        if event == "INSERT" or seen.get(key) != image:
            told.append((event, image))
        seen[key] = image
    return told
