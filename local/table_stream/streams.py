"""Delivers the streams of a stack, reported by the emulator or read from an external engine."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from local.functions import LambdaHost
from local.stack import Stack
from local.table_stream.delivery import RecordDelivery


class TableStreams:
    """Delivers the records of all event source mappings."""

    def __init__(self, stack: Stack, host: LambdaHost) -> None:
        keys = {table.definition["TableName"]: _hash_key(table.definition) for table in stack.tables}
        # A table with another name is external; its keys are the template's.
        (default, *_) = keys.values() or ("pk",)
        self._deliveries = [
            (
                mapping.table,
                RecordDelivery(mapping, keys.get(mapping.table, default), host, partial(self._done, mapping.table)),
            )
            for mapping in stack.stream_mappings
        ]
        self._undone: Counter[tuple[str, str]] = Counter()
        self._delivered: list[tuple[str, str]] = []
        self._stopped = threading.Event()

    def add(self, changes: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Queue records by table for the functions that want them. Call it in the event loop's thread."""
        for table, record in changes:
            number = table, record["dynamodb"]["SequenceNumber"]
            wanting = [delivery for name, delivery in self._deliveries if name == table]
            self._undone[number] += len(wanting)
            if not wanting:
                self._delivered.append(number)
            for delivery in wanting:
                delivery.add([record])

    def take_delivered(self) -> list[tuple[str, str]]:
        """Return tables and sequence numbers of the records that were completed since the last call."""
        delivered, self._delivered = self._delivered, []
        return delivered

    def _done(self, table: str, record: Mapping[str, Any]) -> None:
        number = table, record["dynamodb"]["SequenceNumber"]
        self._undone[number] -= 1
        if not self._undone[number]:
            del self._undone[number]
            self._delivered.append(number)

    def poll(self, endpoint: str) -> None:
        """Read the streams of the engine at `endpoint` from now on, in a thread per table."""
        from local.table_stream.poller import Poller

        loop = asyncio.get_running_loop()
        for table in {name for name, _ in self._deliveries}:

            def deliver(records: list[dict[str, Any]], table: str = table) -> None:
                loop.call_soon_threadsafe(self._add_polled, table, records)

            poller = Poller(endpoint, table, deliver, self._stopped)
            threading.Thread(target=poller.run, daemon=True, name=f"stream of {table}").start()

    def _add_polled(self, table: str, records: list[dict[str, Any]]) -> None:
        self.add([(table, record) for record in records])
        self._delivered.clear()  # the engine does not check them

    def close(self) -> None:
        self._stopped.set()
        for _, delivery in self._deliveries:
            delivery.close()


def _hash_key(definition: Any) -> str:
    return next(str(element["AttributeName"]) for element in definition["KeySchema"] if element["KeyType"] == "HASH")
