"""Reviews a model's text: language, grade, promises and form; `claims` checks the plate.

Source: `divination-run.md` (DIV-26, DIV-29, DIV-32).
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple
from unicodedata import category

from yarrow.divination.reading import Language
from yarrow.divination.reading.wording.spelling import traditional
from yarrow.runners.divination.brief import Brief
from yarrow.runners.divination.vocabulary import GRADE, GRADES_IN_ENGLISH, folded


class Fault(StrEnum):
    """A broken rule."""

    FORM = "form"
    """Not in the requested form."""
    MARKUP = "markup"
    """Links, markup or invisible characters."""
    LANGUAGE = "language"
    """Not in the user's language."""
    REFUSAL = "refusal"
    """About the model instead of the cast."""
    GRADE = "grade"
    """A grade other than the cast's."""
    PLATE = "plate"
    """Not on the plate."""
    PROMISE = "promise"
    """A promise no reading can make."""
    TONE = "tone"
    """A tone that contradicts the judgement."""
    ADVICE = "advice"
    """"Go ahead" where the cautions forbid it (CARE-04)."""


class Objection(NamedTuple):
    """A broken rule, and the text that breaks it, if any."""

    fault: Fault
    quote: str = ""


def objections(sentences: Sequence[str], brief: Brief) -> list[Objection]:
    """Empty if the text may be used."""
    found = [each for text in sentences for each in _of_text(text, brief)]
    if not _is_in(brief.language, "\n".join(sentences)):
        found.append(Objection(Fault.LANGUAGE))
    return list(dict.fromkeys(found))


def _of_text(text: str, brief: Brief) -> Iterator[Objection]:
    plain = folded(text)
    if _MARKUP.search(text) or any(category(each)[0] == "C" and each != "\n" for each in text):
        yield Objection(Fault.MARKUP)
    if _REFUSAL.search(plain):
        yield Objection(Fault.REFUSAL)
    for level in _grades(text):
        if level != brief.sign_level:
            yield Objection(Fault.GRADE, level)
    for quote in brief.claims.untrue(text):
        yield Objection(Fault.PLATE, quote)
    rules = [(Fault.PROMISE, _PROMISE), (Fault.TONE, _DARK if brief.favourable else _BRIGHT)]
    if brief.careful:
        rules.append((Fault.ADVICE, _GO_AHEAD))
    for fault, pattern in rules:
        yield from (Objection(fault, match[0]) for match in pattern.finditer(plain))


def _grades(text: str) -> Iterator[str]:
    yield from GRADE.findall(folded(text))
    spoken = text.lower()
    yield from (level for words, level in GRADES_IN_ENGLISH.items() if words in spoken)


_MARKUP: Final = re.compile(r"://|www\.|\*\*|```|^[^\S\n]*#|</?[a-z]|[{}\\]", re.IGNORECASE | re.MULTILINE)

_REFUSAL: Final = re.compile(
    r"作为(?:一个|一名)?(?:AI|人工智能|语言模型)|我(?:无法|不能|不便)(?:回答|提供|协助|满足)"
    r"|\bas an? (?:AI|language model)\b|\bI(?:['’]m| am) (?:sorry|unable)"
    r"|\bI (?:cannot|can['’]t) (?:help|assist|answer|provide)",
    re.IGNORECASE,
)

_PROMISE: Final = re.compile(
    r"(?<![不未])(?<!不[能可会會敢])(?<!无法)(?<!無法)(?:一定(?!的|程度)"
    r"|必定|必然|必[将將会會能成败敗胜勝]|[稳穩](?:赚|賺|赢|贏)|包你|百分之百|100 ?%"
    r"|(?:绝对|絕對|肯定)[会會能]|保[证證](?![金书書])|[无無毫]疑[问問])"
    r"|(?:无需|無需|不必|不用)(?:就医|就醫|看医生|看醫生|请律师|請律師)|可以?停[药藥]"
    r"|(?<!no )(?<!not )(?<!never )\b(?:guarantee[ds]?|definitely|certainly will|will certainly|without (?:a )?doubt"
    r"|bound to (?:succeed|fail|win|lose)|no need (?:to see|for) an? (?:doctor|lawyer)|(?:can|may) stop taking)\b",
    re.IGNORECASE,
)
_BRIGHT: Final = re.compile(r"(?<![不非])(?:大吉|上吉|吉兆)|\b(?:highly|very|most) auspicious\b", re.IGNORECASE)
_GO_AHEAD: Final = re.compile(
    r"(?<![不非勿别別])(?<!不要)(?<!不宜)(?<!不可)(?<!不能)(?:放心[地去投做借押]|可以(?:推进|推進|放心|大胆|大膽|放手|继续投|投入|借|押|辞|辭|签|簽|做手术|成行|照)"
    r"|(?:大胆|大膽|放手|尽管|儘管)[地去做投]|(?:照|按)(?:原)?[计計][划劃](?:进行|進行|做|走|往前)|值得(?:投|一搏|借|冒)|去做吧|不妨(?:投|借|押|加)|宜进取|宜進取)"
    r"|(?<!not )(?<!n't )(?<!never )\b(?:go ahead|go for it|as planned|feel free|proceed with confidence|safe to"
    r"|you can safely|invest (?:it )?all|take the (?:loan|plunge)|worth the risk|move forward with confidence)\b",
    re.IGNORECASE,
)
_DARK: Final = re.compile(
    r"(?<![不非])(?:大[凶兇]|[凶兇]兆|[凶兇][险險])|\bvery inauspicious\b|\bhopeless\b", re.IGNORECASE
)


# ---- Language --------------------------------------------------------------------------------------------------------
_HAN: Final = re.compile(r"[㐀-鿿豈-﫿]")
_LATIN: Final = re.compile(r"[A-Za-zÀ-ɏ]")
_WORD: Final = re.compile(r"[a-z]+")
_ENGLISH_WORDS: Final = frozenset(
    (
        "a",
        "and",
        "are",
        "as",
        "be",
        "by",
        "for",
        "in",
        "is",
        "it",
        "not",
        "of",
        "on",
        "or",
        "that",
        "the",
        "this",
        "to",
        "with",
        "you",
        "your",
    )
)

_EVERY: Final = "".join(map(chr, range(0x4E00, 0xA000)))
_PAIRS: Final = [(one, other) for one, other in zip(_EVERY, traditional(_EVERY), strict=True) if one != other]
_SIMPLIFIED_ALONE: Final = frozenset(one for one, _ in _PAIRS)
_TRADITIONAL_ALONE: Final = frozenset(other for _, other in _PAIRS) - _SIMPLIFIED_ALONE

_MOSTLY: Final = 0.6
"""Share of letters in the language's own script: terms may stay Chinese, names Latin."""
_SOME: Final = 0.1
"""The least share of frequent English words, and the most of the other Chinese script."""


def _is_in(language: Language, text: str) -> bool:
    han, latin = len(_HAN.findall(text)), len(_LATIN.findall(text))
    letters = sum(map(str.isalpha, text))
    if not letters or letters - han - latin > letters * _SOME / 2:
        return False
    if language is Language.ENGLISH:
        words = _WORD.findall(text.lower())
        frequent = sum(word in _ENGLISH_WORDS for word in words)
        return latin >= letters * _MOSTLY and frequent >= len(words) * _SOME
    own, other = _SIMPLIFIED_ALONE, _TRADITIONAL_ALONE
    if language is Language.TRADITIONAL:
        own, other = other, own
    right, wrong = (sum(each in characters for each in text) for characters in (own, other))
    return han >= letters * _MOSTLY and wrong <= right * _SOME
