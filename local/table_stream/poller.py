"""Reads a table's stream from an engine with DynamoDB's Streams API, such as DynamoDB Local."""

import base64
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from local.stack import REGION

PAUSE = 0.02
"""Seconds between two looks at shards without changes."""

LOOKS = 250
"""After so many looks without changes, new shards are asked for: the engine divides them some time."""

logger = logging.getLogger(__name__)


class Poller:
    """Passes on the records of one table's stream until it is stopped."""

    def __init__(
        self, endpoint: str, table: str, deliver: Callable[[list[dict[str, Any]]], None], stopped: threading.Event
    ) -> None:
        self._client = boto3.client("dynamodbstreams", endpoint_url=endpoint, region_name=REGION)
        self._table = table
        self._deliver = deliver
        self._stopped = stopped
        self._known: set[str] = set()
        self._iterators: dict[str, str] = {}
        self._find("LATEST")

    def run(self) -> None:
        """Poll until stopped; runs in its own thread."""
        looks = 0
        while not self._stopped.is_set():
            try:
                found = self._look()
                looks = 0 if found else looks + 1
                if looks >= LOOKS or not self._iterators:
                    looks = 0
                    self._find("TRIM_HORIZON")
            except (BotoCoreError, ClientError) as error:
                if not self._stopped.is_set():
                    logger.warning("the stream of %s cannot be read: %s", self._table, error)
                found = False
            if not found:
                self._stopped.wait(PAUSE)

    def _look(self) -> bool:
        found = False
        for shard, iterator in list(self._iterators.items()):
            answer = self._client.get_records(ShardIterator=iterator)
            following = answer.get("NextShardIterator")
            if following:
                self._iterators[shard] = following
            else:
                del self._iterators[shard]  # the shard is closed and read to its end
            if records := answer["Records"]:
                found = True
                self._deliver([_event_of(record) for record in records])
        return found

    def _find(self, start: str) -> None:
        for arn, shard in self._shards():
            if shard not in self._known:
                self._known.add(shard)
                answer = self._client.get_shard_iterator(StreamArn=arn, ShardId=shard, ShardIteratorType=start)
                self._iterators[shard] = answer["ShardIterator"]

    def _shards(self) -> Iterator[tuple[str, str]]:
        for stream in self._client.list_streams(TableName=self._table)["Streams"]:
            after: dict[str, Any] = {}
            while True:
                described = self._client.describe_stream(StreamArn=stream["StreamArn"], **after)["StreamDescription"]
                yield from ((stream["StreamArn"], shard["ShardId"]) for shard in described["Shards"])
                if not (last := described.get("LastEvaluatedShardId")):
                    break
                after = {"ExclusiveStartShardId": last}


def _event_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as functions get it: times as numbers, bytes in base64."""
    change = record["dynamodb"]
    change = change | {"ApproximateCreationDateTime": change["ApproximateCreationDateTime"].timestamp()}
    event: dict[str, Any] = _plain({**record, "dynamodb": change})
    return event


def _plain(value: Any) -> Any:
    match value:
        case bytes():
            return base64.b64encode(value).decode()
        case dict():
            return {name: _plain(item) for name, item in value.items()}
        case list() | set():
            return [_plain(item) for item in value]
        case _:
            return value
