"""Writing a worker's events to the journal: checked for their order, packed into few items.

The first event after a quiet time is stored at once; what follows within `FLUSH_SECONDS` goes together. One that only
begins something waits for what that has to say, which would have to wait in its place. Nothing is ever shown that was
not stored first.
"""

import asyncio
import contextvars
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from yarrow.protocol.events import events
from yarrow.protocol.events.order import BEGINNINGS, EventOrder
from yarrow.store import journal, runs, table

FLUSH_SECONDS = 0.11
MAX_BATCH_BYTES = 256 * 1024
"""Well under DynamoDB's 400 KB an item."""

_STARTED = journal.Place(1)

_Answer = TypeVar("_Answer")

Store = Callable[[journal.Place, Sequence[str]], journal.Place]
"""How events are put at a place; returns the next, or raises table.ConditionFailedError."""


class JournalWriter:
    """The one writer of a claimed run, from a place in its journal on. Use it as an async context manager.

    A write that no longer holds, because the run ended or another worker claimed it, raises
    table.ConditionFailedError from the next call. An event is kept until it is known to be stored: what a failed write
    leaves behind goes with the next, in its order. `on_first` is called when something follows RUN_STARTED.
    """

    def __init__(
        self, run: runs.Run, order: EventOrder, at: journal.Place, on_first: Callable[[], None] | None = None
    ) -> None:
        self.order = order
        self._on_first = on_first
        self._run = run
        self._at = at
        self._lines: list[str] = []
        self._bytes = 0
        self._only_begun = False
        """Whether what waits to be stored are beginnings alone."""
        self._flushed_at = self.stored_at = float("-inf")
        """When the latest write was begun, and the latest one that succeeded, by the loop's clock."""
        self._storing = asyncio.Lock()
        # A thread of its own: those of the loop may all be waiting with calls of the runner.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._later: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "JournalWriter":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stop_flushing_later()
        self._thread.shutdown(wait=False)

    @property
    def last(self) -> int:
        """The number of the last event that is stored."""
        return self._at.last

    async def write(self, event: events.Event) -> None:
        """Store an event now or shortly. Raises OrderError when it may not come here."""
        line, size = self._admit(event)
        if self._bytes + size > MAX_BATCH_BYTES:
            await self._flush()
        begins, is_awaited = event.type in BEGINNINGS, not self._lines or self._only_begun
        self._only_begun = begins and is_awaited
        self._lines.append(line)
        self._bytes += size
        if self._later is not None and self._later.done():
            self._later.result()  # a write in the background that failed is told here
            self._later = None
        if self._later is None or (is_awaited and not begins):
            wait = FLUSH_SECONDS - self._quiet_for()
            if wait <= 0 and begins:
                wait = FLUSH_SECONDS
            if wait <= 0:
                await self._flush()
            elif self._later is None:
                self._later = asyncio.create_task(self._flush_later(wait))

    async def close(self) -> None:
        """Store what is left."""
        await self._stop_flushing_later()
        await self._flush()

    async def end(self, event: events.Event, store: Store) -> None:
        """Store what is left and a last event together, by a write that does more than that."""
        await self._stop_flushing_later()
        line, size = self._admit(event)
        async with self._storing:  # what is under way is of the events before
            self._lines.append(line)
            self._bytes += size
        await self._flush(store)

    def _admit(self, event: events.Event) -> tuple[str, int]:
        self.order.admit(event)
        line = events.encode(event)
        return line, len(line.encode())

    def _quiet_for(self) -> float:
        return asyncio.get_running_loop().time() - self._flushed_at

    async def _flush_later(self, wait: float) -> None:
        while self._lines:  # more may have come while some were being stored
            await asyncio.sleep(wait)
            await self._flush()
            wait = FLUSH_SECONDS - self._quiet_for()

    async def _stop_flushing_later(self) -> None:
        if self._later is not None:
            self._later.cancel()
            await asyncio.gather(self._later, return_exceptions=True)
            self._later = None

    async def _flush(self, store: Store | None = None) -> None:
        # A write cannot be called back: whoever is cancelled while it is under way must not leave it unaccounted for.
        storing = asyncio.create_task(self._store(store or self._append))
        storing.add_done_callback(_know)
        await asyncio.shield(storing)

    async def _store(self, store: Store) -> None:
        async with self._storing:
            if not self._lines:
                return
            begun = self._flushed_at = asyncio.get_running_loop().time()
            goal = self._at.last + len(self._lines)
            while self._at.last < goal:
                lines = self._lines[: goal - self._at.last]
                try:
                    at = await self._call(store, self._at, lines)
                except table.ConditionFailedError:
                    # It may be this worker's own, by a write that lost its answer.
                    own = await self._call(journal.own, self._run.key, self._run.attempt, self._at)
                    if own is None:
                        raise
                    at = own
                self._advance(at)
            self.stored_at = begun

    async def _call(self, write: Callable[..., _Answer], *arguments: object) -> _Answer:
        context = contextvars.copy_context()  # of which the log has its correlation
        return await asyncio.get_running_loop().run_in_executor(self._thread, context.run, write, *arguments)

    def _append(self, at: journal.Place, lines: Sequence[str]) -> journal.Place:
        return journal.append(self._run.key, self._run.attempt, at, lines)

    def _advance(self, at: journal.Place) -> None:
        """Let go of what is stored up to a place."""
        stored = at.last - self._at.last
        if self._at == _STARTED and self._on_first is not None:
            self._on_first()
        self._bytes -= sum(len(line.encode()) for line in self._lines[:stored])
        del self._lines[:stored]
        self._at = at


def _know(storing: asyncio.Task[None]) -> None:
    """Take note of how a write ended that perhaps nobody waits for: what it left behind goes with the next."""
    if not storing.cancelled():
        storing.exception()
