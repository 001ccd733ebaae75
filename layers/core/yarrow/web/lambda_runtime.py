"""The Lambda runtime of streaming functions, started by `bin/stream-runtime`. It posts responses of `Streaming` and
`StreamingBytes` chunk by chunk, others in one piece (`docs/decisions/streaming-runtime.md`). `DEADLINE_MARGIN_SECONDS`
before the deadline an open stream fails; Lambda would kill the sandbox without cleanup or a log.
"""

import asyncio
import base64
import gc
import importlib
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPMessage
from time import time
from typing import Any, NoReturn

from mangum.types import LambdaCognitoIdentity, LambdaMobileClientContext

from yarrow.observability import logs
from yarrow.observability.logs import logger
from yarrow.runs.leftover_tasks import cancel_leftovers
from yarrow.settings import settings
from yarrow.web.lambda_bytes import StreamingBytes
from yarrow.web.lambda_http import Streaming

API = "/2018-06-01/runtime"
ERROR_TYPE = "Lambda-Runtime-Function-Error-Type"
ERROR_BODY = "Lambda-Runtime-Function-Error-Body"
STREAM_HEADERS = {
    "Lambda-Runtime-Function-Response-Mode": "streaming",
    "Transfer-Encoding": "chunked",
    "Trailer": f"{ERROR_TYPE}, {ERROR_BODY}",
}
DEADLINE_MARGIN_SECONDS = 0.5
BEFORE_SNAPSHOT_ERROR = "Runtime.BeforeSnapshotError"
AFTER_RESTORE_ERROR = "Runtime.AfterRestoreError"
LEFTOVER_SECONDS = 2.0
"""For tasks that a runner left behind to end."""


