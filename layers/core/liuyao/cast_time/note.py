"""Adds to a reading what the verdict would be if its time had another plate.

The note is added to a finished reading, whoever worded it, and changes nothing of it.
"""

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from liuyao.calendar import CYCLE, Pillars, pillars
from liuyao.cast_time.ambiguities import Alternative, Ambiguity, alternatives
from liuyao.derivation import derive, ganzhi_of
from liuyao.divination import Divination
from liuyao.elements import BRANCHES
from liuyao.payload import DivinationPayload
from liuyao.reading.answering.replies import sex_of_child
from liuyao.reading.compose import Reading
from liuyao.reading.judgement import Judgement, Outcome, SignLevel, judge
from liuyao.reading.language import Language
from liuyao.reading.narrative import Narrator
from liuyao.reading.plate import lay_out
from liuyao.reading.question.asks import Asks
from liuyao.reading.voice import Voice
from liuyao.time_cast import lines_at, lines_of

_TERMS = ("小寒", "立春", "惊蛰", "清明", "立夏", "芒种", "小暑", "立秋", "白露", "寒露", "立冬", "大雪")
"""The 节 that begins the month of each branch, 丑 first."""


class _Verdict(NamedTuple):
    sign_level: SignLevel
    outcome: Outcome
    sex: str | None
    """Of a question for the sex of a child, which has no grade."""


def with_time_note(
    reading: Reading,
    payload: DivinationPayload,
    divination: Divination,
    language: Language,
    civil: datetime | None = None,
) -> Reading:
    """Return the reading with the note after its details, or unchanged if its time is clear.

    `divination` is derived from `payload`; `civil` is the clock's time if the payload's is true solar time.
    """
    others = alternatives(payload.divination_time_iso, civil)
    if not others:
        return reading
    note = _note(others, reading.judgement, payload, divination, Voice(language, divination))
    closing = f"\n\n{reading.caution}" if reading.caution else ""
    closing = closing if reading.answer.endswith(closing) else ""
    answer = f"{reading.answer.removesuffix(closing)}\n\n{note}{closing}"
    return replace(reading, answer=answer, focus_points=(*reading.focus_points, note))


def _note(
    others: tuple[Alternative, ...],
    judgement: Judgement,
    payload: DivinationPayload,
    divination: Divination,
    voice: Voice,
) -> str:
    # The lines of a cast by the time follow from its pillars.
    by_time = payload.yao_lines == lines_at(payload.divination_time_iso)
    ours = _verdict(divination, judgement, voice)
    known = {_decisive(divination): ours}
    clauses = []
    for alternative in others:
        other = _with_pillars(alternative.pillars, payload, divination, by_time=by_time)
        verdict = known.get(_decisive(other))
        if verdict is None:
            verdict = _verdict(other, judge(lay_out(other), judgement.inquiry), voice)
            known[_decisive(other)] = verdict
        cause = voice.phrase(
            f"moment {alternative.ambiguity}", **_fields(alternative, payload.divination_time_iso, voice)
        )
        clauses.append(voice.phrase("moment verdict", cause=cause, verdict=_compared(ours, verdict, voice)))
    text = voice.sentence(voice.phrase("moment note", clauses=voice.words.sentences["separator"].join(clauses)))
    ((spoken,),) = voice.spoken([text])
    return spoken


def _with_pillars(four: Pillars, payload: DivinationPayload, divination: Divination, *, by_time: bool) -> Divination:
    """Return the divination with other pillars; a judgement does not use the lists of their effects on the lines."""
    if by_time and (lines := lines_of(four)) != payload.yao_lines:
        divination = derive(payload.model_copy(update={"yao_lines": lines}))
    return divination.model_copy(update={"ganzhi": ganzhi_of(four)})


def _decisive(divination: Divination) -> tuple[str, ...]:
    """Return all of a plate that a judgement depends on."""
    ganzhi = divination.ganzhi
    return divination.binary_code, divination.changed_binary_code, ganzhi.month_gan_zhi, ganzhi.day_gan_zhi


def _verdict(divination: Divination, judgement: Judgement, voice: Voice) -> _Verdict:
    sex = None
    if judgement.inquiry.asks is Asks.SEX_OF_CHILD:
        sex, _ = sex_of_child(Narrator(voice, lay_out(divination), judgement, divination))
    return _Verdict(judgement.sign_level, judgement.outcome, sex)


def _compared(ours: _Verdict, other: _Verdict, voice: Voice) -> str:
    if other == ours or (ours.sex is not None and other.sex == ours.sex):
        return voice.phrase("moment same")
    if ours.sex is not None:
        return voice.phrase("moment opposite")
    sign = voice.sign(other.sign_level)
    if other.sign_level != ours.sign_level:
        return voice.phrase("moment other", sign=sign)
    return voice.phrase("moment later" if other.outcome is Outcome.DELAYED else "moment sooner", sign=sign)


def _fields(other: Alternative, moment: datetime, voice: Voice) -> dict[str, str]:
    _, month, day, hour = other.pillars
    fields = {
        "month": voice.month(BRANCHES[month % 12]),
        "day_pillar": CYCLE[day],
        "day": voice.day(BRANCHES[day % 12]),
        "hour": voice.phrase("hour", branch=BRANCHES[hour % 12]),
        "clock": f"{other.clock:%H:%M}",
    }
    if other.ambiguity is Ambiguity.MONTH_EDGE:
        ours = pillars(moment).month
        later = ours if (ours - month) % 60 == 1 else month
        fields["term"] = voice.term(_TERMS[(later - 1) % 12])
    return fields
