"""What a job's fields must be beyond their shape: its template's language, and its agent's tools."""

from yarrow.agents import bindings
from yarrow.automation.input_template import TemplateError, check
from yarrow.protocol.automation.job import JobFields, refused
from yarrow.settings import settings


def check_job(fields: JobFields) -> None:
    """Raise Problem 422 naming the member."""
    try:
        check(fields.input_template)
    except TemplateError as error:
        raise refused("input_template", str(error)) from error
    known = bindings.for_mode("automation", settings.default_agent).descriptor.tools
    for place, tool in enumerate(fields.enabled_tools):
        if tool not in known:
            raise refused(f"enabled_tools[{place}]", f"must be one of {', '.join(known)}")
