"""Stores EventBridge Scheduler's groups and schedules."""

import json
from collections.abc import Mapping
from typing import Any, Final

from moto.core.exceptions import JsonRESTError
from moto.scheduler.models import EventBridgeSchedulerBackend, Schedule, scheduler_backends

from local.data.sqlite import Sqlite
from local.emulator.stored.calls import after
from local.stack import ACCOUNT, REGION

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS schedule_groups (name TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS schedules (group_name TEXT, name TEXT, members TEXT, PRIMARY KEY (group_name, name));
"""


def refuse_existing_groups() -> None:
    """Refuse to create a group that exists; moto would empty it."""
    create = EventBridgeSchedulerBackend.create_schedule_group

    def create_schedule_group(self: EventBridgeSchedulerBackend, name: str, tags: list[dict[str, str]]) -> Any:
        if name in self.schedule_groups:
            raise JsonRESTError("ConflictException", f"Schedule group {name} already exists.")
        return create(self, name, tags)

    EventBridgeSchedulerBackend.create_schedule_group = create_schedule_group  # type: ignore[method-assign]


def install(store: Sqlite) -> None:
    """Load the store, and make moto's calls write to it."""
    backend = scheduler_backends[ACCOUNT][REGION]
    for (name,) in store.read("SELECT name FROM schedule_groups"):
        backend.create_schedule_group(name, [])
    for group, members in store.read("SELECT group_name, members FROM schedules"):
        backend.schedule_groups[group].add_schedule(_schedule(json.loads(members)))

    def put(_: Mapping[str, Any], schedule: Schedule) -> None:
        row = schedule.group_name, schedule.name, json.dumps(schedule.to_dict(), ensure_ascii=False)
        store.write([("INSERT OR REPLACE INTO schedules VALUES (?, ?, ?)", row)])

    def delete(call: Mapping[str, Any], _: Any) -> None:
        key = call["group_name"] or "default", call["name"]
        store.write([("DELETE FROM schedules WHERE group_name = ? AND name = ?", key)])

    def put_group(call: Mapping[str, Any], _: Any) -> None:
        store.write([("INSERT OR IGNORE INTO schedule_groups VALUES (?)", (call["name"],))])

    def delete_group(call: Mapping[str, Any], _: Any) -> None:
        tables = {"schedule_groups": "name", "schedules": "group_name"}
        sql = [f"DELETE FROM {table} WHERE {column} = ?" for table, column in tables.items()]  # noqa: S608
        store.write([(statement, (call["name"],)) for statement in sql])

    after(EventBridgeSchedulerBackend, "create_schedule", put)
    after(EventBridgeSchedulerBackend, "update_schedule", put)
    after(EventBridgeSchedulerBackend, "delete_schedule", delete)
    after(EventBridgeSchedulerBackend, "create_schedule_group", put_group)
    after(EventBridgeSchedulerBackend, "delete_schedule_group", delete_group)


def _schedule(members: Mapping[str, Any]) -> Schedule:
    """Return the schedule of a `to_dict`."""
    schedule = Schedule(
        REGION,
        ACCOUNT,
        group_name=members["GroupName"],
        name=members["Name"],
        description=members["Description"],
        schedule_expression=members["ScheduleExpression"],
        schedule_expression_timezone=members["ScheduleExpressionTimezone"],
        flexible_time_window=members["FlexibleTimeWindow"],
        target=members["Target"],
        state=members["State"],
        kms_key_arn=members["KmsKeyArn"],
        start_date=None,  # was in the future when the schedule was created
        end_date=members["EndDate"],
        action_after_completion=members["ActionAfterCompletion"],
    )
    schedule.start_date = members["StartDate"]
    schedule.creation_date, schedule.last_modified_date = members["CreationDate"], members["LastModificationDate"]
    return schedule
