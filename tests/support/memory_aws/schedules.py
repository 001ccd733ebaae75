"""EventBridge Scheduler's schedules in memory. They fire nothing: a test asks which are due."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from local.scheduler.expressions import times
from tests.support.memory_aws.table import error

Json = dict[str, Any]


class MemorySchedules:
    """The schedules of all groups, in the order of their creation."""

    def __init__(self) -> None:
        self.schedules: dict[tuple[str, str], Json] = {}

    def due(self, after: datetime, until: datetime) -> Iterator[tuple[datetime, Json]]:
        """Yield every time later than `after`, up to and including `until`, with its schedule."""
        for schedule in self.schedules.values():
            end = min(until, schedule.get("EndDate", until))
            for moment in times(schedule["ScheduleExpression"], schedule["ScheduleExpressionTimezone"])(after, end):
                yield moment, schedule

    # ---- operations, by their AWS names

    def CreateSchedule(self, GroupName: str, Name: str, **members: Any) -> Json:  # noqa: N802, N803
        if (GroupName, Name) in self.schedules:
            raise error("CreateSchedule", "ConflictException")
        self.schedules[GroupName, Name] = {"GroupName": GroupName, "Name": Name, "State": "ENABLED", **members}
        return {"ScheduleArn": f"arn:aws:scheduler:us-east-1:123456789012:schedule/{GroupName}/{Name}"}

    def UpdateSchedule(self, GroupName: str, Name: str, **members: Any) -> Json:  # noqa: N802, N803
        self._found("UpdateSchedule", GroupName, Name)
        self.schedules[GroupName, Name] = {"GroupName": GroupName, "Name": Name, "State": "ENABLED", **members}
        return {"ScheduleArn": f"arn:aws:scheduler:us-east-1:123456789012:schedule/{GroupName}/{Name}"}

    def GetSchedule(self, GroupName: str, Name: str) -> Json:  # noqa: N802, N803
        return dict(self._found("GetSchedule", GroupName, Name))

    def DeleteSchedule(self, GroupName: str, Name: str) -> Json:  # noqa: N802, N803
        self._found("DeleteSchedule", GroupName, Name)
        del self.schedules[GroupName, Name]
        return {}

    def ListSchedules(self, GroupName: str, NamePrefix: str = "", **_: Any) -> Json:  # noqa: N802, N803
        found = [schedule for (group, name), schedule in self.schedules.items() if group == GroupName]
        names = ("GroupName", "Name", "State")
        return {
            "Schedules": [{name: item[name] for name in names} for item in found if item["Name"].startswith(NamePrefix)]
        }

    def _found(self, operation: str, group: str, name: str) -> Json:
        if (group, name) not in self.schedules:
            raise error(operation, "ResourceNotFoundException")
        return self.schedules[group, name]
