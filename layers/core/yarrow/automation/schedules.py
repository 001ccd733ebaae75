"""The schedules of jobs in EventBridge Scheduler, one for each active job."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from botocore.exceptions import ClientError

from yarrow.automation.timing.slots import delay_of, end_of, next_slot, schedule_expression
from yarrow.formats import json_text
from yarrow.settings import settings
from yarrow.store import clients
from yarrow.store.automation.jobs import StoredJob

RETRY_ATTEMPTS: Final = 20
RETRY_SECONDS: Final = 3600
"""A slot that is later than this is skipped."""

_LATE: Final = timedelta(hours=2)
"""A schedule is kept this long after its last time, while that slot may still be retried."""

_PREFIX: Final = "job-"
_RETRY_SUFFIXES: Final = ("-again-2", "-again")
_WAITING_SUFFIXES: Final = ("-again-4", "-again-3")
"""Alternating suffixes: a fired one-time schedule may still exist when the next retry is created."""
_RETRY_INTERVAL: Final = timedelta(minutes=5)
"""At most the time between two tries of a slot."""
_SCHEDULED_TIME: Final = "<aws.scheduler.scheduled-time>"
"""Scheduler replaces this by the slot's time in UTC, the same for every try."""


def put(job: StoredJob) -> None:
    """Create or replace the job's schedule. Raises botocore's errors."""
    wanted = {
        "ScheduleExpression": schedule_expression(job.fields.schedule, delay(job)),
        "ScheduleExpressionTimezone": job.fields.timezone,
        **_target(_slot(job, _SCHEDULED_TIME)),
    }
    end = end_of(job.fields.schedule, job.fields.timezone)
    if end is not None:
        # Later than now for any job that `is_wanted`; Scheduler refuses an end that has passed.
        wanted["EndDate"] = end + 2 * _LATE
    if end is not None or job.fields.schedule.type == "once":
        wanted["ActionAfterCompletion"] = "DELETE"
    _put(_name(job.id), wanted)


def is_wanted(job: StoredJob) -> bool:
    """Return whether the job is active and has a slot to come, or had one in the last two hours."""
    fields = job.fields
    return job.is_active and next_slot(fields.schedule, fields.timezone, datetime.now(UTC) - _LATE) is not None


def put_retry(job: StoredJob, due: datetime, at: datetime) -> None:
    """Schedule one retry of a slot; Scheduler deletes this schedule after it fired."""
    time = due.astimezone(UTC) + timedelta(minutes=delay(job))
    suffix = _RETRY_SUFFIXES[(at - due) // _RETRY_INTERVAL % len(_RETRY_SUFFIXES)]
    _put(_name(job.id) + suffix, _once(at, _slot(job, f"{time:%Y-%m-%dT%H:%M:%SZ}")))


def put_waiting(job: StoredJob, at: datetime, released: datetime) -> None:
    """Schedule a try of the slot that has waited longest, which has been free to run since `released`."""
    suffix = _WAITING_SUFFIXES[int(at.timestamp()) // _RETRY_INTERVAL.seconds % len(_WAITING_SUFFIXES)]
    event = {"jobId": job.id, "waitedUntil": f"{released.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"}
    _put(_name(job.id) + suffix, _once(at, event))


def delay(job: StoredJob) -> int:
    """Return how many minutes after its slots the job fires, so that not all jobs fire at once."""
    return delay_of(job.id, job.fields.schedule, settings.job_spread_minutes)


def delete(job_id: str) -> None:
    for name in (_name(job_id) + suffix for suffix in ("", *_RETRY_SUFFIXES, *_WAITING_SUFFIXES)):
        with _tolerated("ResourceNotFoundException"):
            clients.scheduler().delete_schedule(GroupName=settings.schedule_group, Name=name)


def job_ids(prefix: str) -> Iterator[str]:
    """Yield the ids of jobs with schedules, possibly more than once."""
    pages = clients.scheduler().get_paginator("list_schedules")
    for page in pages.paginate(GroupName=settings.schedule_group, NamePrefix=_PREFIX + prefix):
        for schedule in page["Schedules"]:
            yield schedule["Name"].removeprefix(_PREFIX).partition("-again")[0]


def _name(job_id: str) -> str:
    return _PREFIX + job_id


def _slot(job: StoredJob, time: str) -> dict[str, Any]:
    """Return the event of a slot; `time` is when it is due, with the job's delay."""
    event: dict[str, Any] = {"jobId": job.id, "version": job.version, "scheduledTime": time}
    if minutes := delay(job):
        event["delayMinutes"] = minutes
    return event


def _once(at: datetime, event: dict[str, Any]) -> dict[str, Any]:
    return {
        "ScheduleExpression": f"at({at.astimezone(UTC):%Y-%m-%dT%H:%M:%S})",
        "ScheduleExpressionTimezone": "UTC",
        "ActionAfterCompletion": "DELETE",
        **_target(event),
    }


def _target(event: dict[str, Any]) -> dict[str, Any]:
    return {
        "FlexibleTimeWindow": {"Mode": "OFF"},
        "Target": {
            "Arn": settings.start_job_arn,
            "RoleArn": settings.schedule_role_arn,
            "Input": json_text.dumps(event),
            "RetryPolicy": {"MaximumRetryAttempts": RETRY_ATTEMPTS, "MaximumEventAgeInSeconds": RETRY_SECONDS},
            "DeadLetterConfig": {"Arn": settings.undelivered_jobs_arn},
        },
    }


def _put(name: str, wanted: dict[str, Any]) -> None:
    """Update or create a schedule; concurrent callers may do either meanwhile."""
    client, group = clients.scheduler(), settings.schedule_group
    for _ in range(2):
        with _tolerated("ResourceNotFoundException"):
            client.update_schedule(GroupName=group, Name=name, **wanted)
            return
        with _tolerated("ConflictException"):
            client.create_schedule(GroupName=group, Name=name, **wanted)
            return
    raise RuntimeError(f"the schedule {name} could not be stored")


@contextmanager
def _tolerated(code: str) -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] != code:
            raise
