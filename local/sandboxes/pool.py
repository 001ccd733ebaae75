"""The sandboxes of a stack, which are reused, started when none is idle, and ended when idle for long.

A sandbox serves one invocation at a time; the one that became idle last is taken first. A function has at most its
reserved concurrency or `MAX_SANDBOXES` at once; one stays, the others end after `IDLE_SECONDS`.
"""

import asyncio
import json
import logging
import os
import signal
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from itertools import count

from local.sandboxes.connection import LAST_WORDS_SECONDS, Sandbox, wording
from local.sandboxes.fork_server import Closable, ForkServer, Prepare
from local.sandboxes.invocations import Handler, Result, exited, timed_out
from local.sandboxes.messages import MessageKind, invocation, packed
from local.sandboxes.sandbox import serve
from local.stack import Function
from yarrow.web.lambda_bytes import StreamedBytes, StreamingBytes
from yarrow.web.lambda_runtime import InvocationContext

MAX_SANDBOXES = 100
"""Sandboxes of a function without reserved concurrency."""

IDLE_SECONDS = 60.0

MEDIA_TYPE = "application/octet-stream"

logger = logging.getLogger(__name__)


class ThrottledError(Exception):
    """All sandboxes of a function are busy."""


class FunctionError(Exception):
    """A streaming function failed; `kind` as Lambda reports it."""

    def __init__(self, result: Result) -> None:
        report = json.loads(result.payload)
        super().__init__(report["errorMessage"])
        self.kind: str = report["errorType"]


class _Pool:
    def __init__(self, function: Function, index: int) -> None:
        self.function = function
        self.index = index
        self.all: set[Sandbox] = set()
        self.idle: list[Sandbox] = []
        self.free = asyncio.Semaphore(MAX_SANDBOXES if function.concurrency is None else function.concurrency)


