"""Reviews a model's text before any of it is shown, each sentence and the whole (CARE-09, DIV-26, DIV-29, DIV-32).

Some things are withheld whatever else a sentence says: what `signs` does not let it be written with, a grade, a
promise, a deadline that `times` does not find among the facts, and what `claims` finds untrue of the plate. All else is
`evidence`: words, people, subjects, stance and manner are weighed together. Words of the rules' own text are held to
signs and claims.

`trust` weighs the sentences of a text together: of a text that is not trusted none is shown, or, if it is mistrusted a
little for few of its sentences, those that have nothing against them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final, NamedTuple

from liuyao.care.folding import CLAUSE
from liuyao.reading import Language
from yarrow_agents.divination.brief import Brief
from yarrow_agents.divination.review import evidence, lexicon, signs, stance, times, trust
from yarrow_agents.divination.review.concepts import flat
from yarrow_agents.divination.review.folds import fold
from yarrow_agents.divination.vocabulary import GRADE, GRADES_IN_ENGLISH, folded

_SENTENCE: Final = re.compile(r".+?(?:[。！？!?…]+[”」』’\"]?\s*|\.(?=\s)\s*|\n+|$)", re.DOTALL)


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


_CERTAIN: Final = 2.0
"""What a certain objection weighs at least, among the sentences of a text."""
_CALM: Final = -4.0
"""What the rules' own words weigh."""
IN_DOUBT: Final = 1.0
"""The weight up to which a sentence of a trusted text is shown if neither health, law nor savings are asked about."""
_A_LITTLE: Final = 2.0
"""How much a text may weigh of which a part is shown."""
_CALM_ENOUGH: Final = 0.8
"""The weight up to which a sentence about the plate is shown of such a text; any other has to weigh nothing."""
_MOST_OF_IT: Final = 0.6
"""The least part of such a text that may be shown."""
WITHHELD: Final = 1
"""How many sentences of an ordinary text may be withheld."""


class ReviewedSentence(NamedTuple):
    """A sentence with the blank after it; it may be shown if there is no objection."""

    text: str
    objections: list[Objection]
    weight: float
    is_certain: bool = False
    """Whether an objection needed no weighing."""


