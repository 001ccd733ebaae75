"""The one table: what is in it (`KINDS`), how values are written to it, and its transactions.

A session that has an assistant message and is not deleted carries `listed_for` and `last_active`, the keys of the index
`sessions_by_activity`.
"""

import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, cast

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError, HTTPClientError, IncompleteReadError
from botocore.exceptions import ConnectionError as NoConnectionError

from yarrow.settings import settings
from yarrow.store import clients

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import PutTypeDef as Put
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem
    from mypy_boto3_dynamodb.type_defs import UpdateTypeDef as Update

Item = dict[str, Any]

Owner = Literal["itself", "whole", "head", "key"]
"""How it is known whose an item is: its own `user_id`; that too, and all of its partition is theirs; as the item says
that its partition has for a head; or by the name of its partition.
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of item: what it is, the form of its keys, and how it is known whose it is."""

    what: str
    pk: str
    sk: str
    owner: Owner

    def matches(self, key: Mapping[str, Any]) -> bool:
        """Whether an item with this key is of this kind."""
        return all(_form(form).fullmatch(key[name]) for name, form in (("pk", self.pk), ("sk", self.sk)))


# {thread} is the thread's id in lower case, for UUIDs are equal whatever their case; {space}, in hexadecimal digits, is
# made of the runner, the binding and what they keep values for.
KINDS: Final = (
    Kind("session", "SESSION#{thread}", "SESSION", "whole"),
    Kind("message", "SESSION#{thread}", "MESSAGE#{seq}", "head"),
    Kind("what a run did with tools", "SESSION#{thread}", "TURN#{seq before it}#{its end in UTC}#{run key}", "head"),
    Kind("event of a session's log", "SESSION#{thread}", "LOGGED#{event id}", "head"),
    Kind("artifact's metadata", "SESSION#{thread}", "ARTIFACT#{artifact id}", "head"),
    Kind("event of a session's calendar", "SESSION#{thread}", "CALENDAR#{beginning in UTC}#{event id}", "head"),
    Kind("value a runner keeps for a thread", "SESSION#{thread}", "STATE#{space}#{key}", "head"),
    Kind("names of the keys kept for a thread", "SESSION#{thread}", "STATE#{space}", "head"),
    Kind("thread id held for uploads", "SESSION#{thread}", "RESERVATION", "itself"),
    Kind("run", "RUN#{run key}", "RUN", "whole"),
    Kind("run's input", "RUN#{run key}", "INPUT", "head"),
    Kind("what a run may do", "RUN#{run key}", "GRANT", "head"),
    Kind("hash of the token of a run's remote runner", "RUN#{run key}", "TOKEN", "head"),
    Kind("batch of events", "RUN#{run key}", "EVENT#{number of its first event}.{empty ones before it}", "head"),
    Kind("names of the keys kept elsewhere", "STATE#{space}", "STATE#{space}", "whole"),
    Kind("value a runner keeps elsewhere", "STATE#{space}", "STATE#{space}#{key}", "head"),
    Kind("user's open streams, and the rate of new ones", "USER#{user}", "STREAMS", "key"),
    Kind("names of the user's runs that may be active, and the rate of new ones", "USER#{user}", "RUNS", "key"),
    Kind("rates of the user's other requests", "USER#{user}", "RATES", "key"),
    Kind("upload", "USER#{user}", "UPLOAD#{upload id}", "key"),
    Kind("tries to recognise a recording", "USER#{user}", "RECORDING#{upload id}", "key"),
    Kind("what the user has used on a day", "USAGE#{user}", "DAY#{date in UTC}", "key"),
    Kind("API key", "API_KEYS", "API_KEY#{key id}", "itself"),
)
"""Every kind of item there is. Names of keys that are kept for no user, but by a runner for all, have no `user_id`."""

SESSIONS_BY_ACTIVITY = "sessions_by_activity"

_COLLISIONS = frozenset(
    {"TransactionConflict", "TransactionConflictException", "ThrottlingError", "ProvisionedThroughputExceeded"}
)
_PAUSES = (0.02, 0.04, 0.08, 0.16, 0.32)
"""Seconds to wait after each collision, half of it or more: those who collided must not come back together."""

