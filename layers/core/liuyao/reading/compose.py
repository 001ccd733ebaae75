"""The reading of a divination as text in one language.

Each text (conclusion, focus points, advice, answer) glosses its terms at first mention.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from liuyao.care.kinds import Caution
from liuyao.divination import Divination
from liuyao.reading import annotations
from liuyao.reading.answering.direct_answer import direct_answer, ground, restated
from liuyao.reading.answering.replies import state
from liuyao.reading.cautions import GRAVE
from liuyao.reading.contributions import Aspect, Contribution
from liuyao.reading.judgement import Judgement, SignLevel, judge
from liuyao.reading.language import Language
from liuyao.reading.narrative import Narrator
from liuyao.reading.plate import lay_out
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.form import Form
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.voice import Voice
from liuyao.reading.wording.repetition import once

_MOST_KEYWORDS: Final = 6
_AGAIN: Final = 2
"""The cast of a question from which it has been asked before."""
_OFTEN: Final = 3
"""The cast of a question from which no verdict is told."""
_STANDS_BESIDE: Final = (Form.HOW, Form.WHY)
_RETURNS: Final = (True, False, False)
_TIMELESS: Final = (Asks.SEX_OF_CHILD, Asks.WHICH)
"""Questions that want no time."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The classical reading of a divination (DIV-28 … DIV-30).

    `answer` is the whole as prose, paragraphs separated by a blank line: the direct answer, what to do, the plate, the
    grounds, the times with what the advice rests on, and the cautions; the last two only if there are any. `timing` is
    the part of the grounds with the dates, `caution` the last paragraph; both are empty if there is none. `judgement`
    is what the words are of.
    """

    sign_level: SignLevel
    conclusion: tuple[str, ...]
    focus_points: tuple[str, ...]
    advice: tuple[str, ...]
    keywords: tuple[str, ...]
    answer: str
    judgement: Judgement
    timing: str = ""
    caution: str = ""
    rests: bool = False
    """Whether it tells no verdict, as its question has been asked often."""

    @property
    def lead(self) -> str:
        """The paragraphs before the grounds."""
        return "\n\n".join(self.answer.split("\n\n", 2)[:2])

    @property
    def grounds(self) -> str:
        """The paragraphs after the lead, with the cautions."""
        return self.answer[len(self.lead) + 2 :]


def read(
    divination: Divination,
    *,
    language: Language,
    cautions: Collection[Caution] = frozenset(),
    body: bool = False,
    times_asked: int = 1,
    opinion: Polarity | None = None,
) -> Reading:
    """Read a derived or stored divination by 《增删卜易》. Pure and deterministic.

    `cautions` are the question's, in addition to its matter's (CARE-04); `body` notes 卦身 and 世身. `times_asked`
    counts the casts of one question, this one included: from the second the answer says kindly that once is enough,
    and from the third it says that alone, above the plate and its cautions; the grade is the cast's as ever.
    `opinion` is a model's on whether a yes would be good for the asker, beside what the words tell (CARE-08).
    """
    plate = lay_out(divination)
    judgement = judge(plate, inquire(divination.question_type, divination.question, opinion))

    voice = Voice(language, divination, varies=True)
    narrator = Narrator(voice, plate, judgement, divination, cautions)
    if times_asked >= _OFTEN:
        return _resting(narrator, times_asked)
    plainly = list(map(narrator.named, direct_answer(narrator, restating=False)))
    back = _return(narrator, plainly)
    sections = [[narrator.named(restated(narrator)), *plainly[1:]], focus_points(narrator), advice(narrator, back)]
    told, points, advised = (voice.spoken(*once(section))[0] for section in sections)
    done, last = [*_standing(narrator), *to_do(narrator), *back], narrator.cautioned()
    if judgement.inquiry.asks is Asks.SEX_OF_CHILD:
        # Neither grade nor strength says which.
        grounds, times = [*ground(narrator), narrator.choice()], []
    else:
        decided = judgement.decided_by
        facts = focus_points(narrator, without=decided) if decided else sections[1]
        grounds = [_grade(narrator), *ground(narrator), *facts]
        times = _timing(narrator)
    times += [*_spirits(narrator), *(_body(narrator) if body else [])]
    plainly += [*map(narrator.named, [*narrator.reserve(), *narrator.kindness()]), *_again(narrator, times_asked)]
    opening, doing, *rest = once(plainly, done, grounds, *filter(None, (times, last)))
    shown = [_details(narrator), cast(narrator, divination), laid_out(narrator)]
    opening, *rest = voice.spoken(opening, doing, shown, *rest)
    paragraphs = [voice.paragraph(sentences) for sentences in ([voice.asked(), *opening], *rest)]
    # The times are told in the same words where a model phrases the grounds.
    paragraphs = [*paragraphs[:2], *voice.explaining(paragraphs[2:4]), *paragraphs[4:]]
    return Reading(
        sign_level=judgement.sign_level,
        conclusion=tuple(told),
        focus_points=tuple(points),
        advice=tuple(advised),
        keywords=tuple(_keywords(narrator)),
        answer="\n\n".join(paragraphs),
        judgement=judgement,
        timing=voice.paragraph(voice.spoken(_timing(narrator))[0]),
        caution=paragraphs[-1] if last else "",
    )


def _details(narrator: Narrator) -> str:
    """That what follows is for those who want it."""
    return narrator.voice.sentence(narrator.voice.way("details"))


def _resting(narrator: Narrator, times_asked: int) -> Reading:
    """The reading of a question that has been asked often: the first one stands, and this one adds none."""
    voice = narrator.voice
    kindly, first = _again(narrator, times_asked), [voice.sentence(voice.phrase("first stands"))]
    points, last = focus_points(narrator), narrator.cautioned()
    shown = [cast(narrator, narrator.divination), laid_out(narrator)]
    kindly, first, shown, last = voice.spoken(kindly, first, shown, last)
    paragraphs = [voice.paragraph(sentences) for sentences in ([voice.asked(), *kindly], first, shown, last)]
    paragraphs = [*paragraphs[:2], *voice.explaining(paragraphs[2:3]), *filter(None, paragraphs[3:])]
    return Reading(
        sign_level=narrator.judgement.sign_level,
        conclusion=tuple(kindly),
        focus_points=tuple(voice.spoken(points)[0]),
        advice=(*first, *last),
        keywords=tuple(_keywords(narrator)),
        answer="\n\n".join(paragraphs),
        judgement=narrator.judgement,
        caution=paragraphs[-1] if last else "",
        rests=True,
    )


def cast(narrator: Narrator, divination: Divination) -> str:
    """The sentence that names the hexagrams and the time of the cast."""
    voice, ganzhi = narrator.voice, divination.ganzhi
    fields = {
        "month_pillar": ganzhi.month_gan_zhi,
        "day_pillar": ganzhi.day_gan_zhi,
        "month": voice.month(narrator.plate.month),
        "day": voice.day(narrator.plate.day),
        "void": voice.branches(ganzhi.day_kong_wang),
        "gua": voice.hexagram(divination.gua_name, divination.gua_name_hant),
    }
    if not divination.has_changing_yao:
        return voice.sentence(voice.phrase("cast", **fields))
    target = voice.hexagram(divination.target_gua_name, divination.target_gua_name_hant)
    moving = [line for line in narrator.plate.lines if line.changes]
    return voice.sentence(voice.phrase("cast changing", target=target, lines=voice.lines(moving), **fields))


def laid_out(narrator: Narrator) -> str:
    """Return the six lines, the lowest first."""
    voice, plate = narrator.voice, narrator.plate
    told = []
    for line in plate.lines:
        named = (("world", line is plate.world), ("response", line is plate.response), ("moving", line.changes))
        marks = voice.words.sentences["comma"].join(voice.phrase(f"plate {name}") for name, holds in named if holds)
        shown = voice.phrase("plate marks", marks=marks) if marks else ""
        told.append(voice.phrase("plate line", use=voice.use(line), marks=shown))
    return voice.sentence(voice.phrase("plate", lines=voice.words.sentences["comma"].join(told)))


def _grade(narrator: Narrator) -> str:
    voice, judgement = narrator.voice, narrator.judgement
    sign = voice.sign(judgement.sign_level)
    if judgement.decided_by:
        reason = narrator.joined([judgement.decided_by])
        return voice.sentence(voice.varied("grade decided", reason=reason, sign=sign))
    return voice.sentence(voice.varied("grade", balance=voice.phrase(judgement.sign_level), sign=sign))


def _timing(narrator: Narrator) -> list[str]:
    return [] if narrator.judgement.inquiry.asks in _TIMELESS else [narrator.timing]


def _spirits(narrator: Narrator) -> list[str]:
    """The 神煞 of the 用神 and of 世, if they bear any."""
    voice, plate = narrator.voice, narrator.plate
    stem = narrator.divination.ganzhi.day_gan_zhi[0]
    noted = []
    for at in dict.fromkeys((narrator.judgement.focus.at, plate.world)):
        if borne := annotations.spirits(plate, stem, at):
            names = voice.words.sentences["comma"].join(map(voice.meant, borne))
            noted.append(voice.phrase("bears", line=voice.line(at), names=names))
    return [voice.sentence(*noted, voice.phrase("not weighed"))] if noted else []


def _body(narrator: Narrator) -> list[str]:
    voice, plate = narrator.voice, narrator.plate
    is_yang = narrator.binary(plate.world.position, changed=False) == "1"
    branch = annotations.body_branch(plate, is_yang=is_yang)
    bearing = [line for line in plate.lines if line.branch == branch]
    key, fields = ("body", {"lines": voice.lines(bearing)}) if bearing else ("body absent", {})
    told = voice.phrase(key, branch=voice.branch(branch), **fields)
    return [voice.sentence(told, voice.phrase("body of the asker", line=voice.line(annotations.body_line(plate))))]


def focus_points(narrator: Narrator, *, without: Contribution | None = None) -> list[str]:
    """The deciding facts in order: 用神, month and day, itself, the other lines, 世应, the hexagram; not the reason
    that the text has told before.
    """

    def about(*aspects: Aspect) -> list[Contribution]:
        return [reason for reason in narrator.judgement.about(*aspects) if reason is not without]

    points = [narrator.choice()]
    if season := about(Aspect.MONTH, Aspect.DAY):
        points.append(narrator.told(season))
    itself = about(Aspect.SELF)
    if itself:
        points.append(narrator.itself(itself))
    if without is None or without.term.aspect is not Aspect.OTHERS or about(Aspect.OTHERS):
        points.append(narrator.others(without=without))
    world = about(Aspect.WORLD)
    if world:
        points.append(narrator.told(world))
    whole = [reason for reason in about(Aspect.WHOLE) if reason.weight]
    if whole:
        points.append(narrator.told(whole))
    return points


def _standing(narrator: Narrator) -> list[str]:
    """How it stands, where what to do or the cause is the answer."""
    form = narrator.situation.form
    if narrator.careful or narrator.withholds or form not in _STANDS_BESIDE:
        return []
    if form is Form.WHY and not narrator.judgement.favourable:
        return []
    key = (
        f"tell {narrator.situation.side}"
        if narrator.situation.is_of_telling
        else f"outlook {state(narrator.judgement)}"
    )
    return [narrator.voice.sentence(narrator.voice.reply(key))]


def to_do(narrator: Narrator) -> list[str]:
    """What to do."""
    if narrator.situation.form is Form.HEED and not narrator.careful and (as_well := narrator.adviser.as_well()):
        return [narrator.voice.sentence(as_well)]
    action = narrator.action()
    return [action if narrator.judgement.inquiry.asks is Asks.SEX_OF_CHILD else narrator.named(action)]


def _again(narrator: Narrator, times_asked: int) -> list[str]:
    """That one cast of a question is enough, where there were more."""
    if times_asked < _AGAIN:
        return []
    voice = narrator.voice
    key = "asked again" if times_asked == _AGAIN else "asked often"
    ways = (voice.words.sentences[key], *voice.words.ways[key])
    return [voice.sentence(ways[times_asked % len(ways)])]


def _return(narrator: Narrator, answered: list[str]) -> list[str]:
    """That the asker may come back and say how it went: in one of three casts of which the answer names a date that
    is no later than the time asked about.
    """
    voice, named = narrator.voice, narrator.main_time(within=True)
    if named is None or not any(named in sentence for sentence in answered) or narrator.outlasts_question:
        return []
    if narrator.judgement.inquiry.asks is not Asks.WHEN or Caution.ILLEGAL in narrator.cautions:
        return []
    if not voice.pick("returns", _RETURNS):
        return []
    date = voice.end_of(narrator.times[0], narrator.calendar)
    key = "return" if GRAVE.isdisjoint(narrator.cautions) else "return gravely"
    return [voice.sentence(voice.varied(key, date=date))]


def advice(narrator: Narrator, back: list[str]) -> list[str]:
    """Return what to do, when to cast again, and the limits of a reading, if any; the conclusion has the time."""
    when = narrator.voice.paragraph(back)
    return [*to_do(narrator), *([when] if when else []), *narrator.cautioned()]


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
