"""The sign of life of a worker: others take a run whose worker has shown none for a while for lost.

Beats are counted, not timed by the worker's clock: who watches measures by its own (`lost_runs`).
"""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.observability.logs import logger
from yarrow.store import runs

BEAT_SECONDS = 10.0


class ReplacedError(Exception):
    """The run has ended or another worker has claimed it: this one's work is of no use any more."""


@asynccontextmanager
async def heartbeat(run: runs.Run) -> AsyncIterator[None]:
    """Beat while the body runs. When the run is no longer this worker's, cancel the body and raise ReplacedError."""
    working = asyncio.current_task()
    replaced = False
    # A thread of its own: those of the loop may all be waiting with calls of the runner.
    thread = ThreadPoolExecutor(1, thread_name_prefix="heartbeat")

    async def beat() -> None:
        nonlocal replaced
        while not replaced:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                replaced = not await asyncio.get_running_loop().run_in_executor(thread, runs.beat, run)
            except (BotoCoreError, ClientError):  # the next one may be heard
                logger.warning("a beat was lost", exc_info=True)
        if working is not None:
            working.cancel()

    beating = asyncio.create_task(beat())
    try:
        yield
    except asyncio.CancelledError:
        if replaced and working is not None and working.uncancel() == 0:
            raise ReplacedError from None
        raise
    finally:
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)
        thread.shutdown(wait=False)
