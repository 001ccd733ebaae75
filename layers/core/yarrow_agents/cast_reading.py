"""A cast and its reading by the classical rules, for the tools that cast and read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from liuyao.care.conversation import Decision
    from liuyao.care.help_lines_parameter import RegionalHelp
    from liuyao.divination import Divination
    from liuyao.payload import DivinationPayload
    from liuyao.reading import Language


Matter = Literal["career", "wealth", "love", "study", "health", "journey", "lost", "other"]

ENGLISH: Final[Mapping[str, str]] = {
    "career": "Career",
    "wealth": "Wealth",
    "love": "Love",
    "study": "Study",
    "health": "Health",
    "journey": "Journey",
    "lost": "Lost item",
    "other": "Something else",
}

SIMPLIFIED: Final[Mapping[str, str]] = {
    "career": "事业",
    "wealth": "财运",
    "love": "感情",
    "study": "学业",
    "health": "健康",
    "journey": "出行",
    "lost": "失物",
    "other": "其他",
}

TRADITIONAL: Final[Mapping[str, str]] = {
    "career": "事業",
    "wealth": "財運",
    "love": "感情",
    "study": "學業",
    "health": "健康",
    "journey": "出行",
    "lost": "失物",
    "other": "其他",
}
"""Labels of the matters; a label is the cast's question type."""


@dataclass(frozen=True, slots=True)
class CastPlate:
    """A derived cast: its hexagrams and the plate in the traditional layout, in the script of a language."""

    payload: "DivinationPayload"
    divination: "Divination"
    hexagram: str
    changed_hexagram: str | None
    plate: str


@dataclass(frozen=True, slots=True)
class CastReading:
    """The reading: no model can change it. `answer` is its whole text."""

    sign_level: str
    conclusion: Sequence[str]
    keywords: Sequence[str]
    answer: str


# The divination is imported where it is used: few runs cast.
def derive_cast(
    question: str, matter: Matter, lines: Sequence[str], moment: datetime, language: "Language"
) -> CastPlate:
    """Derive a cast of lines from 初爻 to 上爻. Raises ValueError for a time that the solar terms do not cover."""
    from liuyao import DivinationPayload, derive
    from liuyao.chart import draw
    from liuyao.chart_svg import spelling

    payload = DivinationPayload.model_validate(
        {
            "divinationMethod": "自动起卦",
            "questionType": _matter(matter, language),
            "question": question,
            "divinationTimeIso": moment.isoformat(),
            "yaoLines": lines,
        }
    )
    divination = derive(payload)
    spell = spelling(language)
    changed = spell(divination.target_gua_name) if divination.has_changing_yao else None
    return CastPlate(payload, divination, spell(divination.gua_name), changed, draw(divination, spell))


def read_cast(
    cast: CastPlate, language: "Language", decision: "Decision", help_lines: "Sequence[RegionalHelp]"
) -> CastReading:
    """Read a cast whose question is not declined; with the help lines, if the decision notes them."""
    from liuyao.care import answers
    from liuyao.cast_time.note import with_time_note
    from liuyao.reading import read

    reading = read(cast.divination, language=language, cautions=decision.cautions)
    reading = with_time_note(reading, cast.payload, cast.divination, language)
    answer = reading.answer
    if decision.noted:
        answer = f"{answer}\n\n{answers.note(language, tuple(help_lines))}"
    return CastReading(reading.sign_level, reading.conclusion, reading.keywords, answer)


def _matter(matter: Matter, language: "Language") -> str:
    from liuyao.reading import Language

    labels = {Language.ENGLISH: ENGLISH, Language.SIMPLIFIED: SIMPLIFIED, Language.TRADITIONAL: TRADITIONAL}
    return labels[language][matter]
