"""The DynamoDB table: kinds of items, serialisation, transactions. Sessions with an assistant message, unless deleted,
have the keys of the index `sessions_by_activity`: `listed_for` and `last_active`.
"""

import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, cast

from botocore.exceptions import ClientError, HTTPClientError, IncompleteReadError
from botocore.exceptions import ConnectionError as NoConnectionError

from yarrow.formats import attribute_values
from yarrow.settings import settings
from yarrow.store import clients
from yarrow.store.items.updates import ALWAYS, Condition, Update, parameters

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import ConditionCheckTypeDef, DeleteTypeDef, PutTypeDef, UpdateTypeDef
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

Item = dict[str, Any]

Owner = Literal["itself", "whole", "head", "key", "nobody"]
"""Where an item's user is found: its own `user_id`; that, for the whole partition; the partition's head item; the
partition's name; nowhere, since it is about no user."""


@dataclass(frozen=True, slots=True)
class ItemKind:
    what: str
    pk: str
    sk: str
    owner: Owner

    def matches(self, key: Mapping[str, Any]) -> bool:
        return all(_form(form).fullmatch(key[name]) for name, form in (("pk", self.pk), ("sk", self.sk)))


# {thread} is in lower case, as UUIDs ignore case; {space} is a digest of runner, binding, scope and its id, {digest}
# one of the subject of the item.
KINDS: Final = (
    ItemKind("session", "SESSION#{thread}", "SESSION", "whole"),
    ItemKind("message", "SESSION#{thread}", "MESSAGE#{seq}", "head"),
    ItemKind(
        "what a run did with tools", "SESSION#{thread}", "TURN#{seq before it}#{its end in UTC}#{run key}", "head"
    ),
    ItemKind("event of a session's log", "SESSION#{thread}", "LOGGED#{event id}", "head"),
    ItemKind("artifact's metadata", "SESSION#{thread}", "ARTIFACT#{artifact id}", "head"),
    ItemKind("event of a session's calendar", "SESSION#{thread}", "CALENDAR#{beginning in UTC}#{event id}", "head"),
    ItemKind(
        "where an event of a session's calendar went", "SESSION#{thread}", "CALENDAR_MOVED#{its old place}", "head"
    ),
    ItemKind("value a runner keeps for a thread", "SESSION#{thread}", "STATE#{space}#{key}", "head"),
    ItemKind("names of the keys kept for a thread", "SESSION#{thread}", "STATE#{space}", "head"),
    ItemKind("thread id held for uploads", "SESSION#{thread}", "RESERVATION", "itself"),
    ItemKind("run", "RUN#{run key}", "RUN", "whole"),
    ItemKind("run's input", "RUN#{run key}", "INPUT", "head"),
    ItemKind("what a run may do", "RUN#{run key}", "GRANT", "head"),
    ItemKind("hash of the token of a run's remote runner", "RUN#{run key}", "TOKEN", "head"),
    ItemKind("message added to a run", "RUN#{run key}", "ADDED#{place}", "head"),
    ItemKind("what the runner of a run raised", "RUN#{run key}", "RAISED", "head"),
    ItemKind("contents of a call of a model", "RUN#{run key}", "CONTENTS#{step id}", "head"),
    ItemKind("call that a run was refused", "RUN#{run key}", "REFUSED#{place}", "head"),
    ItemKind("step of a run", "RUN#{run key}", "STEP#{digest of the call}.{how often before}", "head"),
    ItemKind("batch of events", "RUN#{run key}", "EVENT#{number of its first event}.{empty ones before it}", "head"),
    ItemKind("what a tool keeps once a run", "RUN#{run key}", "{kind}#{digest}", "head"),
    ItemKind("names of the keys kept elsewhere", "STATE#{space}", "STATE#{space}", "whole"),
    ItemKind("value a runner keeps elsewhere", "STATE#{space}", "STATE#{space}#{key}", "head"),
    ItemKind("user's open streams, and the rate of new ones", "USER#{user}", "STREAMS", "key"),
    ItemKind("names of the user's runs that may be active, and the rate of new ones", "USER#{user}", "RUNS", "key"),
    ItemKind("rates of the user's other requests", "USER#{user}", "RATES", "key"),
    ItemKind("bytes that the user's attachments take", "USER#{user}", "STORED", "key"),
    ItemKind("upload", "USER#{user}", "UPLOAD#{upload id}", "key"),
    ItemKind("tries to recognise a recording", "USER#{user}", "RECORDING#{upload id}", "key"),
    ItemKind("what the user has used on a day", "USAGE#{user}", "DAY#{date in UTC}", "key"),
    ItemKind("what runs of a day used", "USED#{date in UTC}", "USED#{digest}#{digest}", "itself"),
    ItemKind("runs of a day that ended in an hour", "HOURS#{date in UTC}", "HOURS#{hour}#{digest}#{shard}", "nobody"),
    ItemKind("refusals of a limit in an hour", "LIMITS#{date in UTC}", "LIMITS#{hour}#{code}#{of}#{shard}", "nobody"),
    ItemKind("mark that a run's usage was counted", "COUNTED#{run key}", "COUNTED", "itself"),
    ItemKind("number of the user's memories", "MEMORIES#{user}", "MEMORIES", "key"),
    ItemKind("memory", "MEMORIES#{user}", "MEMORY#{memory id}", "key"),
    ItemKind("user's devices", "DEVICES#{user}", "DEVICES", "key"),
    ItemKind("whose a device is", "DEVICE#{device id}", "DEVICE", "itself"),
    ItemKind("endpoint of a device in Amazon SNS", "DEVICE#{device id}", "ENDPOINT#{arn of the endpoint}", "itself"),
    ItemKind("counts of the user's outcomes", "OUTCOMES#{user}", "OUTCOMES", "key"),
    ItemKind("outcome of a session", "OUTCOMES#{user}", "SESSION#{thread}", "key"),
    ItemKind("open question to the user", "QUESTIONS#{user}", "OPEN#{question id}", "key"),
    ItemKind("question that was answered or closed", "QUESTIONS#{user}", "CLOSED#{question id}", "key"),
    ItemKind("workspace", "WORKSPACE#{workspace key}", "WORKSPACE", "whole"),
    ItemKind("entry of a workspace's log", "WORKSPACE#{workspace key}", "ENTRY#{number}", "head"),
    ItemKind("connection to a workspace", "WORKSPACE#{workspace key}", "CONNECTION#{connection id}", "head"),
    ItemKind("connection whose address names no task", "CONNECTION#{connection id}", "CONNECTION", "itself"),
    ItemKind("page's latest workspace", "USER#{user}", "PAGE#{client tag}", "key"),
    ItemKind("automation job", "JOB#{job id}", "JOB", "whole"),
    ItemKind("run of an automation job", "JOB#{job id}", "RUN#{due in UTC}#{run id}", "head"),
    ItemKind("automation job in the list of all", "ALL_JOBS", "JOB#{job id}", "itself"),
    ItemKind("ids of the user's automation jobs", "USER#{user}", "JOBS", "key"),
    ItemKind("webhook of the deployment", "DEPLOYMENT_WEBHOOKS", "WEBHOOK#{webhook id}", "itself"),
    ItemKind("ids of the deployment's webhooks", "DEPLOYMENT_WEBHOOKS", "WEBHOOKS", "itself"),
    ItemKind("webhook of the user", "WEBHOOKS#{user}", "WEBHOOK#{webhook id}", "key"),
    ItemKind("ids of the user's webhooks", "WEBHOOKS#{user}", "WEBHOOKS", "key"),
    ItemKind("delivery of a webhook", "DELIVERIES#{webhook id}", "DELIVERY#{delivery id}", "itself"),
    ItemKind("delivery that waits", "WAITING_DELIVERIES#{shard}", "WAITING#{since}#{delivery id}", "itself"),
    ItemKind("ids of the user's connections to MCP servers", "MCP_CONNECTIONS#{user}", "CONNECTIONS", "key"),
    ItemKind("connection to an MCP server", "MCP_CONNECTIONS#{user}", "SERVER#{connection id}", "key"),
    ItemKind("sign-in to an MCP server", "MCP_CONNECTIONS#{user}", "SIGN_IN#{digest}", "key"),
    ItemKind("client registered at an authorization server", "MCP_CLIENTS#{digest}", "CLIENT", "nobody"),
    ItemKind("workspace ticket", "TICKET#{sha256 of the ticket}", "TICKET", "itself"),
    ItemKind("API key", "API_KEYS", "API_KEY#{key id}", "itself"),
)
"""Key names of a runner for all users have no `user_id`."""

