"""The changes of the emulator's tables, for their streams; they are taken after each request.

`Changes` takes the place of moto's shard of a table, which keeps every change for good.
"""

import queue
import threading
import time
from typing import Any

from moto.dynamodb.models.dynamo_type import Item
from moto.dynamodb.models.table import Table
from moto.dynamodb.models.utilities import dynamo_json_dump

from local.posting import post
from local.stack import REGION

Change = tuple[str, dict[str, Any]]
"""A table's name, and a record of its stream."""

_pending: list[Change] = []
_listening: list[bool] = []  # not empty once somebody does


class Changes:
    """The stream of a table with NEW_IMAGE."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._count = 0

    def add(self, old: Item | None, new: Item | None) -> None:
        """Called by moto for each change of an item."""
        item = new if new is not None else old
        if item is None:
            return
        keys = {self._table.hash_key_attr: item.hash_key.to_json()}
        if self._table.range_key_attr is not None and item.range_key is not None:
            keys[self._table.range_key_attr] = item.range_key.to_json()
        self._count += 1
        change: dict[str, Any] = {
            "ApproximateCreationDateTime": time.time(),
            "Keys": keys,
            "SequenceNumber": f"{self._count:021d}",
            "SizeBytes": item.size(),
            "StreamViewType": "NEW_IMAGE",
        }
        if new is not None:
            change["NewImage"] = new.to_json()["Attributes"]
        record = {
            "eventID": f"{self._count:032x}",
            "eventName": "REMOVE" if new is None else "INSERT" if old is None else "MODIFY",
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb",
            "awsRegion": REGION,
            "dynamodb": change,
            "eventSourceARN": f"{self._table.table_arn}/stream/local",
        }
        _pending.append((self._table.name, record))


def listen() -> None:
    """Keep the changes of tables that are made from now on, if they have a stream; somebody is going to `take` them."""
    _listening.append(True)


def of(table: Table) -> "Changes | None":
    """The changes of a table with a stream, if somebody listens."""
    return Changes(table) if _listening and table.stream_shard is not None else None


def mark() -> int:
    """The number of changes not taken yet, for `undo`."""
    return len(_pending)


def undo(marked: int) -> None:
    """Forget the changes since the mark: they were undone."""
    del _pending[marked:]


def take() -> list[Change]:
    """The changes since the last call, in their order."""
    taken = _pending[:]
    _pending.clear()
    return taken


class Sender:
    """Posts changes to a URL in their order, from a thread."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._waiting: queue.SimpleQueue[list[Change]] = queue.SimpleQueue()
        threading.Thread(target=self._send, daemon=True, name="changes").start()

    def put(self, changes: list[Change]) -> None:
        """Post these later."""
        if changes:
            self._waiting.put(changes)

    def _send(self) -> None:
        while True:
            changes = self._waiting.get()
            while not self._waiting.empty():
                changes += self._waiting.get()
            post(self._url, as_json(changes), f"{len(changes)} changes are")


def as_json(changes: list[Change]) -> bytes:
    """Changes as they are sent; bytes in base64, as functions get them."""
    return dynamo_json_dump(changes).encode()
