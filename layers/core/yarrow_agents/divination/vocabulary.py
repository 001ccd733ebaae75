"""The terms of Liu Yao in prose: tables and patterns, independent of any cast.

Texts are `folded` first, which unifies scripts and spellings.
"""

import re
from collections.abc import Iterable
from typing import Final
from unicodedata import normalize

from liuyao import analysis_terms
from liuyao.analysis import LINE_NAMES
from liuyao.derivation import SPIRITS
from liuyao.elements import BRANCHES, STEMS
from liuyao.hexagrams import HEXAGRAMS, RELATIONS
from liuyao.hexagrams import traditional as name_in_traditional
from liuyao.reading.contributions import Term
from liuyao.reading.wording.hexagram_names import HEXAGRAM_NAMES
from liuyao.reading.wording.spelling import traditional as term_in_traditional

SHORT_NAMES: Final = {
    hexagram.name: hexagram.lower.name if hexagram.upper is hexagram.lower else hexagram.name[2:]
    for hexagram in HEXAGRAMS.values()
}
"""Short names by full ones: 贲 by 山火贲."""

CONDITIONS: Final = (
    *("旬空", "月破", "日破", "暗动", "发动", "临月建", "临日辰", "合起", "合绊", "冲空"),
    *("回头生", "回头克", "回头冲", "回头合", "化进神", "化退神", "化空", "化破", "化墓", "化绝"),
)
"""Conditions of a line that can follow its name: 五爻妻财卯木旬空."""

_ROLES: Final = ("用神", "元神", "忌神", "仇神", "飞神", "伏神", "动爻", "变爻")

STATES: Final = (
    *analysis_terms.PlateStatus,
    *analysis_terms.Interaction,
    *analysis_terms.Change,
    *analysis_terms.TimeEffect,
    *analysis_terms.DayCombination,
    *analysis_terms.DayClash,
    *(term for term in Term if len(term) > 2),
    *(Term.ECHO, Term.REVERSAL),
    *(
        "三刑",
        "相刑",
        "自刑",
        "六害",
        "相害",
        "驿马",
        "天乙贵人",
        "文昌",
        "华盖",
        "羊刃",
        "禄神",
        "爻辞",
        "彖曰",
        "象曰",
    ),
)
"""States and events of a cast. The last row belongs to other schools: never true here."""

_ANIMALS: Final = (
    "rat",
    "ox",
    "tiger",
    "rabbit",
    "dragon",
    "snake",
    "horse",
    "goat",
    "monkey",
    "rooster",
    "dog",
    "pig",
)
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
_CARDINALS: Final = ("one", "two", "three", "four", "five", "six")
_UNITS: Final = {"year": "年", "month": "月", "day": "日", "hour": "时"}

_SYNONYMS: Final = {
    **{f"第{number}爻": name for number, name in zip("一二三四五六", LINE_NAMES.values(), strict=True)},
    **{f"第{position}爻": name for position, name in LINE_NAMES.items()},
    **{f"line {position}": name for position, name in LINE_NAMES.items()},
    **{f"line {word}": name for word, name in zip(_CARDINALS, LINE_NAMES.values(), strict=True)},
    **{f"{word} line": name for word, name in zip(_ORDINALS, LINE_NAMES.values(), strict=True)},
    **{
        f"{unit} of the {animal}": branch + short
        for unit, short in _UNITS.items()
        for animal, branch in zip(_ANIMALS, BRANCHES, strict=True)
    },
    **{f"{relation}爻": relation for relation in RELATIONS},
    "空亡": "旬空",
    "持世": "世爻",
    "临应": "应爻",
}


def word_of(found: str) -> str:
    found = found.lower()
    return _SYNONYMS.get(found, found)


# ---- Folding ---------------------------------------------------------------------------------------------------------
_OF_TERMS: Final = frozenset(
    "".join((*SHORT_NAMES, *RELATIONS, *SPIRITS.values(), *CONDITIONS, *_ROLES, *STATES, "世应宫签离"))
)
_FOLDED: Final = {
    **{ord(spelt(char)): char for spelt in (name_in_traditional, term_in_traditional) for char in _OF_TERMS},
    **{ord(other): char for other, char in zip("恒無遊衝簽腾騰", "恒无游冲签螣螣", strict=True)},
}
# Matches from a run's first blank only: otherwise the time is quadratic.
_BLANKS: Final = re.compile(r"(?<=[㐀-鿿])\s+(?=[㐀-鿿])")
_GLOSS: Final = re.compile(r"(?:(?<!\s)\s+)?\([\x20-\x27\x2a-\x7e’“”]*\)")


