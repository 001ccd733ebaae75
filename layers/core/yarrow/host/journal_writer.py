"""Writing a worker's events to the journal: checked for their order, packed into few transactions.

The first event after a quiet time is stored at once; what follows within `FLUSH_SECONDS` goes together. Nothing is
ever shown that was not stored first.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from yarrow.protocol import events
from yarrow.protocol.event_order import EventOrder
from yarrow.store import journal, runs, table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

FLUSH_SECONDS = 0.05
MAX_BATCH_BYTES = 128 * 1024
"""Well under DynamoDB's 400 KB an item."""


class JournalWriter:
    """The one writer of a claimed run. Use it as an async context manager, then `close` it with what the work came to.

    A write that no longer holds, because the run ended or another worker claimed it, raises
    table.ConditionFailedError from the next call. An event is kept until it is known to be stored: what a failed write
    leaves behind goes with the next, in its order.
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
            if self._quiet_for() >= FLUSH_SECONDS:
                await self._flush()
            else:
                self._later = asyncio.create_task(self._flush_later())

    async def close(self, others: Sequence["WriteItem"] = ()) -> None:
        """Store what is left, together with other items of the same transaction."""
        await self._flush(others)

    def _quiet_for(self) -> float:
        return asyncio.get_running_loop().time() - self._flushed_at

    async def _flush_later(self) -> None:
        while self._lines:  # more may have come while some were being stored
            await asyncio.sleep(FLUSH_SECONDS - self._quiet_for())
            await self._flush()

    async def _flush(self, others: Sequence["WriteItem"] = ()) -> None:
        # A write cannot be called back: whoever is cancelled while it is under way must not leave it unaccounted for.
        await asyncio.shield(self._store(others))

    async def _store(self, others: Sequence["WriteItem"]) -> None:
        async with self._storing:
            goal = self._last_sequence + len(self._lines)
            while others or self._last_sequence < goal:
                lines = self._lines[: goal - self._last_sequence]
                try:
                    last = await asyncio.to_thread(
                        journal.append, self._run.key, self._run.attempt, self._last_sequence, lines, others
                    )
                    self._advance(last)
                    others = ()
                except table.ConditionFailedError:
                    if not self._advance(await asyncio.to_thread(self._reached)):
                        raise
            self._flushed_at = asyncio.get_running_loop().time()

    def _reached(self) -> int:
        """How far the journal has come by this worker's own writes, one of which may have lost its answer."""
        run = runs.must_read(self._run.key)
        own = (run.phase, run.attempt) == ("running", self._run.attempt)
        return run.last_sequence if own else self._last_sequence

    def _advance(self, last: int) -> bool:
        """Let go of what is stored up to a sequence number. False when that is nothing new."""
        stored = last - self._last_sequence
        self._bytes -= sum(len(line.encode()) for line in self._lines[:stored])
        del self._lines[:stored]
        self._last_sequence = last
        return stored > 0
