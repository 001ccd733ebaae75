"""The language of a job's `input_template`: text with fields in double braces, such as `{{date}}`. It has neither
expressions nor attributes, and the value of a field is not read as a template. `{{` always begins a field; `}}` without
one is text.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

FIELDS: Final = ("date", "weekday", "time_zone", "last_result")

MAX_LENGTH: Final = 4_000
MAX_FIELDS: Final = 50
MAX_LAST_RESULT: Final = 4_000
"""Characters; with these limits a rendered template has at most 10,000, the limit of a user message."""

_CUT: Final = "…"
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class InputTemplateError(ValueError):
    """Which rule a template breaks, and where: `line` and `column` count from 1. Public; never the template's text."""

    def __init__(self, template: str, offset: int, rule: str) -> None:
        before = template[:offset]
        self.line = before.count("\n") + 1
        self.column = offset - (before.rfind("\n") + 1) + 1
        super().__init__(f"{rule} (line {self.line}, column {self.column})")


@dataclass(frozen=True, slots=True)
class Fields:
    """`last_result` is called only if the template has it."""

    date: str
    weekday: str
    time_zone: str
    last_result: Callable[[], str]


def fields_at(due: datetime, time_zone: str, last_result: Callable[[], str]) -> Fields:
    """Return the fields of a slot in the job's time zone: `2026-11-01`, `Sunday`, `America/New_York`."""
    local = due.astimezone(ZoneInfo(time_zone))
    return Fields(local.date().isoformat(), _WEEKDAYS[local.weekday()], time_zone, last_result)


def check(template: str) -> None:
    """Raise InputTemplateError if `render` would fail, or might return an empty text."""
    if len(template) > MAX_LENGTH:
        raise InputTemplateError(template, MAX_LENGTH, f"must have {MAX_LENGTH} or fewer characters")
    seen: list[str] = []
    has_text = False
    for text, field, offset in _parts(template):
        if field == "last_result" and field in seen:
            raise InputTemplateError(template, offset, "must have the field last_result only once")
        if field is not None:
            seen.append(field)
        if len(seen) > MAX_FIELDS:
            raise InputTemplateError(template, offset, f"must have {MAX_FIELDS} or fewer fields")
        has_text |= bool(text.strip()) or field not in (None, "last_result")
    if not has_text:
        # There is no last result at first.
        raise InputTemplateError(template, 0, "must have more than the field last_result")


def render(template: str, fields: Fields) -> str:
    """Return the text of a run; a last result that is too long is cut. Raises InputTemplateError."""
    check(template)
    return "".join(text + _value(field, fields) for text, field, _ in _parts(template))


def _parts(template: str) -> Iterator[tuple[str, str | None, int]]:
    """Yield each text with the field after it (None at the end) and the field's position."""
    first, *others = template.split("{{")
    text, offset = first, len(first)
    for other in others:
        name, closed, after = other.partition("}}")
        if not closed:
            raise InputTemplateError(template, offset, "must close the field that begins here with }}")
        if name.strip(" ") not in FIELDS:
            raise InputTemplateError(template, offset, f"must have one of the fields {', '.join(FIELDS)} here")
        yield text, name.strip(" "), offset
        text, offset = after, offset + len("{{") + len(other)
    yield text, None, len(template)


def _value(field: str | None, fields: Fields) -> str:
    match field:
        case None:
            return ""
        case "last_result":
            result = fields.last_result()
            return result if len(result) <= MAX_LAST_RESULT else result[: MAX_LAST_RESULT - len(_CUT)] + _CUT
        case _:
            return str(getattr(fields, field))
