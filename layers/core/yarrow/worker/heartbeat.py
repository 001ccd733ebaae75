"""A worker's heartbeat, and its watch for the run's end (C51).

Beats are counted, not timed: readers measure with their own clock (`lost_runs`). Between beats the run is read only
while nothing is appended, as an append also shows that the run is active.
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
"""The longest time without knowing that the run is active: one second with the read."""


def _never() -> float:
    return -math.inf


def _nothing() -> None:
    pass


@asynccontextmanager
async def heartbeat(
    run: runs.Run, stored_at: Callable[[], float] = _never, on_end: Callable[[], None] = _nothing
) -> AsyncIterator[None]:
    """Beat and watch while the body runs; once the run is no longer this worker's, cancel the body and raise
    ReplacedError.

    `stored_at` returns the loop time at which the latest successful append began; `on_end` is called before the
    cancellation.
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
