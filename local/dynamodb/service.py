"""Serves DynamoDB's HTTP API (JSON 1.0) to SDKs."""

import logging
from typing import Final

from starlette.types import Receive, Scope, Send

from local.dynamodb.database import Database
from local.dynamodb.encoding import dumps, loads
from local.dynamodb.errors import OperationError

_PREFIX: Final = "DynamoDB_20120810."
_HEADERS: Final = ((b"content-type", b"application/x-amz-json-1.0"),)

logger = logging.getLogger(__name__)


async def serve(database: Database, scope: Scope, receive: Receive, send: Send) -> None:
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
        return 200, dumps(database.call(operation, loads(body)))
    except OperationError as error:
        kind = f"com.amazonaws.dynamodb.v20120810#{error.code}"
        return 400, dumps({"__type": kind, "message": error.message, "Message": error.message, **error.members})
    except (KeyError, TypeError, ValueError, AttributeError) as error:  # the request lacks members
        logger.warning("%s cannot be read: %r", operation, error)
        kind = "com.amazon.coral.service#SerializationException"
        return 400, dumps({"__type": kind, "message": f"the request cannot be read: {error!r}"})
