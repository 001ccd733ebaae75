"""Whether a sentence names something of the plate; if not, whether it keeps to plain words (`plain_words.txt`).

Where a promise, a price or an insult hides in ordinary words, it still needs things that no plate has: an office, a
letter, a rival. A sentence that explains the cast names a line; one that only advises to wait needs few words.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from liuyao.care.folding import CLAUSE
from liuyao.reading import Language
from yarrow_agents.divination.review.folds import fold

_FILE: Final = Path(__file__).with_name("plain_words.txt")
_LONGEST: Final = 8
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
_CLAUSES: Final = re.compile("[，；：,;:]")
_IMAGE: Final = re.compile(r"好比|像|好像|如同|等于|等於|\b(?:like|as if|as though)\b")
_MOST: Final = (2, 1)
_MOST_BESIDE: Final = (2, 1)
"""Uncommon characters of Chinese and words of English: in a sentence without a plate term, in a clause of another."""
_PERSON: Final = re.compile(r"[你您她他]|\b(?:you|yours?|she|he|hers?|his|they|their)\b", re.IGNORECASE)
"""Where a person is spoken of, one uncommon word less may be."""
_ORDER_IN_ENGLISH: Final = re.compile(
    r"^\W*(?:so|then|and|now) "
    r"(?:start|begin|go|take|put|bring|buy|call|tell|ask|give|make|get|turn|drive|walk|write|send|sign)\b"
)
_ORDER: Final = re.compile(
    r"^\W*(?:(?:先|就|再|直接|干脆|不如|不妨|建议|可以|最好|应该|所以|那就|现在|赶紧|尽快|只管)\W*){0,3}"
    r"(?:去|找|带|帶|打|给|給|拿|把|签|簽|买|買|告|搬|辞|辭|换|換|叫|让|讓|堵|报|報|投|借|约|約|送|跟|约)"
)
"""A clause that may tell somebody to do something has no uncommon word."""
_ENDINGS: Final = (
    "",
    "s",
    "es",
    "ed",
    "d",
    "ing",
    "ly",
    "er",
    "r",
    "est",
    "ness",
    "ied",
    "ies",
    "ier",
    "iest",
    "ily",
    "iness",
)


def is_anchored(text: str, language: Language) -> bool:
    """Whether a sentence has a term of the plate."""
    if language is Language.ENGLISH:
        return _ANCHOR_IN_ENGLISH.search(text) is not None or any("\u3400" <= each <= "\u9fff" for each in text)
    return _ANCHOR.search(fold(text).chinese) is not None


def strange(text: str, language: Language, known: str) -> Iterator[str]:
    """The uncommon words of a sentence without a plate term, or of a clause of another, if they are too many."""
    if not is_anchored(text, language):
        found = list(uncommon(text, language, known))
        most = _MOST[language is Language.ENGLISH] - (_PERSON.search(text) is not None)
        if len(found) > most:
            yield " ".join(found)
        return
    for clause in _CLAUSES.split(text):
        if not is_anchored(clause, language) and not (_IMAGE.search(clause) and not _PERSON.search(clause)):
            found = list(uncommon(clause, language, known))
            most = _MOST_BESIDE[language is Language.ENGLISH] - (_PERSON.search(clause) is not None)
            most = 0 if _ORDER.search(clause) or _ORDER_IN_ENGLISH.search(clause) else most
            if len(found) > most:
                yield " ".join(found)


def uncommon(text: str, language: Language, known: str) -> Iterator[str]:
    """The words of a sentence that are neither plain nor in the folded facts."""
    folded = fold(text)
    if language is Language.ENGLISH:
        yield from (word for word in folded.english.split() if not _is_plain(word) and f" {word} " not in known)
        return
    for clause in folded.chinese.split(CLAUSE):
        at = 0
        while at < len(clause):
            size = next(
                (size for size in range(_LONGEST, 0, -1) if clause[at : at + size] in _words("zh")),
                next(
                    (
                        size
                        for size in (3, 2)
                        if len(clause[at : at + size]) == size and clause[at : at + size] in known
                    ),
                    0,
                ),
            )
            if not size:
                yield clause[at]
            at += size or 1


def _is_plain(word: str) -> bool:
    if word == CLAUSE or word.isdigit():
        return True
    for ending in _ENDINGS:
        if word.endswith(ending):
            stem = word[: len(word) - len(ending)]
            if {stem, f"{stem}e", f"{stem}y"} & _words("en") or (
                stem[-1:] == stem[-2:-1] and stem[:-1] in _words("en")
            ):
                return True
    return False


@cache
def _words(language: str) -> frozenset[str]:
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    found = {word for line in lines if line.startswith(f"{language}: ") for word in line.split()[1:]}
    return frozenset(fold(word).chinese for word in found) if language == "zh" else frozenset(found)
