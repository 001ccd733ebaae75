"""What is asked: the matter, the person it is about, and so the 用神 to look for.

`questionType` decides the matter first, then the question's own words; with neither, the matter is general and the 用神
is 世爻. In a question of love the text tells who asks; when it does not, a man is taken to ask, as the classics do
(男占女以妻财为用, 女占男以官鬼为用).
"""

from dataclasses import dataclass

from yarrow.divination.reading.question.lexicon import (
    LABELS,
    LONG_ILLNESS,
    LOST_OBJECTS,
    MAN_ASKS,
    MATTERS,
    PERSONS,
    RECENT_ILLNESS,
    TURNS,
    WOMAN_ASKS,
    Words,
    longest,
    says,
)
from yarrow.divination.reading.question.matters import BY_KEY, GENERAL, FocusOn, Matter
from yarrow.protocol.events.divination import Relation


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a question asks.

    `person` is the relation of someone other than the asker; `recent` tells a new illness (近病) from an old one
    (久病), None when the text does not say; `assumed` marks a question of love that does not tell who asks.
    """

    matter: Matter
    focus: FocusOn
    person: Relation | None = None
    recent: bool | None = None
    assumed: bool = False


def inquire(question_type: str, question: str) -> Inquiry:
    """What a divination asks, from the two texts it was cast with."""
    label = LABELS.get(question_type.strip().lower())
    matter = BY_KEY[label] if label else _named(question_type, MATTERS) or GENERAL
    in_question = _named(question, MATTERS) or GENERAL
    # 天气 is asked for rain or for fair weather: the question tells.
    if matter is GENERAL or (matter is BY_KEY["fair"] and in_question is BY_KEY["rain"]):
        matter = in_question
    return _inquiry(matter, f"{question_type} {question}")


def inquire_again(question: str, asked: Inquiry) -> Inquiry:
    """What a follow-up asks of the same cast: another matter if it names one, else what was asked at first."""
    matter = _named(question, TURNS)
    return _inquiry(matter, question) if matter and matter is not asked.matter else asked


def _named(text: str, names: dict[str, Words]) -> Matter | None:
    # The matter whose longest word occurs in the text; of equals, the first.
    key = max(names, key=lambda key: longest(text, names[key]))
    return BY_KEY[key] if says(text, names[key]) else None


def _inquiry(matter: Matter, text: str) -> Inquiry:
    person = _person(text) if matter.of_person else None
    focus: FocusOn = person or matter.focus
    assumed = False
    if matter is BY_KEY["love"]:
        woman, man = says(text, WOMAN_ASKS), says(text, MAN_ASKS)
        assumed = woman == man
        focus = "官鬼" if woman and not man else "妻财"
    if matter is BY_KEY["lost"]:
        focus = next((relation for relation, words in LOST_OBJECTS.items() if says(text, words)), matter.focus)
    recent = None
    if matter is BY_KEY["health"] and says(text, RECENT_ILLNESS) != says(text, LONG_ILLNESS):
        recent = says(text, RECENT_ILLNESS)
    return Inquiry(matter, focus, person, recent, assumed)


def _person(text: str) -> Relation | None:
    relation, words = max(PERSONS.items(), key=lambda person: longest(text, person[1]))
    return relation if says(text, words) else None
