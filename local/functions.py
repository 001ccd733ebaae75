"""The Lambda host: runs a stack's functions with Lambda's payload limits, timeouts and errors.

Functions that `isolate` names run in their own processes (`local.sandboxes`). The others run in this process: a
buffered function in its own thread pool, so that functions cannot block one another, a streaming function on the event
loop. In this process, a function that times out keeps running, and one that exits or is killed ends only its
invocation.
"""

import asyncio
import importlib.util
import json
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from local.sandboxes.fork_server import UNPREPARED, Closable, Prepare
from local.sandboxes.invocations import KILLED, PAYLOAD_LIMIT, Result, call, exited, new_context, timed_out
from local.sandboxes.pool import Sandboxes
from local.stack import Function, TemplateError
from yarrow.web.lambda_bytes import StreamingBytes
from yarrow.web.lambda_http import StreamedResponse, Streaming
from yarrow.web.lambda_runtime import InvocationContext

CONCURRENCY = 100
"""Concurrent invocations of a buffered function in this process; more wait."""

logger = logging.getLogger(__name__)


class UnknownFunctionError(Exception):
    """No function has this name."""


class PayloadTooLargeError(Exception):
    """The request exceeds `PAYLOAD_LIMIT`."""


class KilledError(Exception):
    """The streaming invocation was killed."""


class LambdaHost:
    def __init__(self, functions: Mapping[str, Function]) -> None:
        """Import every function; the environment must be set. Raises `TemplateError` for a missing handler."""
        self._functions = functions
        self._handlers = {name: _load(function) for name, function in functions.items()}
        self._pools = {name: ThreadPoolExecutor(CONCURRENCY, thread_name_prefix=name) for name in functions}
        self._sandboxes: Sandboxes | None = None
        self._invocations: set[asyncio.Task[Result]] = set()
        """In sandboxes; they go on if their invoker leaves."""
        self._kills: defaultdict[str, set[Callable[[], None]]] = defaultdict(set)
        """How to end the invocations in this process, by function."""

    def isolate(
        self, names: Iterable[str], inherited: Sequence[Closable] = (), prepare: Prepare = UNPREPARED
    ) -> Sandboxes:
        """Run these functions, which stream to no API, in sandboxes. For the other parameters see `ForkServer`."""
        functions = {name: (self._functions[name], self._handlers[name]) for name in names}
        self._sandboxes = Sandboxes(functions, inherited, prepare)
        return self._sandboxes

    def check_streaming(self, name: str) -> None:
        """Raise `TemplateError` unless the handler can stream."""
        if not isinstance(self._handlers[name], Streaming):
            raise TemplateError(f"{name} has a streaming route, but its handler cannot stream")

    def can_stream(self, name: str) -> bool:
        return isinstance(self._handlers.get(name), StreamingBytes)

    async def invoke(self, name: str, payload: bytes, refusal: str | None = None, *, throttles: bool = False) -> Result:
        """Invoke a function with a JSON payload, buffered.

        Raises `UnknownFunctionError` or `PayloadTooLargeError`, and `ThrottledError` if it `throttles`, where others
        wait for a sandbox. A function's error is in the result, and logged unless its message is `refusal`.
        """
        function = self._accept(name, payload)
        context = new_context(function)
        if self._sandboxes is not None and name in self._sandboxes:
            invocation = asyncio.create_task(self._sandboxes.invoke(context, payload, throttles=throttles))
            self._invocations.add(invocation)
            invocation.add_done_callback(self._invocations.discard)
            return await asyncio.shield(invocation)
        return await self._invoke_here(function, payload, context, refusal)

    async def _invoke_here(
        self, function: Function, payload: bytes, context: InvocationContext, refusal: str | None
    ) -> Result:
        loop = asyncio.get_running_loop()
        handler, killed = self._handlers[function.name], asyncio.Event()
        invocation = loop.run_in_executor(self._pools[function.name], call, handler, payload, context, refusal)
        # The function may end after its own timeout or the gateway's.
        invocation.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        kill = asyncio.ensure_future(killed.wait())
        either: set[asyncio.Future[Any]] = {invocation, kill}
        with self._killable(function.name, killed.set):
            await asyncio.wait(either, timeout=function.timeout, return_when=asyncio.FIRST_COMPLETED)
        kill.cancel()
        if not invocation.done():
            return exited(context, KILLED) if killed.is_set() else timed_out(context, function)
        error = invocation.exception()
        if isinstance(error, SystemExit):
            return exited(context, f"exit status {error.code}")
        return invocation.result()

    @asynccontextmanager
    async def open(self, name: str, payload: bytes) -> AsyncIterator[StreamedResponse]:
        """Invoke a function with a streamed response; leaving the context ends it.

        Raises as `invoke`, and the function's errors before its response starts; later ones come from the body.
        TimeoutError after its timeout; KilledError, or FunctionError from a sandbox.
        """
        function = self._accept(name, payload)
        if self._sandboxes is not None and name in self._sandboxes:
            sandboxed: Any = self._sandboxes.open(new_context(function), payload)
            async with asyncio.timeout(function.timeout), sandboxed as response:
                yield response
            return
        opened = self._handlers[name].open(json.loads(payload), new_context(function))
        killed = False

        def kill() -> None:
            nonlocal killed
            killed = True
            limit.reschedule(0)

        try:
            async with asyncio.timeout(function.timeout) as limit:
                with self._killable(name, kill):
                    async with opened as response:
                        yield response
        except TimeoutError:
            if killed:
                raise KilledError(f"{name} was killed") from None
            raise

    def kill(self, name: str) -> int:
        """End the invocations of a function, by its name or its folder's, as if its sandboxes crashed.

        Returns how many. Raises `UnknownFunctionError`. In this process, buffered functions keep running, and streaming
        ones are cancelled.
        """
        known = [
            function.name for function in self._functions.values() if name in (function.name, function.folder.name)
        ]
        if not known:
            raise UnknownFunctionError(name)
        killed = 0
        for known_name in known:
            if self._sandboxes is not None and known_name in self._sandboxes:
                killed += self._sandboxes.kill(known_name)
            kills = tuple(self._kills[known_name])
            killed += len(kills)
            for kill in kills:
                kill()
        return killed

    @contextmanager
    def _killable(self, name: str, kill: Callable[[], None]) -> Iterator[None]:
        self._kills[name].add(kill)
        try:
            yield
        finally:
            self._kills[name].discard(kill)

    def _accept(self, name: str, payload: bytes) -> Function:
        if name not in self._functions:
            raise UnknownFunctionError(name)
        if len(payload) > PAYLOAD_LIMIT:
            raise PayloadTooLargeError(f"{len(payload)} byte payload is too large for {name} ({PAYLOAD_LIMIT} bytes)")
        return self._functions[name]


def _load(function: Function) -> Any:
    """Import a handler, in a uniquely named module, since every folder has an `app.py`."""
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
