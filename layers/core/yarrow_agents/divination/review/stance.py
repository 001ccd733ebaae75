"""Whether the verdict words of a sentence agree with the verdict (CARE-09).

Any word of success counts as a claim that the matter succeeds, any of failure as one that it fails, unless it is
negated in its clause. Who sounds certain of it promises.
"""

import re
from collections.abc import Iterator
from typing import Final

from liuyao.care.folding import CLAUSE, Folded, fold
from yarrow_agents.divination.review.concepts import Concept, concepts, english_words

_NOT: Final = re.compile("不|没|未|无|非|别|难|莫|勿|免|少|若|如果|要是|谈不上|还早|[^A-Za-z]想")
_NOT_IN_ENGLISH: Final = re.compile(
    r" (?:not|no|never|nothing|nobody|none|neither|nor|without|cannot|hard|difficult|if|unless|until|\w+nt) "
)
_ABSOLUTE: Final = re.compile(
    "百分之百|百分百|十拿九稳|板上钉钉|万无一失|毫无疑问|毫无悬念|包你|保证|保准|稳赢|稳赚|绝对|铁定|一定会|一定能|必定|必将"
    "|guarantee.*|hundred percent|rest assured|assured|cannot fail|cant fail|for sure|definitely|bound to|sure to"
)
"""Promises by themselves."""
_ADVERB: Final = re.compile("(?:ing|ly|ness|ment|tion|ty)$")


def faults(text: str, *, favourable: bool, careful: bool) -> Iterator[str]:
    """The verdict words of a sentence that contradict the verdict, or promise."""
    folded = fold(text)
    good, bad = list(_claims("good", folded)), list(_claims("bad", folded))
    certain = list(_claims("certain", folded))
    if favourable:
        yield from bad
    else:
        yield from good
    if good and (certain or careful):
        yield from (*good, *certain)
    yield from (each for each in certain if _ABSOLUTE.fullmatch(each))
    if text.lstrip(" \n“\"'‘(")[:1].isascii():
        yield from _orders(folded.english)


def _claims(name: str, text: Folded) -> Iterator[str]:
    """The words of a concept that no negation comes before in their clause."""
    concept: Concept = concepts()[name]
    for clause in text.chinese.split(CLAUSE) if text.chinese else ():
        for match in concept.chinese.finditer(clause):
            if not _NOT.search(clause[: match.start()]):
                yield match[0]
    for clause in text.english.split(f" {CLAUSE} ") if text.english else ():
        for match in concept.english.finditer(f" {clause.strip()} "):
            if not _NOT_IN_ENGLISH.search(f" {clause.strip()} "[: match.start() + 1]):
                yield match[0]


def _orders(english: str) -> Iterator[str]:
    """The first word of a sentence that may be an order, also after an adverb and a comma."""
    words = english.split()
    while len(words) > 1 and words[1] == CLAUSE and (words[0] in english_words("starters") or _ADVERB.search(words[0])):
        words = words[2:]
    if not words or words[0] == CLAUSE or words[0] in english_words("starters") or _ADVERB.search(words[0]):
        return
    if len(words) > 1 and words[1] in english_words("objects"):
        yield words[0]
