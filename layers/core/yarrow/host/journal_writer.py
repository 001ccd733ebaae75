"""Writing a worker's events to the journal: checked for their order, packed into few transactions.

The first event after a quiet time is stored at once; what follows within `FLUSH_SECONDS` goes together. Nothing is
ever shown that was not stored first.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from yarrow.protocol import events
from yarrow.protocol.event_order import EventOrder
from yarrow.store import journal, runs

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

FLUSH_SECONDS = 0.05
MAX_BATCH_BYTES = 128 * 1024
"""Well under DynamoDB's 400 KB an item."""


class JournalWriter:
    """The one writer of a claimed run. Use it as an async context manager, then `close` it with what the work came to.

    A write that no longer holds, because the run ended or another worker claimed it, raises
    table.ConditionFailedError from the next call.
    """

    def __init__(self, run: runs.Run, order: EventOrder) -> None:
        self.order = order
        self._run = run
        self._last_sequence = run.last_sequence
        self._lines: list[str] = []
        self._bytes = 0
        self._flushed_at = float("-inf")
        self._storing = asyncio.Lock()
        self._later: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "JournalWriter":
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._later is not None:
            self._later.cancel()
            await asyncio.gather(self._later, return_exceptions=True)

    async def write(self, event: events.Event) -> None:
        """Store an event now or shortly. Raises OrderError when it may not come here."""
        self.order.admit(event)
        line = events.encode(event)
        size = len(line.encode())
        if self._bytes + size > MAX_BATCH_BYTES:
            await self._flush()
        self._lines.append(line)
        self._bytes += size
        if self._later is not None and self._later.done():
            self._later.result()  # a write in the background that failed is told here
            self._later = None
        if self._later is None:
            wait = self._flushed_at + FLUSH_SECONDS - asyncio.get_running_loop().time()
            if wait <= 0:
                await self._flush()
            else:
                self._later = asyncio.create_task(self._flush_after(wait))

    async def close(self, others: Sequence["WriteItem"] = ()) -> None:
        """Store what is left, together with other items of the same transaction."""
        await self._flush(others)

    async def _flush_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self._flush()

    async def _flush(self, others: Sequence["WriteItem"] = ()) -> None:
        async with self._storing:
            lines, self._lines, self._bytes = self._lines, [], 0
            if not lines and not others:
                return
            self._last_sequence = await asyncio.to_thread(
                journal.append, self._run.key, self._run.attempt, self._last_sequence, lines, others
            )
            self._flushed_at = asyncio.get_running_loop().time()
