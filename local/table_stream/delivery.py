"""Delivers a stream's records to the function of a mapping, as Lambda's poller does.

Records of a partition key stay in order, since they share one of the mapping's parallel lanes, which delivers one batch
at a time. A failed batch is delivered again from its first failed record or, if the function failed and the mapping
bisects, in halves. Records that failed too often or are too old are dropped; AWS would send them to a queue.
"""

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

from local.functions import LambdaHost
from local.stack import StreamMapping
from local.table_stream.filters import matches

Record = Mapping[str, Any]

MAX_BYTES = 6_000_000
"""The most that records of a batch have together (Lambda quotas: 6 MB for the event)."""

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
"""Seconds before a failed batch is delivered again: doubled each time, up to the longest."""

logger = logging.getLogger(__name__)


class RecordDelivery:
    def __init__(
        self, mapping: StreamMapping, hash_key: str, host: LambdaHost, done: Callable[[Record], object] = lambda _: None
    ) -> None:
        """`hash_key` is the table's partition key; `done` is called with every record that is delivered or dropped."""
        self._mapping = mapping
        self._hash_key = hash_key
        self._done = done
        self._lanes = [_Lane(mapping, host, done) for _ in range(mapping.parallel)]

    def add(self, records: Iterable[Record]) -> None:
        """Queue the records that pass the mapping's filters; the others are done."""
        for record in records:
            if any(matches(pattern, record) for pattern in self._mapping.patterns) or not self._mapping.patterns:
                partition = json.dumps(record["dynamodb"]["Keys"][self._hash_key]).encode()
                self._lanes[crc32(partition) % len(self._lanes)].add(record)
            else:
                self._done(record)

    def close(self) -> None:
        """Stop; waiting records are not done."""
        for lane in self._lanes:
            lane.close()


class _Lane:
    def __init__(self, mapping: StreamMapping, host: LambdaHost, done: Callable[[Record], object]) -> None:
        self._mapping = mapping
        self._done = done
        self._host = host
        self._waiting: deque[Record] = deque()
        self._working: asyncio.Task[None] | None = None

    def add(self, record: Record) -> None:
        self._waiting.append(record)
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())

    def close(self) -> None:
        self._waiting.clear()
        if self._working is not None:
            self._working.cancel()

    async def _work(self) -> None:
        while self._waiting:
            batch = self._batch()
            await self._deliver(batch)
            for record in batch:
                self._done(record)

    def _batch(self) -> list[Record]:
        batch, size = [self._waiting.popleft()], 0
        while self._waiting and len(batch) < self._mapping.batch_size:
            size += self._waiting[0]["dynamodb"]["SizeBytes"]
            if size > MAX_BYTES:
                break
            batch.append(self._waiting.popleft())
        return batch

    async def _deliver(self, batch: Sequence[Record], tried: int = 0) -> None:
        while batch:
            left, failed = await self._attempt(batch)
            if not left:
                return
            tried = tried + 1 if len(left) == len(batch) else 1
            kept = [record for record in left if not self._is_old(record)]
            if self._mapping.retries is not None and tried > self._mapping.retries:
                kept = []
            if len(kept) < len(left):
                logger.error("%s: %d records were dropped", self._mapping.function, len(left) - len(kept))
            await asyncio.sleep(min(FIRST_PAUSE * 2 ** (tried - 1), LONGEST_PAUSE))
            if failed and self._mapping.bisects and len(kept) > 1:
                middle = len(kept) // 2
                await self._deliver(kept[:middle], tried)
                await self._deliver(kept[middle:], tried)
                return
            batch = kept

    async def _attempt(self, batch: Sequence[Record]) -> tuple[Sequence[Record], bool]:
        """Invoke the function once; returns the records to deliver again, and whether the function itself failed."""
        payload = json.dumps({"Records": batch}, ensure_ascii=False).encode()
        result = await self._host.invoke(self._mapping.function, payload)
        if result.failed:
            return batch, True
        failures = (json.loads(result.payload) or {}).get("batchItemFailures") or []
        numbers = {failure["itemIdentifier"] for failure in failures}
        first = next((n for n, record in enumerate(batch) if record["dynamodb"]["SequenceNumber"] in numbers), None)
        if first is None:
            return (batch, True) if numbers else ((), False)  # an unknown number fails the whole batch
        return batch[first:], False

    def _is_old(self, record: Record) -> bool:
        age = self._mapping.age
        return age is not None and time.time() - record["dynamodb"]["ApproximateCreationDateTime"] > age