@dataclass(slots=True)
class InvocationContext:
    """Has the managed runtime's names. API Gateway sends no identity or client context."""

    aws_request_id: str
    invoked_function_arn: str
    deadline_ms: int
    function_name: str
    function_version: str
    memory_limit_in_mb: int
    log_group_name: str
    log_stream_name: str
    identity: LambdaCognitoIdentity | None = None
    client_context: LambdaMobileClientContext | None = None

    @classmethod
    def of(cls, headers: HTTPMessage, environ: Mapping[str, str]) -> "InvocationContext":
        return cls(
            aws_request_id=headers["Lambda-Runtime-Aws-Request-Id"],
            invoked_function_arn=headers.get("Lambda-Runtime-Invoked-Function-Arn", ""),
            deadline_ms=int(headers["Lambda-Runtime-Deadline-Ms"]),
            function_name=environ.get("AWS_LAMBDA_FUNCTION_NAME", ""),
            function_version=environ.get("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"),
            memory_limit_in_mb=int(environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128")),
            log_group_name=environ.get("AWS_LAMBDA_LOG_GROUP_NAME", ""),
            log_stream_name=environ.get("AWS_LAMBDA_LOG_STREAM_NAME", ""),
        )

    def get_remaining_time_in_millis(self) -> int:
        return max(0, self.deadline_ms - int(time() * 1000))


Handler = Callable[[Any, InvocationContext], Any]


class StreamClosedError(Exception):
    """The client disconnected, or the invocation was ended."""


class RuntimeApi:
    def __init__(self, address: str) -> None:
        self._connection = HTTPConnection(address)
        self._streaming = False
        self.is_waiting = False

    def next(self) -> tuple[Any, HTTPMessage]:
        """Return the next event and its headers. Raises RuntimeError if the service refuses."""
        self._streaming = False
        body, headers = self._get("/invocation/next")
        return json.loads(body), headers

    def respond(self, request_id: str, body: bytes) -> None:
        self._post(f"/invocation/{request_id}/response", body, {"Content-Type": "application/json"})

    def fail(self, request_id: str, error: BaseException) -> None:
        """Report an error: in the trailers of a started response, else as the invocation's error."""
        if self._streaming:
            body = base64.b64encode(_report(error)).decode()
            self.end_stream(f"{ERROR_TYPE}: {type(error).__name__}\r\n{ERROR_BODY}: {body}\r\n".encode())
        else:
            self._post(f"/invocation/{request_id}/error", _report(error), {ERROR_TYPE: type(error).__name__})

    def fail_init(self, error: Exception, error_type: str | None = None) -> None:
        self._post("/init/error", _report(error), {ERROR_TYPE: error_type or f"Runtime.{type(error).__name__}"})

    def await_restore(self) -> None:
        """Wait at the point where Lambda takes the snapshot; returns in each environment that is restored from it.

        Raises RuntimeError if the service refuses.
        """
        try:
            self._get("/restore/next")
        finally:
            self._connection.close()  # it was opened by the environment that the snapshot is of

    def fail_restore(self, error: Exception) -> None:
        self._post("/restore/error", _report(error), {ERROR_TYPE: AFTER_RESTORE_ERROR})

    def begin_stream(self, request_id: str, media_type: str) -> None:
        self._streaming = True
        self._connection.putrequest("POST", f"{API}/invocation/{request_id}/response", skip_accept_encoding=True)
        self._connection.putheader("Content-Type", media_type)
        for name, value in STREAM_HEADERS.items():
            self._connection.putheader(name, value)
        self._connection.endheaders()
        self._connection.sock.setblocking(False)

    async def send_chunk(self, chunk: bytes) -> None:
        """Send a chunk; returns when the socket has taken it. Raises StreamClosedError."""
        try:
            await asyncio.get_running_loop().sock_sendall(self._connection.sock, b"%x\r\n%b\r\n" % (len(chunk), chunk))
        except BaseException as error:
            self._connection.close()  # part of the chunk may have been sent
            if isinstance(error, OSError):
                raise StreamClosedError from error
            raise

    def end_stream(self, trailers: bytes = b"") -> None:
        if self._connection.sock is None:
            return
        try:
            self._connection.sock.setblocking(True)
            self._connection.sock.sendall(b"0\r\n%b\r\n" % trailers)
            self._finish()
        except OSError:
            self._connection.close()
            logger.warning("the Runtime API closed the connection at the end of the stream")

    def _get(self, path: str) -> tuple[bytes, HTTPMessage]:
        """Wait for what the service answers. Raises RuntimeError if it refuses."""
        self.is_waiting = True
        self._connection.request("GET", API + path)
        response = self._connection.getresponse()
        body = response.read()
        self.is_waiting = False
        if response.status != HTTPStatus.OK:
            raise RuntimeError(f"the Runtime API answered {response.status}: {body.decode(errors='replace')}")
        return body, response.headers

    def _post(self, path: str, body: bytes, headers: dict[str, str]) -> None:
        self._connection.request("POST", API + path, body, headers)
        self._finish()

    def _finish(self) -> None:
        response = self._connection.getresponse()
        body = response.read()
        if response.status != HTTPStatus.ACCEPTED:
            logger.error("the Runtime API answered %d: %s", response.status, body.decode(errors="replace"))


def _report(error: BaseException) -> bytes:
    """Return the error report, without a stack trace, which is in the log."""
    return json.dumps({"errorType": type(error).__name__, "errorMessage": str(error), "stackTrace": []}).encode()


async def _stream(api: RuntimeApi, handler: Streaming | StreamingBytes, event: Any, context: InvocationContext) -> None:
    limit = asyncio.timeout(context.get_remaining_time_in_millis() / 1000 - DEADLINE_MARGIN_SECONDS)
    try:
        async with limit, handler.open(event, context) as response:
            api.begin_stream(context.aws_request_id, response.media_type)
            if prelude := response.prelude():  # an empty chunk would end the stream
                await api.send_chunk(prelude)
            async for chunk in response.body:
                await api.send_chunk(chunk)
    except TimeoutError as error:
        if limit.expired():
            raise TimeoutError("the stream was still open at the invocation's deadline") from error
        raise
    api.end_stream()


def _invoke(api: RuntimeApi, handler: Handler, runner: asyncio.Runner, event: Any, context: InvocationContext) -> None:
    try:
        if isinstance(handler, Streaming | StreamingBytes):
            return runner.run(_stream(api, handler, event, context), context=copy_context())
        result = json.dumps(handler(event, context), ensure_ascii=False).encode()
    except StreamClosedError:
        logger.warning("the Runtime API closed the connection during the stream")
    except Exception as error:
        logger.exception("the invocation failed")
        api.fail(context.aws_request_id, error)
    except SystemExit as error:  # raised in a task of its own, or by no runner
        logger.exception("the invocation tried to exit the process")
        api.fail(context.aws_request_id, error)
        _exit()
    else:
        api.respond(context.aws_request_id, result)


def _exit() -> NoReturn:
    """End the process without joining threads, which may never end."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)


def _load(name: str) -> Handler:
    """Import the handler `folder/module.attribute`. The garbage collector skips its imports, for a faster start and
    streams without pauses.
    """
    module, _, attribute = name.rpartition(".")
    gc.disable()
    try:
        handler: Handler = getattr(importlib.import_module(module.replace("/", ".")), attribute)
    finally:
        gc.enable()
    gc.freeze()
    return handler


def _pass_snapshot(api: RuntimeApi) -> None:
    """Run the hooks around the snapshot of SnapStart as the managed runtime does: the latest of those before it first,
    and those after it in order. Exits with the managed runtime's codes if one fails.
    """
    # The managed runtime brings it, and functions register their hooks there.
    import snapshot_restore_py as hooks  # type: ignore[import-untyped]

    try:
        before = hooks.get_before_snapshot()
        while before:
            call, args, kwargs = before.pop()
            call(*args, **kwargs)
        api.await_restore()
    except Exception as error:
        logger.exception("the snapshot could not be taken")
        api.fail_init(error, BEFORE_SNAPSHOT_ERROR)
        sys.exit(64)
    try:
        for call, args, kwargs in hooks.get_after_restore():
            call(*args, **kwargs)
    except Exception as error:
        logger.exception("the environment could not be restored")
        api.fail_restore(error)
        sys.exit(65)


def main() -> None:
    logging.basicConfig(handlers=[logs.for_libraries()])
    sys.path.insert(0, os.environ["LAMBDA_TASK_ROOT"])
    api = RuntimeApi(os.environ["AWS_LAMBDA_RUNTIME_API"])
    # A Runner cancels its task on SIGINT, which cleans up an open stream. While it waits there is nothing to clean up,
    # and an exception could be raised where Python ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0) if api.is_waiting else signal.raise_signal(signal.SIGINT))
    try:
        handler = _load(os.environ["_HANDLER"])
    except Exception as error:
        logger.exception("the handler could not be loaded")
        api.fail_init(error)
        sys.exit(1)
    if settings.takes_snapshot:
        _pass_snapshot(api)
    with suppress(KeyboardInterrupt), asyncio.Runner() as runner:
        while True:
            event, headers = api.next()
            os.environ["_X_AMZN_TRACE_ID"] = headers.get("Lambda-Runtime-Trace-Id", "")
            context = InvocationContext.of(headers, os.environ)
            with logs.invocation(context):
                _invoke(api, handler, runner, event, context)
                if isinstance(handler, StreamingBytes) and not cancel_leftovers(runner, LEFTOVER_SECONDS):
                    logger.error("tasks of an ended invocation do not stop; exiting")
                    _exit()


if __name__ == "__main__":
    main()
