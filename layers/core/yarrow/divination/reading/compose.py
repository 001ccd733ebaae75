"""The reading of a divination as text in one language.

Each text (conclusion, focus points, advice, answer) glosses its terms at first mention.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from yarrow.divination.care.kinds import Caution
from yarrow.divination.reading.contributions import Aspect
from yarrow.divination.reading.judgement import SignLevel, judge
from yarrow.divination.reading.language import Language
from yarrow.divination.reading.narrative import Narrator
from yarrow.divination.reading.plate import lay_out
from yarrow.divination.reading.question.inquiry import inquire
from yarrow.divination.reading.voice import Voice
from yarrow.protocol.events.divination import Divination

_MOST_REASONS: Final = 2
"""Reasons named in the conclusion, for and against each."""
_MOST_KEYWORDS: Final = 6


@dataclass(frozen=True, slots=True)
class Reading:
    """The classical reading of a divination (DIV-28 … DIV-30).

    `answer` is the whole as prose: short paragraphs separated by a blank line.
    """

    sign_level: SignLevel
    conclusion: tuple[str, ...]
    focus_points: tuple[str, ...]
    advice: tuple[str, ...]
    keywords: tuple[str, ...]
    answer: str


def read(divination: Divination, *, language: Language, cautions: Collection[Caution] = frozenset()) -> Reading:
    """Read a derived or stored divination by 《增删卜易》. Pure and deterministic.

    `cautions` are the question's, in addition to its matter's (CARE-04).
    """
    plate = lay_out(divination)
    judgement = judge(plate, inquire(divination.question_type, divination.question))

    voice = Voice(language, divination)
    narrator = Narrator(voice, plate, judgement, cautions)
    sections = [conclusion(narrator), focus_points(narrator), advice(narrator)]
    told, points, advised = (voice.spoken(section)[0] for section in sections)
    opening, *rest = voice.spoken([cast(narrator, divination)], *sections)
    return Reading(
        sign_level=judgement.sign_level,
        conclusion=tuple(told),
        focus_points=tuple(points),
        advice=tuple(advised),
        keywords=tuple(_keywords(narrator)),
        answer="\n\n".join(voice.paragraph(sentences) for sentences in ([voice.asked(), *opening], *rest)),
    )


def cast(narrator: Narrator, divination: Divination) -> str:
    """The sentence that names the hexagrams and the time of the cast."""
    voice, ganzhi = narrator.voice, divination.ganzhi
    fields = {
        "month_pillar": ganzhi.month_gan_zhi,
        "day_pillar": ganzhi.day_gan_zhi,
        "month": voice.month(narrator.plate.month),
        "day": voice.day(narrator.plate.day),
        "void": ganzhi.day_kong_wang,
        "gua": voice.hexagram(divination.gua_name, divination.gua_name_hant),
    }
    if not divination.has_changing_yao:
        return voice.sentence(voice.phrase("cast", **fields))
    target = voice.hexagram(divination.target_gua_name, divination.target_gua_name_hant)
    moving = [line for line in narrator.plate.lines if line.changes]
    return voice.sentence(voice.phrase("cast changing", target=target, lines=voice.lines(moving), **fields))


def conclusion(narrator: Narrator) -> list[str]:
    """The verdict, and the weightiest reasons for and against it."""
    voice, judgement = narrator.voice, narrator.judgement
    level = judgement.sign_level
    verdict = narrator.verdict(level)
    balance = voice.phrase(level)
    told = [voice.sentence(voice.phrase("verdict", verdict=verdict, balance=balance, sign=voice.sign(level)))]
    ranked = sorted(judgement.reasons, key=lambda reason: -reason.prominence)
    for key, reasons in (
        ("for", [reason for reason in ranked if reason.weight > 0]),
        ("against", [reason for reason in ranked if reason.weight < 0]),
    ):
        if reasons:
            told.append(voice.sentence(voice.phrase(key, reasons=narrator.joined(reasons[:_MOST_REASONS]))))
    return told


def focus_points(narrator: Narrator) -> list[str]:
    """The deciding facts in order: 用神, month and day, itself, the other lines, 世应, the hexagram."""
    judgement = narrator.judgement
    points = [narrator.choice(), narrator.told(judgement.about(Aspect.MONTH, Aspect.DAY))]
    itself = judgement.about(Aspect.SELF)
    if itself:
        points.append(narrator.itself(itself))
    points.append(narrator.others())
    world = judgement.about(Aspect.WORLD)
    if world:
        points.append(narrator.told(world))
    whole = [reason for reason in judgement.about(Aspect.WHOLE) if reason.weight]
    if whole:
        points.append(narrator.told(whole))
    return points


def advice(narrator: Narrator) -> list[str]:
    """What to do, who helps or hinders, when, and the limits of a reading, if any."""
    advised = [narrator.action()]
    cautions = narrator.cautioned()
    advised += narrator.people()[: 1 if cautions else 2]
    return [*advised, narrator.timing(), *cautions]


def _keywords(narrator: Narrator) -> list[str]:
    voice, judgement = narrator.voice, narrator.judgement
    relation = judgement.focus.at.relation
    keywords = [
        voice.words.nouns[judgement.inquiry.matter.key],
        voice.phrase("use keyword", relation=voice.keyword(relation)),
    ]
    ranked = sorted(judgement.reasons, key=lambda reason: -reason.prominence)
    keywords += [voice.keyword(str(reason.term)) for reason in ranked if reason.prominence and not reason.note]
    return list(dict.fromkeys(keywords))[:_MOST_KEYWORDS]
