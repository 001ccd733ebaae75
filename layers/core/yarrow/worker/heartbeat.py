"""Sends a worker's heartbeat and detects that its run has ended (C51). Beats are counters; readers use their own clock
(`lost_runs`). Between beats the run is read only if nothing was appended, since an append checks it too.
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
"""With the read, at most one second passes unchecked."""


def _never() -> float:
    return -math.inf


def _nothing() -> None:
    pass


@asynccontextmanager
async def heartbeat(
    run: runs.Run, stored_at: Callable[[], float] = _never, on_end: Callable[[], None] = _nothing
) -> AsyncIterator[None]:
    """Cancel the body and raise ReplacedError once this worker has lost the run. `stored_at` returns the loop time at
    which the latest successful append began; `on_end` is called before the cancellation.
    """
    working = asyncio.current_task()
    replaced = False
    # Its own thread: calls of the runner may block all threads of the loop's executor.
    thread = ThreadPoolExecutor(1, thread_name_prefix="heartbeat")

    async def watch() -> None:
        nonlocal replaced
        loop = asyncio.get_running_loop()
        beaten_at = known_at = loop.time()
        while not replaced:
            next_at = min(max(known_at, stored_at()) + WATCH_SECONDS, beaten_at + BEAT_SECONDS)
            if (wait := next_at - loop.time()) > 0:
                await asyncio.sleep(wait)
                continue  # an append may have succeeded meanwhile
            known_at = loop.time()
            beats = known_at - beaten_at >= BEAT_SECONDS
            beaten_at = known_at if beats else beaten_at
            try:
                replaced = not await loop.run_in_executor(thread, runs.beat if beats else runs.is_active, run)
            except (BotoCoreError, ClientError):  # the next one may succeed
                logger.warning("a heartbeat failed" if beats else "reading the run failed", exc_info=True)
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