SESSIONS_BY_ACTIVITY = "sessions_by_activity"

_COLLISIONS = frozenset(
    {"TransactionConflict", "TransactionConflictException", "ThrottlingError", "ProvisionedThroughputExceeded"}
)
_PAUSES = (0.02, 0.04, 0.08, 0.16, 0.32)
"""Seconds to wait after successive collisions, with jitter between half and all of it."""

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
"""AWS error codes of overload or failure."""

_SERVER_ERROR = 500
_UNREACHED = (NoConnectionError, HTTPClientError, IncompleteReadError)

_Answer = TypeVar("_Answer")


class ConditionFailedError(Exception):
    """`failed` has one bool per item of the transaction."""

    def __init__(self, failed: Sequence[bool]) -> None:
        super().__init__("condition failed")
        self.failed = failed


def kind_of(key: Mapping[str, Any]) -> ItemKind:
    """Find the kind of a key. Raises LookupError if it is unknown."""
    for kind in KINDS:
        if kind.matches(key):
            return kind
    raise LookupError(f"no item kind has the key {key['pk']}, {key['sk']}")


def _form(form: str) -> re.Pattern[str]:
    digits = re.sub(r"\{(space|digest)\}", "[0-9a-f]{64}", form)
    return re.compile(re.sub(r"\{[a-z][^}]*\}", ".+", digits), re.DOTALL)


