"""The notation that the tables of phrases are written in, and its regular expressions.

A table is a text file with a phrase a line; `#` begins a remark. A phrase after `? ` is ambiguous: it decides nothing
alone. A phrase is made of words and of:

- `{name}`: any word of that class (`classes.txt`);
- `(a|b)`: any of these;
- `[a|b]`: any of these, or nothing;
- `…`: up to 6 characters (Chinese) or 4 words (English) of the same clause;
- ` & `: the phrases on either side, in either order, at most 24 characters or 12 words apart, across clauses.

Gaps are bounded and nothing is repeated inside a repetition, so that a search takes linear time.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal

from liuyao.care.characters import ALIKE
from liuyao.care.folding import CLAUSE

Script = Literal["zh", "en"]

GAP: Final = "…"
NEAR: Final = " & "
AMBIGUOUS: Final = "? "

_TABLES: Final = Path(__file__).with_name("tables")
_NAME: Final = re.compile(r"\{([a-z]+)\}")
_FIRST_CLASS: Final = re.compile(r"\{[a-z]+\}")
_BRACKET: Final = re.compile(r"\((?!\?)")
_CHINESE_PART: Final = re.compile(r"[\[\]]| +|…")
_ENGLISH_PART: Final = re.compile(r"\(\?:|[\[\]|)…]|[^\s()\[\]|…]+")
_CHINESE_SIGNS: Final = {"[": "(?:", "]": ")?", GAP: f"[^{CLAUSE}]{{0,6}}?"}
_APART: Final[Mapping[Script, str]] = {"zh": ".{0,24}?", "en": "(?: [0-9a-z,]+){0,12}?"}
_ENGLISH_SIGNS: Final = {"[": "(?:", "]": ")?", GAP: "(?: [0-9a-z]+){0,4}?", "(?:": "(?:", "|": "|", ")": ")"}


def table(script: Script, name: str, *, certain: bool = False) -> tuple[str, ...]:
    """The phrases of a table; `certain` leaves out the ambiguous ones."""
    lines = (_TABLES / script / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    phrases = (phrase for line in lines if (phrase := line.partition("#")[0].strip()))
    return tuple(phrase.removeprefix(AMBIGUOUS) for phrase in phrases if not (certain and phrase.startswith(AMBIGUOUS)))


# Compiled when they are first asked for: most processes meet one language.
@cache
def phrases_of(script: Script, name: str, certain: bool = False) -> re.Pattern[str]:
    """Any phrase of a table in a folded text; `certain` leaves out the ambiguous ones."""
    return pattern(script, table(script, name, certain=certain))


def pattern(script: Script, phrases: Iterable[str]) -> re.Pattern[str]:
    """Any of these phrases in a folded text; in English, as whole words."""
    end = "" if script == "zh" else "(?= )"
    return re.compile(f"(?:{'|'.join(_expression(script, item) for item in _merged(phrases))}){end}")


def _merged(phrases: Iterable[str]) -> list[str]:
    """Merge phrases that begin with the same class, which is then compiled and matched once."""
    rests: dict[str, list[str]] = {}
    for phrase in phrases:
        begins = _FIRST_CLASS.match(phrase)
        if begins and NEAR not in phrase and not _has_alternatives(phrase):
            rests.setdefault(begins[0], []).append(phrase[begins.end() :])
        else:
            rests.setdefault(phrase, [])
    return [f"{begins} ({'|'.join(rest)})" if rest else begins for begins, rest in rests.items()]


def _has_alternatives(phrase: str) -> bool:
    depth = 0
    for sign in phrase:
        depth += (sign in "([") - (sign in ")]")
        if sign == "|" and depth == 0:
            return True
    return False


def _expression(script: Script, phrase: str) -> str:
    compose = _chinese if script == "zh" else _english
    first, near, second = phrase.partition(NEAR)
    one = compose(_filled(script, first))
    if not near:
        return one
    other, apart = compose(_filled(script, second)), _APART[script]
    return f"(?:{one}){apart}(?:{other})|(?:{other}){apart}(?:{one})"


@cache
def _classes(script: Script) -> Mapping[str, str]:
    named = (line.partition(":") for line in table(script, "classes"))
    return {name: words.strip() for name, _, words in named}


def _filled(script: Script, phrase: str) -> str:
    """A phrase with its classes written out, which may have classes in turn."""
    while _NAME.search(phrase):
        phrase = _NAME.sub(lambda match: f"({_classes(script)[match[1]]})", phrase)
    return _BRACKET.sub("(?:", phrase)


def _chinese(phrase: str) -> str:
    return _CHINESE_PART.sub(lambda match: _CHINESE_SIGNS.get(match[0], ""), phrase).translate(ALIKE)


def _english(phrase: str) -> str:
    """The blank before a word belongs to it, so that an optional word leaves none behind."""
    return "".join(_ENGLISH_SIGNS.get(part, f" {part}") for part in _ENGLISH_PART.findall(phrase))
