"""Calls a handler and reports its result or error as Lambda does."""

import json
import logging
import time
import traceback
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from local.stack import Function
from yarrow.web.lambda_runtime import InvocationContext

PAYLOAD_LIMIT = 6_291_456
"""Bytes of JSON of a synchronous invocation, either way (Lambda quotas)."""

EXIT = "Runtime.ExitError"
"""The error of a sandbox that ended during its invocation."""

KILLED = "signal: killed"
"""How Lambda reports the end of a sandbox by SIGKILL."""

Handler = Callable[[Any, InvocationContext], Any]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Result:
    """The JSON of a function's result, or of its error."""

    payload: bytes
    failed: bool


def new_context(function: Function) -> InvocationContext:
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


def call(handler: Handler, payload: bytes, context: InvocationContext, refusal: str | None = None) -> Result:
    """Call a buffered handler; an error is logged unless its message is `refusal`. Raises SystemExit."""
    try:
        answer = json.dumps(handler(json.loads(payload), context), ensure_ascii=False).encode()
    except Exception as error:  # noqa: BLE001 (a function may raise anything)
        return failure(context, type(error).__name__, str(error), error, log=str(error) != refusal)
    if len(answer) > PAYLOAD_LIMIT:
        message = f"Response payload size exceeded maximum allowed payload size ({PAYLOAD_LIMIT} bytes)."
        return failure(context, "Function.ResponseSizeTooLarge", message)
    return Result(answer, failed=False)


def exited(context: InvocationContext, how: str) -> Result:
    """Return the error of an invocation whose sandbox ended; `how` is in Lambda's words (`signal: killed`)."""
    return failure(context, EXIT, f"RequestId: {context.aws_request_id} Error: Runtime exited with error: {how}")


def timed_out(context: InvocationContext, function: Function) -> Result:
    """Return the error of an invocation that exceeded its function's timeout."""
    return failure(context, "Sandbox.Timedout", f"Task timed out after {function.timeout:.2f} seconds")


def failure(
    context: InvocationContext, kind: str, message: str, error: BaseException | None = None, log: bool = True
) -> Result:
    """Return an error in Lambda's form (Lambda Developer Guide, "Using Lambda with Python: function errors")."""
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


def _own_frames(error: BaseException) -> TracebackType | None:
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != __file__:
        trace = trace.tb_next
    return trace.tb_next if trace else None
