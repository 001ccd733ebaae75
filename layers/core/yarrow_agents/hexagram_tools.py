"""Liu Yao (六爻) as tools of the MCP server: cast, derive and read a hexagram.

The same cast has the same derivation and the same reading, and no model can change them. A question that gets no
reading has its answer instead, and no cast is made of it (CARE-01 … CARE-08).
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from yarrow.protocol.runner.mcp_tools import McpCaller, McpTool, McpToolResult
from yarrow.protocol.runner.tools import TimeZoneName
from yarrow_agents.cast_reading import CastPlate, Matter, derive_cast, read_cast

if TYPE_CHECKING:
    from liuyao.care.conversation import Decision
    from liuyao.reading import Language

FIRST_YEAR, LAST_YEAR = 1900, 2100
"""Those of the table of solar terms."""

Question = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
    Field(description="The user's own question, in their words and language."),
]
LineType = Literal["少阳", "少阴", "老阳", "老阴"]


def _covered(moment: datetime) -> datetime:
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError(f"must be a time from {FIRST_YEAR} to {LAST_YEAR}")
    return moment


Lines = Annotated[
    tuple[LineType, ...],
    Field(
        min_length=6,
        max_length=6,
        description="The six lines from the lowest up: 少阳 (yang) and 少阴 (yin) rest, 老阳 and 老阴 change.",
    ),
]
CastAt = Annotated[
    AwareDatetime,
    AfterValidator(_covered),
    Field(description="When it was cast, ISO 8601 with the offset of the place, e.g. 2026-04-03T20:30:00+08:00."),
]


class _Arguments(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class CastArguments(_Arguments):
    """The arguments of `cast_hexagram`."""

    question: Question
    method: Annotated[
        Literal["coins", "time"], Field(description="Three coins thrown six times now, or the hexagram of this time.")
    ] = "coins"
    time_zone: Annotated[TimeZoneName | None, Field(description="The user's IANA time zone, if it is known.")] = None


class DeriveArguments(_Arguments):
    """The arguments of `derive_hexagram`."""

    lines: Lines
    cast_at: CastAt


class ReadArguments(_Arguments):
    """The arguments of `read_hexagram`."""

    question: Question
    matter: Annotated[Matter, Field(description="What the question is about.")] = "other"
    lines: Lines
    cast_at: CastAt


# The divination is imported where it is used: most requests call something else.
def _cast(arguments: CastArguments, caller: McpCaller) -> McpToolResult:
    from liuyao.coins import yao_of_hua
    from liuyao.time_cast import lines_at

    decision = _decision(arguments.question)
    if decision.declined is not None:
        return _declined(decision, caller)
    moment = caller.now if arguments.time_zone is None else caller.now.astimezone(ZoneInfo(arguments.time_zone))
    moment = moment.replace(microsecond=0)
    lines: Sequence[str] = lines_at(moment)
    if arguments.method == "coins":
        lines = [yao_of_hua(sum(secrets.randbelow(2) for _ in range(3))) for _ in range(6)]
    cast = derive_cast(arguments.question, "other", lines, moment, _language(arguments.question, caller))
    return McpToolResult.of_text(cast.plate, _plate(cast, lines, moment))


def _derive(arguments: DeriveArguments, caller: McpCaller) -> McpToolResult:
    from liuyao.reading import language_for

    lines, moment = arguments.lines, arguments.cast_at
    cast = derive_cast("—", "other", lines, moment, language_for(caller.locale))
    derived = cast.divination.model_dump(mode="json", exclude={"question", "question_type", "divination_method"})
    return McpToolResult.of_text(cast.plate, {**_plate(cast, lines, moment), "derivation": derived})


def _read(arguments: ReadArguments, caller: McpCaller) -> McpToolResult:
    from liuyao.care.help_lines import for_deployment

    decision = _decision(arguments.question)
    if decision.declined is not None:
        return _declined(decision, caller)
    language = _language(arguments.question, caller)
    cast = derive_cast(arguments.question, arguments.matter, arguments.lines, arguments.cast_at, language)
    help_lines = for_deployment(caller.locale, caller.parameter("help_lines")) if decision.noted else ()
    reading = read_cast(cast, language, decision, help_lines)
    structured = {
        **_plate(cast, arguments.lines, arguments.cast_at),
        "signLevel": reading.sign_level,
        "conclusion": list(reading.conclusion),
        "keywords": list(reading.keywords),
        "reading": reading.answer,
    }
    return McpToolResult.of_text(reading.answer, structured)


def _decision(question: str) -> "Decision":
    from liuyao.care import conversation

    return conversation.decide(question, [question], [])


def _declined(decision: "Decision", caller: McpCaller) -> McpToolResult:
    from liuyao.care.replies import reply

    if decision.declined is None:
        raise ValueError("nothing was declined")
    help_lines = caller.parameter("help_lines")
    text = reply(decision.declined, decision.words, caller.locale, help_lines, is_new=decision.is_new)
    return McpToolResult.of_text(text, {"declined": decision.declined.value, "reply": text})


def _language(question: str, caller: McpCaller) -> "Language":
    """Return the language that the question asks for, else its own: many clients' credentials have no locale."""
    from liuyao.care.script import language_of
    from liuyao.reading import language_asked, language_for

    return language_asked(question, language_of(question, language_for(caller.locale)))


def _plate(cast: CastPlate, lines: Sequence[str], moment: datetime) -> dict[str, Any]:
    found = {
        "lines": list(lines),
        "castAt": moment.isoformat(),
        "hexagram": cast.hexagram,
        "changedHexagram": cast.changed_hexagram,
        "plate": cast.plate,
    }
    return {name: value for name, value in found.items() if value is not None}


_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}
_PLATE: Final = {
    "lines": _TEXTS,
    "castAt": _TEXT,
    "hexagram": _TEXT,
    "changedHexagram": {**_TEXT, "description": "The hexagram that the changing lines lead to, if any change."},
    "plate": {**_TEXT, "description": "The plate in the traditional layout."},
}
_DECLINED: Final = {
    "declined": {**_TEXT, "description": "Why there is none: what the question is about."},
    "reply": {**_TEXT, "description": "What to show the user instead, as it stands."},
}
_READING: Final = {
    "signLevel": _TEXT,
    "conclusion": _TEXTS,
    "keywords": _TEXTS,
    "reading": {**_TEXT, "description": "The whole reading, to be shown as it stands."},
}


def _object(*properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: part for group in properties for name, part in group.items()}}


CAST: Final = McpTool(
    "cast_hexagram",
    "Cast a hexagram",
    "Cast a Liu Yao hexagram (六爻) for a question, by three coins or by the time. Read it with read_hexagram. If it "
    "answers with a reply in place of a cast, show the user that reply as it stands.",
    CastArguments,
    _cast,
    _object(_PLATE, _DECLINED),
    repeatable=False,
)
DERIVE: Final = McpTool(
    "derive_hexagram",
    "Derive a hexagram",
    "Derive the plate of a Liu Yao cast (六爻纳甲装卦): hexagrams, pillars, spirits, relations, self and other, hidden "
    "lines, voids and interactions. It reads nothing.",
    DeriveArguments,
    _derive,
    _object(_PLATE, {"derivation": {"type": "object"}}),
)
READ: Final = McpTool(
    "read_hexagram",
    "Read a hexagram",
    "Read a Liu Yao cast by the classical rules, in the language of the question. Show the user the reading as it "
    "stands: do not change its verdict. If it answers with a reply instead, show that.",
    ReadArguments,
    _read,
    _object(_PLATE, _READING, _DECLINED),
)
