"""Turns changes of the emulator's tables into stream records, and sends them to the functions."""

import base64
import json
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from local.dynamodb.table import ItemChange, Table
from local.posting import post
from local.stack import ACCOUNT, REGION
from local.table_stream.filters import matches

Record = tuple[str, dict[str, Any]]


def record(table: Table, change: ItemChange) -> Record:
    """Return the record of a change in a stream with NEW_IMAGE."""
    detail: dict[str, Any] = {
        "ApproximateCreationDateTime": time.time(),
        "Keys": change.key,
        "SequenceNumber": f"{change.sequence:021d}",
        "SizeBytes": change.size,
        "StreamViewType": "NEW_IMAGE",
    }
    if change.event != "REMOVE":
        detail["NewImage"] = change.item
    return table.name, {
        "eventID": f"{change.sequence:032x}",
        "eventName": change.event,
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": REGION,
        "dynamodb": detail,
        "eventSourceARN": f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table.name}/stream/local",
    }


def as_json(records: list[Record]) -> bytes:
    """Encode records for sending; bytes are in base64, as functions get them."""
    return json.dumps(records, ensure_ascii=False, default=lambda value: base64.b64encode(value).decode()).encode()


RETRY_SECONDS: Final = 1.0
"""Between two posts of records that nobody took."""

Delivered = list[tuple[str, str]]
"""Tables, and sequence numbers of records that functions have taken."""


class Sender:
    """Posts the changes of tables with a stream to a URL, in order, from a thread, until they are accepted.

    `wanted` are the patterns of the posted changes, by table; None means all. `on_delivered` is called, in that thread,
    with the records that the responses name.
    """

    def __init__(self, url: str) -> None:
        self.wanted: Mapping[str, list[Mapping[str, Any]]] | None = None
        self.on_delivered: Callable[[Delivered], object] = lambda _: None
        self._url = url
        self._waiting: queue.SimpleQueue[Record] = queue.SimpleQueue()
        threading.Thread(target=self._send, daemon=True, name="changes").start()

    def add(self, table: Table, change: ItemChange) -> None:
        """Queue the change, unless no pattern matches."""
        if made := self.record(table, change):
            self.put([made])

    def record(self, table: Table, change: ItemChange) -> Record | None:
        """Return the record of a change; None if no pattern matches."""
        if not table.has_stream:
            return None
        name, image = made = record(table, change)
        if self.wanted is None or any(matches(pattern, image) for pattern in self.wanted.get(name, ())):
            return made
        return None

    def put(self, records: Sequence[Record]) -> None:
        for item in records:
            self._waiting.put(item)

    def _send(self) -> None:
        while True:
            records = [self._waiting.get()]
            while not self._waiting.empty():
                records.append(self._waiting.get())
            body = as_json(records)
            while (answer := post(self._url, body, f"{len(records)} changes are")) is None:
                time.sleep(RETRY_SECONDS)
            if answer:
                self.on_delivered(json.loads(answer))