class Sandboxes:
    """The sandboxes of all functions; leaving the context ends them."""

    def __init__(
        self,
        functions: Mapping[str, tuple[Function, Handler | StreamingBytes]],
        inherited: Sequence[Closable],
        prepare: Prepare,
    ) -> None:
        """Start the server with the handlers; see `ForkServer`.

        If it is killed, `lost` is set and this process gets SIGTERM: with threads, it cannot fork another.
        """
        self.lost = False
        served = list(functions.values())
        self._server = ForkServer(lambda index, channel: serve(*served[index], channel), inherited, prepare)
        self.server_pid = self._server.pid
        self._pools = {name: _Pool(function, index) for index, (name, (function, _)) in enumerate(functions.items())}
        self._by_number: dict[int, tuple[_Pool, Sandbox]] = {}
        self._numbers = count(1)
        self._heard = b""

    def __enter__(self) -> "Sandboxes":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()

    def __contains__(self, name: str) -> bool:
        return name in self._pools

    async def start(self) -> None:
        """Listen to the server in the event loop, and start a sandbox for every function."""
        asyncio.get_running_loop().add_reader(self._server.control, self._hear)
        for pool in self._pools.values():
            self._rest(pool, await self._make(pool))

    async def invoke(self, context: InvocationContext, payload: bytes, *, throttles: bool) -> Result:
        """Invoke the context's function. Raises ThrottledError if all sandboxes are busy and `throttles` is set."""
        pool = self._pools[context.function_name]
        if throttles and pool.free.locked():
            raise ThrottledError("Rate Exceeded.")
        async with pool.free:
            sandbox = self._take(pool) or await self._make(pool)
            try:
                return await self._ask(pool, sandbox, context, payload)
            finally:
                self._rest(pool, sandbox)

    @asynccontextmanager
    async def open(self, context: InvocationContext, payload: bytes) -> AsyncIterator[StreamedBytes]:
        """Invoke the context's function with a streamed response, whose body raises FunctionError.

        Leaving the context early kills the sandbox; Lambda would let the function finish.
        """
        pool = self._pools[context.function_name]
        async with pool.free:
            sandbox = self._take(pool) or await self._make(pool)
            at_end = False

            async def body() -> AsyncGenerator[bytes]:
                nonlocal at_end
                message = await sandbox.ask(packed(MessageKind.INVOKE, invocation(context, payload)))
                while message is not None and message[0] == MessageKind.CHUNK:
                    yield message[1]
                    message = await sandbox.hear()
                at_end = True
                if message is None:
                    raise FunctionError(exited(context, wording(await self._status(sandbox))))
                if message[0] == MessageKind.ERROR:
                    raise FunctionError(Result(message[1], failed=True))

            try:
                async with aclosing(body()) as chunks:
                    yield StreamedBytes(MEDIA_TYPE, chunks)
            finally:
                if not at_end:
                    self._kill(sandbox)
                self._rest(pool, sandbox)

    def kill(self, name: str) -> int:
        """Kill the busy sandboxes of a function; returns how many."""
        busy = [sandbox for sandbox in self._pools[name].all if sandbox.busy and not sandbox.is_killed]
        for sandbox in busy:
            self._kill(sandbox)
        return len(busy)

    def _kill(self, sandbox: Sandbox) -> None:
        sandbox.is_killed = True
        if not sandbox.status.done():
            self._server.kill(sandbox.number)

    async def _ask(self, pool: _Pool, sandbox: Sandbox, context: InvocationContext, payload: bytes) -> Result:
        try:
            async with asyncio.timeout(pool.function.timeout):
                answer = await sandbox.ask(packed(MessageKind.INVOKE, invocation(context, payload)))
        except TimeoutError:
            self._kill(sandbox)
            return timed_out(context, pool.function)
        if answer is not None:
            return Result(answer[1], failed=answer[0] == MessageKind.ERROR)
        return exited(context, wording(await self._status(sandbox)))

    async def _status(self, sandbox: Sandbox) -> int:
        """Return the exit status; a sandbox that closed its socket but keeps running is killed."""
        await asyncio.wait({sandbox.status}, timeout=LAST_WORDS_SECONDS)
        self._kill(sandbox)
        return await sandbox.status

    def _take(self, pool: _Pool) -> Sandbox | None:
        if pool.idle:
            sandbox = pool.idle.pop()
            if sandbox.ending is not None:
                sandbox.ending.cancel()
            sandbox.busy = True
            return sandbox
        return None

    async def _make(self, pool: _Pool) -> Sandbox:
        sandbox = Sandbox(next(self._numbers))
        self._by_number[sandbox.number] = pool, sandbox
        pool.all.add(sandbox)
        await sandbox.connect(self._server.start(sandbox.number, pool.index))
        return sandbox

    def _rest(self, pool: _Pool, sandbox: Sandbox) -> None:
        sandbox.busy = False
        if sandbox.status.done() or sandbox.is_killed:
            sandbox.close()
            return
        pool.idle.append(sandbox)
        sandbox.ending = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end_idle, pool, sandbox)

    def _end_idle(self, pool: _Pool, sandbox: Sandbox) -> None:
        if len(pool.all) > 1:
            pool.idle.remove(sandbox)
            pool.all.discard(sandbox)
            sandbox.close()

    def _hear(self) -> None:
        heard = self._server.control.recv(65536, socket.MSG_DONTWAIT)
        if not heard:
            self._server_ended()
            return
        *lines, self._heard = (self._heard + heard).split(b"\n")
        for line in lines:
            what, number, value = line.decode().split()
            pool, sandbox = self._by_number[int(number)]
            if what == "started":
                sandbox.pid = int(value)
            else:
                self._has_ended(pool, sandbox, int(value))

    def _has_ended(self, pool: _Pool, sandbox: Sandbox, status: int) -> None:
        del self._by_number[sandbox.number]
        pool.all.discard(sandbox)
        if sandbox in pool.idle:
            pool.idle.remove(sandbox)
        sandbox.status.set_result(status)
        if not sandbox.busy:  # its answer may not have been read
            sandbox.close()

    def _server_ended(self) -> None:
        asyncio.get_running_loop().remove_reader(self._server.control)
        for pool, sandbox in tuple(self._by_number.values()):
            if sandbox.pid:
                with suppress(ProcessLookupError):
                    os.killpg(sandbox.pid, signal.SIGKILL)
            self._has_ended(pool, sandbox, -signal.SIGKILL)
        self.lost = True
        signal.raise_signal(signal.SIGTERM)
