"""Fires the emulator's schedules: every minute, those that became due since the last one.

The clock runs at the machine's rate, shifted by what it was moved. The functions' clock is not moved.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import islice
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from local.functions import LambdaHost
from local.scheduler.delivery import Firing, TargetDelivery
from local.scheduler.expressions import one_time, times
from local.scheduler.progress import SchedulerProgress

MAX_FIRINGS = 1000

MAX_MISSED = timedelta(days=31)
"""How far back a missed time is looked for."""

Schedule = Mapping[str, Any]

logger = logging.getLogger(__name__)


class TooFarError(Exception):
    """More than `MAX_FIRINGS` are due."""


class Scheduler:
    def __init__(self, host: LambdaHost, progress: SchedulerProgress) -> None:
        """Continue where `progress` ends; the clock starts at the machine's time."""
        self._delivery = TargetDelivery(host)
        self._progress = progress
        self._ahead = timedelta()
        now = _machine_now()
        self._looked = min(progress.looked or now, now)
        self._one_at_a_time = asyncio.Lock()
        self._running: asyncio.Task[None] | None = None

    @property
    def now(self) -> datetime:
        """The time of the scheduler's clock."""
        return _machine_now() + self._ahead

    async def move(self, to: datetime) -> Sequence[Firing]:
        """Move the clock and fire all times that it passes, in order; moving backwards fires none.

        Returns when all are delivered. Raises TooFarError without moving the clock.
        """
        async with self._one_at_a_time:
            due = await asyncio.to_thread(self._due, self._looked, to)
            self._ahead, self._looked = to - _machine_now(), to
            self._progress.passed(to, due)
            return [await self._fire(schedule, moment) for moment, schedule in due]

    def start(self) -> None:
        """Fire by the clock from now on. Call it in the event loop's thread."""
        self._running = asyncio.create_task(self._run())

    def close(self) -> None:
        if self._running is not None:
            self._running.cancel()

    async def _run(self) -> None:
        async with self._one_at_a_time:
            await self._catch_up()
        while True:
            now = self.now
            await asyncio.sleep(60 - now.second - now.microsecond / 1e6)
            try:
                async with self._one_at_a_time:
                    after, self._looked = self._looked, max(self._looked, self.now)
                    due = await asyncio.to_thread(self._due, after, self._looked)
                    self._progress.passed(self._looked, due)
                    for moment, schedule in due:
                        await self._fire(schedule, moment)
            except (BotoCoreError, ClientError, TooFarError) as error:
                logger.warning("schedules were not fired: %s", error)

    async def _catch_up(self) -> None:
        """Fire what an earlier process left undelivered, and the latest missed time of every schedule."""
        for moment, schedule in self._progress.undelivered():
            await self._fire(schedule, moment)
        after, self._looked = max(self._looked, self.now - MAX_MISSED), self.now
        try:
            due = await asyncio.to_thread(self._missed, after, self._looked)
        except (BotoCoreError, ClientError) as error:
            logger.warning("missed schedules were not fired: %s", error)
            return
        self._progress.passed(self._looked, due)
        for moment, schedule in due:
            await self._fire(schedule, moment)

    def _missed(self, after: datetime, until: datetime) -> list[tuple[datetime, Schedule]]:
        latest = [
            (moment, schedule)
            for schedule in self._enabled()
            for moment in deque(self._times(schedule, after, until), maxlen=1)
        ]
        return sorted(latest, key=lambda firing: (firing[0], firing[1]["Name"]))

    async def _fire(self, schedule: Schedule, due: datetime) -> Firing:
        if one_time(schedule["ScheduleExpression"], schedule["ScheduleExpressionTimezone"]):
            self._progress.complete(schedule["Arn"], due)
            if schedule.get("ActionAfterCompletion") == "DELETE":
                # Before the delivery, since the function may create a schedule of this name again.
                await asyncio.to_thread(self._delete, schedule)
        firing = await self._delivery.deliver(schedule, due)
        self._progress.delivered((due, schedule))
        return firing

    def _due(self, after: datetime, until: datetime) -> list[tuple[datetime, Schedule]]:
        due: list[tuple[datetime, Schedule]] = []
        for schedule in self._enabled():
            moments = islice(self._times(schedule, after, until), MAX_FIRINGS + 1)
            due += [(moment, schedule) for moment in moments]
            if len(due) > MAX_FIRINGS:
                raise TooFarError(f"more than {MAX_FIRINGS} times are due")
        return sorted(due, key=lambda firing: (firing[0], firing[1]["Name"]))

    def _times(self, schedule: Schedule, after: datetime, until: datetime) -> Iterator[datetime]:
        expression, zone = schedule["ScheduleExpression"], schedule["ScheduleExpressionTimezone"]
        try:
            once = one_time(expression, zone)
            # A schedule whose time has passed at its creation fires at once.
            if once is not None:
                return iter([once] if once <= until and not self._progress.is_completed(schedule["Arn"], once) else [])
            until = min(until, schedule.get("EndDate") or until)
            return times(expression, zone, schedule["CreationDate"])(after, until)
        except (LookupError, ValueError) as error:
            logger.warning("the schedule %s cannot be fired: %s", schedule["Name"], error)
            return iter(())

    def _enabled(self) -> Iterator[Schedule]:
        """Yield the enabled schedules of all groups; moto loses the state of a schedule that is updated without one."""
        for page in self._client.get_paginator("list_schedules").paginate():
            for summary in page["Schedules"]:
                if summary.get("State") != "DISABLED":
                    yield self._client.get_schedule(GroupName=summary["GroupName"], Name=summary["Name"])

    def _delete(self, schedule: Schedule) -> None:
        with suppress(self._client.exceptions.ResourceNotFoundException):  # its function may have deleted it
            self._client.delete_schedule(GroupName=schedule["GroupName"], Name=schedule["Name"])

    @cached_property
    def _client(self) -> Any:
        return boto3.session.Session().client("scheduler")


def _machine_now() -> datetime:
    return datetime.now(UTC)
