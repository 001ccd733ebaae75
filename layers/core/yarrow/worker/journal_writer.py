"""Writes a worker's events to the journal, ordered and batched. The first event after a quiet period is stored at once,
later ones every `FLUSH_SECONDS`, and once an answer has gone on for `EARLY_SECONDS`, every `LATER_FLUSH_SECONDS`; while
nobody watches the run, every `UNWATCHED_FLUSH_SECONDS`. A START waits for its content.
"""

import asyncio
import contextvars
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from yarrow.formats import json_text
from yarrow.protocol.events import events
from yarrow.protocol.events.order import BEGINNINGS, EventOrder
from yarrow.store import journal, runs, table
from yarrow.worker.presence import Presence

FLUSH_SECONDS = 0.11
LATER_FLUSH_SECONDS = 0.2
"""Each write costs a request, and readers of a long answer no longer wait for its beginning."""
UNWATCHED_FLUSH_SECONDS = 2.0
"""The first viewer waits so long at most for what is new."""
EARLY_SECONDS = 3.0
QUIET_SECONDS = 1.0
"""After this long without a write, a new answer begins."""
MAX_BATCH_BYTES = 256 * 1024
"""DynamoDB's limit is 400 KB an item."""

_STARTED = journal.Position(1)

_Answer = TypeVar("_Answer")

Store = Callable[[journal.Position, Sequence[str]], journal.Position]
"""Stores events at a position and returns the next one. Raises table.ConditionFailedError."""


class JournalWriter:
    """The only writer of a claimed run; an async context manager. Raises table.ConditionFailedError once the run has
    ended or another worker claimed it. Events of a failed write are retried with the next, in order. `on_first` is
    called at the first event after RUN_STARTED. Without a `presence`, the run counts as watched.
    """

    def __init__(
        self,
        run: runs.Run,
        order: EventOrder,
        at: journal.Position,
        on_first: Callable[[], None] | None = None,
        presence: Presence | None = None,
    ) -> None:
        self.order = order
        self._on_first = on_first
        self._presence = presence or Presence()
        self._run = run
        self._at = at
        self._lines: list[str] = []
        self._bytes = 0
        self._only_openings = False
        """Whether all queued events only open something."""
        self._flushed_at = self.stored_at = float("-inf")
        """When the latest write, and the latest successful one, began, in loop time."""
        self._began_at = float("-inf")
        """When the first write after a quiet period began, in loop time."""
        self.waited = 0.0
        """Seconds that its writes have taken."""
        self._storing = asyncio.Lock()
        # Its own thread: calls of the runner may block all threads of the loop's executor.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._later: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "JournalWriter":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stop_flushing_later()
        self._thread.shutdown(wait=False)

    @property
    def last(self) -> int:
        return self._at.last

    async def write(self, event: events.Event) -> None:
        """Queue an event, which is stored within LATER_FLUSH_SECONDS, or UNWATCHED_FLUSH_SECONDS. Raises OrderError."""
        line, size = self._admit(event)
        if self._bytes + size > MAX_BATCH_BYTES:
            await self._flush()
        begins, is_awaited = isinstance(event, BEGINNINGS), not self._lines or self._only_openings
        self._only_openings = begins and is_awaited
        self._lines.append(line)
        self._bytes += size
        if self._later is not None and self._later.done():
            self._later.result()  # raises what a background write raised
            self._later = None
        if self._later is None or (is_awaited and not begins):
            wait = self._pace() - self._quiet_for()
            if wait <= 0 and begins:
                wait = self._pace()
            if wait <= 0:
                await self._flush_and_look()
            elif self._later is None:
                self._later = asyncio.create_task(self._flush_later(wait))

    async def close(self) -> None:
        await self._stop_flushing_later()
        await self._flush()

    async def end(self, event: events.Event, store: Store) -> None:
        await self._stop_flushing_later()
        line, size = self._admit(event)
        async with self._storing:  # a write in progress excludes this event
            self._lines.append(line)
            self._bytes += size
        await self._flush(store)

    def _admit(self, event: events.Event) -> tuple[str, int]:
        self.order.admit(event)
        line = events.encode(event)
        return line, json_text.size(line)

    def _quiet_for(self) -> float:
        return asyncio.get_running_loop().time() - self._flushed_at

    def _pace(self) -> float:
        if not self._presence.is_watched:
            return UNWATCHED_FLUSH_SECONDS
        return LATER_FLUSH_SECONDS if self._flushed_at - self._began_at >= EARLY_SECONDS else FLUSH_SECONDS

    async def _flush_later(self, wait: float) -> None:
        while self._lines:  # events may be added during a write
            await asyncio.sleep(wait)
            await self._flush_and_look()
            wait = self._pace() - self._quiet_for()

    async def _stop_flushing_later(self) -> None:
        if self._later is not None:
            self._later.cancel()
            await asyncio.gather(self._later, return_exceptions=True)
            self._later = None

    async def _flush_and_look(self) -> None:
        await self._flush()
        now = asyncio.get_running_loop().time()
        if self._presence.is_due(now):
            await self._call(self._presence.look, now)

    async def _flush(self, store: Store | None = None) -> None:
        # A write cannot be cancelled: after a cancellation its result must still be recorded.
        storing = asyncio.create_task(self._store(store or self._append))
        storing.add_done_callback(_retrieve_exception)
        await asyncio.shield(storing)

    async def _store(self, store: Store) -> None:
        async with self._storing:
            if not self._lines:
                return
            begun = asyncio.get_running_loop().time()
            if begun - self._flushed_at >= QUIET_SECONDS:
                self._began_at = begun
            self._flushed_at = begun
            goal = self._at.last + len(self._lines)
            while self._at.last < goal:
                lines = self._lines[: goal - self._at.last]
                sent = asyncio.get_running_loop().time()
                try:
                    at = await self._call(store, self._at, lines)
                except table.ConditionFailedError:
                    # Possibly this worker's own write, whose response was lost.
                    own = await self._call(journal.own, self._run.key, self._run.attempt, self._at)
                    if own is None:
                        raise
                    at = own
                self.waited += asyncio.get_running_loop().time() - sent
                self._advance(at)
            self.stored_at = begun

    async def _call(self, write: Callable[..., _Answer], *arguments: object) -> _Answer:
        context = contextvars.copy_context()  # keeps the log correlation
        return await asyncio.get_running_loop().run_in_executor(self._thread, context.run, write, *arguments)

    def _append(self, at: journal.Position, lines: Sequence[str]) -> journal.Position:
        return journal.append(self._run.key, self._run.attempt, at, lines, self._run.workspace)

    def _advance(self, at: journal.Position) -> None:
        stored = at.last - self._at.last
        if self._at == _STARTED and self._on_first is not None:
            self._on_first()
        self._bytes -= sum(map(json_text.size, self._lines[:stored]))
        del self._lines[:stored]
        self._at = at


def _retrieve_exception(storing: asyncio.Task[None]) -> None:
    """Retrieve a background write's exception; its events go with the next write."""
    if not storing.cancelled():
        storing.exception()
