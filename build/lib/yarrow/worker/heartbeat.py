"""Whose a run is while a worker works on it: its sign of life for others, and its watch for the run's end (C51).

Beats are counted, not timed by the worker's clock: who watches measures by its own (`lost_runs`). Between beats the run
is read, but only while nothing is stored: an append to the journal shows as well that the run goes on.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.observability.logs import logger
from yarrow.store import runs

BEAT_SECONDS = 10.0
WATCH_SECONDS = 0.9
"""How long a worker may be without knowing that its run goes on: with the time of a read, a second."""


def _never() -> float:
    return -math.inf


def _nothing() -> None:
    pass


@asynccontextmanager
async def heartbeat(
    run: runs.Run, stored_at: Callable[[], float] = _never, on_end: Callable[[], None] = _nothing
) -> AsyncIterator[None]:
    """Beat and watch while the body runs. When the run is no longer this worker's, cancel it and raise ReplacedError.

    `stored_at` gives the loop's time when the latest append that succeeded was begun; `on_end` is called before the
    body is cancelled.
    """
    working = asyncio.current_task()
    replaced = False
    # A thread of its own: those of the loop may all be waiting with calls of the runner.
    thread = ThreadPoolExecutor(1, thread_name_prefix="heartbeat")

    async def watch() -> None:
        nonlocal replaced
        loop = asyncio.get_running_loop()
        beaten_at = known_at = loop.time()
        while not replaced:
            next_at = min(max(known_at, stored_at()) + WATCH_SECONDS, beaten_at + BEAT_SECONDS)
            if (wait := next_at - loop.time()) > 0:
                await asyncio.sleep(wait)
                continue  # something may have been stored meanwhile
            known_at = loop.time()
            beats = known_at - beaten_at >= BEAT_SECONDS
            beaten_at = known_at if beats else beaten_at
            try:
                replaced = not await loop.run_in_executor(thread, runs.beat if beats else runs.is_active, run)
            except (BotoCoreError, ClientError):  # the next one may be heard
                logger.warning("a beat was lost" if beats else "a look at the run was lost", exc_info=True)
        on_end()
        if working is not None:
            working.cancel()

    watching = asyncio.create_task(watch())
    try:
        yield
    except asyncio.CancelledError:
        if replaced and working is not None and working.uncancel() == 0:
            raise runs.ReplacedError from None
        raise
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        thread.shutdown(wait=False)
