"""Endpoint errors as `application/problem+json` (ERR-01, ERR-12)."""

from typing import cast

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.problems import Code, Problem
from yarrow.store.table import is_busy

_NO_ROUTE = Problem(Code.ROUTE_NOT_FOUND, "no such route")
# API Gateway has no 405: it answers an unknown method as an unknown route.
_NO_ROUTE_STATUSES = (404, 405)
_TOO_MANY_REQUESTS = 429
_SERVER_ERROR = 500
_UNREADABLE = Problem(Code.REQUEST_INVALID, "the request could not be read")


class ProblemResponse(JSONResponse):
    media_type = "application/problem+json"

    def __init__(self, problem: Problem, *, instance: str, trace_id: str | None = None) -> None:
        retry_after = problem.retry_after or (1 if problem.status in (_TOO_MANY_REQUESTS, 503) else None)
        headers = {"X-Content-Type-Options": "nosniff"}
        if retry_after is not None:
            headers["Retry-After"] = str(retry_after)
        document = problem.document(instance=instance, trace_id=trace_id)
        super().__init__(document, status_code=problem.status, headers=headers)


def on_problem(request: Request, error: Exception) -> ProblemResponse:
    """Log a problem, server errors with their cause, and respond with it."""
    problem = cast("Problem", error)
    fields = {"status": problem.status, "code": problem.code.name}
    if problem.status >= _SERVER_ERROR:
        logger.warning("a request failed", extra=fields, exc_info=problem)
    else:
        logger.info("a request was refused", extra=fields)
    if problem.status == _TOO_MANY_REQUESTS:
        emit("a limit was reached", {Metric.LIMITS_REACHED: 1}, by={"code": problem.code.name})
    return ProblemResponse(problem, instance=request.url.path)


def on_http_exception(request: Request, error: Exception) -> ProblemResponse:
    """Respond to Starlette's own errors: an unknown route or method, an incomplete body."""
    problem = _NO_ROUTE if cast("HTTPException", error).status_code in _NO_ROUTE_STATUSES else _UNREADABLE
    return ProblemResponse(problem, instance=request.url.path)


class UnhandledErrors:
    """Responds 500, or 503 if a backing service is busy. The trace id is the log's `request_id` (ERR-12). After the
    response has started, the error is raised to the server.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Exception as error:
            if started:
                raise
            trace_id: str = scope["aws.event"]["requestContext"]["requestId"]
            logger.exception("unhandled error")
            problem = _public(error)
            if problem.code is Code.INTERNAL_ERROR:
                emit("a request failed", {Metric.REQUESTS_FAILED: 1})
            response = ProblemResponse(problem, instance=scope["path"], trace_id=trace_id)
            await response(scope, receive, send)


def _public(error: Exception) -> Problem:
    if is_busy(error):
        return Problem(Code.SERVICE_UNAVAILABLE, "the service is busy; send the request again")
    return Problem(Code.INTERNAL_ERROR, "the service failed")
