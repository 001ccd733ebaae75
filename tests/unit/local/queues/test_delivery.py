"""Messages of a queue reach a function, in batches, until it has handled them (EVB-04)."""

import asyncio
import itertools
import json
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import boto3
import pytest

from local.queues import delivery
from local.queues.delivery import QueueDelivery
from local.sandboxes.invocations import Result
from local.stack import QueueMapping

MAPPING = QueueMapping("letters", "read", batch_size=4, concurrency=2)


class Queue:
    """SQS's client of one queue in memory; `hidden` are the messages that somebody has."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.hidden: dict[str, str] = {}
        self.is_empty = threading.Event()
        self._numbers = itertools.count()

    def get_queue_url(self, QueueName: str) -> dict[str, str]:  # noqa: N803
        return {"QueueUrl": f"http://sqs/{QueueName}"}

    def send_message(self, MessageBody: str, **_: Any) -> None:  # noqa: N803
        self.waiting.append(MessageBody)

    def receive_message(self, MaxNumberOfMessages: int, **_: Any) -> dict[str, Any]:  # noqa: N803
        taken, self.waiting = self.waiting[:MaxNumberOfMessages], self.waiting[MaxNumberOfMessages:]
        found = {str(next(self._numbers)): body for body in taken}
        self.hidden |= found
        return {"Messages": [{"MessageId": key, "ReceiptHandle": key, "Body": body} for key, body in found.items()]}

    def delete_message(self, ReceiptHandle: str, **_: Any) -> None:  # noqa: N803
        del self.hidden[ReceiptHandle]
        if not self.waiting and not self.hidden:
            self.is_empty.set()

    def change_message_visibility(self, ReceiptHandle: str, **_: Any) -> None:  # noqa: N803
        self.waiting.append(self.hidden.pop(ReceiptHandle))


class Host:
    """Functions that `handle` batches, as lists of bodies; it returns the bodies to redeliver, or None if it fails."""

    def __init__(self, handle: Callable[[list[str]], Awaitable[list[str] | None]]) -> None:
        self.batches: list[list[str]] = []
        self._handle = handle

    async def invoke(self, name: str, payload: bytes) -> Result:
        assert name == "read"
        records = json.loads(payload)["Records"]
        self.batches.append([record["body"] for record in records])
        again = await self._handle(self.batches[-1])
        if again is None:
            return Result(b"{}", failed=True)
        failures = [{"itemIdentifier": record["messageId"]} for record in records if record["body"] in again]
        return Result(json.dumps({"batchItemFailures": failures}).encode(), failed=False)


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Queue:
    made = Queue()

    class Session:
        def client(self, _: str) -> Queue:
            return made

    monkeypatch.setattr(boto3.session, "Session", Session)
    monkeypatch.setattr(delivery, "LONGEST_PAUSE", 0.05)
    return made


def run(queue: Queue, host: Host) -> None:
    """Deliver until nothing is left."""

    async def main() -> None:
        delivering = QueueDelivery([MAPPING], host)  # type: ignore[arg-type] # only `invoke` is called
        delivering.start()
        assert await asyncio.to_thread(queue.is_empty.wait, 20)
        delivering.close()

    asyncio.run(main())


def test_messages_come_in_batches_and_are_deleted(queue: Queue) -> None:
    async def handle(_: list[str]) -> list[str]:
        return []

    host = Host(handle)
    for number in range(6):
        delivery.send("letters", str(number).encode())
    run(queue, host)
    assert sorted(body for batch in host.batches for body in batch) == list("012345")
    assert max(map(len, host.batches)) == MAPPING.batch_size


def test_what_was_not_handled_comes_again_alone(queue: Queue) -> None:
    async def handle(batch: list[str]) -> list[str]:
        return ["1"] if len(batch) > 1 else []

    queue.waiting = ["0", "1", "2"]
    host = Host(handle)
    run(queue, host)
    assert host.batches == [["0", "1", "2"], ["1"]]


def test_a_batch_of_a_function_that_fails_comes_again(queue: Queue) -> None:
    """Its messages are given back one by one, so that they may come again apart."""
    tries: Counter[str] = Counter()

    async def handle(batch: list[str]) -> list[str] | None:
        tries.update(batch)
        return None if min(tries[body] for body in batch) <= 2 else []

    queue.waiting = ["0", "1"]
    run(queue, Host(handle))
    assert set(tries) == {"0", "1"}
    assert min(tries.values()) >= 3


def test_a_slow_batch_holds_up_no_other(queue: Queue) -> None:
    others = asyncio.Event()

    async def handle(batch: list[str]) -> list[str]:
        if "slow" in batch:
            await asyncio.wait_for(others.wait(), 10)
        else:
            others.set()
        return []

    queue.waiting = ["slow", "1", "2", "3", "4"]
    host = Host(handle)
    run(queue, host)
    assert host.batches == [["slow", "1", "2", "3"], ["4"]]
