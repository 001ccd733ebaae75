"""The voice of a text in one language: fills the catalogues' sentences and names the lines they mention.

Canonical terms are marked. In English `spoken` glosses each at its first mention and keeps it Chinese (DIV-26); the
other languages have no marks.
"""

import re
from functools import cache, cached_property
from string import Formatter
from typing import Final, TypeVar
from zlib import crc32

from liuyao.analysis import LINE_NAMES
from liuyao.calendar import Month
from liuyao.divination import Divination, Relation
from liuyao.elements import BRANCH_ELEMENT
from liuyao.quotation import on_one_line
from liuyao.reading.catalogues import catalogue_for, catalogue_in_cantonese, in_taiwan
from liuyao.reading.dates import Calendar, When
from liuyao.reading.language import Language
from liuyao.reading.plate import Place
from liuyao.reading.question.asks import Scale
from liuyao.reading.wording import civil_dates
from liuyao.reading.wording.cantonese import in_cantonese
from liuyao.reading.wording.explained import explained
from liuyao.reading.wording.glosses import AGAIN, ANIMALS, ELEMENTS, GLOSSES, KEYWORD_GLOSSES, UNNAMED
from liuyao.reading.wording.hexagram_names import HEXAGRAM_NAMES
from liuyao.reading.wording.spelling import is_simplified, is_traditional, traditional

T = TypeVar("T")

# [term] is given in English, with the term in brackets at its first mention; a line is three terms. (<term>) is
# explained by the sentence it stands in.
_MARKED: Final = re.compile(
    r"\[(?P<relation>父母|兄弟|子孙|妻财|官鬼)\] \[(?P<branch>.)(?P<element>.)\]"
    r"(?: (?P<how>in|under) \[(?P<place>.爻)\])?"
    r"|(?P<aside> ?\(<(?P<explained>[^>]+)>\))|[\[<](?P<term>[^\]>]+)[\]>]"
)
_RELATIONS: Final = frozenset(("父母", "兄弟", "子孙", "妻财", "官鬼"))
"""Named with a capital in English, as parents and wealth are not meant."""
_IN_ENGLISH: Final = {
    term: (named if term in UNNAMED else f"{named} ({term})", AGAIN.get(term, named))
    for term, gloss in GLOSSES.items()
    for named in [gloss.capitalize() if term in _RELATIONS else gloss]
}
"""A term at its first mention, and at the next ones."""
_PLACED: Final = {"in": "on", "under": "under"}
_MARKS: Final = re.compile(r"[\[\]<>{}“”「」\\]|[上中下][上下][签籤]")
_ARTICLE: Final = re.compile("(?<=\\b[Aa])(?= (?:hour|Officer|Offspring)\\b)")
"""Where the article before a gloss that is filled in lacks its n."""
_HAN: Final = re.compile("[㐀-鿿]")


