"""DynamoDB's HTTP API: JSON 1.0, as SDKs speak it."""

import base64
import json
import logging
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from local.dynamodb.database import Database
from local.dynamodb.errors import OperationError

_PREFIX: Final = "DynamoDB_20120810."
_HEADERS: Final = ((b"content-type", b"application/x-amz-json-1.0"),)

logger = logging.getLogger(__name__)


async def serve(database: Database, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request."""
    chunks: list[bytes] = []
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        chunks.append(message.get("body", b""))
        more = message.get("more_body", False)
    target = next((value.decode() for name, value in scope["headers"] if name == b"x-amz-target"), "")
    status, answer = _answer(database, target.removeprefix(_PREFIX), b"".join(chunks))
    headers = [*_HEADERS, (b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


def _answer(database: Database, operation: str, body: bytes) -> tuple[int, bytes]:
    try:
        return 200, _dumps(database.call(operation, json.loads(body, object_hook=_with_bytes)))
    except OperationError as error:
        kind = f"com.amazonaws.dynamodb.v20120810#{error.code}"
        return 400, _dumps({"__type": kind, "message": error.message, "Message": error.message, **error.members})
    except (KeyError, TypeError, ValueError, AttributeError) as error:  # a request of another shape
        logger.warning("%s cannot be read: %r", operation, error)
        kind = "com.amazon.coral.service#SerializationException"
        return 400, _dumps({"__type": kind, "message": f"the request cannot be read: {error!r}"})


def _with_bytes(value: dict[str, Any]) -> dict[str, Any]:
    """Binary values are in base64."""
    if len(value) == 1:
        match value:
            case {"B": str(text)}:
                return {"B": base64.b64decode(text)}
            case {"BS": list(texts)}:
                return {"BS": [base64.b64decode(text) for text in texts]}
    return value


def _dumps(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_as_base64).encode()


def _as_base64(value: object) -> str:
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    raise TypeError(f"{type(value).__name__} is not of DynamoDB's JSON")
