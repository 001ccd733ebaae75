"""Runs an installed runner on the runners' own event loop (`runner_loops`), so it cannot block the host
(`agent-runner.md` §9; RNR-72).

Foreign code may block, ignore cancellation or hang in a `finally`. The host waits for GRACE_SECONDS, then abandons it,
drops its results and refuses its calls. While it runs, the process exits before the next run; the state machine retries
that (`web.lambda_task`). Bundled runners are not isolated.
"""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator, Coroutine, Mapping
from concurrent.futures import Future
from contextlib import aclosing
from contextvars import copy_context
from typing import Any, Final, TypeVar

from yarrow.observability.logs import logger
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.services.api import audit
from yarrow.services.api.steering import PULL
from yarrow.worker.invocation import runner_loops
from yarrow.worker.invocation.runner_loops import RunnerJob

MAX_AHEAD: Final = 16
"""Unread results of a runner."""

_Value = TypeVar("_Value")


class IsolatedRunner:
    """A runner on its own loop. Raises SystemExit if an abandoned run holds the loop, or left too many threads."""

    def __init__(self, runner: AgentRunner, runner_id: str = audit.UNKNOWN) -> None:
        self._runner = runner
        self._runner_id = runner_id
        if not runner_loops.are_free():
            logger.error("abandoned runner threads do not stop; exiting")
            raise SystemExit(1)

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the runner's results and raise what it raises. Its calls are made on the host's loop."""
        channel = _Channel(asyncio.get_running_loop())
        bridged = AgentRunAPIProxy(api.run_id, _Bridge(api, channel, self._runner_id))
        # The context has the log correlation.
        job = RunnerJob(self._send_results(channel, context, bridged), copy_context(), channel.end, channel.leave)
        runner_loops.acquire().start(job)
        try:
            async with aclosing(channel.results()) as results:
                async for result in results:
                    yield result
        finally:
            job.close()  # before the wait, which may be cancelled
            if not await channel.close():
                logger.warning("the agent does not stop; its thread is abandoned")

    async def _send_results(self, channel: "_Channel", context: AgentRunContext, api: AgentRunAPIProxy) -> None:
        if channel.start():
            async with aclosing(self._runner.run(context, api)) as results:
                async for result in results:
                    if not await channel.put(result):
                        break


class _Channel:
    """Carries results and calls between the loops. The lock guards all flags."""

    def __init__(self, host: asyncio.AbstractEventLoop) -> None:
        self._host = host
        self._lock = threading.Lock()
        self._results: deque[AgentRunResult | Future[None]] = deque()
        """Results, and what waits until those before it are applied."""
        self._wakeup = asyncio.Event()
        """Set on the host's loop when there is a result or the end."""
        self._room: asyncio.Future[None] | None = None
        """What a runner that is MAX_AHEAD results ahead waits for; it belongs to the runner's loop."""
        self._runner_task: asyncio.Task[Any] | None = None
        self._raised: BaseException | None = None
        self._is_waiting = False
        self._is_closed = False
        self._has_ended = False
        self._has_left = False
        """All tasks of the run have ended."""
        self._calls: set[Future[Any]] = set()

    # ---- On the host's loop ------------------------------------------------------------------------------------------
    async def results(self) -> AsyncGenerator[AgentRunResult]:
        """Yield the results; raises what the runner raised."""
        while True:
            with self._lock:
                received = list(self._results)
                self._results.clear()
                self._make_room()
                has_ended = self._has_ended
                self._is_waiting = not received and not has_ended
                self._wakeup.clear()
            for result in received:
                if not isinstance(result, Future):
                    yield result
                elif result.set_running_or_notify_cancel():
                    result.set_result(None)
            if has_ended:
                break
            if not received:
                await self._wakeup.wait()
        if isinstance(self._raised, Exception | asyncio.CancelledError):
            raise self._raised
        if self._raised is not None:
            raise RuntimeError("the runner tried to exit the process") from self._raised

    async def close(self) -> bool:
        """Refuse calls, cancel the runner and wait for its tasks; False if they do not end in time."""
        with self._lock:
            self._is_closed = True
            for result in self._results:
                if isinstance(result, Future):
                    result.cancel()
            self._results.clear()
            self._make_room()
            for call in list(self._calls):
                call.cancel()
            if self._has_left:
                return True
            self._is_waiting = True
            self._wakeup.clear()
            if self._runner_task is not None and not self._has_ended:
                self._runner_task.get_loop().call_soon_threadsafe(self._runner_task.cancel)
        try:
            async with asyncio.timeout(runner_loops.GRACE_SECONDS):
                while not self._has_left:  # it may have been set for an earlier result or the end
                    await self._wakeup.wait()
                    with self._lock:
                        self._wakeup.clear()
                        self._is_waiting = not self._has_left
        except TimeoutError:
            return False
        finally:
            with self._lock:
                self._is_waiting = False  # the host's loop may be closed when the runner ends
        return True

    def _make_room(self) -> None:
        if self._room is not None:
            self._room.get_loop().call_soon_threadsafe(_resolve, self._room)
            self._room = None

    # ---- In the runner's thread --------------------------------------------------------------------------------------
    def start(self) -> bool:
        """Begin in the runner's task; False if the channel is closed."""
        with self._lock:
            self._runner_task = asyncio.current_task()
            return not self._is_closed

    async def put(self, result: AgentRunResult) -> bool:
        """Add a result; wait while MAX_AHEAD are unread. False if the channel is closed."""
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

    def applied(self) -> "Future[None]":
        """Return what ends once the results so far are applied. Raises AgentAPIException if the channel is closed."""
        reached: Future[None] = Future()
        with self._lock:
            if self._is_closed:
                raise _ended()
            self._results.append(reached)
            self._wake()
        return reached

    def end(self, raised: BaseException | None) -> None:
        with self._lock:
            self._has_ended, self._raised = True, raised
            self._room = None
            self._wake()

    def leave(self) -> None:
        with self._lock:
            self._has_left = True
            self._wake()

    def call(self, made: Coroutine[Any, Any, _Value]) -> "Future[_Value]":
        """Make a call on the host's loop. Raises AgentAPIException if the channel is closed."""
        with self._lock:
            if self._is_closed:
                made.close()
                raise _ended()
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
        if action == PULL:  # what the runner has said before comes before what its user has added
            with audit.refusal_recorded(self._run_id, self._runner_id, action):
                reached = self._channel.applied()
            await asyncio.wrap_future(reached)
        return await asyncio.wrap_future(self._begin(action, self._transport.call(action, arguments)))

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Stream an answer in one task of the host's loop, as timeouts require."""
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
        """Make a call; calls after the run's end are refused and audited (RNR-82)."""
        with audit.refusal_recorded(self._run_id, self._runner_id, action):
            return self._channel.call(call)


def _ended() -> AgentAPIException:
    return AgentAPIException("unauthorized", "the run has ended")


def _resolve(room: "asyncio.Future[None]") -> None:
    if not room.done():
        room.set_result(None)
