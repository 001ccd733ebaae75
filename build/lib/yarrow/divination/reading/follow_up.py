"""Answers to follow-up questions, from the stored derivation alone (FUP-03 … FUP-06).

The question's words name the aspects it asks about; each is answered in a paragraph. A question that names none is
answered by the plain standing of the 用神; one that names another matter is answered by that matter's 用神 in the same
cast. An answer never contains a grade, nor the user's own words.
"""

from collections.abc import Collection
from typing import Final

from yarrow.divination.care.kinds import Caution
from yarrow.divination.elements import GENERATION, generates
from yarrow.divination.reading.contributions import Aspect, Term
from yarrow.divination.reading.judgement import judge
from yarrow.divination.reading.language import Language
from yarrow.divination.reading.narrative import Teller
from yarrow.divination.reading.plate import lay_out
from yarrow.divination.reading.question.inquiry import inquire, inquire_again
from yarrow.divination.reading.question.lexicon import ASPECTS, says
from yarrow.divination.reading.voice import Voice
from yarrow.protocol.events.divination import Divination, Element

_MOST_OBSTACLES: Final = 3


def answer_follow_up(
    divination: Divination, question: str, *, language: Language, cautions: Collection[Caution] = frozenset()
) -> str:
    """Answer a follow-up question about a stored divination: one or more paragraphs separated by a blank line.

    `cautions` are those that the questions of the session call for; with those of the matters asked about they close
    the answer (CARE-04).
    """
    plate = lay_out(divination)
    asked = inquire(divination.question_type, divination.question)
    inquiry = inquire_again(question, asked)
    voice = Voice(language, divination)
    teller = Teller(voice, plate, judge(plate, inquiry), {*cautions, asked.matter.caution})
    aspects = [aspect for aspect, words in ASPECTS.items() if says(question, words)]
    opening = [teller.choice()] if inquiry is asked else [_turn(teller), teller.choice()]
    answers = [_ANSWERS[aspect](teller) for aspect in aspects] or [_standing(teller)]
    closing = [cautioned] if (cautioned := teller.cautioned()) else []
    return "\n\n".join(voice.paragraph(sentences) for sentences in voice.spoken(opening, *answers, *closing))


def _turn(teller: Teller) -> str:
    noun = teller.voice.words.nouns[teller.judgement.inquiry.matter.key]
    return teller.voice.sentence(teller.voice.phrase("turned to", noun=noun))


def _timing(teller: Teller) -> list[str]:
    return [teller.timing()]


def _people(teller: Teller) -> list[str]:
    people = teller.people()
    if not people:
        acted_on = teller.judgement.about(Aspect.OTHERS)
        people = [teller.others() if acted_on else teller.voice.sentence(teller.voice.phrase("people none"))]
    bearing = [reason for reason in teller.judgement.about(Aspect.WORLD) if reason.term in _OTHER_SIDE]
    return [*people, teller.told(bearing)] if bearing else people


def _obstacles(teller: Teller) -> list[str]:
    against = [reason for reason in teller.judgement.reasons if reason.weight < 0]
    if not against:
        return [teller.voice.sentence(teller.voice.phrase("obstacles none"))]
    worst = sorted(against, key=lambda reason: reason.weight)[:_MOST_OBSTACLES]
    return [teller.voice.sentence(teller.voice.phrase("obstacles", reasons=teller.joined(worst)))]


def _action(teller: Teller) -> list[str]:
    return [teller.action(), *teller.people()[:1]]


def _direction(teller: Teller) -> list[str]:
    voice, at = teller.voice, teller.judgement.focus.at
    source = _source(at.element)
    phrase = voice.phrase(
        "direction",
        use=voice.use(at),
        element=voice.element(at.element),
        direction=voice.words.directions[at.branch],
        source=voice.element(source),
        directions=voice.words.element_directions[source],
    )
    return [voice.sentence(phrase)]


def _standing(teller: Teller) -> list[str]:
    judgement = teller.judgement
    sentences = [teller.told(judgement.about(Aspect.MONTH, Aspect.DAY))]
    itself = judgement.about(Aspect.SELF)
    if itself:
        sentences.append(teller.itself(itself))
    balance = "balance for" if judgement.favourable else "balance against"
    return [*sentences, teller.others(), teller.voice.sentence(teller.voice.phrase(balance))]


def _source(element: Element) -> Element:
    return next(source for source in GENERATION if generates(source, element))


_ANSWERS: Final = {
    "timing": _timing,
    "people": _people,
    "obstacles": _obstacles,
    "action": _action,
    "direction": _direction,
}

_OTHER_SIDE: Final = (
    *(Term.RESPONSE_COMBINES, Term.RESPONSE_CLASHES, Term.RESPONSE_GENERATES, Term.RESPONSE_OVERCOMES),
    *(Term.RESPONSE_MATCHES, Term.WORLD_GENERATES, Term.WORLD_OVERCOMES, Term.RESPONSE_VOID),
)
