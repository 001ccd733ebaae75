"""A cast on the wire (`divination-run.md`, DIV-01 … DIV-08); unknown keys are errors."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from liuyao.instants import Instant

DivinationMethod = Literal["手动起卦", "自动起卦"]
YaoType = Literal["少阳", "少阴", "老阳", "老阴"]

FIRST_YEAR, LAST_YEAR = 1900, 2100
"""In local time: the solar-term table covers them in every offset."""


def _within_solar_term_table(moment: datetime) -> datetime:
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError(f"outside {FIRST_YEAR}-{LAST_YEAR}, the years the solar-term table covers")
    return moment


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


def _exactly_six(lines: Any) -> Any:
    if isinstance(lines, list | tuple) and len(lines) != 6:
        raise ValueError("must have exactly 6 items")
    return lines


# The first two checks above, for the schema.
_YEARS = {"pattern": r"^(19\d\d|20\d\d|2100)-"}
_SOMETHING = {"pattern": r"\S"}


class DivinationPayload(BaseModel):
    """One cast (DIV-01 … DIV-08). `yao_lines` run from 初爻 to 上爻; lengths are in characters."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, serialize_by_alias=True
    )

    divination_method: DivinationMethod
    question_type: Annotated[
        str, Field(min_length=1, max_length=32, json_schema_extra=_SOMETHING), AfterValidator(_not_blank)
    ]
    question: Annotated[
        str, Field(min_length=1, max_length=300, json_schema_extra=_SOMETHING), AfterValidator(_not_blank)
    ]
    divination_time_iso: Annotated[Instant, AfterValidator(_within_solar_term_table), Field(json_schema_extra=_YEARS)]
    yao_lines: Annotated[tuple[YaoType, ...], Field(min_length=6, max_length=6), BeforeValidator(_exactly_six)]
