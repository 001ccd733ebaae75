"""Answers to follow-up questions from the stored derivation (FUP-03 … FUP-06).

Each intent of the question gets a paragraph whose first sentence answers it, in plain words; the ground in terms comes
last, where it was asked for. A question about another matter or person is answered by their 用神 in the same cast. An
answer contains no grade.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from liuyao.care.kinds import Caution
from liuyao.divination import Divination
from liuyao.reading.cautions import applying
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.intent_answers import IntentAnswers
from liuyao.reading.language import Language
from liuyao.reading.narrative import Narrator
from liuyao.reading.plate import lay_out
from liuyao.reading.question.asks import Intent
from liuyao.reading.question.follow_up import FollowUp, follow_up
from liuyao.reading.question.hearing import SOCIAL
from liuyao.reading.question.inquiry import Inquiry, inquire
from liuyao.reading.question.matters import GENERAL
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.text import Expression, read
from liuyao.reading.voice import Voice
from liuyao.reading.wording.repetition import once

_MOST_INTENTS: Final = 3
_OF_TERMS: Final = Expression("持世|[化逢临]|爻[空破动]")
"""What stands beside a relation where it is a term: 兄弟持世好不好."""
_ALONE: Final = SOCIAL | {Intent.NEW_CAST}
"""What is answered without a caution."""


def answer_follow_up(
    divination: Divination,
    question: str,
    *,
    language: Language,
    cautions: Collection[Caution] = frozenset(),
    opinion: Polarity | None = None,
) -> str:
    """Answer a follow-up about a stored divination: paragraphs separated by a blank line.

    `cautions` are those of the session's questions; with those of the matters asked about they end the answer
    (CARE-04). `opinion` is the one that the question of the cast was read with.
    """
    asked = inquire(divination.question_type, divination.question, opinion)
    told = follow_up(question, asked)
    if told.turned and Voice(language, divination).explained(question):
        # 妻财 is a term there, and no wife.
        told = replace(told, inquiry=asked, turned=False, whom=None, intents=told.intents or (Intent.MEANING,))
    of_terms = _OF_TERMS.search(read(question).folded) and {Intent.LINE, Intent.WHY}.isdisjoint(told.intents)
    if of_terms and Voice(language, divination).explained(question):
        told = replace(told, intents=(Intent.MEANING,))
    told = replace(told, inquiry=_timed(told))
    applied = applying(cautions, asked, read(divination.question))
    turn = Turn(divination, lay_out(divination), asked, question, language, applied)
    narrator = turn.plain(told.inquiry)
    teller = IntentAnswers(narrator, told, turn)
    heard = told.intents
    if Intent.WHEN in heard:
        # A day asked for is the time, and no number.
        heard = tuple(intent for intent in heard if intent is not Intent.BEYOND)
    intents = heard[:_MOST_INTENTS] or ((Intent.OUTCOME,) if told.turned else (Intent.MORE,))
    answers = [taken_up] if (taken_up := teller.taken_up(intents)) else [teller.answer(intent) for intent in intents]
    if told.turned and Intent.CORRECTION not in intents and not taken_up:
        answers[0] = _turned(narrator, told, asked, answers[0])
    grounds = [teller.grounds] if teller.grounds else []
    alone = _ALONE.issuperset(intents)
    closing = [cautioned] if not alone and (cautioned := narrator.cautioned(short=True)) else []
    voice = narrator.voice
    spoken = voice.spoken(*once(*answers, *grounds, *closing))
    paragraphs = [voice.paragraph(sentences) for sentences in spoken if sentences]
    return "\n\n".join(voice.explaining(paragraphs))


def _timed(told: FollowUp) -> Inquiry:
    """What is asked now, of the time that the follow-up names."""
    return replace(told.inquiry, scale=told.scale or told.inquiry.scale, horizon=told.horizon or told.inquiry.horizon)


def _turned(narrator: Narrator, told: FollowUp, asked: Inquiry, sentences: list[str]) -> list[str]:
    """The answer with whom or what it turns to named before it."""
    voice, matter = narrator.voice, narrator.judgement.inquiry.matter
    whom, noun = voice.own_words(told.whom), voice.words.nouns[matter.key]
    if whom is None:
        whom = noun
    elif matter not in (asked.matter, GENERAL) and matter.key not in ("kin", "children"):
        whom = voice.phrase("matter of", whom=whom, noun=noun)
    first, *rest = sentences
    if whom in first[: len(whom) + 8]:
        return sentences
    return [voice.phrase("as for", whom=whom, told=voice.lowered(first)), *rest]
