"""Runs an installed runner in its own thread and event loop, so that it cannot block the host.

Source: `agent-runner.md` §9 (RNR-72). Installed runners are foreign code: one may block, swallow its cancellation or
hang in a `finally`. The host waits a bounded time, then abandons the thread: its results are dropped and its calls
refused. Threads cannot be killed, so with too many abandoned ones the process exits before the next run; Lambda starts
a new one and the state machine retries the run (`web.lambda_task`). Bundled runners are trusted and run without
isolation, which costs less.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing, suppress
from contextvars import copy_context
from functools import partial
from typing import Any, Final, TypeVar

from yarrow.observability.logs import logger
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.services.api import audit

MAX_AHEAD: Final = 16
"""Results a runner may buffer before it has to wait."""

GRACE_SECONDS = 2.0
"""How long the host waits for a cancelled runner."""

MAX_ABANDONED: Final = 4
"""Abandoned threads allowed in this process."""

_abandoned: Final[dict[threading.Thread, float]] = {}
"""Threads of closed runs, with the monotonic time of closing."""

_Value = TypeVar("_Value")


class IsolatedRunner:
    """Runs another runner in isolation. Closing it takes at most GRACE_SECONDS.

    Raises SystemExit if MAX_ABANDONED threads of earlier runs are still alive.
    """

    def __init__(self, runner: AgentRunner, runner_id: str = audit.UNKNOWN) -> None:
        self._runner = runner
        self._runner_id = runner_id
        if _abandoned_count() >= MAX_ABANDONED:
            logger.error("too many agents that were abandoned go on: the process ends")
            raise SystemExit(1)

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield its results and raise its exceptions. Its calls are made on the host's loop."""
        channel = _Channel(asyncio.get_running_loop())
        bridged = AgentRunAPIProxy(api.run_id, _Bridge(api, channel, self._runner_id))
        run_in_thread = partial(
            copy_context().run, self._run, channel, context, bridged
        )  # what it logs is of this invocation
        thread = threading.Thread(target=run_in_thread, name="runner", daemon=True)
        thread.start()
        try:
            async with aclosing(channel.results()) as results:
                async for result in results:
                    yield result
        finally:
            _abandoned[thread] = time.monotonic()  # before the wait, which may be cancelled
            if not await channel.close():
                logger.warning("the agent does not stop and was abandoned")

    def _run(self, channel: "_Channel", context: AgentRunContext, api: AgentRunAPIProxy) -> None:
        """Run to the end in the runner's thread; the thread waits for all its `to_thread` calls."""
        workers = ThreadPoolExecutor(thread_name_prefix="runner")
        # Tasks that it leaves behind are cancelled on leaving, and one of them may mean to exit, too.
        with workers, suppress(SystemExit, KeyboardInterrupt), asyncio.Runner() as loop:
            loop.get_loop().set_default_executor(workers)  # the loop itself waits 300 s for its own, from Python 3.12
            raised: BaseException | None = None
            try:
                loop.run(self._send_results(channel, context, api))
            except BaseException as error:  # noqa: BLE001 (the host gets it; SystemExit must not end the host)
                raised = error
            channel.end(raised)

    async def _send_results(self, channel: "_Channel", context: AgentRunContext, api: AgentRunAPIProxy) -> None:
        if channel.start():
            async with aclosing(self._runner.run(context, api)) as results:
                async for result in results:
                    if not await channel.put(result):
                        break


def _abandoned_count() -> int:
    """The number of threads alive beyond their grace period."""
    for thread in tuple(_abandoned):
        if not thread.is_alive():
            _abandoned.pop(thread, None)
    return sum(time.monotonic() - over >= GRACE_SECONDS for over in tuple(_abandoned.values()))


