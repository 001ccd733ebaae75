"""Responses to a remote runner's actions."""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Final, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from yarrow.observability.logs import logger
from yarrow.protocol.runner.api import AgentAPIError, AgentAPIException, ErrorCode
from yarrow.protocol.runner.callback import LINES, OCCURRENCE_HEADER, StreamLine

STATUS: Final[Mapping[ErrorCode, int]] = {
    "unauthorized": 403,
    "not_found": 404,
    "deadline_exceeded": 504,
    "payload_too_large": 413,
    "rate_limited": 429,
    "invalid_argument": 400,
    "runtime_error": 502,
}

_FAILED: Final = AgentAPIError(code="runtime_error", message="the host failed")


def occurrence_of(header: str | None) -> int | None:
    """Read OCCURRENCE_HEADER. Raises AgentAPIException `invalid_argument`."""
    if header is None:
        return None
    if not re.fullmatch("[1-9][0-9]{0,3}", header):
        raise AgentAPIException("invalid_argument", f"{OCCURRENCE_HEADER} must be a number from 1 to 9999")
    return int(header)


def on_api_exception(_request: Request, error: Exception) -> JSONResponse:
    answer = cast("AgentAPIException", error).error
    return JSONResponse(answer.model_dump(mode="json"), status_code=STATUS[answer.code])


class LinesResponse(StreamingResponse):
    """Streams StreamLines; an error after the first becomes the last line."""

    media_type = LINES

    def __init__(self, documents: AsyncGenerator[dict[str, Any]]) -> None:
        self._lines = _lines(documents)
        super().__init__(self._lines)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._lines):
            await super().__call__(scope, receive, send)


async def begin(documents: AsyncGenerator[dict[str, Any]]) -> AsyncGenerator[dict[str, Any]]:
    """Wait for the first document: errors before it get their own status."""
    first = await anext(documents, None)
    return _from(first, documents)


async def _from(first: dict[str, Any] | None, rest: AsyncGenerator[dict[str, Any]]) -> AsyncGenerator[dict[str, Any]]:
    async with aclosing(rest):
        if first is not None:
            yield first
            async for document in rest:
                yield document


async def _lines(documents: AsyncGenerator[dict[str, Any]]) -> AsyncGenerator[bytes]:
    async with aclosing(documents):
        try:
            async for document in documents:
                yield _line(StreamLine(document=document))
        except AgentAPIException as error:
            last = StreamLine(error=error.error)
        except Exception:
            logger.exception("an action failed")
            last = StreamLine(error=_FAILED)
        else:
            last = StreamLine(complete=True)
        yield _line(last)


def _line(line: StreamLine) -> bytes:
    return line.model_dump_json(exclude_defaults=True).encode() + b"\n"
