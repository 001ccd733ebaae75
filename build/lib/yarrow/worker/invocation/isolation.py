"""A runner in a thread and an event loop of its own, so that nothing it does can hold up the host.

Source: `agent-runner.md` §9 (RNR-72). Installed runners are foreign code: one may block in synchronous code, swallow
its cancellation, or never come back from its `finally`. Here the host waits for it a bounded time, then abandons it:
its thread goes on, unheard, and can call the host no more. Python cannot end a thread; the process can: where too many
go on, it leaves before it takes another run, and Lambda starts a new one, in which the state machine tries that run
again (`web.lambda_task`). The runners that ship with the host are not put here: they may be trusted, and to hear them
costs less.
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

AHEAD: Final = 16
"""How many results a runner may be ahead of the host."""

GRACE_SECONDS = 2.0
"""How long the host waits for a runner that it has cancelled."""

MOST_LEFT: Final = 4
"""How many threads of runs that are over may go on in this process."""

_left: Final[dict[threading.Thread, float]] = {}
"""The threads of runs that are over, and since when, by a clock that never goes back."""

_Value = TypeVar("_Value")


class IsolatedRunner:
    """A runner that runs another one apart. Its results can be closed at any time, in GRACE_SECONDS at most.

    Raises SystemExit where MOST_LEFT threads of earlier runs go on.
    """

    def __init__(self, runner: AgentRunner, runner_id: str = audit.UNKNOWN) -> None:
        self._runner = runner
        self._runner_id = runner_id
        if _number_left() >= MOST_LEFT:
            logger.error("too many agents that were abandoned go on: the process ends")
            raise SystemExit(1)

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield what the other one yields, raise what it raises. Its calls are made on the host's loop."""
        line = _Line(asyncio.get_running_loop())
        bridged = AgentRunAPIProxy(api.run_id, _Bridge(api, line, self._runner_id))
        speak = partial(copy_context().run, self._speak, line, context, bridged)  # what it logs is of this invocation
        thread = threading.Thread(target=speak, name="runner", daemon=True)
        thread.start()
        try:
            async with aclosing(line.results()) as results:
                async for result in results:
                    yield result
        finally:
            _left[thread] = time.monotonic()  # before the wait, which may be cancelled
            if not await line.hang_up():
                logger.warning("the agent does not stop and was abandoned")

    def _speak(self, line: "_Line", context: AgentRunContext, api: AgentRunAPIProxy) -> None:
        """Run to the end, in the runner's thread, which outlives every call that it has made with `to_thread`."""
        workers = ThreadPoolExecutor(thread_name_prefix="runner")
        # Tasks that it leaves behind are cancelled on leaving, and one of them may mean to exit, too.
        with workers, suppress(SystemExit, KeyboardInterrupt), asyncio.Runner() as loop:
            loop.get_loop().set_default_executor(workers)  # the loop itself waits 300 s for its own, from Python 3.12
            raised: BaseException | None = None
            try:
                loop.run(self._tell(line, context, api))
            except BaseException as error:  # noqa: BLE001 (the host gets it; SystemExit must not end the host)
                raised = error
            line.end(raised)

    async def _tell(self, line: "_Line", context: AgentRunContext, api: AgentRunAPIProxy) -> None:
        if line.pick_up():
            async with aclosing(self._runner.run(context, api)) as results:
                async for result in results:
                    if not await line.put(result):
                        break


def _number_left() -> int:
    """How many threads have gone on for longer than they are waited for."""
    for thread in tuple(_left):
        if not thread.is_alive():
            _left.pop(thread, None)
    return sum(time.monotonic() - over >= GRACE_SECONDS for over in tuple(_left.values()))


