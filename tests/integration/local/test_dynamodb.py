"""The local stack's DynamoDB over HTTP gives the answers of DynamoDB Local and of moto, request for request."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import boto3
import pytest
from botocore.exceptions import ClientError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from moto import mock_aws
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.models import dynamodb_backends
from starlette.types import Receive, Scope, Send

from local.dynamodb import service
from local.dynamodb.database import Database
from local.dynamodb.table import ItemChange, Table
from local.emulator.process import LOOPBACK
from local.stack import REGION
from tests.support.effort import examples
from tests.support.functions.emulated_aws import served

TABLE: Final = "yarrow"
KEY: Final[list[Any]] = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
BY_PHASE: Final = [{"AttributeName": "phase", "KeyType": "HASH"}, {"AttributeName": "tries", "KeyType": "RANGE"}]
DEFINITION: Final[dict[str, Any]] = {
    "TableName": TABLE,
    "KeySchema": KEY,
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": kind}
        for name, kind in {"pk": "S", "sk": "S", "phase": "S", "tries": "N"}.items()
    ],
    "GlobalSecondaryIndexes": [
        {"IndexName": "by_phase", "KeySchema": BY_PHASE, "Projection": {"ProjectionType": "ALL"}}
    ],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}

KEYS: Final = [{"pk": {"S": pk}, "sk": {"S": sk}} for pk in ("P", "Q") for sk in ("A", "AB", "B")]
TEXT, NUMBER, OTHER = {"S": "one"}, {"N": "1"}, {"N": "2"}

CONDITIONS: Final[dict[str, dict[str, Any]]] = {
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
UPDATES: Final[dict[str, dict[str, Any]]] = {
    "SET phase = :s": {":s": TEXT},
    "SET phase = if_not_exists(phase, :t) REMOVE names_kept": {":t": {"S": "two"}},
    "SET expires_at = :n ADD tries :n": {":n": NUMBER},
    "SET tries = if_not_exists(tries, :n) - :m": {":n": NUMBER, ":m": OTHER},
    "ADD names_kept :set": {":set": {"SS": ["one", "two"]}},
    "DELETE names_kept :set": {":set": {"SS": ["one"]}},
    "REMOVE phase, tries": {},
    "SET notes = list_append(if_not_exists(notes, :none), :more)": {":none": {"L": []}, ":more": {"L": [NUMBER]}},
    "SET slots = :map": {":map": {"M": {"one": NUMBER, "two": TEXT}}},
}
SOMETIMES_WRONG: Final[dict[str, dict[str, Any]]] = {
    "SET tries = tries + :m": {":m": OTHER},
    "SET slots.one = :m": {":m": OTHER},
    "REMOVE slots.one": {},
    "SET sk = :s": {":s": TEXT},
}
"""Not in transactions: of one with a condition that fails as well, engines tell different things."""

MEMBERS: Final[dict[str, Any]] = {
    "phase": TEXT,
    "tries": NUMBER,
    "names_kept": {"SS": ["one"]},
    "body": {"B": b"\x00\xff"},
    "mixed": {"L": [{"NULL": True}, {"BOOL": False}, {"M": {"卦": {"BS": [b"\xff"]}, "n": {"NS": ["1.5"]}}}]},
}

P: Final = {":p": {"S": "P"}}
QUERIES: Final[Sequence[dict[str, Any]]] = [
    {"KeyConditionExpression": "pk = :p"},
    {"KeyConditionExpression": "pk = :p", "ScanIndexForward": False, "Limit": 1},
    {"KeyConditionExpression": "pk = :p", "Limit": 2},
    {"KeyConditionExpression": "sk = :a AND pk = :p", "values": {":a": {"S": "A"}}},
    {"KeyConditionExpression": "pk = :p AND sk > :a", "values": {":a": {"S": "A"}}, "Limit": 1},
    {"KeyConditionExpression": "pk = :p AND sk >= :a", "values": {":a": {"S": "AB"}}, "ScanIndexForward": False},
    {"KeyConditionExpression": "(pk = :p) AND (sk < :a)", "values": {":a": {"S": "B"}}},
    {"KeyConditionExpression": "pk = :p AND sk <= :a", "values": {":a": {"S": "AA"}}},
    {"KeyConditionExpression": "pk = :p AND sk BETWEEN :a AND :b", "values": {":a": {"S": "A"}, ":b": {"S": "A~"}}},
    {"KeyConditionExpression": "(pk = :p AND begins_with(sk, :a))", "values": {":a": {"S": "A"}}, "Limit": 1},
    {"KeyConditionExpression": "pk = :p", "FilterExpression": "tries = :n", "values": {":n": NUMBER}, "Limit": 2},
    {
        "KeyConditionExpression": "#k = :p",
        "ProjectionExpression": "#s, phase",
        "ExpressionAttributeNames": {"#k": "pk", "#s": "sk"},
    },
    {"KeyConditionExpression": "pk = :p", "Select": "COUNT"},
]
OF_INDEX: Final[Sequence[dict[str, Any]]] = [
    {"KeyConditionExpression": "phase = :p", "values": {":p": TEXT}},
    {"KeyConditionExpression": "phase = :p AND tries > :n", "values": {":p": TEXT, ":n": NUMBER}},
]
REFUSED: Final[Sequence[tuple[str, dict[str, Any]]]] = [
    ("get_item", {"Key": {"pk": {"S": "P"}}}),
    ("get_item", {"Key": {"pk": {"S": "P"}, "sk": {"N": "1"}}}),
    ("get_item", {"Key": {"pk": {"S": ""}, "sk": {"S": "A"}}}),
    ("get_item", {"Key": KEYS[0], "TableName": "none"}),
    ("put_item", {"Item": {"pk": {"S": "P"}}}),
    ("put_item", {"Item": {**KEYS[0], "phase": NUMBER, "tries": NUMBER}}),
    ("put_item", {"Item": {**KEYS[0], "body": {"S": "x" * 410_000}}}),
    ("put_item", {"Item": KEYS[0], "ConditionExpression": "phase = :s"}),
    ("put_item", {"Item": KEYS[0], "ConditionExpression": "phase ="}),
    ("put_item", {"Item": KEYS[0], "ConditionExpression": "attribute_exists(status)"}),
    (
        "put_item",
        {
            "Item": KEYS[0],
            "ConditionExpression": "phase = :s",
            "ExpressionAttributeValues": {":s": TEXT, ":more": TEXT},
        },
    ),
    ("update_item", {"Key": KEYS[0], "UpdateExpression": "PUT phase = :s", "ExpressionAttributeValues": {":s": TEXT}}),
    ("query", {"KeyConditionExpression": "sk = :p", "ExpressionAttributeValues": P}),
    ("query", {"KeyConditionExpression": "pk > :p", "ExpressionAttributeValues": P}),
    ("query", {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": P, "IndexName": "none"}),
    ("transact_write_items", {"TransactItems": [{"Delete": {"TableName": TABLE, "Key": KEYS[0]}}] * 2}),
    ("batch_write_item", {"RequestItems": {TABLE: [{"DeleteRequest": {"Key": KEYS[0]}}] * 2}}),
    ("batch_get_item", {"RequestItems": {TABLE: {"Keys": [KEYS[0]] * 2}}}),
]

Write = dict[str, dict[str, Any]]


@st.composite
def writes(draw: st.DrawFn, updates: dict[str, dict[str, Any]] = UPDATES) -> Write:
    key = draw(st.sampled_from(KEYS))
    request: dict[str, Any] = {"TableName": TABLE}
    values: dict[str, Any] = {}
    kind = draw(st.sampled_from(["Put", "Put", "Update", "Update", "Delete"]))
    if kind == "Put":
        request["Item"] = key | {name: MEMBERS[name] for name in draw(st.sets(st.sampled_from(sorted(MEMBERS))))}
    else:
        request["Key"] = key
    if kind == "Update":
        request["UpdateExpression"], more = draw(st.sampled_from(sorted(updates.items(), key=str)))
        values |= more
    if draw(st.booleans()):
        request["ConditionExpression"], more = draw(st.sampled_from(sorted(CONDITIONS.items(), key=str)))
        values |= more
        request["ReturnValuesOnConditionCheckFailure"] = draw(st.sampled_from(["ALL_OLD", "NONE"]))
    return {kind: request | ({"ExpressionAttributeValues": values} if values else {})}


TRANSACTIONS: Final = st.lists(writes(), min_size=2, max_size=3, unique_by=lambda write: str(_key(write)))
STEPS: Final = st.lists(writes(UPDATES | SOMETIMES_WRONG) | TRANSACTIONS, min_size=1, max_size=10)


def _key(write: Write) -> Any:
    ((_, request),) = write.items()
    item = request.get("Item") or request["Key"]
    return item["pk"]["S"], item["sk"]["S"]


def outcome(call: Callable[..., Any], **arguments: Any) -> Any:
    """What a call answers that somebody reads, or its codes."""
    try:
        answer = call(**arguments)
    except ClientError as error:
        reasons = error.response.get("CancellationReasons", [])
        events = [comparable(reason.get("Item")) for reason in (error.response, *reasons)]
        return error.response["Error"]["Code"], [reason["Code"] for reason in reasons], events
    names = ("Item", "Items", "Attributes", "Responses", "LastEvaluatedKey", "Count")
    return {name: comparable(answer[name]) for name in names if name in answer}


def comparable(value: Any) -> Any:
    """Sets have no order."""
    if isinstance(value, dict):
        return {
            name: sorted(member) if name in ("SS", "NS", "BS") else comparable(member) for name, member in value.items()
        }
    return [comparable(item) for item in value] if isinstance(value, list | tuple) else value


def run(client: Any, steps: Sequence[Write | list[Write]]) -> list[Any]:
    """The outcome of each step, then of everything that can be read."""
    outcomes = []
    for step in steps:
        if isinstance(step, list):
            outcomes.append(outcome(client.transact_write_items, TransactItems=step))
            continue
        ((kind, request),) = step.items()
        values = {"ReturnValues": "ALL_NEW" if kind == "Update" else "ALL_OLD"}
        outcomes.append(outcome(getattr(client, f"{kind.lower()}_item"), **request, **values))
    outcomes += [outcome(client.get_item, TableName=TABLE, Key=key) for key in KEYS]
    for query in QUERIES:
        request = {name: value for name, value in query.items() if name != "values"}
        request["ExpressionAttributeValues"] = P | query.get("values", {})
        outcomes += _pages(client, {"TableName": TABLE, **request})
    for query in OF_INDEX:
        request = {name: value for name, value in query.items() if name != "values"}
        found = outcome(
            client.query, TableName=TABLE, IndexName="by_phase", ExpressionAttributeValues=query["values"], **request
        )
        outcomes.append(sorted(found["Items"], key=_text))
    scanned = outcome(client.scan, TableName=TABLE, ProjectionExpression="pk, sk, tries")
    outcomes.append(sorted(scanned["Items"], key=_text))
    return outcomes


def _text(item: Any) -> str:
    return str(sorted(item.items()))


def _pages(client: Any, request: dict[str, Any]) -> Iterator[Any]:
    while True:
        page = outcome(client.query, **request)
        yield page
        if "LastEvaluatedKey" not in page:
            return
        request = {**request, "ExclusiveStartKey": page["LastEvaluatedKey"]}


def client_of(url: str) -> Any:
    return boto3.client(
        "dynamodb", endpoint_url=url, region_name=REGION, aws_access_key_id="engines", aws_secret_access_key="engines"
    )


class Ours:
    """The database served over HTTP, one at a time."""

    def __init__(self) -> None:
        self.changes: list[ItemChange] = []
        self.database = Database()

    def begin(self) -> None:
        """Begin with an empty table."""
        self.changes = []
        self.database = Database(self._note)
        self.database.call("CreateTable", DEFINITION)

    def _note(self, _: Table, change: ItemChange) -> None:
        self.changes.append(change)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await service.serve(self.database, scope, receive, send)


@pytest.fixture(scope="module")
def ours() -> Iterator[tuple[Ours, Any]]:
    app = Ours()
    with socket.create_server((LOOPBACK, 0)) as listener, served(app, listener):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield app, client_of(f"http://{LOOPBACK}:{listener.getsockname()[1]}")


@pytest.fixture
def local(local_dynamodb: str) -> Iterator[Any]:
    client = client_of(local_dynamodb)
    client.create_table(**DEFINITION)
    yield client
    client.delete_table(TableName=TABLE)


@contextmanager
def moto() -> Iterator[Any]:
    with mock_aws():
        client = boto3.client("dynamodb", region_name=REGION)
        client.create_table(**DEFINITION)
        yield client


@given(STEPS)
@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
def test_it_answers_as_dynamodb_local(ours: tuple[Ours, Any], local: Any, steps: list[Write | list[Write]]) -> None:
    for key in KEYS:
        local.delete_item(TableName=TABLE, Key=key)
    app, client = ours
    app.begin()
    assert run(client, steps) == run(local, steps)


@given(STEPS)
@settings(max_examples=examples(10), deadline=None, suppress_health_check=list(HealthCheck))
def test_its_stream_tells_what_motos_tells(ours: tuple[Ours, Any], steps: list[Write | list[Write]]) -> None:
    """Of steps that no transaction undoes: moto's stream keeps what was undone."""
    app, client = ours
    app.begin()
    single = [step for step in steps if isinstance(step, dict)]
    run(client, single)
    with moto() as theirs:
        run(theirs, single)
        expected = list(as_dynamodb_tells(_moto_stream()))
    outputs = [(change.event, change.key if change.event == "REMOVE" else change.item) for change in app.changes]
    assert comparable(outputs) == comparable(expected)


