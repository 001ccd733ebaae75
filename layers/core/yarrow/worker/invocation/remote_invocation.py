"""One streaming invocation of a runner's function. boto3 blocks, so a dedicated thread reads one chunk on demand
(back-pressure).
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Final

from botocore.eventstream import ParserError
from botocore.exceptions import BotoCoreError, ClientError
from urllib3.exceptions import HTTPError

from yarrow.observability.failures import in_brief
from yarrow.observability.logs import logger
from yarrow.store import clients
from yarrow.worker.results.payloads import MAX_MESSAGE_RESULT_BYTES

_MAX_LINE_BYTES: Final = MAX_MESSAGE_RESULT_BYTES + 64 * 1024


class InvocationError(Exception):
    """The code and message are public."""

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


_Failure = tuple[str, str, bool]

_REFUSED: Final[Mapping[str, _Failure]] = {
    "RequestTooLargeException": ("payload_too_large", "the run is too large for the agent's function", False),
    "ResourceNotFoundException": ("runner.plugin_not_found", "the agent's function does not exist", False),
    "ResourceNotReadyException": ("runner.plugin_not_initialized", "the agent's function is not ready", True),
}
"""By Lambda's error code."""

_UNREACHABLE: Final = ("runner.forward_exception", "the agent's function could not be called", True)
_CUT: Final = ("runner.forward_exception", "the agent's answer was cut off", True)
_CRASHED: Final = ("runner.error", "the agent's function failed", False)
_TIMED_OUT: Final = ("runner.timeout", "the agent's function took too long", True)
_TOO_LONG: Final = ("payload_too_large", "the agent's results are too large", False)

_TIMEOUTS: Final = frozenset({"Sandbox.Timedout", "TimeoutError"})
"""In Lambda or in the function's runtime."""


async def lines(function: str, payload: bytes) -> AsyncGenerator[bytes]:
    """Yield the non-empty lines of a function's response, by name or ARN. Raises InvocationError. Closing or cancelling
    disconnects at once.
    """
    invocation = _Invocation(function, payload)
    line = bytearray()
    try:
        while (chunk := await invocation.chunk()) is not None:
            *ends, beginning = chunk.split(b"\n")
            for end in ends:
                if whole := _joined(line, end):
                    yield bytes(whole)
                line = bytearray()
            _joined(line, beginning)
        if line:
            yield bytes(line)
    finally:
        invocation.close()


def _joined(line: bytearray, more: bytes) -> bytearray:
    line += more
    if len(line) > _MAX_LINE_BYTES:
        raise _error(_TOO_LONG)
    return line


class _Invocation:
    """All but `chunk` and `close` runs in its thread."""

    def __init__(self, function: str, payload: bytes) -> None:
        self._function = function
        self._payload = payload
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="remote-runner")
        self._stream: Any = None
        self._events: Iterator[Any] = iter(())
        self._closed = False

    async def chunk(self) -> bytes | None:
        """Return the next chunk, None after the last. Raises InvocationError."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, copy_context().run, self._next)

    def close(self) -> None:
        """Disconnect. An active read ends at once, an unanswered call with its response."""
        self._closed = True
        if self._stream is not None:
            # EventStream.close would wait for the read. A finished response has no connection to shut down.
            with suppress(OSError, RuntimeError, ValueError):
                self._stream._raw_stream.shutdown()
        self._thread.submit(self._release)
        self._thread.shutdown(wait=False)

    def _next(self) -> bytes | None:
        if self._stream is None:
            self._call()
        try:
            event: Any = None if self._closed else next(self._events, {})
        except (BotoCoreError, ClientError, HTTPError, OSError, ParserError) as error:
            raise self._failed(_CUT, error) from error
        match event:
            case {"PayloadChunk": {"Payload": payload}}:
                return bytes(payload)
            case {"InvokeComplete": {"ErrorCode": str(name)}} if name:
                raise self._failed(_TIMED_OUT if name in _TIMEOUTS else _CRASHED, name)
            case None | {"InvokeComplete": _}:
                return None
            case _:
                raise self._failed(_CUT, "no end")

    def _call(self) -> None:
        try:
            answer = clients.lambda_().invoke_with_response_stream(FunctionName=self._function, Payload=self._payload)
        except ClientError as error:
            raise self._failed(_REFUSED.get(error.response["Error"]["Code"], _UNREACHABLE), error) from error
        except (BotoCoreError, HTTPError, OSError) as error:
            raise self._failed(_UNREACHABLE, error) from error
        self._stream = answer["EventStream"]
        self._events = iter(self._stream)

    def _failed(self, failure: _Failure, cause: object) -> InvocationError:
        if not self._closed:
            logger.warning("a remote runner failed", extra={"function": self._function, "cause": _cause(cause)})
        return _error(failure)

    def _release(self) -> None:
        if self._stream is not None:
            self._stream.close()


def _cause(cause: object) -> str:
    return in_brief(cause) if isinstance(cause, Exception) else str(cause)


def _error(failure: _Failure) -> InvocationError:
    code, message, retryable = failure
    return InvocationError(code, message, retryable=retryable)
