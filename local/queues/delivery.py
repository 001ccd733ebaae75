"""Delivers messages of queues to functions, as Lambda's poller does: in batches, several at once. What a function did
not handle comes again after a pause.
"""

import asyncio
import json
import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from local.functions import LambdaHost
from local.stack import ACCOUNT, REGION, QueueMapping

FIRST_PAUSE = 0.05
LONGEST_PAUSE = 1.0
"""Seconds between two looks at an empty queue: doubled each time, up to the longest."""

VISIBILITY_SECONDS = 360
"""How long nobody else gets a message that a function has; a batch that ends gives back what it did not handle."""

RETRY_SECONDS = 2

Message = Mapping[str, Any]

logger = logging.getLogger(__name__)


class QueueDelivery:
    def __init__(self, mappings: Iterable[QueueMapping], host: LambdaHost) -> None:
        self._mappings = tuple(mappings)
        self._host = host
        self._tasks: set[asyncio.Task[None]] = set()
        self._sent = asyncio.Event()

    def start(self) -> None:
        """Deliver from now on. Call it in the event loop's thread."""
        for mapping in self._mappings:
            self._run(self._poll(mapping))

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    def wake(self) -> None:
        """Look at the queues at once."""
        self._sent.set()

    def _run(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _poll(self, mapping: QueueMapping) -> None:
        free = asyncio.Semaphore(mapping.concurrency)
        client = boto3.session.Session().client("sqs")
        url = await asyncio.to_thread(_url_of, client, mapping.queue)
        pause = FIRST_PAUSE
        while True:
            await free.acquire()
            messages = await asyncio.to_thread(_receive, client, url, mapping.batch_size)
            if messages:
                pause = FIRST_PAUSE
                self._run(self._deliver(mapping, client, url, messages)).add_done_callback(lambda _: free.release())
                continue
            free.release()
            self._sent.clear()
            try:
                await asyncio.wait_for(self._sent.wait(), pause)
                pause = FIRST_PAUSE
            except TimeoutError:
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _deliver(self, mapping: QueueMapping, client: Any, url: str, messages: Sequence[Message]) -> None:
        payload = json.dumps({"Records": [_record(mapping.queue, message) for message in messages]}).encode()
        result = await self._host.invoke(mapping.function, payload)
        answer = {} if result.failed else json.loads(result.payload) or {}
        failed = {failure["itemIdentifier"] for failure in answer.get("batchItemFailures") or ()}
        for message in messages:
            is_failed = result.failed or message["MessageId"] in failed
            try:
                await asyncio.to_thread(_return if is_failed else _delete, client, url, message["ReceiptHandle"])
            except (BotoCoreError, ClientError) as error:
                logger.warning("a message of %s may come again: %s", mapping.queue, error)


def send(queue: str, body: bytes) -> None:
    """Send a message to a queue of this name, or log that it could not be sent."""
    try:
        client, url = _target(queue, os.environ.get("AWS_ENDPOINT_URL", ""))
        client.send_message(QueueUrl=url, MessageBody=body.decode())
    except (BotoCoreError, ClientError) as error:
        logger.warning("a message to %s was lost: %s", queue, error)


@cache
def _target(queue: str, _endpoint: str) -> tuple[Any, str]:
    """Return a client and the queue's URL. To make a client takes longer than a run's first event."""
    client = boto3.session.Session().client("sqs")
    return client, _url_of(client, queue)


def _url_of(client: Any, queue: str) -> str:
    return str(client.get_queue_url(QueueName=queue)["QueueUrl"])


def _receive(client: Any, url: str, most: int) -> Sequence[Message]:
    try:
        answer = client.receive_message(
            QueueUrl=url, MaxNumberOfMessages=min(most, 10), VisibilityTimeout=VISIBILITY_SECONDS
        )
    except (BotoCoreError, ClientError) as error:
        logger.warning("a queue cannot be read: %s", error)
        return ()
    found: Sequence[Message] = answer.get("Messages", ())
    return found


def _delete(client: Any, url: str, handle: str) -> None:
    client.delete_message(QueueUrl=url, ReceiptHandle=handle)


def _return(client: Any, url: str, handle: str) -> None:
    client.change_message_visibility(QueueUrl=url, ReceiptHandle=handle, VisibilityTimeout=RETRY_SECONDS)


def _record(queue: str, message: Message) -> dict[str, Any]:
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": {},
        "messageAttributes": {},
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:{REGION}:{ACCOUNT}:{queue}",
        "awsRegion": REGION,
    }
