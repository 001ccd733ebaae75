"""A Lambda handler for batches of a DynamoDB stream."""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from yarrow.observability import logs
from yarrow.store import table

Handler = Callable[[dict[str, Any], object], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ChangedRecord:
    """`item` is its new state; of an item that is gone, its key."""

    sequence_number: str
    item: Mapping[str, Any]


def batch(handle: Callable[[Sequence[ChangedRecord]], list[str]]) -> Handler:
    """Return a handler; records whose sequence numbers `handle` returns are delivered again. An exception fails the
    whole batch; Lambda logs only its kind (SEC-05).
    """

    @wraps(handle)
    def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
        with logs.invocation(context):
            try:
                failed = handle([_read(record["dynamodb"]) for record in event["Records"]])
            except Exception as error:
                logs.logger.exception("a batch failed")
                raise logs.unworded(type(error).__name__, "see the log") from None
        return {"batchItemFailures": [{"itemIdentifier": number} for number in failed]}

    return handler


def _read(change: Mapping[str, Any]) -> ChangedRecord:
    item = change["NewImage"] if "NewImage" in change else change["Keys"]
    image = {name: _decoded(value) for name, value in item.items()}
    return ChangedRecord(change["SequenceNumber"], table.from_wire(image))


def _decoded(value: Mapping[str, Any]) -> dict[str, Any]:
    """Decode an attribute value; bytes are base64 in an event."""
    ((kind, content),) = value.items()
    match kind:
        case "B":
            return {"B": base64.b64decode(content)}
        case "BS":
            return {"BS": [base64.b64decode(item) for item in content]}
        case "M":
            return {"M": {name: _decoded(item) for name, item in content.items()}}
        case "L":
            return {"L": [_decoded(item) for item in content]}
        case _:
            return {kind: content}