class _Channel:
    """Connects the host's loop and the runner's: results one way, calls the other. All flags change under the lock."""

    def __init__(self, host: asyncio.AbstractEventLoop) -> None:
        self._host = host
        self._lock = threading.Lock()
        self._results: deque[AgentRunResult] = deque()
        self._wakeup = asyncio.Event()
        """Set on the host's loop when there is a result or the end."""
        self._room: asyncio.Future[None] | None = None
        """What a runner that is too far ahead waits for; belongs to its loop."""
        self._runner_task: asyncio.Task[Any] | None = None
        self._raised: BaseException | None = None
        self._is_waiting = False
        self._is_closed = False
        self._has_ended = False
        self._calls: set[Future[Any]] = set()

    # ---- On the host's loop ------------------------------------------------------------------------------------------
    async def results(self) -> AsyncGenerator[AgentRunResult]:
        """The runner's results until its end. Raises what it raised."""
        while True:
            with self._lock:
                received = list(self._results)
                self._results.clear()
                self._make_room()
                has_ended = self._has_ended
                self._is_waiting = not received and not has_ended
                self._wakeup.clear()
            for result in received:
                yield result
            if has_ended:
                break
            if not received:
                await self._wakeup.wait()
        if isinstance(self._raised, Exception | asyncio.CancelledError):
            raise self._raised
        if self._raised is not None:
            raise RuntimeError("the runner would have ended the process") from self._raised

    async def close(self) -> bool:
        """Stop receiving, refuse calls and cancel the runner. False if it does not end in time."""
        with self._lock:
            self._is_closed = True
            self._results.clear()
            self._make_room()
            for call in list(self._calls):
                call.cancel()
            if self._has_ended:
                return True
            self._is_waiting = True
            self._wakeup.clear()
            if self._runner_task is not None:
                self._runner_task.get_loop().call_soon_threadsafe(self._runner_task.cancel)
        try:
            async with asyncio.timeout(GRACE_SECONDS):
                while not self._has_ended:  # the news may be of a result that came before
                    await self._wakeup.wait()
                    self._wakeup.clear()
        except TimeoutError:
            return False
        finally:
            with self._lock:
                self._is_waiting = False  # the host's loop may be gone when the runner ends
        return True

    def _make_room(self) -> None:
        if self._room is not None:
            self._room.get_loop().call_soon_threadsafe(_resolve, self._room)
            self._room = None

    # ---- In the runner's thread --------------------------------------------------------------------------------------
    def start(self) -> bool:
        """Register the current task as the runner's. False if the channel is closed."""
        with self._lock:
            self._runner_task = asyncio.current_task()
            return not self._is_closed

    async def put(self, result: AgentRunResult) -> bool:
        """Send a result, and wait while MAX_AHEAD are unread. False if the channel is closed."""
        with self._lock:
            if self._is_closed:
                return False
            self._results.append(result)
            self._wake()
            if len(self._results) < MAX_AHEAD:
                return True
            room = self._room = asyncio.get_running_loop().create_future()
        await room
        return True

    def end(self, raised: BaseException | None) -> None:
        """The runner has returned or raised."""
        with self._lock:
            self._has_ended, self._raised = True, raised
            self._room = None
            self._wake()

    def call(self, made: Coroutine[Any, Any, _Value]) -> "Future[_Value]":
        """Run a coroutine on the host's loop. Raises AgentAPIException if the channel is closed."""
        with self._lock:
            if self._is_closed:
                made.close()
                raise AgentAPIException("unauthorized", "the run has ended")
            future = asyncio.run_coroutine_threadsafe(made, self._host)
            self._calls.add(future)
        future.add_done_callback(self._calls.discard)
        return future

    def _wake(self) -> None:
        if self._is_waiting:
            self._is_waiting = False
            self._host.call_soon_threadsafe(self._wakeup.set)


class _Bridge:
    """The host's transport for a runner in another thread."""

    def __init__(self, api: AgentRunAPIProxy, channel: _Channel, runner_id: str) -> None:
        self._transport = api.transport
        self._run_id = api.run_id
        self._runner_id = runner_id
        self._channel = channel

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call an action on the host's loop."""
        return await asyncio.wrap_future(self._begin(action, self._transport.call(action, arguments)))

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Stream an action, within one task of the host's loop, as timeouts require."""
        own = asyncio.get_running_loop()
        documents: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

        def hand_over(document: dict[str, Any] | None) -> None:
            if not own.is_closed():
                own.call_soon_threadsafe(documents.put_nowait, document)

        async def relay() -> None:
            try:
                async with aclosing(self._transport.stream(action, arguments)) as answered:
                    async for document in answered:
                        hand_over(document)
            finally:
                hand_over(None)

        relayed = self._begin(action, relay())
        try:
            while (document := await documents.get()) is not None:
                yield document
            await asyncio.wrap_future(relayed)
        finally:
            relayed.cancel()

    def _begin(self, action: str, call: Coroutine[Any, Any, _Value]) -> "Future[_Value]":
        """Start a call on the host's loop. After the run's end it is refused and audited (RNR-82)."""
        with audit.refusal_recorded(self._run_id, self._runner_id, action):
            return self._channel.call(call)


def _resolve(room: "asyncio.Future[None]") -> None:
    if not room.done():
        room.set_result(None)
