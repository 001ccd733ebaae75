"""Answers to follow-up questions from the stored derivation (FUP-03 … FUP-06).

Each aspect named in the question gets a paragraph; without any, the state of the 用神 answers. A question
about another matter is answered by that matter's 用神 in the same cast. An answer contains neither a
grade nor the user's text.
"""

from collections.abc import Collection
from typing import Final

from yarrow.divination.care.kinds import Caution
from yarrow.divination.elements import GENERATION, generates
from yarrow.divination.reading.contributions import Aspect, Term
from yarrow.divination.reading.judgement import judge
from yarrow.divination.reading.language import Language
from yarrow.divination.reading.narrative import Narrator
from yarrow.divination.reading.plate import lay_out
from yarrow.divination.reading.question.inquiry import inquire, inquire_again
from yarrow.divination.reading.question.lexicon import ASPECTS, says
from yarrow.divination.reading.voice import Voice
from yarrow.protocol.events.divination import Divination, Element

_MOST_OBSTACLES: Final = 3


def answer_follow_up(
    divination: Divination, question: str, *, language: Language, cautions: Collection[Caution] = frozenset()
) -> str:
    """Answer a follow-up about a stored divination: paragraphs separated by a blank line.

    `cautions` are those of the session's questions; with those of the matters asked about they end the answer
    (CARE-04).
    """
    plate = lay_out(divination)
    asked = inquire(divination.question_type, divination.question)
    inquiry = inquire_again(question, asked)
    voice = Voice(language, divination)
    narrator = Narrator(voice, plate, judge(plate, inquiry), {*cautions, asked.matter.caution})
    aspects = [aspect for aspect, words in ASPECTS.items() if says(question, words)]
    opening = [narrator.choice()] if inquiry is asked else [_turn(narrator), narrator.choice()]
    answers = [_ANSWERS[aspect](narrator) for aspect in aspects] or [_standing(narrator)]
    closing = [cautioned] if (cautioned := narrator.cautioned()) else []
    return "\n\n".join(voice.paragraph(sentences) for sentences in voice.spoken(opening, *answers, *closing))


def _turn(narrator: Narrator) -> str:
    noun = narrator.voice.words.nouns[narrator.judgement.inquiry.matter.key]
    return narrator.voice.sentence(narrator.voice.phrase("turned to", noun=noun))


def _timing(narrator: Narrator) -> list[str]:
    return [narrator.timing()]


def _people(narrator: Narrator) -> list[str]:
    people = narrator.people()
    if not people:
        acted_on = narrator.judgement.about(Aspect.OTHERS)
        people = [narrator.others() if acted_on else narrator.voice.sentence(narrator.voice.phrase("people none"))]
    bearing = [reason for reason in narrator.judgement.about(Aspect.WORLD) if reason.term in _OTHER_SIDE]
    return [*people, narrator.told(bearing)] if bearing else people


def _obstacles(narrator: Narrator) -> list[str]:
    against = [reason for reason in narrator.judgement.reasons if reason.weight < 0]
    if not against:
        return [narrator.voice.sentence(narrator.voice.phrase("obstacles none"))]
    worst = sorted(against, key=lambda reason: reason.weight)[:_MOST_OBSTACLES]
    return [narrator.voice.sentence(narrator.voice.phrase("obstacles", reasons=narrator.joined(worst)))]


def _action(narrator: Narrator) -> list[str]:
    return [narrator.action(), *narrator.people()[:1]]


def _direction(narrator: Narrator) -> list[str]:
    voice, at = narrator.voice, narrator.judgement.focus.at
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


def _standing(narrator: Narrator) -> list[str]:
    judgement = narrator.judgement
    sentences = [narrator.told(judgement.about(Aspect.MONTH, Aspect.DAY))]
    itself = judgement.about(Aspect.SELF)
    if itself:
        sentences.append(narrator.itself(itself))
    balance = "balance for" if judgement.favourable else "balance against"
    return [*sentences, narrator.others(), narrator.voice.sentence(narrator.voice.phrase(balance))]


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
