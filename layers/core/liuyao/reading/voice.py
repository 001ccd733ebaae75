"""The voice of a text in one language: fills the catalogues' sentences and names the lines they mention.

Canonical terms are marked. In English `spoken` glosses each at its first mention and keeps it Chinese (DIV-26); the
other languages have no marks.
"""

import re
from dataclasses import dataclass
from functools import cache
from string import Formatter
from types import ModuleType
from typing import Final

from liuyao.analysis import LINE_NAMES
from liuyao.calendar import Month
from liuyao.divination import Divination, Relation
from liuyao.elements import BRANCH_ELEMENT
from liuyao.quotation import on_one_line
from liuyao.reading.dates import Calendar, When
from liuyao.reading.language import Language
from liuyao.reading.plate import Place
from liuyao.reading.question.asks import Scale
from liuyao.reading.wording import (
    answers_en,
    answers_zh,
    civil_dates,
    reasons_en,
    reasons_zh,
    sentences_en,
    sentences_zh,
    verdicts_en,
    verdicts_zh,
)
from liuyao.reading.wording.explained import explained
from liuyao.reading.wording.glosses import ELEMENTS, GLOSSES, KEYWORD_GLOSSES
from liuyao.reading.wording.hexagram_names import HEXAGRAM_NAMES
from liuyao.reading.wording.spelling import is_traditional, traditional
from liuyao.reading.wording.taiwan import localized

