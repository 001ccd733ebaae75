"""EventBridge Scheduler on virtual time: each time's event comes once or twice, late, in any order."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from local.scheduler.expressions import one_time
from tests.simulation.executions import EVENT_PAUSES, EVENT_TRIES, Handler
from tests.simulation.world import BEGINNING, World
from tests.support.memory_aws.schedules import Json, MemorySchedules
from yarrow.formats import json_text

TIME: Final = "<aws.scheduler.scheduled-time>"
DELAYS: Final = (0.0, 0.0, 0.0, 5.0, 40.0, 1_500.0, 5_400.0)
"""Seconds that an event comes late at most, where there are faults."""


class Schedules(MemorySchedules):
    """Those with a cron expression fire until `days` are over, those for once whenever they are due."""

    def __init__(self, world: World, handler: Handler, days: int, name: str = "start job") -> None:
        super().__init__()
        self.undelivered: list[Json] = []
        self._world, self._handler, self._name = world, handler, name
        self._end = BEGINNING + timedelta(days=days)

    def CreateSchedule(self, GroupName: str, Name: str, **members: Any) -> Json:  # noqa: N802, N803
        return self._stored(super().CreateSchedule, GroupName, Name, members)

    def UpdateSchedule(self, GroupName: str, Name: str, **members: Any) -> Json:  # noqa: N802, N803
        return self._stored(super().UpdateSchedule, GroupName, Name, members)

    def _stored(self, store: Callable[..., Json], group: str, name: str, members: Json) -> Json:
        answer = store(group, name, **members)
        self._await(self.schedules[group, name])
        return answer

    def _await(self, schedule: Json) -> None:
        now = BEGINNING + timedelta(seconds=self._world.scheduler.now)
        once = one_time(schedule["ScheduleExpression"], schedule["ScheduleExpressionTimezone"])
        single = MemorySchedules()
        single.schedules["", ""] = schedule
        moment = once or next((due for due, _ in single.due(now, min(self._end, now + timedelta(days=9)))), None)
        if moment is not None:
            after = max(0.0, (moment - now).total_seconds())
            self._world.scheduler.spawn("slot", lambda: self._fire(schedule, is_once=once is not None), after=after)

    def _fire(self, schedule: Json, *, is_once: bool) -> None:
        place = schedule["GroupName"], schedule["Name"]
        if self.schedules.get(place) is not schedule:
            return
        scheduler = self._world.scheduler
        due = BEGINNING + timedelta(seconds=round(scheduler.now))
        event = json_text.loads(schedule["Target"]["Input"].replace(TIME, f"{due:%Y-%m-%dT%H:%M:%SZ}").encode())
        for _ in range(scheduler.chance.choice((1, 1, 2))):
            most = scheduler.chance.choice(DELAYS if self._world.aws.rate else DELAYS[:4])
            late = scheduler.chance.uniform(0.5 * most, most)
            scheduler.spawn("delivery", lambda: self._deliver(event), after=late)
        if not is_once:
            self._await(schedule)
            return
        scheduler.pause(scheduler.chance.uniform(0, 60))
        if self.schedules.get(place) is schedule:
            del self.schedules[place]

    def _deliver(self, event: Json) -> None:
        """As Lambda does what is invoked asynchronously."""
        for tried in range(EVENT_TRIES):
            if self._world.executions.invoke(self._name, self._handler, event, 60) is None:
                return
            if tried < len(EVENT_PAUSES):
                self._world.scheduler.pause(EVENT_PAUSES[tried])
        self.undelivered.append(event)
