"""What a sentence may be written with: its language's script and marks, and no foreign word, number or name.

Links, handles, prices and numbers to call cannot be written with what is left.
"""

import re
from collections.abc import Iterator
from typing import Final

from liuyao.reading import Language
from liuyao.reading.wording.spelling import traditional
from yarrow_agents.divination.review.concepts import english_words, flat
from yarrow_agents.divination.review.lexicon import is_plain_english
from yarrow_agents.divination.review.lexicon import strange as unknown

_MARKS: Final = frozenset(" \n，。、；：？！,.;:?!“”‘’'\"「」『』《》（）()—–-…·・")
_HAN: Final = re.compile("[\u3400-\u9fff\uf900-\ufaff]+")
_LATIN: Final = re.compile("[A-Za-z]+(?:['’-][A-Za-z]+)*")
_NUMBER: Final = re.compile(r"\d+")
_NUMERAL: Final = re.compile("[零〇一二三四五六七八九两百千万幺]{3,}|[零〇一二三四五六七八九]{2,}")
_QUOTED: Final = re.compile("[“「『《‘]([^”」』》’]*)[”」』》’]")
_LINE: Final = re.compile(r"\blines? \d\b(?:(?:, | and | or )\d\b)*|\bhexagram \d+\b")
_DOTTED: Final = re.compile(r"[^\W\d_][.．·][^\W\d_]{2}|\w[@＠]\w")
_LONG: Final = 4
"""Characters of a quotation that says something of its own, unless all its words are plain."""
_PLAIN_NAMES: Final = frozenset(("I", "I'm", "I'd", "I've", "Liu", "Yao", "Wood", "Fire", "Earth", "Metal", "Water"))

_PLAIN_ABBREVIATIONS: Final = frozenset(("CV", "HR", "TV", "OK", "ID", "GP", "IT", "AM", "PM"))
_ACCENTED: Final = "áàâäãåçéèêëíìîïñóòôöõúùûüÁÀÂÉÈÊÖÜ"
"""Letters of words that English has borrowed: café, fiancé."""

_EVERY: Final = "".join(map(chr, range(0x4E00, 0xA000)))
_PAIRS: Final = [(one, other) for one, other in zip(_EVERY, traditional(_EVERY), strict=True) if one != other]
_OF_BOTH: Final = "着采准云几范夸克泄伙托挂划却够迹里后余晒"
"""Simplified characters that are traditional ones too, or common in their place."""
_OTHERS: Final = {
    Language.SIMPLIFIED: frozenset(other for _, other in _PAIRS) - frozenset(one for one, _ in _PAIRS),
    Language.TRADITIONAL: frozenset(one for one, _ in _PAIRS) - frozenset(_OF_BOTH),
}
"""Characters that only the other Chinese script has."""

_SHARE: Final = 0.3
"""The least share of frequent words in an English sentence of some length."""
_PLAIN_SHARE: Final = 0.6
"""The least share of words of a reading in one that has fewer frequent words."""
_SHORT: Final = 5


def strange(text: str, language: Language, facts: str) -> Iterator[str]:
    """Yield what a text must not be written with; `facts` are texts whose words and names it may use."""
    yield from (character for character in dict.fromkeys(text) if not _is_of(character, language))
    yield from (match[0] for match in _DOTTED.finditer(text))
    known = facts.lower()
    within = _LINE.sub("", text)
    yield from (number for number in _NUMBER.findall(within) if number not in _NUMBER.findall(facts))
    quoted = (
        quotation for quotation in _QUOTED.findall(text) if len(quotation) >= _LONG and quotation.lower() not in known
    )
    yield from (quotation for quotation in quoted if next(unknown(quotation, language, flat(facts)), None) is not None)
    if language is Language.ENGLISH:
        yield from (word for word in _HAN.findall(text) if word not in facts)
        yield from (name for name in _named(text) if name.lower() not in known)
    else:
        yield from (word for word in _LATIN.findall(text) if not _has(known, word.lower()))
        yield from (numeral for numeral in _NUMERAL.findall(text) if numeral not in facts)


def _is_of(sign: str, language: Language) -> bool:
    if sign in _MARKS or sign.isdigit():
        return sign in _MARKS or sign.isascii()
    if language is Language.ENGLISH:
        return (sign.isascii() and sign.isalpha()) or sign in _ACCENTED or _HAN.fullmatch(sign) is not None
    return (sign.isascii() and sign.isalpha()) or (_HAN.fullmatch(sign) is not None and sign not in _OTHERS[language])


def _has(known: str, word: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", known) is not None


def _named(text: str) -> Iterator[str]:
    """Yield capitalised words that do not begin a sentence."""
    for match in _LATIN.finditer(text):
        before = text[: match.start()].rstrip(" “\"'‘(")
        if (
            match[0][0].isupper()
            and match[0] not in _PLAIN_NAMES | _PLAIN_ABBREVIATIONS
            and before
            and before[-1] not in ".?!:…\n"
        ):
            yield match[0]


def is_english(text: str) -> bool:
    """Whether enough words of a sentence are frequent ones, or of a reading; a short one may have none."""
    words = [word.lower() for word in _LATIN.findall(text)]
    if len(words) <= _SHORT:
        return bool(words)
    frequent = sum(word in english_words("frequent") for word in words)
    plain = sum(is_plain_english(word) for word in words)
    return frequent >= _SHARE * len(words) or plain >= _PLAIN_SHARE * len(words)


def is_chinese(text: str) -> bool:
    """Whether most letters of a sentence are Chinese characters."""
    han = sum(map(len, _HAN.findall(text)))
    return han * 2 > sum(map(str.isalpha, text))
