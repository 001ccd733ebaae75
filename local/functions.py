"""The Lambda host: runs a stack's functions in this process, with Lambda's payload limits, timeouts and errors.

A buffered function runs in threads of its own pool, so that long tasks of one never keep another waiting; a streaming
function of the API runs on the event loop, and one that holds runners, whose code may block, in a thread with an event
loop of its own. Who invokes them, and over what, is not known here. Unlike Lambda, one process serves
all invocations of all functions at the same time; a function that exceeds its timeout is answered for but goes on, and
one that ends its process ends no more than its invocation.
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
"""The most bytes of JSON that a synchronous invocation takes or gives (Lambda quotas)."""

CONCURRENCY = 100
"""How many invocations of one buffered function run at the same time; more wait."""

logger = logging.getLogger(__name__)


class UnknownFunctionError(Exception):
    """There is no function of that name."""


class PayloadTooLargeError(Exception):
    """The request of an invocation exceeds `PAYLOAD_LIMIT`."""


@dataclass(frozen=True, slots=True)
class Result:
    """What an invocation gives: the JSON that the function returned, or that describes its error."""

    payload: bytes
    failed: bool


class LambdaHost:
    """The functions of one stack, imported and ready."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        """Import every function; `TemplateError` if one has no such handler. The process environment must be set."""
        self._functions = functions
        self._handlers = {name: _load(function) for name, function in functions.items()}
        self._pools = {name: ThreadPoolExecutor(CONCURRENCY, thread_name_prefix=name) for name in functions}

    def check_streaming(self, name: str) -> None:
        """Raise `TemplateError` unless the function's handler can stream."""
        if not isinstance(self._handlers[name], Streaming):
            raise TemplateError(f"{name} has a streaming route, but its handler cannot stream")

    def can_stream(self, name: str) -> bool:
        """Whether there is such a function, and it answers in a stream to whoever invokes it."""
        return isinstance(self._handlers.get(name), StreamingBytes)

    async def invoke(self, name: str, payload: bytes, refusal: str | None = None) -> Result:
        """One buffered invocation with a JSON payload. Raises `UnknownFunctionError` or `PayloadTooLargeError`;
        whatever the function raises is in the result, and logged unless its message is `refusal`."""
        function, event = self._accept(name, payload)
        context = _context(function)

        def call() -> bytes:
            return json.dumps(self._handlers[name](event, context), ensure_ascii=False).encode()

        invocation = asyncio.get_running_loop().run_in_executor(self._pools[name], call)
        # It may end when nobody waits any more: after its timeout, or the gateway's.
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
        """One streaming invocation; leaving the context ends it. Raises as `invoke` does, and what the function
        raises before its response starts; later errors come out of the body. TimeoutError after its timeout."""
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
    """The handler named by `function.handler`, from a module with a name of its own: every folder has an `app.py`."""
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
    """The function's part of the traceback: without the thread pool's frame and the host's."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != __file__:
        trace = trace.tb_next
    return trace.tb_next if trace else None


def _failure(
    context: InvocationContext, kind: str, message: str, error: BaseException | None = None, log: bool = True
) -> Result:
    """An error as Lambda reports it (Lambda Developer Guide, "Using Lambda with Python: function errors")."""
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
