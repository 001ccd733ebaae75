"""What a cast says further: of another's mind, whom to ask, how sure it is, and all that speaks for and against."""

import re
from typing import Final

from liuyao.divination import Element
from liuyao.elements import GENERATION, generates
from liuyao.reading.answering.direct_answer import direct_answer
from liuyao.reading.answering.reasons import other_reason, plain_reasons
from liuyao.reading.answering.replies import mind, state, where_from
from liuyao.reading.contributions import Aspect
from liuyao.reading.conversing.persons import trait
from liuyao.reading.conversing.retold import bare
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.language import Language
from liuyao.reading.narrative import SEVERAL, Narrator
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.mentioned import in_one_sentence
from liuyao.reading.question.text import Expression, Text

_MOST_REASONS: Final = 2
_WITHOUT_REASON: Final = (Asks.WHICH, Asks.SEX_OF_CHILD, Asks.WHERE)
_OTHER: Final = {True: re.compile(r"\b[Tt]he other (?:person|side)\b"), False: re.compile("对方|對方")}
"""What a text calls the other person, in English or not."""
_COLD: Final = ("cold", "pressing", "wary")
"""How another stands to the asker where an unfavourable grade bears it out."""
_ANGER: Final = Expression(
    r"生.{0,3}气|恼|怪我|气我|嬲|不满|有意见|讨厌|\b(?:angry|mad|upset|furious|cross|annoyed|irritated)\b"
)
_PRONOUN: Final = Expression(r"[她他]们?(?!的)|\b(?:she|he|her|him|his)\b")
_SUBJECT: Final = {"her": "she", "him": "he", "his": "he"}
_CHANGED: Final = Expression(
    r"(?:要不要|该不该|是不是.{0,2}|需要|应该|能不能|可不可以).{0,3}[换换]|换.{0,6}(?:好吗|吗|比较好|要不要)|"
    r"\b(?:change|switch|replace|fire|swap)\b"
)
_RATE: Final = Expression(
    r"准|靠谱|可信|算错|误差|"
    r"\b(?:how often|success rate|accurate|accuracy|reliable|right\?|wrong before|track record|margin)\b"
)
_CHANGES: Final = Expression(
    r"改变|会变|能改|注定|命|定死|变数|\b(?:change\w*|fate|destiny|stone|fixed|avoid\w*|prevent\w*)\b"
)


def told_in_short(retold: Narrator, text: Text) -> list[str]:
    """The answer in short, with its time; one sentence with its reason where one is asked for."""
    voice = retold.voice
    opening, *rest = direct_answer(retold, restating=False)
    told = voice.lowered(bare(opening))
    if in_one_sentence(text):
        reason = None if retold.careful or retold.of_health else other_reason(retold)
        because = voice.phrase("in short because", told=told, reason=reason) if reason else told
        return [voice.sentence(voice.phrase("in short", told=because))]
    return [voice.sentence(voice.phrase("in short", told=told)), *rest[-1:]]


def told_plainly(narrator: Narrator, retold: Narrator, text: Text) -> list[str]:
    """The answer in other words than the reading's, a reason it has not told, and something to do."""
    voice, asks = narrator.voice, narrator.judgement.inquiry.asks
    reason = other_reason(narrator) if asks not in _WITHOUT_REASON else None
    because = [voice.sentence(voice.phrase("plain reason", reason=reason))] if reason else []
    further = [voice.sentence(voice.phrase("further", action=item)) for item in narrator.adviser.further()]
    if in_one_sentence(text):
        return told_in_short(retold, text)
    opening = direct_answer(retold, restating=False)[0]
    if opening == direct_answer(narrator)[0]:  # a bare yes or no has no other words
        opening = voice.sentence(voice.phrase("in short", told=voice.lowered(bare(opening))))
    return [opening, *because, *(further or [narrator.action()])]


def mind_told(narrator: Narrator, turn: Turn, grounds: list[str]) -> list[str]:
    """What another thinks, under the name that the user gives them, and what that comes to."""
    voice, plate = narrator.voice, narrator.plate
    sides = {"world": voice.line(plate.world), "response": voice.line(plate.response)}
    grounds.append(voice.sentence(voice.phrase("mind ground", **sides)))
    angry = _ANGER.search(turn.text.folded) is not None
    told = voice.phrase(f"anger {state(narrator.judgement)}") if angry else mind(narrator)
    english = voice.language is Language.ENGLISH
    called = None if angry else _called(narrator, turn)
    if called:
        told = _OTHER[english].sub(called, told)
    meaning = voice.words.minds[f"other {narrator.situation.mind}"][-1]
    sentences = [voice.sentence(told)]
    if narrator.situation.mind in _COLD and not (angry or narrator.judgement.favourable or narrator.careful):
        sentences.append(voice.sentence(voice.phrase("mind means", told=voice.lowered(meaning))))
    return sentences if angry or narrator.careful else [*sentences, narrator.action()]


def _called(narrator: Narrator, turn: Turn) -> str | None:
    """The word for the other one: that of the first question, else a pronoun of the follow-up."""
    english = narrator.voice.language is Language.ENGLISH
    person = turn.plain(turn.asked).person
    if person and not (english and SEVERAL.search(person)):
        return person
    if match := _PRONOUN.search(turn.text.folded):
        word = match[0] if not turn.text.chinese else turn.text.words(*match.span())
        return narrator.voice.own_words(_SUBJECT.get(word, word))
    return None


