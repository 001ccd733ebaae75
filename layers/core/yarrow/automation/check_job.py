"""What a job's fields must be beyond their shape: its template's language, its agent's tools, and a time to come."""

from datetime import UTC, datetime

from yarrow.agents import bindings
from yarrow.automation.input_template import InputTemplateError, check
from yarrow.automation.timing.slots import next_slot
from yarrow.protocol.automation.job import JobFields, refused
from yarrow.settings import settings


def check_job(fields: JobFields) -> None:
    """Raise Problem 422 naming the member."""
    try:
        check(fields.input_template)
    except InputTemplateError as error:
        raise refused("input_template", str(error)) from error
    known = bindings.for_mode("automation", settings.default_agent).descriptor.tools
    for place, tool in enumerate(fields.enabled_tools):
        if tool not in known:
            raise refused(f"enabled_tools[{place}]", f"must be one of {', '.join(known)}")


def check_time_to_come(fields: JobFields) -> None:
    """Raise Problem 422 if an active job would never run."""
    schedule = fields.schedule
    if fields.status == "active" and next_slot(schedule, fields.timezone, datetime.now(UTC)) is None:
        member = "date" if schedule.date is not None else "end_date" if schedule.end_date is not None else "type"
        raise refused(f"schedule.{member}", "must have a time in the future")
