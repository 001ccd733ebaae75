"""The reading of a divination as text: the judgement told by its reasons, in one language.

Each text (conclusion, focus points, advice, answer) is spoken on its own, so that each glosses its terms once.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from yarrow.divination.care.kinds import Caution
from yarrow.divination.reading.contributions import Aspect
from yarrow.divination.reading.judgement import SignLevel, judge
from yarrow.divination.reading.language import Language
from yarrow.divination.reading.narrative import Teller
from yarrow.divination.reading.plate import lay_out
from yarrow.divination.reading.question.inquiry import inquire
from yarrow.divination.reading.voice import Voice
from yarrow.protocol.events.divination import Divination

_MOST_REASONS: Final = 2
"""How many reasons for, and against, the conclusion names."""
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
    """Read a derived or stored divination by 《增删卜易》. Deterministic, and a function of its arguments alone.

    `cautions` are those that the question calls for, beside that of its matter (CARE-04).
    """
    plate = lay_out(divination)
    judgement = judge(plate, inquire(divination.question_type, divination.question))

    voice = Voice(language, divination)
    teller = Teller(voice, plate, judgement, cautions)
    sections = [conclusion(teller), focus_points(teller), advice(teller)]
    told, points, advised = (voice.spoken(section)[0] for section in sections)
    opening, *rest = voice.spoken([cast(teller, divination)], *sections)
    return Reading(
        sign_level=judgement.sign_level,
        conclusion=tuple(told),
        focus_points=tuple(points),
        advice=tuple(advised),
        keywords=tuple(_keywords(teller)),
        answer="\n\n".join(voice.paragraph(sentences) for sentences in ([voice.asked(), *opening], *rest)),
    )


def cast(teller: Teller, divination: Divination) -> str:
    """The sentence that names the hexagrams and the time they were cast."""
    voice, ganzhi = teller.voice, divination.ganzhi
    fields = {
        "month_pillar": ganzhi.month_gan_zhi,
        "day_pillar": ganzhi.day_gan_zhi,
        "month": voice.month(teller.plate.month),
        "day": voice.day(teller.plate.day),
        "void": ganzhi.day_kong_wang,
        "gua": voice.hexagram(divination.gua_name, divination.gua_name_hant),
    }
    if not divination.has_changing_yao:
        return voice.sentence(voice.phrase("cast", **fields))
    target = voice.hexagram(divination.target_gua_name, divination.target_gua_name_hant)
    moving = [line for line in teller.plate.lines if line.changes]
    return voice.sentence(voice.phrase("cast changing", target=target, lines=voice.lines(moving), **fields))


def conclusion(teller: Teller) -> list[str]:
    """The verdict, and the weightiest reasons for and against it."""
    voice, judgement = teller.voice, teller.judgement
    level = judgement.sign_level
    verdict = teller.verdict(level)
    balance = voice.phrase(level)
    told = [voice.sentence(voice.phrase("verdict", verdict=verdict, balance=balance, sign=voice.sign(level)))]
    ranked = sorted(judgement.reasons, key=lambda reason: -reason.prominence)
    for key, reasons in (
        ("for", [reason for reason in ranked if reason.weight > 0]),
        ("against", [reason for reason in ranked if reason.weight < 0]),
    ):
        if reasons:
            told.append(voice.sentence(voice.phrase(key, reasons=teller.joined(reasons[:_MOST_REASONS]))))
    return told


def focus_points(teller: Teller) -> list[str]:
    """The facts that decided, in order: 用神, month and day, itself, the other lines, 世应, the hexagram."""
    judgement = teller.judgement
    points = [teller.choice(), teller.told(judgement.about(Aspect.MONTH, Aspect.DAY))]
    itself = judgement.about(Aspect.SELF)
    if itself:
        points.append(teller.itself(itself))
    points.append(teller.others())
    world = judgement.about(Aspect.WORLD)
    if world:
        points.append(teller.told(world))
    whole = [reason for reason in judgement.about(Aspect.WHOLE) if reason.weight]
    if whole:
        points.append(teller.told(whole))
    return points


def advice(teller: Teller) -> list[str]:
    """What to do, who helps or hinders, when, and the limits of a reading where the matter has some."""
    advised = [teller.action()]
    cautions = teller.cautioned()
    advised += teller.people()[: 1 if cautions else 2]
    return [*advised, teller.timing(), *cautions]


def _keywords(teller: Teller) -> list[str]:
    voice, judgement = teller.voice, teller.judgement
    relation = judgement.focus.at.relation
    keywords = [
        voice.words.nouns[judgement.inquiry.matter.key],
        voice.phrase("use keyword", relation=voice.keyword(relation)),
    ]
    ranked = sorted(judgement.reasons, key=lambda reason: -reason.prominence)
    keywords += [voice.keyword(str(reason.term)) for reason in ranked if reason.prominence and not reason.note]
    return list(dict.fromkeys(keywords))[:_MOST_KEYWORDS]