def session_key(thread_id: str) -> Item:
    return {"pk": session_partition(thread_id), "sk": "SESSION"}


def session_partition(thread_id: str) -> str:
    return f"SESSION#{thread_id.lower()}"


def message_key(thread_id: str, seq: int) -> Item:
    return {"pk": session_partition(thread_id), "sk": f"MESSAGE#{seq:010d}"}


def run_key_of(run_key: str, kind: str = "RUN") -> Item:
    """`kind` is the sort key."""
    return {"pk": f"RUN#{run_key}", "sk": kind}


def logged_key(thread_id: str, event_id: str) -> Item:
    return {"pk": session_partition(thread_id), "sk": f"LOGGED#{event_id}"}


def artifact_key(thread_id: str, artifact_id: str) -> Item:
    return {"pk": session_partition(thread_id), "sk": f"ARTIFACT#{artifact_id}"}


def to_wire(values: Mapping[str, Any]) -> dict[str, Any]:
    """Serialize values, leaving out None."""
    return {name: attribute_values.serialize(value) for name, value in values.items() if value is not None}


def from_wire(item: Mapping[str, Any]) -> Item:
    """Deserialize an item; numbers become Decimal."""
    return {name: attribute_values.deserialize(value) for name, value in item.items()}


def get(key: Item) -> Item | None:
    """Read an item; strongly consistent."""
    response = clients.dynamodb().get_item(TableName=settings.table_name, Key=to_wire(key), ConsistentRead=True)
    return from_wire(response["Item"]) if "Item" in response else None


def get_all(*keys: Item) -> list[Item | None]:
    """Read items in the order of the keys; strongly consistent, but not atomic."""
    name = settings.table_name
    wanted = [to_wire(key) for key in keys]
    response = clients.dynamodb().batch_get_item(RequestItems={name: {"Keys": wanted, "ConsistentRead": True}})
    found = {(item["pk"], item["sk"]): item for item in map(from_wire, response.get("Responses", {}).get(name, []))}
    # Keys that a busy table left out are read one by one, which botocore retries.
    unprocessed = response.get("UnprocessedKeys")
    left = [from_wire(key) for key in unprocessed[name]["Keys"]] if unprocessed else []
    return [get(key) if key in left else found.get((key["pk"], key["sk"])) for key in keys]


def query(
    partition: str,
    *,
    start: str,
    before: str,
    limit: int | None = None,
    per_page: int | None = None,
    newest_first: bool = False,
    consistent: bool = True,
    attributes: Sequence[str] = (),
) -> Iterator[Item]:
    """Read items with `start` <= sk <= `before`, `per_page` at a time; `attributes` limits what is returned."""
    names = {f"#a{number}": name for number, name in enumerate(attributes)}
    optional: dict[str, Any] = {}
    if names:
        optional = {"ProjectionExpression": ", ".join(names), "ExpressionAttributeNames": names}
    request: dict[str, Any] = {
        "TableName": settings.table_name,
        "KeyConditionExpression": "pk = :pk AND sk BETWEEN :start AND :before",
        "ExpressionAttributeValues": to_wire({":pk": partition, ":start": start, ":before": before}),
        "ConsistentRead": consistent,
        "ScanIndexForward": not newest_first,
        **optional,
        **({} if per_page is None else {"Limit": per_page}),
    }
    # botocore's paginator would load more models at a cold start, and make a class for each query.
    left = limit
    while left != 0:
        if left:
            request["Limit"] = left
        page = clients.dynamodb().query(**request)
        for item in page["Items"]:
            yield from_wire(item)
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
        left = left and left - len(page["Items"])