def where_told(narrator: Narrator, asked: Inquiry, grounds: list[str]) -> list[str]:
    """Return the direction of the line, what a lost thing may lie among, and the direction of what feeds the line."""
    voice, at = narrator.voice, narrator.judgement.focus.at
    source = _source(at.element)
    phrase = voice.phrase(
        "direction",
        use=voice.use(at),
        element=voice.element(at.element),
        source=voice.element(source),
        directions=voice.words.element_directions[source],
    )
    grounds += [where_from(narrator), voice.sentence(phrase)]
    told = [voice.sentence(voice.phrase("where", direction=narrator.direction_of(at)))]
    if narrator.judgement.inquiry.matter.key in ("lost", "pets") or asked.asks is Asks.WHERE:
        spirit = narrator.divination.yao_info_list[at.position - 1].spirit_name
        told.append(voice.sentence(voice.words.places[spirit][0]))
    return told


def searched_on(narrator: Narrator, grounds: list[str]) -> list[str]:
    """Where to look next for what was not where the reading said: by the line that feeds the lost thing's."""
    voice, plate, at = narrator.voice, narrator.plate, narrator.judgement.focus.at
    source = _source(at.element)
    first = narrator.direction_of(at)
    lines = sorted(plate.lines, key=lambda line: (line.element != source, line.relation != at.relation, line.position))
    line = next((line for line in lines if narrator.direction_of(line) != first and line.position != at.position), at)
    grounds.append(voice.sentence(voice.phrase("where next ground", line=voice.line(line))))
    spirit = narrator.divination.yao_info_list[line.position - 1].spirit_name
    return [
        voice.sentence(voice.phrase("where next", direction=narrator.direction_of(line))),
        voice.sentence(voice.words.places[spirit][0]),
        voice.sentence(voice.phrase("where unsure")),
    ]


def _source(element: Element) -> Element:
    return next(source for source in GENERATION if generates(source, element))


def whom_told(narrator: Narrator, text: Text) -> list[str]:
    """Whom to turn to in such a matter, in which direction, and of what manner; whether to change is not for a cast."""
    voice, plate = narrator.voice, narrator.plate
    if _CHANGED.search(text.folded):
        manner = trait(narrator, plate.response)
        return [voice.sentence(voice.phrase("ask change")), voice.sentence(voice.phrase("ask manner", manner=manner))]
    if narrator.judgement.inquiry.matter.key in ("health", "pregnancy", "pets"):
        places = [line for line in (*plate.lines, *plate.hidden) if line.relation == "子孙"]
        return [voice.sentence(voice.phrase("ask doctor", direction=narrator.direction_of(places[0])))]
    source = _source(narrator.judgement.focus.at.element)
    places = [line for line in (*plate.lines, *plate.hidden) if line.element == source]
    place = places[0] if places else plate.response
    whom = voice.phrase("ask whom", who=narrator.who_helps, direction=narrator.direction_of(place))
    return [voice.sentence(whom), voice.sentence(voice.phrase("ask manner", manner=trait(narrator, place)))]


def sureness_told(narrator: Narrator, text: Text) -> list[str]:
    """How sure the answer is, what is asked of it first: how often casts are right, whether it can change."""
    voice = narrator.voice
    tendency = voice.sentence(voice.phrase("certainty open"))
    if narrator.withholds:
        return [tendency]
    candour, reason = narrator.candour(), other_reason(narrator)
    key = "certainty reason" if narrator.judgement.favourable else "certainty reason against"
    told = voice.phrase(key, reason=reason) if reason else voice.phrase("certainty alone")
    if _CHANGES.search(text.folded):
        return [tendency, *candour, voice.sentence(told)]
    if _RATE.search(text.folded) or not candour:
        return [voice.sentence(voice.phrase("certainty rate")), *candour, voice.sentence(told), tendency]
    return [*candour, voice.sentence(told), tendency]


def more_told(narrator: Narrator, grounds: list[str]) -> list[str]:
    """What speaks for it and against it in plain words, who helps, and when."""
    voice, judgement = narrator.voice, narrator.judgement
    if narrator.careful or narrator.withholds:
        return [voice.sentence(narrator.leaning())]
    told = []
    for sign, key in ((1, "more for"), (-1, "more against")):
        reasons = [reason for reason in judgement.reasons if reason.weight * sign > 0]
        reasons = [reason for reason in reasons if not narrator.is_of_illness(reason)]
        reasons.sort(key=lambda reason: -reason.prominence)
        if reasons:
            plain = plain_reasons(narrator, reasons[:_MOST_REASONS], sign)
            told.append(voice.sentence(voice.phrase(key, reasons=plain)))
    if not judgement.favourable:
        told.reverse()
    date = narrator.main_time()
    dated = [voice.sentence(voice.phrase("more time", date=date))] if date and not narrator.of_health else []
    grounds += [narrator.choice(), narrator.told(judgement.about(Aspect.MONTH, Aspect.DAY)[:1])]
    return [*told, *narrator.people()[:1], *dated]