_BUSY = frozenset(
    {
        "ExecutionLimitExceeded",
        "InternalError",
        "InternalServerError",
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "SlowDown",
        "ThrottlingError",
        "ThrottlingException",
        "TooManyRequestsException",
        "TransactionConflict",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
"""The codes of AWS services that are there and have no time just now."""

_SERVER_ERROR = 500
_UNREACHED = (NoConnectionError, HTTPClientError, IncompleteReadError)
"""botocore's errors of the way to a service; its others are about what it was told, and will be the same again."""

_Answer = TypeVar("_Answer")

_serializer = TypeSerializer()
_deserializer = TypeDeserializer()


class ConditionFailedError(Exception):
    """A conditional write did not hold. `failed` has one bool per item of the transaction, in its order."""

    def __init__(self, failed: Sequence[bool]) -> None:
        super().__init__("condition failed")
        self.failed = failed


def kind_of(key: Mapping[str, Any]) -> Kind:
    """The kind of an item by its key. Raises LookupError for a key of no kind."""
    for kind in KINDS:
        if kind.matches(key):
            return kind
    raise LookupError(f"no kind of item has the key {key['pk']}, {key['sk']}")


def _form(form: str) -> re.Pattern[str]:
    digits = form.replace("{space}", "[0-9a-f]{64}")
    return re.compile(re.sub(r"\{[a-z][^}]*\}", ".+", digits), re.DOTALL)


def session_key(thread_id: str) -> Item:
    """The key of a session."""
    return {"pk": session_partition(thread_id), "sk": "SESSION"}


def session_partition(thread_id: str) -> str:
    """The partition of a session and its messages."""
    return f"SESSION#{thread_id.lower()}"


def message_key(thread_id: str, seq: int) -> Item:
    """The key of a session's message."""
    return {"pk": session_partition(thread_id), "sk": f"MESSAGE#{seq:010d}"}


def run_key_of(run_key: str, kind: str = "RUN") -> Item:
    """The key of a run, or of another item of it, by its sort key."""
    return {"pk": f"RUN#{run_key}", "sk": kind}


def logged_key(thread_id: str, event_id: str) -> Item:
    """The key of an event of a session's log."""
    return {"pk": session_partition(thread_id), "sk": f"LOGGED#{event_id}"}


def artifact_key(thread_id: str, artifact_id: str) -> Item:
    """The key of an artifact's metadata."""
    return {"pk": session_partition(thread_id), "sk": f"ARTIFACT#{artifact_id}"}


def to_wire(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values as DynamoDB's attribute values; None is left out."""
    # Most of what is stored is text, for which boto3's serialiser is slow.
    return {
        name: {"S": value} if isinstance(value, str) else _serializer.serialize(value)
        for name, value in values.items()
        if value is not None
    }


def from_wire(item: Mapping[str, Any]) -> Item:
    """DynamoDB's attribute values as values; numbers are Decimal."""
    return {name: value["S"] if "S" in value else _deserializer.deserialize(value) for name, value in item.items()}


def get(key: Item) -> Item | None:
    """Read one item, strongly consistent."""
    response = clients.dynamodb().get_item(TableName=settings.table_name, Key=to_wire(key), ConsistentRead=True)
    return from_wire(response["Item"]) if "Item" in response else None


def get_all(*keys: Item) -> list[Item | None]:
    """Read some items, each strongly consistent, in the order of their keys; there may have been writes in between."""
    name = settings.table_name
    wanted = [to_wire(key) for key in keys]
    response = clients.dynamodb().batch_get_item(RequestItems={name: {"Keys": wanted, "ConsistentRead": True}})
    found = {(item["pk"], item["sk"]): item for item in map(from_wire, response.get("Responses", {}).get(name, []))}
    # What a busy table leaves out is asked for by itself, which botocore tries again.
    unprocessed = response.get("UnprocessedKeys")
    left = [from_wire(key) for key in unprocessed[name]["Keys"]] if unprocessed else []
    return [get(key) if key in left else found.get((key["pk"], key["sk"])) for key in keys]


def query(
    partition: str,
    *,
    start: str,
    before: str,
    limit: int | None = None,
    newest_first: bool = False,
    consistent: bool = True,
    attributes: Sequence[str] = (),
) -> Iterator[Item]:
    """Read a partition's items with `start` <= sk <= `before` by sk, page by page; strongly consistent unless told.

    Given `attributes`, no others come over the wire.
    """
    names = {f"#a{number}": name for number, name in enumerate(attributes)}
    optional: dict[str, Any] = {}
    if names:
        optional = {"ProjectionExpression": ", ".join(names), "ExpressionAttributeNames": names}
    paginator = clients.dynamodb().get_paginator("query")
    pages = paginator.paginate(
        TableName=settings.table_name,
        KeyConditionExpression="pk = :pk AND sk BETWEEN :start AND :before",
        ExpressionAttributeValues=to_wire({":pk": partition, ":start": start, ":before": before}),
        ConsistentRead=consistent,
        ScanIndexForward=not newest_first,
        PaginationConfig={"MaxItems": limit, "PageSize": limit} if limit else {},
        **optional,
    )
    for page in pages:
        for item in page["Items"]:
            yield from_wire(item)


def put(item: Item, condition: str | None = None, values: Mapping[str, Any] | None = None) -> "WriteItem":
    """A Put for a transaction."""
    return {"Put": cast("Put", {"Item": to_wire(item), **_write(condition, values)})}


def update(key: Item, expression: str, values: Mapping[str, Any], condition: str | None = None) -> "WriteItem":
    """An Update for a transaction. No attribute of this table is a word that DynamoDB reserves."""
    write = {"Key": to_wire(key), "UpdateExpression": expression, **_write(condition, values)}
    return {"Update": cast("Update", write)}


def delete(key: Item) -> "WriteItem":
    """A Delete for a transaction, of an item that may not be there."""
    return {"Delete": {"TableName": settings.table_name, "Key": to_wire(key)}}


def _write(condition: str | None, values: Mapping[str, Any] | None) -> dict[str, Any]:
    parts: dict[str, Any] = {"TableName": settings.table_name}
    if condition is not None:
        parts["ConditionExpression"] = condition
    if values:
        parts["ExpressionAttributeValues"] = to_wire(values)
    return parts


def transact(*items: "WriteItem") -> None:
    """Write all or nothing.

    Raises ConditionFailedError when a condition does not hold. botocore's own retries carry a request token, so that a
    write whose answer was lost is not applied twice; yet it may have been applied whatever is raised here.
    """
    try:
        _past_collisions(lambda: clients.dynamodb().transact_write_items(TransactItems=items))
    except ClientError as error:  # by its codes: the class differs when two threads are the first to see one
        failed = [code == "ConditionalCheckFailed" for code in _cancellation_codes(error)]
        if any(failed):
            raise ConditionFailedError(failed) from error
        raise


def put_alone(item: Item, condition: str | None = None, values: Mapping[str, Any] | None = None) -> None:
    """Put one item outside a transaction, at half the price. Raises ConditionFailedError."""
    write = _write(condition, values)
    try:
        _past_collisions(lambda: clients.dynamodb().put_item(Item=to_wire(item), **write))
    except ClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            raise ConditionFailedError([True]) from error
        raise


def update_returning(
    key: Item, expression: str, values: Mapping[str, Any], condition: str, names: Mapping[str, str] | None = None
) -> Item | None:
    """Update one item and return it whole, or None when the condition does not hold.

    `names` stand for members of a map, by a placeholder each.
    """
    optional: dict[str, Any] = {}
    if values:
        optional["ExpressionAttributeValues"] = to_wire(values)
    if names:
        optional["ExpressionAttributeNames"] = dict(names)
    try:
        response = _past_collisions(
            lambda: clients.dynamodb().update_item(
                TableName=settings.table_name,
                Key=to_wire(key),
                UpdateExpression=expression,
                ConditionExpression=condition,
                ReturnValues="ALL_NEW",
                **optional,
            )
        )
    except ClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            return None
        raise
    return from_wire(response["Attributes"])


def _past_collisions(write: Callable[[], _Answer]) -> _Answer:
    """Write, and again after a pause when a transaction on the same item is in the way; botocore does not try again."""
    for pause in _PAUSES:
        try:
            return write()
        except ClientError as error:
            codes = error_codes(error)
            if codes.isdisjoint(_COLLISIONS) or "ConditionalCheckFailed" in codes:
                raise
        time.sleep(random.uniform(pause / 2, pause))  # noqa: S311 (nothing depends on its being secret)
    return write()


def error_codes(error: ClientError) -> set[str]:
    """Every code that an error of AWS has: its own, and of a cancelled transaction one for each of its items."""
    return {error.response["Error"]["Code"], *_cancellation_codes(error)}


def is_busy(error: Exception) -> bool:
    """Whether an error of AWS says that the same may work later: throttled, failed by itself, or not reached."""
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return status >= _SERVER_ERROR or not _BUSY.isdisjoint(error_codes(error))
    return isinstance(error, _UNREACHED)


def _cancellation_codes(error: ClientError) -> list[str]:
    """Why each item of a transaction was not written: one code per item, "None" where it was not the reason."""
    response = cast("dict[str, Any]", error.response)
    return [reason.get("Code", "None") for reason in response.get("CancellationReasons", [])]