class Voice:
    """Speaks of a divination in one language.

    With `varies`, what may be said in several ways is said in one of them by the cast, so that casts of one question do
    not all read alike; else in the first. `turn` makes a later turn of the conversation choose anew.
    Who asks in Cantonese, in traditional characters, is answered in it, from the first reading on; so is who turns to
    it: `heard` is what was asked later.
    """

    def __init__(
        self, language: Language, divination: Divination, *, varies: bool = False, turn: str = "", heard: str = ""
    ) -> None:
        self.language = language
        self.heard = turn or heard
        self.words = catalogue_for(language, divination.question, self.heard)
        self.varies = varies
        self._divination = divination
        self._turn = turn

    @cached_property
    def _seed(self) -> int:
        divination, ganzhi = self._divination, self._divination.ganzhi
        cast = f"{divination.binary_code}{divination.changed_binary_code}{divination.divination_time}"
        return crc32(f"{cast}{ganzhi.day_gan_zhi}{divination.question}{self._turn}".encode())

    def pick(self, slot: str, options: tuple[T, ...]) -> T:
        """Return one of several by the cast, each slot of a text on its own."""
        if not self.varies:
            return options[0]
        # Multiplied, as checksums of two slots differ alike in all casts.
        mixed = (crc32(slot.encode(), self._seed) * 2_654_435_761) & 0xFFFF_FFFF
        return options[(mixed >> 12) % len(options)]

    def varied(self, key: str, **fields: str) -> str:
        """Return `phrase` in one of its variants."""
        ways = (self.words.sentences[key], *self.words.ways.get(key, ()))
        return self.pick(key, ways).format(**fields)

    def way(self, role: str) -> str:
        """A sentence for a role, its fields unfilled."""
        return self.pick(role, self.words.roles[role])

    def reply(self, key: str) -> str:
        """What answers a form of question, its fields unfilled."""
        return self.pick(f"reply {key}", self.words.replies[key])

    def lowered(self, words: str) -> str:
        """Return the words to stand within a sentence, after a colon."""
        words = words.replace("：", "，", 1).replace(": ", ", ", 1)
        return words if words.startswith(("I ", "I'")) else words[:1].lower() + words[1:]

    def phrase(self, key: str, **fields: str) -> str:
        """Return the sentence or label of a key with its fields filled, its terms still marked."""
        return self.words.sentences[key].format(**fields)

    def fields(self, key: str) -> tuple[str, ...]:
        """The names of the fields a sentence has."""
        return _fields(self.words.sentences[key])

    def sentence(self, *phrases: str) -> str:
        """Return one sentence of one or more phrases, its stop set and its terms still marked."""
        text = self.words.sentences["separator"].join(phrases)
        return text[:1].upper() + text[1:] + self.words.sentences["stop"]

    def said(self, key: str, **fields: str) -> str:
        """Return the sentence of a key with its fields filled, its stop set and its terms still marked."""
        return self.sentence(self.phrase(key, **fields))

    def sentences(self, phrases: list[str]) -> str:
        """Return a sentence of each phrase."""
        return self.paragraph([self.sentence(phrase) for phrase in phrases])

    def spoken(self, *paragraphs: list[str]) -> list[list[str]]:
        """Return the sentences of one text, its terms glossed at their first mention in it."""
        if self.language is not Language.ENGLISH:
            return list(paragraphs)
        glossed: set[str] = set()

        def in_english(term: str) -> str:
            first = term not in glossed
            glossed.add(term)
            return _IN_ENGLISH.get(term, (term, term))[0 if first else 1]

        def told(match: re.Match[str]) -> str:
            relation, branch, element, how, place, aside, explained, term = match.groups()
            if term:
                return in_english(term)
            if aside:
                first = explained not in glossed
                glossed.add(explained)
                return f" ({explained})" if first else ""
            line = f"{in_english(relation)} of {ANIMALS[branch]} {ELEMENTS[element]}"
            return f"{line} {_PLACED[how]} {GLOSSES[place]}" if how else line

        def sentence(text: str) -> str:
            if "[" in text or "<" in text:
                text = _MARKED.sub(told, text)
            if " hour" in text or " Off" in text:
                text = _ARTICLE.sub("n", text)
            return text[:1].upper() + text[1:]

        return [[sentence(item) for item in paragraph] for paragraph in paragraphs]

    def explaining(self, paragraphs: list[str]) -> list[str]:
        """Paragraphs in Chinese with what each term means beside its first mention."""
        for term, meaning in self.words.explained.items():
            named, called = self.spelt(term), self.spelt(f"叫作{term}")
            for number, text in enumerate(paragraphs):
                if named in text:
                    # What a sentence calls by its term it has explained.
                    if text.find(named) != text.find(called) + len(called) - len(named):
                        paragraphs[number] = text.replace(named, f"{named}（{meaning}）", 1)
                    break
        return paragraphs

    def caution(self, caution: str, *, short: bool = False) -> str:
        """The sentence of a caution; `short` where it was said before."""
        return self.sentence(self.phrase(f"{caution} short" if short else caution))

    def asked(self) -> str:
        """Return the question in its own words. It is no sentence of the catalogue: it must not be `spoken`."""
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
        fits = not (is_simplified if self.language is Language.TRADITIONAL else is_traditional)(words)
        if fits and self.words is catalogue_in_cantonese():
            # The grammar reads 佢 as 他.
            words = words.replace("他們", "佢哋").replace("他", "佢")
        return on_one_line(words) if fits else None

    def civil(self, when: When, calendar: Calendar) -> str:
        """Return the civil date of a time."""
        if self.language is Language.ENGLISH:
            return civil_dates.named_in_english(when, calendar.today)
        told = civil_dates.in_chinese(when, calendar.today)
        return traditional(told).replace("周", "週") if self.language is Language.TRADITIONAL else told

    def end_of(self, when: When, calendar: Calendar) -> str:
        """Return the last day of a time, or its year."""
        if self.language is Language.ENGLISH:
            return civil_dates.end_in_english(when, calendar.today)
        return civil_dates.end_in_chinese(when, calendar.today)

    def month_span(self, month: Month, calendar: Calendar) -> str:
        """Return a month by its first and last day."""
        return self.civil(When(month.branch, Scale.MONTH, month.first, month.last), calendar)

    def time(self, branch: str, calendar: Calendar, *, dated: bool) -> str:
        """Return a time by its branch, with its civil date."""
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
        """Return the sentences as one paragraph."""
        return (" " if self.language is Language.ENGLISH else "").join(sentences)

    def keyword(self, term: str) -> str:
        """Return a term on its own, with its gloss in English."""
        if self.language is Language.ENGLISH:
            return f"{term} ({KEYWORD_GLOSSES[term]})" if term in KEYWORD_GLOSSES else term
        return self.term(term)

    def term(self, term: str) -> str:
        """Return a canonical term in this language's script."""
        return traditional(term) if self.language is Language.TRADITIONAL else term

    def spelt(self, words: str) -> str:
        """Return simplified words in this language's script."""
        if self.language is not Language.TRADITIONAL:
            return words
        spelt = in_taiwan(words)
        return in_cantonese(spelt) if self.words is catalogue_in_cantonese() else spelt

    def sign(self, level: str) -> str:
        """A grade, as a text names it."""
        return f"[{level}]" if self.language is Language.ENGLISH else self.term(level)

    def glossed(self, term: str) -> str:
        """A term, glossed in English where a text names it first."""
        return self._marked(self.term(term))

    def meant(self, term: str) -> str:
        """A term with what it means beside it, where the language has that in a table."""
        meaning = self.words.explained.get(term)
        return f"{self.glossed(term)}（{meaning}）" if meaning else self.glossed(term)

    def explained(self, question: str) -> list[str]:
        """What the terms that a question names mean, as phrases."""
        told = explained(question, chinese=self.language is not Language.ENGLISH)
        return [self.spelt(item) for item in told]

    def relation(self, relation: Relation) -> str:
        """Return the 六亲 in this language's script."""
        return self.term(relation)

    def line(self, at: Place) -> str:
        """Return a line or hidden branch with its place: 五爻兄弟酉金."""
        key = "line" if at.line else "hidden"
        return self.phrase(key, place=LINE_NAMES[at.position], relation=self.relation(at.relation), branch=_branch(at))

    def lines(self, places: list[Place]) -> str:
        """Return several lines in a row."""
        return self.words.sentences["comma"].join(self.line(at) for at in places)

    def use(self, at: Place) -> str:
        """Return the 用神 without its place: 妻财卯木."""
        return self.phrase("use", relation=self.relation(at.relation), branch=_branch(at))

    def branch(self, branch: str) -> str:
        """Return a branch with its element: 酉金."""
        return self._marked(branch + BRANCH_ELEMENT[branch])

    def month(self, branch: str) -> str:
        """Return a month by its branch."""
        return self.phrase("month", branch=branch)

    def day(self, branch: str) -> str:
        """Return a day by its branch."""
        return self.phrase("day", branch=branch)

    def branches(self, branches: str) -> str:
        """Return the branches in a row."""
        if self.language is not Language.ENGLISH:
            return branches
        return self.words.sentences["and"].join(ANIMALS[branch] for branch in branches)

    def note(self, note: str) -> str:
        """Return the note of a reason: an element or a relation."""
        if self.language is not Language.ENGLISH:
            return self.term(note)
        return ELEMENTS.get(note) or f"[{note}]"

    def element(self, element: str) -> str:
        """Return an element."""
        return ELEMENTS[element] if self.language is Language.ENGLISH else element

    def hexagram(self, name: str, name_hant: str) -> str:
        """Return a hexagram's name, in English beside its English one."""
        if self.language is Language.ENGLISH:
            return f"{HEXAGRAM_NAMES[name]} ({name})"
        return name_hant if self.language is Language.TRADITIONAL else name

    def _marked(self, term: str) -> str:
        return f"[{term}]" if self.language is Language.ENGLISH else term


def _branch(at: Place) -> str:
    return at.branch + at.element


@cache
def _fields(template: str) -> tuple[str, ...]:
    return tuple([name for _, name, _, _ in Formatter().parse(template) if name])
