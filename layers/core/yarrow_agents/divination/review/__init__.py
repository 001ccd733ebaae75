"""Reviews a model's text sentence by sentence before it is shown (CARE-09, DIV-26, DIV-29, DIV-32).

Nothing passes that is not known to be harmless: `signs` limits what a sentence is written with, `lexicon` its words and
`concepts` what they are about, `times`, `persons` and `claims` what it says of dates, of people and of the plate,
`stance`, `attitude` and `manner` how it relates to the verdict. Words of the rules' own text are checked by signs
and claims alone.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Final, NamedTuple

from liuyao.care.folding import CLAUSE
from liuyao.reading import Language
from yarrow_agents.divination.brief import Brief
from yarrow_agents.divination.review import attitude, lexicon, manner, persons, signs, stance, times
from yarrow_agents.divination.review.concepts import flat, subjects
from yarrow_agents.divination.review.folds import fold
from yarrow_agents.divination.vocabulary import GRADE, GRADES_IN_ENGLISH, folded

_SENTENCE: Final = re.compile(r".+?(?:[。！？!?…]+[”」』’\"]?\s*|\.(?=\s)\s*|\n+|$)", re.DOTALL)


_MOST_UNCOMMON: Final = 1
"""Words of no vocabulary that a sentence may have if nothing else is said against it."""
_CLEARLY: Final = -4.0
"""The alarm below which the classifier clearly finds that a sentence explains the cast."""


class Fault(StrEnum):
    """A broken rule."""

    FORM = "form"
    """No text."""
    SIGNS = "signs"
    """Marks, foreign words, numbers or names that are not among the facts."""
    LANGUAGE = "language"
    """Not in the user's language."""
    GRADE = "grade"
    """A grade, which is the rules' to name, or another than the cast's."""
    PLATE = "plate"
    """Not on the plate."""
    TIME = "time"
    """A time that is not among the facts."""
    SUBJECT = "subject"
    """About something that no explanation of a cast needs."""
    STANCE = "stance"
    """Contradicts the verdict, promises, or gives an order."""
    PERSON = "person"
    """Says as a fact what somebody does or will do."""
    WORDS = "words"
    """Words that neither the facts nor the vocabulary of a reading have."""
    MANNER = "manner"
    """Does something else than explain the cast."""


class Objection(NamedTuple):
    """A broken rule, and the text that breaks it, if any."""

    fault: Fault
    quote: str = ""


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, with the blanks that follow them."""
    return _SENTENCE.findall(text)


def objections(texts: Sequence[str], brief: Brief) -> list[Objection]:
    """Return the objections to all sentences of texts; empty if they may be shown."""
    review = Review(brief)
    found = [
        objection for text in texts for sentence in sentences_of(text) for objection in review.objections(sentence)
    ]
    return list(dict.fromkeys(found))


class Review:
    def __init__(self, brief: Brief) -> None:
        self._brief = brief
        self._allowed = manner.allowed(favourable=brief.favourable, careful=brief.careful)

    @cached_property
    def _known(self) -> str:
        return flat(self._brief.facts)

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(_clauses(self._brief.facts, self._brief.language))

    @cached_property
    def _question(self) -> str:
        return flat(self._brief.asked)

    def objections(self, sentence: str) -> list[Objection]:
        """Return the objections to a sentence; empty if it may be shown."""
        if not sentence.strip():
            return []
        return list(dict.fromkeys(self._found(sentence)))

    def _found(self, sentence: str) -> Iterator[Objection]:
        brief = self._brief
        facts = f"{brief.facts}\n{brief.asked}" if brief.language is not Language.ENGLISH else brief.facts
        quotes = list(signs.strange(sentence, brief.language, facts))
        yield from (Objection(Fault.SIGNS, quote) for quote in quotes)
        if not (signs.is_english if brief.language is Language.ENGLISH else signs.is_chinese)(sentence):
            yield Objection(Fault.LANGUAGE)
        for level in _grades(sentence):
            if brief.is_reading or level != brief.sign_level:
                yield Objection(Fault.GRADE, level)
        yield from (Objection(Fault.PLATE, quote) for quote in brief.claims.untrue(sentence))
        if set(_clauses(sentence, brief.language)) <= self._own:
            return  # the rules' words
        yield from (Objection(Fault.SUBJECT, quote) for quote in subjects(sentence, self._known, self._question))
        known = f"{self._known} {self._question}"
        yield from (Objection(Fault.TIME, quote) for quote in times.strange(sentence, known))
        yield from (Objection(Fault.PERSON, quote) for quote in persons.claims(sentence, brief.language))
        agrees = stance.faults(sentence, favourable=brief.favourable, careful=brief.careful)
        yield from (Objection(Fault.STANCE, quote) for quote in agrees)
        speaks = attitude.faults(sentence, brief.language, favourable=brief.favourable, careful=brief.careful)
        yield from (Objection(Fault.STANCE, quote) for quote in speaks)
        uncommon = list(lexicon.strange(sentence, brief.language, known, self._question))
        alarm = manner.alarm(sentence, self._allowed)
        if len(uncommon) > _MOST_UNCOMMON or alarm > _CLEARLY:
            yield from (Objection(Fault.WORDS, quote) for quote in uncommon)
        if not quotes and alarm > 0:
            yield Objection(Fault.MANNER)


def _clauses(text: str, language: Language) -> list[str]:
    """Return the folded clauses of a text; of an English one without its Chinese terms."""
    folded = fold(text)
    clauses = folded.english.split(f" {CLAUSE} ") if language is Language.ENGLISH else folded.chinese.split(CLAUSE)
    return [clause.strip() for clause in clauses if clause.strip()]


def _grades(text: str) -> Iterator[str]:
    yield from GRADE.findall(folded(text))
    spoken = text.lower()
    yield from (level for words, level in GRADES_IN_ENGLISH.items() if words in spoken)