class _Line:
    """Between the host's loop and the runner's: results one way, calls the other. Every flag changes under the lock."""

    def __init__(self, host: asyncio.AbstractEventLoop) -> None:
        self._host = host
        self._lock = threading.Lock()
        self._results: deque[AgentRunResult] = deque()
        self._news = asyncio.Event()
        """Set on the host's loop when there is something to hear."""
        self._room: asyncio.Future[None] | None = None
        """What the runner waits for when it is too far ahead; of its own loop."""
        self._speaker: asyncio.Task[Any] | None = None
        self._raised: BaseException | None = None
        self._is_awaited = False
        self._has_hung_up = False
        self._has_ended = False
        self._calls: set[Future[Any]] = set()

    # ---- On the host's loop ------------------------------------------------------------------------------------------
    async def results(self) -> AsyncGenerator[AgentRunResult]:
        """What the runner tells, until it has ended. Raises what it raised."""
        while True:
            with self._lock:
                told = list(self._results)
                self._results.clear()
                self._make_room()
                has_ended = self._has_ended
                self._is_awaited = not told and not has_ended
                self._news.clear()
            for result in told:
                yield result
            if has_ended:
                break
            if not told:
                await self._news.wait()
        if isinstance(self._raised, Exception | asyncio.CancelledError):
            raise self._raised
        if self._raised is not None:
            raise RuntimeError("the runner would have ended the process") from self._raised

    async def hang_up(self) -> bool:
        """Hear and answer no more, and cancel the runner. False when it does not end."""
        with self._lock:
            self._has_hung_up = True
            self._results.clear()
            self._make_room()
            for call in list(self._calls):
                call.cancel()
            if self._has_ended:
                return True
            self._is_awaited = True
            self._news.clear()
            if self._speaker is not None:
                self._speaker.get_loop().call_soon_threadsafe(self._speaker.cancel)
        try:
            async with asyncio.timeout(GRACE_SECONDS):
                while not self._has_ended:  # the news may be of a result that came before
                    await self._news.wait()
                    self._news.clear()
        except TimeoutError:
            return False
        finally:
            with self._lock:
                self._is_awaited = False  # the host's loop may be gone when the runner ends
        return True

    def _make_room(self) -> None:
        if self._room is not None:
            self._room.get_loop().call_soon_threadsafe(_resolve, self._room)
            self._room = None

    # ---- In the runner's thread --------------------------------------------------------------------------------------
    def pick_up(self) -> bool:
        """The current task is the runner's. False when the host has hung up already."""
        with self._lock:
            self._speaker = asyncio.current_task()
            return not self._has_hung_up

    async def put(self, result: AgentRunResult) -> bool:
        """Tell the host a result, and wait while it has many. False when it has hung up."""
        with self._lock:
            if self._has_hung_up:
                return False
            self._results.append(result)
            self._wake()
            if len(self._results) < AHEAD:
                return True
            room = self._room = asyncio.get_running_loop().create_future()
        await room
        return True

    def end(self, raised: BaseException | None) -> None:
        """The runner is done, or has raised."""
        with self._lock:
            self._has_ended, self._raised = True, raised
            self._room = None
            self._wake()

    def call(self, made: Coroutine[Any, Any, _Value]) -> "Future[_Value]":
        """Have something done on the host's loop. Raises AgentAPIException when the host has hung up."""
        with self._lock:
            if self._has_hung_up:
                made.close()
                raise AgentAPIException("unauthorized", "the run has ended")
            future = asyncio.run_coroutine_threadsafe(made, self._host)
            self._calls.add(future)
        future.add_done_callback(self._calls.discard)
        return future

    def _wake(self) -> None:
        if self._is_awaited:
            self._is_awaited = False
            self._host.call_soon_threadsafe(self._news.set)


class _Bridge:
    """The host's transport as a runner in another thread uses it."""

    def __init__(self, api: AgentRunAPIProxy, line: _Line, runner_id: str) -> None:
        self._transport = api.transport
        self._run_id = api.run_id
        self._runner_id = runner_id
        self._line = line

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Do an action on the host's loop."""
        return await asyncio.wrap_future(self._begin(action, self._transport.call(action, arguments)))

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Do one that answers with many: all in one task of the host's loop, as timeouts there demand."""
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
        """Have a call made on the host's loop. One after the run's end is refused, and recorded as such (RNR-82)."""
        with audit.refusal_recorded(self._run_id, self._runner_id, action):
            return self._line.call(call)


def _resolve(room: "asyncio.Future[None]") -> None:
    if not room.done():
        room.set_result(None)
