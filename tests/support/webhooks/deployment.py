"""`deliver_webhooks` beside a table, a queue and schedules in memory, on virtual time, ending at any call of AWS."""

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from botocore.client import BaseClient

from functions.deliver_webhooks import app as deliver_app
from local.scheduler.expressions import one_time
from tests.support.functions.calls import Context
from tests.support.memory_aws.aws import MemoryAws
from tests.support.webhooks.queue import MemoryQueue
from tests.support.webhooks.receivers import Receivers
from yarrow.protocol.caller import Caller
from yarrow.store import clock
from yarrow.store.webhooks.webhooks import StoredWebhook
from yarrow.webhooks import deliver
from yarrow.webhooks.create_webhook import create_webhook

OPERATOR: Final = Caller("ops", operates=True)
URL: Final = "https://hooks.example.com/in"
BEGINNING: Final = datetime(2026, 11, 1, 12, tzinfo=UTC)
KINDS: Final = ("run.completed", "run.failed", "run.canceled", "interrupt.opened", "interrupt.expired", "job.paused")


class Killed(BaseException):
    """The process of the function ended at a call."""


class WebhookDeployment:
    """`now` is the time of everything. `faults` is how likely a call of AWS kills the function, before or after it."""

    def __init__(self) -> None:
        self.now = BEGINNING
        self.aws = MemoryAws()
        self.queue = MemoryQueue(lambda: self.now)
        self.receivers = Receivers(lambda: self.now)
        self.aws.others["sqs"] = self.queue
        self.faults, self.kills, self.invocations = 0.0, 0, 0
        self._random = random.Random(7)

    @contextmanager
    def installed(self) -> Iterator["WebhookDeployment"]:
        """Have this process use it, its clock and its receivers."""
        deployment = self

        class Clock(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> Any:
                return deployment.now.astimezone(tz)

        with self.aws.installed(), pytest.MonkeyPatch.context() as patch:
            call = vars(BaseClient)["_make_api_call"]
            patch.setattr(BaseClient, "_make_api_call", lambda *arguments: self._called(call, *arguments))
            patch.setattr(clock, "datetime", Clock)
            patch.setattr(deliver, "post", self.receivers.post)
            yield self

    def _called(self, call: Any, *arguments: Any) -> Any:
        if self.faults and self._random.random() < self.faults:
            self.kills += 1
            if self._random.random() < 0.5:
                call(*arguments)
            raise Killed
        return call(*arguments)

    def create(self, caller: Caller = OPERATOR, url: str = URL, **fields: Any) -> StoredWebhook:
        body = {"url": url, "events": KINDS, **fields}
        return create_webhook(json.dumps(body).encode(), caller)

    def publish(self, *events: dict[str, Any]) -> None:
        """Have the rule of the bus send events to the queue."""
        for event in events:
            self.queue.put({"source": "yarrow", "detail-type": event["type"], "detail": event})

    def run(self, until: datetime | None = None) -> None:
        """Deliver all that is due until then, or all that ever will be."""
        while (due := self._next()) is not None and (until is None or due <= until):
            self.now = max(self.now, due)
            self._fire()
            while batch := self.queue.receive():
                self._invoke(batch)
        if until is not None:
            self.now = max(self.now, until)

    def wait(self, **time: float) -> None:
        """Let time pass."""
        self.run(self.now + timedelta(**time))

    def _next(self) -> datetime | None:
        times = [at for at in (self.queue.next_at, *map(_time_of, self.aws.schedules.schedules.values())) if at]
        return min(times, default=None)

    def _fire(self) -> None:
        for key, schedule in list(self.aws.schedules.schedules.items()):
            if _time_of(schedule) <= self.now:
                del self.aws.schedules.schedules[key]
                assert schedule["Target"]["Arn"].endswith(":yarrow-WebhookAttempts")
                self.queue.put(schedule["Target"]["Input"])

    def _invoke(self, batch: Sequence[tuple[str, int]]) -> None:
        self.invocations += 1
        records = [{"messageId": str(number), "body": body} for number, (body, _) in enumerate(batch)]
        try:
            answer = deliver_app.handler({"Records": records}, Context("deliver_webhooks"))
        except Killed:
            failed = {record["messageId"] for record in records}
        else:
            failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
        for record, (body, receives) in zip(records, batch, strict=True):
            if record["messageId"] in failed:
                self.queue.give_back(body, receives)


def _time_of(schedule: dict[str, Any]) -> datetime:
    at = one_time(schedule["ScheduleExpression"], schedule["ScheduleExpressionTimezone"])
    assert at is not None
    return at


def event(number: int = 1, kind: str = "run.completed", user: str = "alice", **data: Any) -> dict[str, Any]:
    """Return an event of the bus: the end of a run, or what comes after it, with its place among the run's events."""
    run_key, place = f"run-key-{number}", {"interrupt.opened": 2, "interrupt.expired": 3}.get(kind, 1)
    members = {
        "userId": user,
        "threadId": "550e8400-e29b-41d4-a716-446655440000",
        "runId": f"run-{number}",
        "runKey": run_key,
        "agent": "assistant",
        "sequence": place,
        "createdAt": clock.iso(BEGINNING),
        "endedAt": clock.iso(BEGINNING),
        **data,
    }
    return {"id": f"{run_key}-{place}", "type": kind, "timestamp": clock.iso(BEGINNING), "data": members}
