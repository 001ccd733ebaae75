"""Lambda handlers for API Gateway's WebSocket events."""

import base64
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final
from urllib.parse import quote, unquote

from yarrow.observability import logs
from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.store.table import is_busy

_PAUSES: Final = (0.2, 0.8)
"""Seconds before each retry."""

Handler = Callable[[dict[str, Any], object], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class AuthorizedCaller:
    caller: Caller
    task_name: str | None
    client_tag: str | None

    @classmethod
    def from_context(cls, context: Mapping[str, str]) -> "AuthorizedCaller":
        task_name = context.get("taskName")
        return cls(Caller.from_authorizer(context), task_name and unquote(task_name), context.get("clientTag"))

    def context(self) -> dict[str, str]:
        """Return the authorizer's context: ASCII strings only, so the task's name is percent-encoded."""
        known = {"taskName": self.task_name and quote(self.task_name, safe=""), "clientTag": self.client_tag}
        return self.caller.to_authorizer() | {name: value for name, value in known.items() if value is not None}


@dataclass(frozen=True, slots=True)
class WebSocketEvent:
    connection_id: str
    authorized: AuthorizedCaller
    at_ms: int
    message_id: str = ""
    text: str = ""
    close_status: int | None = None
    """The WebSocket status of a closed connection, if API Gateway knows it."""


def patiently(handle: Callable[[WebSocketEvent], None]) -> Callable[[WebSocketEvent], None]:
    """Retry while a backing service is busy: API Gateway does not redeliver events."""

    @wraps(handle)
    def tried(event: WebSocketEvent) -> None:
        for pause in _PAUSES:
            try:
                return handle(event)
            except Exception as error:
                if not is_busy(error):
                    raise
                logger.warning("a service is busy; the event is retried", exc_info=True)
            time.sleep(pause)
        return handle(event)

    return tried


def websocket(handle: Callable[[WebSocketEvent], None]) -> Handler:
    """The handler's status matters only to a connection that is being opened."""

    @wraps(handle)
    def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
        request = event["requestContext"]
        user_id = request["authorizer"]["sub"]
        with logs.invocation(context, request_id=request["requestId"], user_id=user_id):
            try:
                handle(_read(event))
            except Problem as problem:
                logger.info("a request was refused", extra={"status": problem.status, "code": problem.code.name})
                return _refusal(problem)
            except Exception as error:
                logger.exception("unhandled error")
                if is_busy(error):
                    return _refusal(Problem(Code.SERVICE_UNAVAILABLE, "the service is busy; send it again"))
                emit("a request failed", {Metric.REQUESTS_FAILED: 1})
                return _refusal(Problem(Code.INTERNAL_ERROR, "the service failed"))
        return {"statusCode": 200}

    return handler


def _read(event: Mapping[str, Any]) -> WebSocketEvent:
    request, body = event["requestContext"], event.get("body") or ""
    return WebSocketEvent(
        connection_id=request["connectionId"],
        authorized=AuthorizedCaller.from_context(request["authorizer"]),
        at_ms=request["requestTimeEpoch"],
        message_id=request.get("messageId") or "",
        text=base64.b64decode(body).decode(errors="replace") if event.get("isBase64Encoded") else body,
        close_status=request.get("disconnectStatusCode"),
    )


def _refusal(problem: Problem) -> dict[str, Any]:
    headers = {"Content-Type": "application/problem+json"}
    return {"statusCode": problem.status, "headers": headers, "body": json.dumps(problem.document())}