@pytest.mark.parametrize(("operation", "request_"), REFUSED)
def test_it_refuses_what_dynamodb_local_refuses(
    ours: tuple[Ours, Any], local: Any, operation: str, request_: dict[str, Any]
) -> None:
    app, client = ours
    app.begin()
    named = {} if "TransactItems" in request_ or "RequestItems" in request_ else {"TableName": TABLE}
    codes = [outcome(getattr(engine, operation), **named | request_)[0] for engine in (client, local)]
    assert codes[0] == codes[1] in ("ValidationException", "ResourceNotFoundException")


def test_a_repeated_transaction_is_made_once(ours: tuple[Ours, Any], local: Any) -> None:
    app, client = ours
    app.begin()
    added = {"TableName": TABLE, "Key": KEYS[0], "UpdateExpression": "ADD tries :n"}
    writes = [{"Update": added | {"ExpressionAttributeValues": {":n": NUMBER}}}]
    other = [{"Update": added | {"ExpressionAttributeValues": {":n": OTHER}}}]
    for engine in (client, local):
        for _ in range(2):
            engine.transact_write_items(TransactItems=writes, ClientRequestToken="once")
        assert engine.get_item(TableName=TABLE, Key=KEYS[0])["Item"]["tries"] == NUMBER
        refused = outcome(engine.transact_write_items, TransactItems=other, ClientRequestToken="once")
        assert refused[0] == "IdempotentParameterMismatchException"


