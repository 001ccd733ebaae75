"""The language in which a user asks to be answered (DIV-32): 「请用英文回答」, "please answer in English".

Only a clause that says nothing else counts: "Should I answer in English?" and 「学英文有前途吗」 are questions
about a language. Languages without readings are ignored.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from liuyao.reading.language import Language
from liuyao.reading.wording.spelling import is_traditional

_NAMES: Final[tuple[tuple[Language | None, str], ...]] = (
    (Language.SIMPLIFIED, "simplified chinese|简体中文|簡體中文|简体字|簡體字|简体|簡體|简中"),
    (Language.TRADITIONAL, "traditional chinese|繁体中文|繁體中文|正體中文|繁体字|繁體字|正體字|繁体|繁體|繁中"),
    (Language.ENGLISH, "english|英文|英语|英語"),
    (None, "chinese|mandarin|中文|汉语|漢語|华语|華語|国语|國語|普通话|普通話"),
)
"""What the languages are called; Chinese alone, which is the last, leaves the script open."""

_ANY = f"(?:{'|'.join(names for _, names in _NAMES)})"

_PLEASE = "(?:(?:can|could|would) you )?(?:please|pls|kindly)"
_YOU = "(?:(?:can|could|would) you|i(?: want|'d like| would like) you to)(?: please| kindly)?"
_SAY = (
    "(?:answer|reply|respond|explain|speak|write|tell|say|read|interpret|give)"
    "(?: (?:me|us|it|this|that|everything|back|(?:the|this|my|your) (?:answer|question|reading|reply|result)s?)){0,2}"
)
_IN = f"in {_ANY}(?: only| instead)?"
_THANKS = "(?:please|pls|thanks|thank you)"

_KINDLY = "(?:请|請|麻烦|麻煩|劳烦|勞煩|烦请|煩請|拜托|拜託)(?:您|你)?"
_CAN_YOU = "(?:(?:您|你)(?:能不能|能否|能|可不可以|可否|可以)|我?希望(?:您|你))"
_USING = f"(?:给我|給我)?(?:都|全部|全程|直接|继续|繼續)?(?:改用|使用|用|以|换成|換成){_ANY}"
_ANSWER = (
    "(?:来|來)?(?:回答|回复|回覆|回復|答复|答覆|作答|解答|解读|解讀|解卦|断卦|斷卦|解释|解釋|说明|說明|分析|告诉|告訴"
    "|讲|講|说|說|写|寫|答|解)(?:我|给我|給我|一下)?"
)
_PARTICLE = "(?:吧|即可|就好|就行|谢谢|謝謝)"
_QUESTION = "(?:好吗|好嗎|可以吗|可以嗎|行吗|行嗎|吗|嗎)"

_REQUESTS: Final = (
    f"(?:{_PLEASE}|{_YOU}) {_SAY} {_IN}(?: {_THANKS})?",
    f"{_SAY} {_IN} {_THANKS}",
    f"(?:in )?{_ANY}(?: only)? {_THANKS}",
    f"{_PLEASE} (?:use|speak) {_ANY}",
    f"(?:{_KINDLY}|{_CAN_YOU}){_USING}{_ANSWER}(?:{_PARTICLE}|{_QUESTION})?",
    f"{_KINDLY}{_USING}(?:{_PARTICLE}|{_QUESTION})?",
    f"{_KINDLY}(?:说|說|讲|講|写|寫)?{_ANY}(?:{_ANSWER})?(?:{_PARTICLE}|{_QUESTION})?",
    f"{_ANSWER}(?:时|時)?{_KINDLY}{_USING}(?:{_PARTICLE}|{_QUESTION})?",
)
"""What asks for a language wherever it stands."""

_COMMANDS: Final = (
    f"{_SAY} {_IN}",
    f"(?:use|speak) {_ANY}",
    f"{_USING}{_ANSWER}{_PARTICLE}?",
    f"{_ANY}{_ANSWER}{_PARTICLE}",
    f"(?:回答|回复|回覆|答案|解读|解讀)(?:时|時)?{_USING}{_PARTICLE}?",
)
"""What could as well be part of a question: it has to end a sentence that is none."""

_LONGEST: Final = 80
"""The characters of the longest clause that is looked at."""

_MARKS = r".,;!?…。，、；！？()（）\n"
_CLAUSE: Final = re.compile(rf"([^{_MARKS}]+)([{_MARKS}]*)")
_COMMA_BEFORE_THANKS: Final = re.compile(rf", ?(?={_THANKS} ?(?:[{_MARKS}]|$))")
_GOES_ON: Final = frozenset(",，、?？")
_CJK = "[㐀-鿿]"
_BETWEEN_WORDS: Final = re.compile(rf"(?<={_CJK})[ \t\u3000]+(?={_CJK})")
_BETWEEN_SCRIPTS: Final = re.compile(rf"(?<={_CJK})[ \t]+(?=[a-z])|(?<=[a-z])[ \t]+(?={_CJK})")


def language_asked(text: str, usual: Language) -> Language:
    """The language that a text asks for, the last if there are several; `usual` when it asks for none.

    Chinese alone is the usual one, or, where that is none, Chinese as the text is written.
    """
    text = text.lower()
    if not _pattern((_ANY,)).search(text):
        return usual
    asked = [clause for clause, end in _clauses(text) if _asks(clause, is_final=_GOES_ON.isdisjoint(end))]
    if not asked:
        return usual
    language = next(language for language, names in _NAMES if re.search(names, asked[-1]))
    if language is not None:
        return language
    if usual is not Language.ENGLISH:
        return usual
    return Language.TRADITIONAL if is_traditional(text) else Language.SIMPLIFIED


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Each clause and the marks after it; a space between two Chinese words is one of them."""
    text = _COMMA_BEFORE_THANKS.sub(" ", text.replace("’", "'"))
    text = _BETWEEN_SCRIPTS.sub("", _BETWEEN_WORDS.sub("，", text))
    for clause, end in _CLAUSE.findall(text):
        yield " ".join(clause.split()), end


def _asks(clause: str, *, is_final: bool) -> bool:
    if len(clause) > _LONGEST:
        return False
    return bool(_pattern(_REQUESTS).fullmatch(clause) or (is_final and _pattern(_COMMANDS).fullmatch(clause)))


@cache
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(phrases))