Table = dict[str, str]
Choices = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The words of one language: sentences by key (reasons by their term), and the tables beside them."""

    sentences: Table
    nouns: Table
    verdicts: Choices
    actions: Choices
    people: Table
    in_illness: Table
    directions: Table
    element_directions: Table

    def spelt_traditionally(self) -> "Catalogue":
        """The same in traditional characters. Keys are not spelt."""

        def table(words: Table) -> Table:
            return {key: traditional(localized(text)) for key, text in words.items()}

        def choices(words: Choices) -> Choices:
            return {key: tuple(traditional(localized(text)) for text in texts) for key, texts in words.items()}

        return Catalogue(
            table(self.sentences),
            table(self.nouns),
            choices(self.verdicts),
            choices(self.actions),
            table(self.people),
            table(self.in_illness),
            table(self.directions),
            table(self.element_directions),
        )


def _catalogue(reasons: ModuleType, sentences: ModuleType, verdicts: ModuleType, answers: ModuleType) -> Catalogue:
    return Catalogue(
        sentences.SENTENCES | reasons.REASONS | answers.ANSWERS,
        verdicts.NOUNS,
        verdicts.VERDICTS,
        verdicts.ACTIONS,
        sentences.PEOPLE,
        sentences.IN_ILLNESS,
        sentences.DIRECTIONS,
        sentences.ELEMENT_DIRECTIONS,
    )


_SIMPLIFIED = _catalogue(reasons_zh, sentences_zh, verdicts_zh, answers_zh)

CATALOGUES: Final = {
    Language.SIMPLIFIED: _SIMPLIFIED,
    Language.TRADITIONAL: _SIMPLIFIED.spelt_traditionally(),
    Language.ENGLISH: _catalogue(reasons_en, sentences_en, verdicts_en, answers_en),
}

# [term] asks for a gloss at its first mention, <term> is explained by the sentence it stands in.
_MARKED: Final = re.compile(r"\[([^\]]+)\]|<([^>]+)>")
_MARKS: Final = re.compile(r"[\[\]<>{}“”「」\\]|[上中下][上下][签籤]")
_HAN: Final = re.compile("[㐀-鿿]")


class Voice:
    """Speaks of a divination in one language."""

    def __init__(self, language: Language, divination: Divination) -> None:
        self.language = language
        self.words = CATALOGUES[language]
        self._divination = divination

    def phrase(self, key: str, **fields: str) -> str:
        """The sentence or label of a key with its fields filled, its terms still marked."""
        return self.words.sentences[key].format(**fields)

    def fields(self, key: str) -> tuple[str, ...]:
        """The names of the fields a sentence has."""
        return _fields(self.words.sentences[key])

    def sentence(self, *phrases: str) -> str:
        """One sentence of one or more phrases, its stop set and its terms still marked."""
        text = self.words.sentences["separator"].join(phrases)
        return text[:1].upper() + text[1:] + self.words.sentences["stop"]

    def sentences(self, phrases: list[str]) -> str:
        """A sentence of each phrase."""
        return self.paragraph([self.sentence(phrase) for phrase in phrases])

    def spoken(self, *paragraphs: list[str]) -> list[list[str]]:
        """The sentences of one text, its terms glossed at their first mention in it."""
        if self.language is not Language.ENGLISH:
            return list(paragraphs)
        glossed: set[str] = set()

        def once(match: re.Match[str]) -> str:
            term: str = match[1] or match[2]
            first = term not in glossed
            glossed.add(term)
            return f"{term} ({GLOSSES[term]})" if first and match[1] else term

        return [[_MARKED.sub(once, sentence) for sentence in paragraph] for paragraph in paragraphs]

    def asked(self) -> str:
        """The question in its own words. It is no sentence of the catalogue: it must not be `spoken`."""
        question = on_one_line(self._divination.question)
        stop = "" if question.endswith(("?", "？", "!", "！", "。", ".")) else self.words.sentences["stop"]
        return self.phrase("asked", question=question) + stop

    def own_words(self, words: str | None) -> str | None:
        """The user's words to put into a sentence; None if they are of another script or have marks or a grade."""
        if not words or _MARKS.search(words):
            return None
        if self.language is Language.ENGLISH:
            return None if _HAN.search(words) else on_one_line(words)
        if not _HAN.search(words):
            return None
        fits = traditional(words) == words if self.language is Language.TRADITIONAL else not is_traditional(words)
        return on_one_line(words) if fits else None

    def civil(self, when: When, calendar: Calendar) -> str:
        """The civil date of a time."""
        if self.language is Language.ENGLISH:
            return civil_dates.named_in_english(when, calendar.today)
        told = civil_dates.in_chinese(when, calendar.today)
        return traditional(told).replace("周", "週") if self.language is Language.TRADITIONAL else told

    def end_of(self, when: When, calendar: Calendar) -> str:
        """The last day of a time, or its year."""
        if self.language is Language.ENGLISH:
            return civil_dates.end_in_english(when, calendar.today)
        return civil_dates.end_in_chinese(when, calendar.today)

    def month_span(self, month: Month, calendar: Calendar) -> str:
        """A month by its first and last day."""
        return self.civil(When(month.branch, Scale.MONTH, month.first, month.last), calendar)

    def time(self, branch: str, calendar: Calendar, *, dated: bool) -> str:
        """A time by its branch, with its civil date."""
        when = calendar.when(branch)
        if when is None:
            return self.day(branch)
        name = self._marked(self.term(civil_dates.term(when)))
        if not dated:
            return name
        if self.language is Language.ENGLISH:
            return f"{name} {civil_dates.in_english(when, calendar.today)}"
        return f"{name}（{self.civil(when, calendar)}）"

    def paragraph(self, sentences: list[str]) -> str:
        """Sentences as one paragraph."""
        return (" " if self.language is Language.ENGLISH else "").join(sentences)

    def keyword(self, term: str) -> str:
        """A term on its own, with its gloss in English."""
        if self.language is Language.ENGLISH:
            return f"{term} ({KEYWORD_GLOSSES[term]})" if term in KEYWORD_GLOSSES else term
        return self.term(term)

    def term(self, term: str) -> str:
        """A canonical term in this language's script."""
        return traditional(term) if self.language is Language.TRADITIONAL else term

    def sign(self, level: str) -> str:
        """A grade, as a text names it."""
        return f"[{level}]" if self.language is Language.ENGLISH else self.term(level)

    def glossed(self, term: str) -> str:
        """A term, glossed in English where a text names it first."""
        return self._marked(self.term(term))

    def explained(self, question: str) -> list[str]:
        """What the terms that a question names mean, as phrases."""
        told = explained(question, chinese=self.language is not Language.ENGLISH)
        return [traditional(localized(each)) for each in told] if self.language is Language.TRADITIONAL else told

    def relation(self, relation: Relation) -> str:
        """六亲, in the spelling of this language's script."""
        return self.term(relation)

    def line(self, at: Place) -> str:
        """A line or hidden branch with its place: 五爻兄弟酉金."""
        key = "line" if at.line else "hidden"
        return self.phrase(key, place=LINE_NAMES[at.position], relation=self.relation(at.relation), branch=_branch(at))

    def lines(self, places: list[Place]) -> str:
        """Several lines in a row."""
        return self.words.sentences["comma"].join(self.line(at) for at in places)

    def use(self, at: Place) -> str:
        """The 用神 without its place: 妻财卯木."""
        return self.phrase("use", relation=self.relation(at.relation), branch=_branch(at))

    def branch(self, branch: str) -> str:
        """A branch with its element: 酉金."""
        return self._marked(branch + BRANCH_ELEMENT[branch])

    def month(self, branch: str) -> str:
        """A month by its branch."""
        return self.phrase("month", branch=branch)

    def day(self, branch: str) -> str:
        """A day by its branch."""
        return self.phrase("day", branch=branch)

    def note(self, note: str) -> str:
        """The note of a reason: an element or a relation."""
        if self.language is not Language.ENGLISH:
            return self.term(note)
        return ELEMENTS.get(note) or f"[{note}]"

    def element(self, element: str) -> str:
        """An element."""
        return ELEMENTS[element] if self.language is Language.ENGLISH else element

    def hexagram(self, name: str, name_hant: str) -> str:
        """A hexagram's name, with an English one beside it in English."""
        if self.language is Language.ENGLISH:
            return f"{name} ({HEXAGRAM_NAMES[name]})"
        return name_hant if self.language is Language.TRADITIONAL else name

    def _marked(self, term: str) -> str:
        return f"[{term}]" if self.language is Language.ENGLISH else term


def _branch(at: Place) -> str:
    return at.branch + at.element


@cache
def _fields(template: str) -> tuple[str, ...]:
    return tuple([name for _, name, _, _ in Formatter().parse(template) if name])