def test_a_page_has_a_megabyte(ours: tuple[Ours, Any], local: Any) -> None:
    app, client = ours
    app.begin()
    for engine in (client, local):
        for number in range(8):
            item = {"pk": {"S": "P"}, "sk": {"S": f"{number}"}, "body": {"S": "卦" * 70_000}}
            engine.put_item(TableName=TABLE, Item=item)
    request = {"TableName": TABLE, "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": P}
    assert [len(page["Items"]) for page in _pages(client, request)] == [
        len(page["Items"]) for page in _pages(local, request)
    ]


def _moto_stream() -> Iterator[tuple[str, Any]]:
    table = dynamodb_backends[DEFAULT_ACCOUNT_ID][REGION].get_table(TABLE)
    assert table.stream_shard is not None
    for item in table.stream_shard.items:
        change = item.record["dynamodb"]
        yield item.record["eventName"], comparable(change.get("NewImage", change["Keys"]))


def as_dynamodb_tells(stream: Iterator[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """moto tells of writes that change nothing, and of an update that makes an item twice, first of its key alone."""
    seen: dict[Any, Any] = {}
    events: list[tuple[str, Any]] = []
    for event, image in stream:
        key = image["pk"]["S"], image["sk"]["S"]
        if events and events[-1] == ("INSERT", {"pk": image["pk"], "sk": image["sk"]}) and event == "INSERT":
            events.pop()
        if event != "MODIFY" or seen.get(key) != image:
            events.append((event, image))
        seen[key] = image
    return events
