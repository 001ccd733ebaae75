"""Answers to follow-up questions from the stored derivation (FUP-03 … FUP-06).

Each intent of the question gets a paragraph, plain words first and their ground in terms last; without any, the
state of the 用神 answers. A question about another matter is answered by that matter's 用神 in the same cast. An answer
contains neither a grade nor the user's text.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from liuyao.care.kinds import Caution
from liuyao.divination import Divination
from liuyao.reading.cautions import applying
from liuyao.reading.intent_answers import IntentAnswers
from liuyao.reading.judgement import judge
from liuyao.reading.language import Language
from liuyao.reading.narrative import Narrator
from liuyao.reading.plate import lay_out
from liuyao.reading.question.asks import Intent
from liuyao.reading.question.follow_up import FollowUp, follow_up
from liuyao.reading.question.inquiry import Inquiry, inquire
from liuyao.reading.question.matters import GENERAL
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.remarks import Remark, remark
from liuyao.reading.question.text import read
from liuyao.reading.voice import Voice
from liuyao.reading.wording.repetition import once

_MOST_INTENTS: Final = 3


def answer_follow_up(
    divination: Divination, question: str, *, language: Language, cautions: Collection[Caution] = frozenset()
) -> str:
    """Answer a follow-up about a stored divination: paragraphs separated by a blank line.

    `cautions` are those of the session's questions; with those of the matters asked about they end the answer
    (CARE-04).
    """
    plate = lay_out(divination)
    asked = inquire(divination.question_type, divination.question)
    told = follow_up(question, asked)
    if told.turned and Intent.MEANING in told.intents and Voice(language, divination).explained(question):
        # 妻财 is a term there, and no wife.
        told = replace(told, inquiry=asked, turned=False, whom=None)
    inquiry = replace(
        told.inquiry,
        scale=told.scale or told.inquiry.scale,
        horizon=told.horizon or told.inquiry.horizon,
    )
    voice = Voice(language, divination)
    applied = applying(cautions, asked, read(divination.question))
    narrator = Narrator(voice, plate, judge(plate, inquiry), divination, applied)
    if (remarked := remark(read(question))) and (reply := _of_remark(narrator, remarked)):
        limits = narrator.cautioned(short=True) if remarked is Remark.DENIES else []
        return voice.paragraph(voice.spoken([voice.sentence(voice.phrase(reply)), *limits])[0])
    teller = IntentAnswers(narrator, told, question, asked)
    if Intent.PLAIN in told.intents:
        answers, grounds = [teller.plainly()], []
    else:
        answers = [teller.answer(intent) for intent in told.intents[:_MOST_INTENTS] or (Intent.MORE,)]
        grounds = [[narrator.choice(), *teller.grounds]] if teller.grounds or told.turned else []
    opening = [[_turn(narrator, told, asked)]] if told.turned else []
    closing = [cautioned] if (cautioned := narrator.cautioned(short=True)) else []
    spoken = voice.spoken(*once(*opening, *answers, *grounds, *closing))
    paragraphs = [voice.paragraph(sentences) for sentences in spoken if sentences]
    return "\n\n".join(voice.explaining(paragraphs))


def _of_remark(narrator: Narrator, remarked: Remark) -> str | None:
    """The key of the reply to a remark; None where it has to be answered like a question."""
    if remarked is not Remark.DENIES:
        return str(remarked)
    inquiry, favourable = narrator.judgement.inquiry, narrator.judgement.favourable
    polarity = inquiry.stance.polarity
    if narrator.careful or narrator.withholds or polarity is Polarity.UNKNOWN:
        return None
    no = favourable if polarity is Polarity.UNWANTED else not favourable
    return "denied" if no else "not denied"


def _turn(narrator: Narrator, told: FollowUp, asked: Inquiry) -> str:
    """Whom or what a follow-up turns to."""
    voice, matter = narrator.voice, narrator.judgement.inquiry.matter
    whom, noun = voice.own_words(told.whom), voice.words.nouns[matter.key]
    if whom is None:
        return voice.sentence(voice.phrase("turned to", noun=noun))
    if matter in (asked.matter, GENERAL):
        return voice.sentence(voice.phrase("turned to", noun=whom))
    return voice.sentence(voice.phrase("turned to matter of", whom=whom, noun=noun))
