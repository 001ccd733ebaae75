"""The Lambda host: runs a stack's functions in this process, with Lambda's payload limits, timeouts and errors.

Buffered functions have a thread pool each, so that they cannot block each other; streaming functions of the API run on
the event loop, and those with runners, which may block, in threads with their own loops. Unlike Lambda, one process
serves all invocations concurrently; a function that times out runs on, and one that exits ends only its invocation.
"""

import asyncio
import importlib.util
import json
import logging
import time
import traceback
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from local.own_thread import in_own_thread
from local.stack import Function, TemplateError
from yarrow.web.lambda_bytes import StreamingBytes
from yarrow.web.lambda_http import StreamedResponse, Streaming
from yarrow.web.lambda_runtime import InvocationContext

PAYLOAD_LIMIT = 6_291_456
"""Bytes of JSON of a synchronous invocation, either way (Lambda quotas)."""

CONCURRENCY = 100
"""Concurrent invocations of a buffered function; more wait."""

logger = logging.getLogger(__name__)


class UnknownFunctionError(Exception):
    """No such function."""


class PayloadTooLargeError(Exception):
    """The request exceeds `PAYLOAD_LIMIT`."""


@dataclass(frozen=True, slots=True)
class Result:
    """The JSON of a function's result, or of its error."""

    payload: bytes
    failed: bool


class LambdaHost:
    """The functions of one stack, imported."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        """Import every function; the environment must be set. Raises `TemplateError` for a missing handler."""
        self._functions = functions
        self._handlers = {name: _load(function) for name, function in functions.items()}
        self._pools = {name: ThreadPoolExecutor(CONCURRENCY, thread_name_prefix=name) for name in functions}

    def check_streaming(self, name: str) -> None:
        """Raise `TemplateError` unless the handler can stream."""
        if not isinstance(self._handlers[name], Streaming):
            raise TemplateError(f"{name} has a streaming route, but its handler cannot stream")

    def can_stream(self, name: str) -> bool:
        """Whether the function exists and streams to any invoker."""
        return isinstance(self._handlers.get(name), StreamingBytes)

    async def invoke(self, name: str, payload: bytes, refusal: str | None = None) -> Result:
        """One buffered invocation with a JSON payload.

        Raises `UnknownFunctionError` or `PayloadTooLargeError`. A function's error is in the result, and logged unless
        its message is `refusal`.
        """
        function, event = self._accept(name, payload)
        context = _context(function)

        def call() -> bytes:
            return json.dumps(self._handlers[name](event, context), ensure_ascii=False).encode()

        invocation = asyncio.get_running_loop().run_in_executor(self._pools[name], call)
        # It may end after its own timeout, or the gateway's.
        invocation.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        await asyncio.wait({invocation}, timeout=function.timeout)
        if not invocation.done():
            return _failure(context, "Sandbox.Timedout", f"Task timed out after {function.timeout:.2f} seconds")
        if error := invocation.exception():
            kind = "Runtime.ExitError" if isinstance(error, SystemExit) else type(error).__name__
            return _failure(context, kind, str(error), error, log=str(error) != refusal)
        answer = invocation.result()
        if len(answer) > PAYLOAD_LIMIT:
            message = f"Response payload size exceeded maximum allowed payload size ({PAYLOAD_LIMIT} bytes)."
            return _failure(context, "Function.ResponseSizeTooLarge", message)
        return Result(answer, failed=False)

    @asynccontextmanager
    async def open(self, name: str, payload: bytes) -> AsyncIterator[StreamedResponse]:
        """One streaming invocation within the context.

        Raises as `invoke`, and the function's errors before its response starts; later ones come from the body.
        TimeoutError after its timeout.
        """
        function, event = self._accept(name, payload)
        handler = self._handlers[name]
        opened = handler.open(event, _context(function))
        if isinstance(handler, StreamingBytes):
            opened = in_own_thread(opened, name)
        async with asyncio.timeout(function.timeout), opened as response:
            yield response

    def _accept(self, name: str, payload: bytes) -> tuple[Function, Any]:
        if name not in self._functions:
            raise UnknownFunctionError(name)
        if len(payload) > PAYLOAD_LIMIT:
            raise PayloadTooLargeError(f"{len(payload)} byte payload is too large for {name} ({PAYLOAD_LIMIT} bytes)")
        return self._functions[name], json.loads(payload)


def _load(function: Function) -> Any:
    """The handler `function.handler`, in a uniquely named module: every folder has an `app.py`."""
    module_name, _, attribute = function.handler.rpartition(".")
    path = function.folder / f"{module_name}.py"
    spec = importlib.util.spec_from_file_location(f"functions.{function.folder.name}.{module_name}", path)
    if spec is None or spec.loader is None or not path.exists():
        raise TemplateError(f"{function.name}: there is no {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    handler: Callable[..., Any] | None = getattr(module, attribute, None)
    if handler is None:
        raise TemplateError(f"{function.name}: {path} has no {attribute}")
    return handler


def _context(function: Function) -> InvocationContext:
    return InvocationContext(
        aws_request_id=str(uuid.uuid4()),
        invoked_function_arn=function.arn,
        deadline_ms=int((time.time() + function.timeout) * 1000),
        function_name=function.name,
        function_version="$LATEST",
        memory_limit_in_mb=function.memory,
        log_group_name=f"/aws/lambda/{function.name}",
        log_stream_name="local",
    )


def _own_frames(error: BaseException) -> TracebackType | None:
    """The function's part of the traceback."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != __file__:
        trace = trace.tb_next
    return trace.tb_next if trace else None


def _failure(
    context: InvocationContext, kind: str, message: str, error: BaseException | None = None, log: bool = True
) -> Result:
    """An error in Lambda's form (Lambda Developer Guide, "Using Lambda with Python: function errors")."""
    trace = _own_frames(error) if error else None
    if log:
        cause = error.with_traceback(trace) if error else None
        logger.error("%s failed: %s: %s", context.function_name, kind, message, exc_info=cause)
    report = {
        "errorMessage": message,
        "errorType": kind,
        "requestId": context.aws_request_id,
        "stackTrace": traceback.format_tb(trace),
    }
    return Result(json.dumps(report, ensure_ascii=False).encode(), failed=True)
