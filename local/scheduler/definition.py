"""Reads a schedule of the template."""

from collections.abc import Mapping
from typing import Any

from local.scheduler.expressions import times
from local.stack import TemplateError

_UNDERSTOOD = frozenset(
    {
        "Description",
        "FlexibleTimeWindow",
        "GroupName",
        "Name",
        "ScheduleExpression",
        "ScheduleExpressionTimezone",
        "State",
        "Target",
    }
)


def read_schedule(name: str, properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of CreateSchedule. Raises `TemplateError` for what cannot be served locally."""
    if unknown := sorted(properties.keys() - _UNDERSTOOD):
        raise TemplateError(f"{name}: the property {unknown[0]} is not supported locally")
    try:
        times(properties["ScheduleExpression"], properties.get("ScheduleExpressionTimezone", "UTC"))
    except ValueError as error:
        raise TemplateError(f"{name}: {error}") from None
    if ":function:" not in properties["Target"]["Arn"]:
        raise TemplateError(f"{name}: the target {properties['Target']['Arn']} is not a function")
    return {**properties, "Name": name}