@dataclass(frozen=True, slots=True)
class ReviewedText:
    """The sentences of a text, blank ones too; what has no objection may be shown if `is_trusted`."""

    sentences: tuple[ReviewedSentence, ...]
    is_trusted: bool

    @property
    def objections(self) -> list[Objection]:
        return [objection for sentence in self.sentences for objection in sentence.objections]


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

    @cached_property
    def context(self) -> evidence.Context:
        """What every sentence is weighed beside."""
        brief = self._brief
        return evidence.Context(
            language=brief.language,
            known=flat(brief.facts),
            question=flat(brief.asked),
            favourable=brief.favourable,
            careful=brief.careful,
        )

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(_clauses(self._brief.facts, self._brief.language))

    def text(self, sentences: Sequence[str]) -> ReviewedText:
        """Review a text by its sentences: what is in doubt by itself is shown if the text is trusted."""
        return self.judged(tuple(map(self.sentence, sentences)), None)

    def judged(self, sentences: tuple[ReviewedSentence, ...], weights: Mapping[str, float] | None) -> ReviewedText:
        """Review a text by its reviewed sentences, with weights other than the model's if any."""
        read = [sentence for sentence in sentences if sentence.text.strip()]
        weight = trust.weight(self.text_values(read), weights) if read else 0.0
        if not read or weight > _A_LITTLE or (weight > 0 and self.context.careful):
            return ReviewedText(sentences, is_trusted=False)
        if weight > 0:
            return self._part(sentences)
        if not self.context.careful:
            sentences = tuple(map(_cleared, sentences))
        return ReviewedText(sentences, is_trusted=True)

    def _part(self, sentences: tuple[ReviewedSentence, ...]) -> ReviewedText:
        """Return a text that is mistrusted a little with objections to all that is not calm, if most of it is calm."""
        parted = tuple(it._replace(objections=[]) if self._is_calm(it) else _objected(it) for it in sentences)
        read = [it for it in parted if it.text.strip()]
        calm = [it for it in read if not it.objections]
        is_anchored = any(lexicon.is_anchored(it.text, self.context.language) for it in calm)
        return ReviewedText(parted, is_trusted=is_anchored and len(calm) >= _MOST_OF_IT * len(read))

    def _is_calm(self, sentence: ReviewedSentence) -> bool:
        """Whether nothing is held against a sentence, or so little that its being about the plate outweighs it."""
        is_anchored = lexicon.is_anchored(sentence.text, self.context.language)
        return not sentence.is_certain and sentence.weight <= (_CALM_ENOUGH if is_anchored else 0.0)

    def text_values(self, sentences: Sequence[ReviewedSentence]) -> dict[str, float]:
        """Return the values by which a text of these sentences is trusted, none of them blank."""
        weighed = [trust.Weighed(it.weight, it.is_certain, bool(it.objections)) for it in sentences]
        is_english = self.context.language is Language.ENGLISH
        return trust.values(weighed, careful=self.context.careful, english=is_english)

    def objections(self, sentence: str) -> list[Objection]:
        """Return the objections to a sentence; empty if it may be shown."""
        return self.sentence(sentence).objections

    def sentence(self, sentence: str) -> ReviewedSentence:
        """Review a sentence by itself."""
        if not sentence.strip():
            return ReviewedSentence(sentence, [], 0.0)
        if self.is_own(sentence):
            return _reviewed(sentence, list(self.certain(sentence)), [], _CALM)
        return self.weighed(sentence, evidence.findings(sentence, self.context), None)

    def weighed(self, sentence: str, found: evidence.Findings, weights: Mapping[str, float] | None) -> ReviewedSentence:
        """Review a sentence, not the rules' own, by what was found, with weights other than the model's if any."""
        weight = found.weight(weights)
        named = [Objection(fault, quote) for name, fault in _FAULTS.items() for quote in found.quotes[name]]
        named = named or [Objection(Fault.MANNER)]
        return _reviewed(sentence, list(self.certain(sentence)), named if weight > 0 else [], weight)

    def is_own(self, sentence: str) -> bool:
        """Whether a sentence has no other clauses than the rules' own text."""
        return set(_clauses(sentence, self._brief.language)) <= self._own

    def certain(self, sentence: str) -> Iterator[Objection]:
        """Yield the objections that need no weighing."""
        brief = self._brief
        yield from (
            Objection(Fault.SIGNS, quote)
            for quote in signs.strange(sentence, brief.language, f"{brief.facts}\n{brief.asked}")
        )
        if not (signs.is_english if brief.language is Language.ENGLISH else signs.is_chinese)(sentence):
            yield Objection(Fault.LANGUAGE)
        for level in _grades(sentence):
            if brief.is_reading or level != brief.sign_level:
                yield Objection(Fault.GRADE, level)
        yield from (Objection(Fault.PLATE, quote) for quote in brief.claims.untrue(sentence))
        if not self.is_own(sentence):
            yield from (Objection(Fault.STANCE, quote) for quote in stance.promises(sentence))
            known = f"{self.context.known} {self.context.question}"
            yield from (Objection(Fault.TIME, quote) for quote in times.deadlines(sentence, known))


def _reviewed(
    sentence: str, certain: Sequence[Objection], weighed: Sequence[Objection], weight: float
) -> ReviewedSentence:
    found = list(dict.fromkeys([*certain, *weighed]))
    return ReviewedSentence(sentence, found, max(weight, _CERTAIN) if certain else weight, bool(certain))


def _objected(sentence: ReviewedSentence) -> ReviewedSentence:
    """Return a sentence that is not shown, with an objection if it has none."""
    return sentence._replace(objections=sentence.objections or [Objection(Fault.MANNER)])


def _cleared(sentence: ReviewedSentence) -> ReviewedSentence:
    """Return the sentence of a trusted text without what is objected to it in doubt."""
    if sentence.is_certain or sentence.weight > IN_DOUBT:
        return sentence
    return sentence._replace(objections=[])


_FAULTS: Final = {
    "subjects": Fault.SUBJECT,
    "persons": Fault.PERSON,
    "stance": Fault.STANCE,
    "attitude": Fault.STANCE,
    "words": Fault.WORDS,
    "times": Fault.TIME,
}
"""The faults that the findings of the weighed checks are."""


def _clauses(text: str, language: Language) -> list[str]:
    """Return the folded clauses of a text; of an English one without its Chinese terms."""
    folded = fold(text)
    clauses = folded.english.split(f" {CLAUSE} ") if language is Language.ENGLISH else folded.chinese.split(CLAUSE)
    return [clause.strip() for clause in clauses if clause.strip()]


def _grades(text: str) -> Iterator[str]:
    yield from GRADE.findall(folded(text))
    spoken = text.lower()
    yield from (level for words, level in GRADES_IN_ENGLISH.items() if words in spoken)
