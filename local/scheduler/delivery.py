"""Invokes the functions of schedules as Lambda does asynchronously: with retries, then a dead-letter queue."""

import asyncio
import json
import logging
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from local.functions import LambdaHost, UnknownFunctionError
from local.queues.delivery import send
from local.stack import ACCOUNT, REGION

RETRIES = 2
"""Of a function that fails (Lambda Developer Guide, "Asynchronous invocation"), if the schedule allows as many."""

FIRST_PAUSE = 0.1
"""Seconds before the first retry, doubled for the next; on Lambda a minute."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Firing:
    """One time of a schedule, and whether its function succeeded in the end."""

    schedule: str
    scheduled_time: str
    delivered: bool


class TargetDelivery:
    """Delivers to one stack's functions, and to the emulator's queues."""

    def __init__(self, host: LambdaHost) -> None:
        self._host = host

    async def deliver(self, schedule: Mapping[str, Any], due: datetime) -> Firing:
        """Invoke the target for one time; returns when it succeeded or was given up."""
        target = schedule["Target"]
        retries = min(RETRIES, target.get("RetryPolicy", {}).get("MaximumRetryAttempts", RETRIES))
        payload = b""
        for attempt in range(1, retries + 2):
            payload = _payload(schedule, due, attempt)
            if await self._invoke(target["Arn"], payload):
                return Firing(schedule["Name"], _time(due), delivered=True)
            if attempt <= retries:
                await asyncio.sleep(FIRST_PAUSE * 2 ** (attempt - 1))
        logger.error("the schedule %s could not be delivered", schedule["Name"])
        if queue := target.get("DeadLetterConfig", {}).get("Arn"):
            await asyncio.to_thread(send, queue.rpartition(":")[2], payload)
        return Firing(schedule["Name"], _time(due), delivered=False)

    async def _invoke(self, arn: str, payload: bytes) -> bool:
        if ":sqs:" in arn:
            await asyncio.to_thread(send, arn.rpartition(":")[2], payload)
            return True
        name = arn.partition(":function:")[2].partition(":")[0]
        try:
            return not (await self._host.invoke(name, payload)).failed
        except UnknownFunctionError:
            logger.warning("a schedule's target %s is not a function", arn)
            return False


def _time(due: datetime) -> str:
    return due.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _payload(schedule: Mapping[str, Any], due: datetime, attempt: int) -> bytes:
    """Return the target's input with its context attributes filled in; without an input, Scheduler's event."""
    execution = uuid.uuid4().hex[:16]
    payload = schedule["Target"].get("Input")
    if payload is None:
        event = {
            "version": "0",
            "id": execution,
            "detail-type": "Scheduled Event",
            "source": "aws.scheduler",
            "account": ACCOUNT,
            "time": _time(due),
            "region": REGION,
            "resources": [schedule["Arn"]],
            "detail": "{}",
        }
        return json.dumps(event).encode()
    attributes = {
        "schedule-arn": schedule["Arn"],
        "scheduled-time": _time(due),
        "execution-id": execution,
        "attempt-number": str(attempt),
    }
    for name, value in attributes.items():
        payload = payload.replace(f"<aws.scheduler.{name}>", value)
    return str(payload).encode()
