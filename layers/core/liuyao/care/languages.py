"""Words of a crisis in languages that have no readings, and the reply in that language (CARE-01).

`tables/languages.txt` are the phrases, `tables/language_replies.txt` the replies.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import category, normalize

from liuyao.care.help_lines import for_locale, region_of
from liuyao.care.help_lines_parameter import RegionalHelp

_TABLES: Final = Path(__file__).with_name("tables")
_ACCENTED: Final = frozenset({"vi"})
"""Languages in which accents tell words apart."""
_UNSPACED: Final = frozenset({"ja", "ko", "th"})
"""Phrases are found inside words as well."""
_KANA: Final = re.compile("[\u3040-\u30ff]")
_HAN: Final = re.compile("[\u3400-\u9fff]")
_NO_WORD: Final = re.compile(r"\W")
_LETTERS: Final = str.maketrans({"ø": "o", "đ": "d", "ı": "i", "æ": "ae", "ł": "l", "œ": "oe"})
_MOST_CHARACTERS: Final = 8_000
DIRECTORY: Final = "findahelpline.com"


class _Reply(NamedTuple):
    unknown_number: str
    text: str


def crisis_language(text: str) -> str | None:
    """The ISO 639 code of the language in which a text speaks of suicide or self-harm; None for none of these.

    English and Chinese have tables of their own.
    """
    shown = text[:_MOST_CHARACTERS] + text[-_MOST_CHARACTERS:] if len(text) > 2 * _MOST_CHARACTERS else text
    if not _KANA.search(shown) and _HAN.search(shown):
        return None
    plain, accented = _folded(shown), _spaced(normalize("NFKC", shown).casefold())
    words = {*plain.split(), *accented.split()}
    found = {
        language: sum(len(phrase) for phrase in phrases if phrase in (accented if language in _ACCENTED else plain))
        for language, phrases in _phrases().items()
        if language in _UNSPACED or not words.isdisjoint(_first_words()[language])
    }
    best = max(found, key=found.__getitem__, default=None)
    return best if best is not None and found[best] else None


def reply(language: str, locale: str | None, replaced: Mapping[str, RegionalHelp]) -> str:
    """The reply in that language, with the help lines of the locale's region, else of the language's."""
    words = _replies()[language]
    help_ = for_locale(locale if region_of(locale) else language, replaced)
    numbers = list(dict.fromkeys(number for region in help_ for number in region.emergency))
    lines = [*_lines(help_), DIRECTORY]
    return words.text.format(emergency=" / ".join(numbers) or words.unknown_number, lines=", ".join(lines))


def _lines(help_: Sequence[RegionalHelp]) -> list[str]:
    return [f"{line.name} {line.number}" for region in help_ for line in region.lines]


def _spaced(text: str) -> str:
    """Words between single blanks, with one at either end."""
    words = _NO_WORD.sub(" ", text).split()
    return f" {' '.join(words)} "


def _folded(text: str) -> str:
    """In lower case, without accents and invisible signs."""
    signs = normalize("NFKD", text.casefold()).translate(_LETTERS)
    return _spaced("".join(sign for sign in signs if category(sign) not in ("Mn", "Cf", "Mc")))


@cache
def _phrases() -> Mapping[str, tuple[str, ...]]:
    found = {}
    for language, text in _rows("languages"):
        fold = (lambda one: _spaced(normalize("NFKC", one).casefold())) if language in _ACCENTED else _folded
        phrases = [fold(phrase) for phrase in text.split("|")]
        found[language] = tuple(one.strip() if language in _UNSPACED else one for one in phrases)
    return found


@cache
def _first_words() -> Mapping[str, frozenset[str]]:
    return {language: frozenset(phrase.split()[0] for phrase in phrases) for language, phrases in _phrases().items()}


@cache
def _replies() -> Mapping[str, _Reply]:
    parts = ((language, text.partition("|")) for language, text in _rows("language_replies"))
    return {language: _Reply(unknown.strip(), text.strip()) for language, (unknown, _, text) in parts}


def _rows(name: str) -> list[tuple[str, str]]:
    lines = (_TABLES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    named = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return [(language, text.strip()) for language, _, text in named]
