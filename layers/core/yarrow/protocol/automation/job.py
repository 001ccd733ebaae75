"""A job's fields, as clients send them (AUT-02), and a job in responses.

Names are in snake_case; camelCase is accepted. A refusal names the member.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BaseModel,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
)
from pydantic.alias_generators import to_snake

from yarrow.formats import json_text
from yarrow.formats.time_zones import is_time_zone
from yarrow.protocol import validation_errors
from yarrow.protocol.automation.schedule import UNSUPPORTED, JobPart, Schedule
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid

MAX_TEMPLATE_LENGTH: Final = 4_000
"""The most characters of an `input_template`."""
MAX_TOOLS: Final = 50
MAX_BODY_BYTES: Final = 32_768

JobStatus = Literal["active", "disabled"]
WhileWaiting = Literal["skip", "queue"]


class JobContext(JobPart):
    """How much of the user's latest chat a run is given: messages of so many days, or so many messages."""

    source: Literal["latest_chat"] = "latest_chat"
    window_mode: Literal["day", "number"]
    window_count: Annotated[int, Field(ge=1, le=1_000, strict=True)]


class JobFields(JobPart):
    """An automation job, as a client sends it."""

    title: Annotated[str, StringConstraints(max_length=200)] | None = None
    input_template: Annotated[str, StringConstraints(max_length=MAX_TEMPLATE_LENGTH, pattern=r"\S")]
    enabled_tools: Annotated[
        tuple[Annotated[str, StringConstraints(min_length=1, max_length=128)], ...], Field(max_length=MAX_TOOLS)
    ] = ()
    context: JobContext | None = None
    schedule: Schedule
    timezone: Annotated[str, Field(examples=["Asia/Shanghai"], json_schema_extra={"format": "iana-time-zone"})]
    status: JobStatus = "active"
    while_waiting: WhileWaiting = "skip"

    @field_validator("enabled_tools")
    @classmethod
    def _once_each(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(value)) < len(value):
            raise ValueError("must not name a tool twice")
        return value

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if not is_time_zone(value):
            raise ValueError("must be an IANA time zone")
        return value


class JobSchedule(Schedule):
    """When a job runs. `weekdays` is empty but for a weekly schedule; members of other types are absent."""


class JobWindow(JobContext):
    """How much of the user's latest chat its runs are given."""


class Job(BaseModel):
    """An automation job. `next_run_at` is null unless it is active and has a time to come, `paused_reason` unless
    failures disabled it.
    """

    id: str
    title: str | None
    input_template: str
    enabled_tools: tuple[str, ...]
    context: JobWindow | None
    schedule: JobSchedule
    timezone: str
    status: JobStatus
    while_waiting: WhileWaiting
    paused_reason: Literal["failures"] | None
    next_run_at: str | None
    last_run_at: str | None
    thread_id: str
    created_at: str
    updated_at: str


class JobList(BaseModel):
    """A user's jobs, oldest first."""

    jobs: tuple[Job, ...]


def read_new(raw: bytes) -> tuple[str | None, JobFields]:
    """Read a new job: its id, if the client chose one, and its fields.

    Raises Problem: 413 too large, 400 no JSON, 422 naming the member.
    """
    body = _read(raw)
    job_id = body.pop("id", None)
    if job_id is not None and not is_uuid(job_id):
        raise refused("id", "must be a UUID")
    return None if job_id is None else job_id.lower(), _validated(body)


def read_change(raw: bytes, fields: JobFields) -> JobFields:
    """Read a change and return the fields after it: sent members replace others. Raises Problem as `read_new`."""
    return _validated(fields.model_dump(mode="json") | _read(raw))


def read_run_id(raw: bytes) -> str | None:
    """Read the `runId` of a request to run a job at once, whose body may be empty. Raises Problem as `read_new`."""
    if not raw:
        return None
    body = _read(raw)
    run_id = body.pop("run_id", None)
    if unknown := next(iter(body), None):
        raise refused(unknown, "is not a member of this request")
    if run_id is not None and not isinstance(run_id, str):
        raise refused("runId", "must be a string")
    return run_id


def refused(member: str, reason: str, code: Code = Code.AUTOMATION_JOB_INVALID) -> Problem:
    """Make the refusal of a member, whose name starts below the job (`schedule.run_at.hour`)."""
    return Problem(code, f"invalid AutomationJob.{member}", params={"member": member, "reason": reason})


def _read(raw: bytes) -> dict[str, Any]:
    if len(raw) > MAX_BODY_BYTES:
        raise Problem(Code.REQUEST_TOO_LARGE, "the job is too large", params={"limitBytes": MAX_BODY_BYTES})
    try:
        body = json_text.loads(raw)
        json_text.canonical(body)  # refuses lone surrogates
    except json_text.UnreadableError as error:
        raise Problem(Code.REQUEST_INVALID, f"the request body {error}") from error
    if not isinstance(body, dict):
        raise Problem(Code.AUTOMATION_JOB_INVALID, "an AutomationJob must be an object")
    return {to_snake(name): value for name, value in body.items()}


def _validated(members: Mapping[str, Any]) -> JobFields:
    try:
        return JobFields.model_validate(dict(members))
    except ValidationError as error:
        fault = validation_errors.faults(error)[0]
        code = Code.AUTOMATION_SCHEDULE_UNSUPPORTED if fault["type"] == UNSUPPORTED else Code.AUTOMATION_JOB_INVALID
        raise refused(_place(fault["loc"]), validation_errors.reason(fault), code) from error


def _place(loc: tuple[int | str, ...]) -> str:
    """Write `("schedule", "weekdays", 0)` as `schedule.weekdays[0]`."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc]
    return "".join(parts).removeprefix(".")