def put(item: Item, condition: Condition = ALWAYS) -> "WriteItem":
    return {"Put": cast("PutTypeDef", {"Item": to_wire(item), **_write(None, condition)})}


def update(key: Item, changes: Update, condition: Condition = ALWAYS) -> "WriteItem":
    return {"Update": cast("UpdateTypeDef", {"Key": to_wire(key), **_write(changes, condition)})}


def delete(key: Item, condition: Condition = ALWAYS) -> "WriteItem":
    """Make a delete; without a condition, the item may be missing."""
    return {"Delete": cast("DeleteTypeDef", {"Key": to_wire(key), **_write(None, condition)})}


def check(key: Item, condition: Condition) -> "WriteItem":
    """Make a check, which fails unless the condition holds."""
    return {"ConditionCheck": cast("ConditionCheckTypeDef", {"Key": to_wire(key), **_write(None, condition)})}


def _write(changes: Update | None, condition: Condition) -> dict[str, Any]:
    return {"TableName": settings.table_name, **parameters(changes, condition)}


def transact(*items: "WriteItem") -> None:
    """Write all or nothing. Raises ConditionFailedError. botocore's retries carry a request token, so a write whose
    response was lost is not applied twice; after other errors it may have been applied.
    """
    try:
        _past_collisions(lambda: clients.dynamodb().transact_write_items(TransactItems=items))
    except ClientError as error:  # told apart by codes: the class differs if two threads meet the first one at once
        failed = [code == "ConditionalCheckFailed" for code in _cancellation_codes(error)]
        if any(failed):
            raise ConditionFailedError(failed) from error
        raise


def put_alone(item: Item, condition: Condition = ALWAYS) -> None:
    """Put outside a transaction, at half the price. Raises ConditionFailedError."""
    write = _write(None, condition)
    try:
        _past_collisions(lambda: clients.dynamodb().put_item(Item=to_wire(item), **write))
    except ClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            raise ConditionFailedError([True]) from error
        raise


def delete_alone(key: Item) -> None:
    """Delete an item, which may be missing."""
    _past_collisions(lambda: clients.dynamodb().delete_item(TableName=settings.table_name, Key=to_wire(key)))


def update_returning(key: Item, changes: Update, condition: Condition) -> Item | None:
    """Update an item and return it; None if the condition fails."""
    changed, item = _update(key, changes, condition, "NONE")
    return item if changed else None


def update_or_read(key: Item, changes: Update, condition: Condition) -> tuple[bool, Item | None]:
    """Return True and the new item; if the condition fails, False and the old one."""
    return _update(key, changes, condition, "ALL_OLD")


def _update(
    key: Item, changes: Update, condition: Condition, on_failure: Literal["NONE", "ALL_OLD"]
) -> tuple[bool, Item | None]:
    write = _write(changes, condition)
    try:
        response = _past_collisions(
            lambda: clients.dynamodb().update_item(
                Key=to_wire(key),
                ReturnValues="ALL_NEW",
                ReturnValuesOnConditionCheckFailure=on_failure,
                **write,
            )
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        old = cast("dict[str, Any]", error.response).get("Item")
        return False, None if old is None else from_wire(old)
    return True, from_wire(response["Attributes"])


def _past_collisions(write: Callable[[], _Answer]) -> _Answer:
    """Retry a write that collides with a transaction, which botocore does not."""
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
    """Return an error's own code, and one per item of a cancelled transaction."""
    return {error.response["Error"]["Code"], *_cancellation_codes(error)}


def is_busy(error: Exception) -> bool:
    """Return whether an AWS error is transient: throttling, a server error or no connection."""
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return status >= _SERVER_ERROR or not _BUSY.isdisjoint(error_codes(error))
    return isinstance(error, _UNREACHED)


def _cancellation_codes(error: ClientError) -> list[str]:
    """Return one code per item, "None" for items that were not the cause."""
    response = cast("dict[str, Any]", error.response)
    return [reason.get("Code", "None") for reason in response.get("CancellationReasons", [])]
