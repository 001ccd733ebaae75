"""An event loop in a thread of its own, for code that is not ours: it may block and ignore that it is cancelled.

In the host's loop, such code would hold up the heartbeat of its run and the end of the process (RNR-72). A loop of its
own is stopped, and what still runs on it is run no further. A thread that blocks cannot be ended by anyone: it is left
behind, as a daemon, and finds its loop stopped when it comes back.
"""

import asyncio
import concurrent.futures
import contextlib
import functools
import logging
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from typing import Any, Final, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")

GRACE_SECONDS: Final = 1.0
"""How long code that was cancelled may take to end, at each step; nobody waits longer than for four of them."""

_EXITS: Final = (SystemExit, KeyboardInterrupt)
"""What asyncio lets through a loop."""

_CLOSINGS: Final = 10
"""How often a coroutine that waits in its cleanup is closed."""


async def across(loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on another loop. When this is cancelled, it is cancelled there."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, loop))


async def flow(loop: asyncio.AbstractEventLoop, source: Callable[[], AsyncGenerator[T]]) -> AsyncGenerator[T]:
    """What a generator yields on another loop, one item ahead. It runs in one task there, and is closed with this one.

    Raises what it raises, and ConnectionAbortedError when it was cancelled there by someone else or means to exit.
    """
    here = asyncio.get_running_loop()
    items: asyncio.Queue[Any] = asyncio.Queue()  # of T, and at last the task
    room = asyncio.Semaphore(0)
    post = functools.partial(_post, here, items)

    async def drive() -> None:
        async with contextlib.aclosing(source()) as produced:
            async for item in produced:
                post(item)
                await room.acquire()

    async def begin() -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(drive())
        task.add_done_callback(post)
        return task

    task = await across(loop, begin())
    try:
        while (item := await items.get()) is not task:
            yield item
            loop.call_soon_threadsafe(room.release)
        if task.cancelled() or isinstance(task.exception(), _EXITS):
            raise ConnectionAbortedError("ended from within")
        task.result()
    finally:
        if not task.done():
            loop.call_soon_threadsafe(task.cancel)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GRACE_SECONDS):
                    while await items.get() is not task:
                        pass


def _post(loop: asyncio.AbstractEventLoop, items: asyncio.Queue[Any], item: Any) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody reads on
        loop.call_soon_threadsafe(items.put_nowait, item)


@contextlib.asynccontextmanager
async def own_loop() -> AsyncIterator[asyncio.AbstractEventLoop]:
    """A running loop. On leaving, its tasks are cancelled and it stops, whatever they make of it."""
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(_note)
    ended: concurrent.futures.Future[None] = concurrent.futures.Future()
    ended.set_running_or_notify_cancel()
    threading.Thread(target=_turn, args=(loop, ended), name="foreign-runner", daemon=True).start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        waiting = asyncio.wrap_future(ended)
        if not (await asyncio.wait({waiting}, timeout=3 * GRACE_SECONDS))[0]:
            logger.warning("a runner blocks its thread and is left behind")
            waiting.cancel()


def _turn(loop: asyncio.AbstractEventLoop, ended: concurrent.futures.Future[None]) -> None:
    try:
        while not _is_stopped(loop):
            pass
        loop.run_until_complete(_cancel_all())
    finally:
        loop.close()
        ended.set_result(None)


def _is_stopped(loop: asyncio.AbstractEventLoop) -> bool:
    """Turn until the loop is stopped, or a task means to exit: that ends the task, and not the loop."""
    try:
        loop.run_forever()
    except _EXITS:
        return False
    return True


async def _cancel_all() -> None:
    """Cancel the tasks of this loop and close its generators; what does not end in time is ended as it stands."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        _, tasks = await asyncio.wait(tasks, timeout=GRACE_SECONDS)
    for task in tasks:
        _abandon(task)
    if not tasks:
        closing = asyncio.ensure_future(asyncio.get_running_loop().shutdown_asyncgens())
        await asyncio.wait({closing}, timeout=GRACE_SECONDS)


def _abandon(task: asyncio.Task[Any]) -> None:
    """End a coroutine where it waits; left to the garbage collector, it would end at some other time, and noisily."""
    coroutine = task.get_coro()
    for _ in range(_CLOSINGS):
        with contextlib.suppress(Exception):  # its cleanup waits for something, or fails
            if coroutine is not None:
                coroutine.close()
            return


def _note(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What foreign code leaves behind: tasks whose failure nobody reads, or that were stopped."""
    logger.debug("left behind by a runner: %s", context["message"], exc_info=context.get("exception"))
