"""Models a cast on the wire (`divination-run.md`, DIV-01 … DIV-08); unknown keys are errors."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer
from pydantic.alias_generators import to_camel

from liuyao.instants import parse
from liuyao.plain_cast import (
    FIRST_YEAR,
    LAST_YEAR,
    LINES,
    MAX_QUESTION_LENGTH,
    MAX_TYPE_LENGTH,
    DivinationMethod,
    YaoType,
)

Instant = Annotated[datetime, BeforeValidator(parse), PlainSerializer(datetime.isoformat, return_type=str)]


def _within_solar_term_table(moment: datetime) -> datetime:
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError(f"outside {FIRST_YEAR}-{LAST_YEAR}, the years the solar-term table covers")
    return moment


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


def _exactly_six(lines: Any) -> Any:
    if isinstance(lines, list | tuple) and len(lines) != LINES:
        raise ValueError(f"must have exactly {LINES} items")
    return lines


# The first two checks above, for the schema.
_YEARS = {"pattern": r"^(19\d\d|20\d\d|2100)-"}
_SOMETHING = {"pattern": r"[^\s\x1c-\x1f\x85]"}  # ECMA's \s lacks these, which are space here


class DivinationPayload(BaseModel):
    """One cast (DIV-01 … DIV-08). `yao_lines` run from 初爻 to 上爻; lengths are in characters."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, serialize_by_alias=True
    )

    divination_method: DivinationMethod
    question_type: Annotated[
        str, Field(min_length=1, max_length=MAX_TYPE_LENGTH, json_schema_extra=_SOMETHING), AfterValidator(_not_blank)
    ]
    question: Annotated[
        str,
        Field(min_length=1, max_length=MAX_QUESTION_LENGTH, json_schema_extra=_SOMETHING),
        AfterValidator(_not_blank),
    ]
    divination_time_iso: Annotated[Instant, AfterValidator(_within_solar_term_table), Field(json_schema_extra=_YEARS)]
    yao_lines: Annotated[tuple[YaoType, ...], Field(min_length=LINES, max_length=LINES), BeforeValidator(_exactly_six)]
