"""The concepts of a sentence (`concepts.txt`): subjects it must not have, and features of the classifier."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from liuyao.care.folding import Folded
from yarrow_agents.divination.review.folds import fold

_FILE: Final = Path(__file__).with_name("concepts.txt")
_ENGLISH: Final = Path(__file__).with_name("english_words.txt")
_BY_QUESTION: Final = "?"
_NEVER: Final = "!"
_MEDICINE: Final = "medicine"
_HEEDS: Final = re.compile(
    "医生|大夫|医嘱|就医|(?:不要|别|切勿|不可|不宜|勿|莫)(?:再|擅自|自行|自己|随意|随便|私自|轻易|贸然|急着|着急|因此)*[停减换断加改拖]"
    "|(?: doctor|(?:not|never|dont)(?: \\w+){0,2} (?:stop|change|reduce|skip|delay))"
)
"""What a sentence with a word of medicine must say, even where the rules' text has the word."""
_WORLD_LINE: Final = re.compile("世(?=爻)")
"""世爻 after a word that ends it, as in 强过世爻."""
_STOPPED: Final = frozenset({"药", "停用"})
"""What such a sentence may warn of stopping although the rules' text does not have it."""


@dataclass(frozen=True, slots=True)
class Concept:
    """Words of one meaning. `withheld`: no sentence may have them, unless the rules' text or, with `by_question`, the
    user's question has the same word.
    """

    chinese: re.Pattern[str]
    english: re.Pattern[str]
    withheld: bool
    by_question: bool

    def words(self, text: Folded) -> Iterator[str]:
        """Yield the words of the concept in a folded text."""
        if text.chinese:
            yield from self.chinese.findall(text.chinese)
        if text.english:
            yield from self.english.findall(text.english)


@cache
def concepts() -> Mapping[str, Concept]:
    """Return all concepts by name."""
    found = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, words = line.partition(": ")
        chinese, _, english = words.partition("|")
        mark = name[-1] if name[-1] in (_NEVER, _BY_QUESTION) else ""
        found[name.removesuffix(mark)] = Concept(
            re.compile("|".join(sorted(map(re.escape, chinese.split()), key=len, reverse=True)) or "(?!)"),
            re.compile(rf"(?<= )(?:{'|'.join(sorted(map(_of_word, english.split()), key=len, reverse=True))})(?= )"),
            withheld=bool(mark),
            by_question=mark == _BY_QUESTION,
        )
    return found


def digest() -> str:
    """Return the SHA-256 of the concepts, which tells whether the classifier was trained with them."""
    return sha256(_FILE.read_bytes()).hexdigest()


def _of_word(word: str) -> str:
    words = " ".join(fold(part.rstrip("*")).english.strip(" ,") for part in word.strip("_").split("_"))
    return re.escape(words) + ("[a-z]*" if word.endswith("*") else "")


def subjects(text: str, known: str, question: str) -> list[str]:
    """Return the words of a withheld concept in a sentence that are not in the folded facts or question."""
    folded = fold(text)
    english = folded.english.replace(" all in all ", " ")
    folded = replace(folded, chinese=_WORLD_LINE.sub("", folded.chinese), english=english)
    careless = not _HEEDS.search(folded.chinese + folded.english)
    return [
        word.strip()
        for name, concept in concepts().items()
        if concept.withheld
        for word in concept.words(folded)
        if not _may_be(name, concept, word, known, question) or (name == _MEDICINE and careless)
    ]


def _may_be(name: str, concept: Concept, word: str, known: str, question: str) -> bool:
    warned_of = name == _MEDICINE and word in _STOPPED
    return word in known or warned_of or (concept.by_question and word in question)


def flat(text: str) -> str:
    """Return a text in the folded form that `subjects` compares with."""
    folded = fold(text)
    return f"{folded.chinese} {folded.english}"


def names(text: Folded) -> list[str]:
    """Return the concepts that a folded text has, in order of the file."""
    return [name for name, concept in concepts().items() if next(concept.words(text), None) is not None]


@cache
def english_words(name: str) -> frozenset[str]:
    lines = _ENGLISH.read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if line.startswith(f"{name}: ") for word in line.split()[1:])
