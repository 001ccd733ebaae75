"""The vocabulary of a reading (`lexicon.txt`): words that a sentence may have beside those of the facts (CARE-09).

A promise, a price or an insult needs things and deeds of the world, which neither plate nor question has; so other
words count against a sentence. The vocabulary was collected from ordinary rephrasings and reviewed.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from liuyao.care.folding import CLAUSE
from liuyao.reading import Language
from yarrow_agents.divination.review.folds import fold

_FILE: Final = Path(__file__).with_name("lexicon.txt")
_LONGEST: Final = 8
_LEAST_KNOWN: Final = 2
"""The fewest characters of a word that is accepted because the facts or the question have it."""
_ANCHOR: Final = re.compile(
    "[用元忌仇伏飞]神|[世应动变初二三四五上]爻|世应|世与应|持世|月[建令破]|日辰|日月|旬空|出空|逢空|填实|空亡|合绊|回头|[反伏]吟"
    "|六[合冲]|[相受]克|[生克冲合]世|相[生冲合]|比和|休囚|旺相|化[绝进退空]|发动|官鬼|妻财|父母|子孙|兄弟|[财官父兄]爻|[财官]星"
    "|这一爻|几个爻|六爻|动化|化为|绝地|[木火土金水][动弱旺]|克多|生多|[子丑寅卯辰巳午未申酉戌亥][木火土金水月日]|世爻|卦"
)
_ANCHOR_IN_ENGLISH: Final = re.compile(
    r"\b(?:lines?|casts?|plate|hexagrams?|month|season|void|element|feeds?|fed|overcomes?|clash\w*|combin\w+"
    r"|drains?|metal|the day|fire|water|wood|earth|moving)\b",
    re.IGNORECASE,
)
_IMAGE: Final = re.compile(
    "好比|像|如同|犹如|[仿彷]|比作|比成|等于| (?:like|as if|as though|think of|picture|imagine) "
)
_PERSON: Final = re.compile(r"[你您她他]|\b(?:you|yours?|she|he|hers?|his|they|their)\b")
"""Persons: a clause about one is not an image."""
OTHERS: Final = re.compile(
    r"[他她]|对方|人家|别人|\b(?:she|he|hers?|his|him|they|their|theirs|them|somebody|someone|anybody|everyone)\b"
)
"""Persons other than the asker: a clause about one is no errand about the house either."""
_PICTURES: Final = re.compile(r"\byou (?:can |could |might )?(?=(?:picture|imagine|think of)\b)")
"""Who is asked to picture something is not what the image is about."""
_ENDINGS: Final = (
    *("", "s", "es", "ed", "d", "ing", "ly", "er", "r", "est", "ness"),
    *("ied", "ies", "ier", "iest", "ily", "iness"),
)


def is_anchored(text: str, language: Language) -> bool:
    """Whether a sentence has a term of the plate."""
    if language is Language.ENGLISH:
        return _ANCHOR_IN_ENGLISH.search(text) is not None or any("\u3400" <= char <= "\u9fff" for char in text)
    return _ANCHOR.search(fold(text).chinese) is not None


def strange(text: str, language: Language, known: str, question: str = "") -> Iterator[str]:
    """Yield the words of a sentence that neither the vocabulary nor the folded facts have.

    `question` is the user's, folded: the words of its matter are allowed too.
    """
    folded = fold(text)
    matters = _of_matters("en" if language is Language.ENGLISH else "zh", question)
    if language is Language.ENGLISH:
        is_image = False
        for clause in folded.english.split(f" {CLAUSE} "):
            compared = _PICTURES.sub("", clause)
            is_image = (is_image or _IMAGE.search(f" {clause.strip()} ") is not None) and not _PERSON.search(compared)
            more = matters if OTHERS.search(clause) else matters | _words("en home")
            for word in clause.split():
                if not (f" {word} " in known or _is_english(word, more, is_image=is_image)):
                    yield word
        return
    is_image = False
    for clause in folded.chinese.split(CLAUSE):
        is_image = (is_image or _IMAGE.search(clause) is not None) and not _PERSON.search(clause)
        yield from _in_chinese(clause, known, matters, is_image=is_image)


def _in_chinese(clause: str, known: str, matters: frozenset[str], *, is_image: bool) -> Iterator[str]:
    words, free, loose = _words("zh"), _words("zh free"), _words("zh loose")
    more = matters | _words("zh image") if is_image else matters
    if not OTHERS.search(clause):
        more |= _words("zh home")
    at, was_loose = 0, ""
    while at < len(clause):
        for size in range(min(_LONGEST, len(clause) - at), 0, -1):
            word = clause[at : at + size]
            if word in words or word in more or (size >= _LEAST_KNOWN and word in known):
                was_loose = ""
                break
            if size == 1:
                if word in free:
                    was_loose = ""
                elif word in loose:
                    if was_loose:  # two together are a word of their own
                        yield was_loose + word
                    was_loose = word
                else:
                    was_loose = ""
                    yield word
        at += size


def _is_english(word: str, matters: frozenset[str], *, is_image: bool) -> bool:
    if word == CLAUSE or word.isdigit():
        return True
    words = _words("en")
    for ending in _ENDINGS:
        if word.endswith(ending):
            stem = word[: len(word) - len(ending)]
            stems = {stem, f"{stem}e", f"{stem}y"} | ({stem[:-1]} if stem[-1:] == stem[-2:-1] else set())
            if stems & words or stems & matters or (is_image and stems & _words("en image")):
                return True
    return False


def is_plain_english(word: str) -> bool:
    """Whether the vocabulary of a reading has a word, in any of its usual endings."""
    return _is_english(word, frozenset(), is_image=False)


def _of_matters(language: str, question: str) -> frozenset[str]:
    """Return the words of the matters of which the question has a word."""
    blank = " " if language == "en" else ""
    return frozenset[str]().union(
        *(row for row in _matters(language) if any(f"{blank}{word}{blank}" in question for word in row))
    )


@cache
def _matters(language: str) -> tuple[frozenset[str], ...]:
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    rows = [line.split(": ", 1)[1].split() for line in lines if line.startswith(f"{language} matter: ")]
    if language == "zh":
        return tuple(frozenset(fold(word).chinese for word in row) for row in rows)
    return tuple(map(frozenset, rows))


@cache
def _words(name: str) -> frozenset[str]:
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    found = {word for line in lines if line.startswith(f"{name}: ") for word in line.split(": ", 1)[1].split()}
    return frozenset(fold(word).chinese for word in found) if name.startswith("zh") else frozenset(found)
