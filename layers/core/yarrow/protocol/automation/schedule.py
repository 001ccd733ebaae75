"""When a job runs (AUT-02, AUT-03), as clients send it."""

from datetime import date
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasGenerator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from yarrow.formats.cron import MAX_LENGTH, UnsupportedCronError, parse_cron

UNSUPPORTED: Final = "schedule_unsupported"
"""The error type of a valid cron expression that a schedule cannot express; its `reason` is in the context."""

ScheduleType = Literal["daily", "weekly", "monthly", "once", "cron"]

_NEEDED: Final[dict[ScheduleType, tuple[str, ...]]] = {
    "daily": ("run_at",),
    "weekly": ("run_at", "weekdays"),
    "monthly": ("run_at", "month_days"),
    "once": ("run_at", "date"),
    "cron": ("cron",),
}
_MEMBERS: Final = ("run_at", "weekdays", "month_days", "date", "cron")
_EMPTY: Final = {"weekdays": {"maxItems": 0}, "month_days": {"maxItems": 0}}
_FULL: Final = {name: {"minItems": 1, "uniqueItems": True} for name in _EMPTY}


class JobPart(BaseModel):
    """An object of a job: camelCase is accepted, other members are refused."""

    model_config = ConfigDict(
        alias_generator=AliasGenerator(validation_alias=lambda name: AliasChoices(name, to_camel(name))),
        loc_by_alias=False,
        extra="forbid",
        frozen=True,
    )


class RunAt(JobPart):
    """A time of day in the job's time zone."""

    hour: Annotated[int, Field(ge=0, le=23, strict=True)]
    minute: Annotated[int, Field(ge=0, le=59, strict=True)]


def _is_date(value: str) -> str:
    try:
        date.fromisoformat(value)
    except ValueError as error:
        raise ValueError("must be a date") from error
    return value


LocalDate = Annotated[
    str,
    StringConstraints(pattern=r"^20\d\d-\d\d-\d\d$"),
    AfterValidator(_is_date),
    Field(json_schema_extra={"format": "date", "examples": ["2026-12-24"]}),
]
"""A date up to 2099."""


def _form(type_: ScheduleType, needed: tuple[str, ...]) -> dict[str, Any]:
    """Return the JSON Schema of one type."""
    members: dict[str, Any] = {"type": {"const": type_}}
    for name in _MEMBERS:
        if name in needed:
            members |= {name: _FULL[name]} if name in _FULL else {name: {"not": {"type": "null"}}}
        else:
            members[name] = _EMPTY.get(name, {"type": "null"})
    if type_ == "once":
        members["end_date"] = {"type": "null"}
    return {"properties": members, "required": list(needed)}


def _is_absent(value: object) -> bool:
    return value is None or value == ()


class Schedule(JobPart):
    """When a job runs, in its time zone: every day, on `weekdays` (1 is Monday), on `month_days`, once on a `date`, or
    by a `cron` expression; until `end_date`, that day included.
    """

    model_config = ConfigDict(json_schema_extra={"oneOf": [_form(type_, needed) for type_, needed in _NEEDED.items()]})

    type: ScheduleType
    run_at: Annotated[RunAt | None, Field(validate_default=True, exclude_if=_is_absent)] = None
    weekdays: Annotated[
        tuple[Annotated[int, Field(ge=1, le=7, strict=True)], ...], Field(max_length=7, validate_default=True)
    ] = ()
    month_days: Annotated[
        tuple[Annotated[int, Field(ge=1, le=31, strict=True)], ...],
        Field(max_length=31, validate_default=True, exclude_if=_is_absent),
    ] = ()
    date: Annotated[LocalDate | None, Field(validate_default=True, exclude_if=_is_absent)] = None
    cron: Annotated[
        Annotated[str, StringConstraints(max_length=MAX_LENGTH)] | None,
        Field(validate_default=True, exclude_if=_is_absent, examples=["0 9,18 * * 1-5"]),
    ] = None
    end_date: Annotated[LocalDate | None, Field(exclude_if=_is_absent)] = None

    @field_validator(*_MEMBERS)
    @classmethod
    def _of_type(cls, value: Any, info: ValidationInfo) -> Any:
        type_ = info.data.get("type")
        if isinstance(value, tuple):
            if len(set(value)) < len(value):
                raise ValueError("must not name a day twice")
            value = tuple(sorted(value))
        if type_ in _NEEDED:
            is_needed = info.field_name in _NEEDED[type_]
            if is_needed and _is_absent(value):
                raise ValueError(f"is required of a schedule of type {type_}")
            if not is_needed and not _is_absent(value):
                raise ValueError(f"is not for schedules of type {type_}")
        return value

    @field_validator("cron")
    @classmethod
    def _readable(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            parse_cron(value)
        except UnsupportedCronError as error:
            raise PydanticCustomError(UNSUPPORTED, "{reason}", {"reason": str(error)}) from error
        return " ".join(value.split())

    @field_validator("end_date")
    @classmethod
    def _of_several(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None and info.data.get("type") == "once":
            raise ValueError("is not for schedules of type once")
        return value
