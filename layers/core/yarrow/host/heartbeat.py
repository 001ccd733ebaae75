"""The sign of life of a worker: others take a run whose worker has shown none for a while for lost.

Beats are counted, not timed by the worker's clock: who watches measures by its own (`lost_runs`).
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aws_lambda_powertools import Logger
from botocore.exceptions import BotoCoreError, ClientError

from yarrow.store import runs

logger = Logger()

BEAT_SECONDS = 10.0


class ReplacedError(Exception):
    """The run has ended or another worker has claimed it: this one's work is of no use any more."""


@asynccontextmanager
async def heartbeat(run: runs.Run) -> AsyncIterator[None]:
    """Beat while the body runs. When the run is no longer this worker's, cancel the body and raise ReplacedError."""
    working = asyncio.current_task()
    replaced = False

    async def beat() -> None:
        nonlocal replaced
        while not replaced:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                replaced = not await asyncio.to_thread(runs.beat, run)
            except (BotoCoreError, ClientError):  # the next one may be heard
                logger.warning("a beat was lost", extra={"run_key": run.key}, exc_info=True)
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