def folded(text: str) -> str:
    """Return the text with simplified terms, without bracketed glosses or blanks within Chinese."""
    return _BLANKS.sub("", _GLOSS.sub("", normalize("NFKC", text).translate(_FOLDED)))


# ---- Patterns of folded texts ----------------------------------------------------------------------------------------
def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_DATE_IN_ENGLISH: Final = rf"\b(?:{_any(_UNITS)}) of the (?:{_any(_ANIMALS)})\b"
_LINE_IN_ENGLISH: Final = rf"\bline (?:\d+|{_any(_CARDINALS)})\b|\b(?:{_any(_ORDINALS)}) line\b"

TOKEN: Final = re.compile(
    "|".join(
        (
            rf"(?P<pillar>(?<!自)[{STEMS}][{BRANCHES}])",
            rf"(?P<date>(?<![上下中正])[{BRANCHES}][日月年时]|{_DATE_IN_ENGLISH})",
            rf"(?P<condition>{_any((*CONDITIONS, '空亡'))})",
            rf"(?P<line>初爻|[二三四五]爻|上爻|第[一二三四五六七八九\d]爻|{_LINE_IN_ENGLISH})",
            rf"(?P<relation>(?:{_any(RELATIONS)})爻?)",
            # Alone, 未 is more often a word than a branch.
            rf"(?P<branch>[{BRANCHES}][木火土金水]|(?<={_any(RELATIONS)})[{BRANCHES.replace('未', '')}])",
            rf"(?P<spirit>{_any(SPIRITS.values())})",
            r"(?P<side>世爻|应爻|持世|临应)",
            rf"(?P<role>{_any(_ROLES)})",
            r"(?P<time>月建|日辰)",
        )
    ),
    re.IGNORECASE,
)
"""Matches one name; the group is its kind."""

BETWEEN: Final = re.compile(r"(?:[的为是乃即属临逢落值在之下\s]|\b(?:is|in|under|the|of|line)\b)*", re.IGNORECASE)
"""What may separate two names of one thing: 五爻是妻财, 妻财 in 五爻."""

STATE: Final = re.compile(_any(STATES))
PALACE: Final = re.compile(r"[乾兑离震巽坎艮坤]宫")

_ASIDE: Final = ("解", "观", "否", "随", "复", "临", "升", "比")
"""Usually ordinary words before 卦: 解卦 is to read a cast."""
_OWN: Final = {short: name for name, short in SHORT_NAMES.items()}
_ENGLISH: Final = {english: name for name, english in HEXAGRAM_NAMES.items()}

HEXAGRAM: Final = re.compile(
    "|".join(
        (
            rf"(?P<full>{_any(SHORT_NAMES)})",
            rf"《(?P<titled>{_any(_OWN)})(?:卦)?》",
            rf"(?P<own>{_any(_OWN.keys() - set(_ASIDE))})卦",
            rf"[得成遇化变](?P<led>{_any(_ASIDE)})卦",
            rf"\b(?P<english>{_any(name for name in _ENGLISH if ' ' in name)})\b",
            rf"\b[Hh]exagram (?:of |called )?[“\"']?(?P<called>{_any(_ENGLISH)}|\d+)\b",
        )
    )
)
"""Matches a hexagram by any of its names."""


def hexagram_of(found: re.Match[str]) -> str:
    """Return the full name of a found hexagram, or the text itself."""
    name = next(group for group in found.groups() if group is not None)
    return _OWN.get(name) or _ENGLISH.get(name) or name


GRADE: Final = re.compile(
    r"上上签|中上签|中中签|中下签|下下签|大吉签|大凶签|(?<=[为是得])[上中下]签(?![字约名署订收合])"
)
GRADES_IN_ENGLISH: Final = {
    "highest of four grades": "上上签",
    "second of four grades": "中上签",
    "third of four grades": "中下签",
    "lowest of four grades": "下下签",
}
