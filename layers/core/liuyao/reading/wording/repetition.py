"""Leaves out what a text has said before: a whole phrase, or a clause at the end of one.

It comes before terms are glossed, so that a phrase reads the same each time.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from liuyao.reading.wording.glosses import GLOSSES

_ENDS: Final = ("。", ". ")
"""Of sentences."""
_JOINTS: Final = ("；", "; ")
"""Between phrases, but for an English one that goes on with "it is"."""
_COMMAS: Final = ("，", "：", ", ", ": ")
"""Between clauses."""
_ENGLISH: Final = re.compile(r"[A-Za-z']+")
_FOUR_WORDS: Final = re.compile(r"[^A-Za-z']*(?:[A-Za-z']+[^A-Za-z']+){3}[A-Za-z']")
_CHINESE: Final = re.compile(r"[㐀-鿿]")
_NAMED_LINE: Final = re.compile(
    r"[父兄子妻官]. .[木火土金水] (?:in|under) .爻"
    r"|(?:Parents|Siblings|Offspring|Wealth|Officer) of [A-Z][a-z]+ [a-z]+(?: (?:on|under) line \d)?"
    r"|[Tt]he (?:asker's|other side's) line"
)
"""A line's English name, before and after its terms are glossed, which is no clause."""
_GLOSSED: Final = re.compile(
    "|".join(sorted({gloss for gloss in GLOSSES.values() if " " in gloss}, key=len, reverse=True))
)
"""The English of terms, which may be repeated."""
_AGAIN: Final = (
    (re.compile("^(.{2,5}[木火土金水])(?:[发發暗已][动動].*)$"), r"\1", ""),
    (re.compile("^(.+ in .爻) (?:moves|is stirred by the day); it (?=is)"), r"\1 ", None),
    (re.compile("^(.+ in .爻) (?:moves|is stirred by the day)$"), r"\1", ", "),
    (re.compile("^卦成三合.局$"), "此局", ""),
)
"""What is left of a first clause said before, its subject, and how that ends: None as the clause does."""
_ASIDE: Final = re.compile(r" ?[（(][^）)]*[）)]")
_STOPS: Final = "。.；;，,：: "
_LEAST: Final = {True: 6, False: 4}  # as _FOUR_WORDS
"""Characters of a Chinese clause, or words of an English one, that count as repeated."""


def clauses(text: str) -> list[str]:
    """The clauses of a text that are long enough to be noticed twice, without their stops."""
    without_asides = _ASIDE.sub("", text)
    found = [item.strip(_STOPS) for item in re.split(r"[。；，：？！\n“”「」]|[.;:?!,](?: |$)", without_asides)]
    return [item for item in found if _is_long(_GLOSSED.sub("", item)) and not _NAMED_LINE.fullmatch(item)]


def repeated(text: str) -> list[str]:
    """The clauses that a text has more than once."""
    found = clauses(text)
    return sorted({item for item in found if found.count(item) > 1})


class _Clause(NamedTuple):
    """A clause as it is written, and as it is compared."""

    text: str
    key: str
    counts: bool
    """Whether it may be left out where it was said before."""


class _Phrase(NamedTuple):
    key: str
    opening: str
    """What stands before the first semicolon of its first clause."""
    first: str
    rest: tuple[_Clause, ...]
    parts: frozenset[str]
    """The keys of its clauses."""
    counted: frozenset[str]
    """The keys of those that may be left out."""
    whole: str
    """Its text where nothing of it was said before."""
    notable: frozenset[str]
    """What of it counts as said from now on."""


def once(*paragraphs: list[str]) -> list[list[str]]:
    """Sentences without the phrases and last clauses that an earlier sentence has."""
    said: set[str] = set()
    heard: set[str] = set()
    told = []
    for paragraph in paragraphs:
        texts = ("".join([_new(*part, said, heard) for part in _sentences(text)]).strip() for text in paragraph)
        told.append([text for text in texts if text])
    return told


def _new(stop: str, phrases: tuple[_Phrase, ...], said: set[str], heard: set[str]) -> str:
    """`heard` has the clauses however short, for a phrase of which every part was said before."""
    kept: list[str] = []
    for phrase in phrases:
        if phrase.key in said or (len(phrase.parts) > 1 and phrase.parts <= heard):
            continue
        heard |= phrase.parts
        again = phrase.opening in said
        text = phrase.whole
        if again or not said.isdisjoint(phrase.counted):
            rest = [item.text for item in phrase.rest if not (item.counts and item.key in said)]
            text = _joined([_subject(phrase.first) if again else phrase.first, *rest]) if rest or not again else ""
        said |= phrase.notable
        if text:
            kept.append(text)
    joined = ("; " if stop.startswith(".") else "；").join(kept)
    return joined and joined + stop


def _joined(clauses: list[str]) -> str:
    return "".join(clauses).replace(": which ", ", which ").strip(_STOPS)


@lru_cache(1_024)
def _sentences(text: str) -> tuple[tuple[str, tuple[_Phrase, ...]], ...]:
    """Return the stop and the phrases of each sentence. The same text comes several times in a reading."""
    return tuple(
        [
            (part[len(part.rstrip("。. ")) :], tuple([_analysed(phrase) for phrase in _phrases(part)]))
            for part in _split(text, _ENDS)
        ]
    )


def _phrases(sentence: str) -> list[str]:
    parts = _split(sentence, _JOINTS)
    for at in range(len(parts) - 1, 0, -1):
        if parts[at].startswith("it is ") and parts[at - 1].endswith("; "):
            parts[at - 1 : at + 1] = [parts[at - 1] + parts[at]]
    return parts


def _split(text: str, marks: tuple[str, ...]) -> list[str]:
    """The parts of a text, each with the mark that ends it. A regular expression takes five times as long."""
    for mark in marks:
        text = text.replace(mark, f"{mark}\0")
    return text.split("\0")


@lru_cache(4_096)
def _analysed(phrase: str) -> _Phrase:
    first, *rest = _split(phrase.strip(_STOPS), _COMMAS)
    begins, several, _ = first.partition("; ")
    key = _key(phrase)
    first_key = _key(first) if rest else key
    opening = _key(begins) if several else first_key
    clauses = tuple([_clause(item) for item in rest])
    parts = frozenset([first_key, *[clause.key for clause in clauses]])
    # A phrase may come again without what leads to it: "in the cast, …".
    keys = parts | {key, opening, _key("".join(rest))}
    return _Phrase(
        key=key,
        opening=opening,
        first=first,
        rest=clauses,
        parts=parts,
        counted=frozenset([clause.key for clause in clauses if clause.counts]),
        whole=_joined([first, *rest]),
        notable=frozenset(filter(_is_long, keys)),
    )


@lru_cache(4_096)
def _clause(clause: str) -> _Clause:
    key = _key(clause)
    # A line's name stands between the commas of an apposition.
    return _Clause(clause, key, not _NAMED_LINE.fullmatch(key))


@lru_cache(1_024)
def _subject(clause: str) -> str:
    """What is left of a first clause whose opening was said before."""
    key = _key(clause)
    for pattern, left, end in _AGAIN:
        if pattern.match(key):
            return pattern.sub(left, key) + (clause[len(clause.rstrip(_STOPS)) :] if end is None else end)
    return ""


def _key(clause: str) -> str:
    plain = clause
    if "[" in clause or "<" in clause:
        for mark in "[]<>":
            plain = plain.replace(mark, "")
    return (_ASIDE.sub("", plain) if ")" in plain or "）" in plain else plain).strip(_STOPS)


@lru_cache(4_096)
def _is_long(clause: str) -> bool:
    if clause.isascii():
        return _FOUR_WORDS.match(clause) is not None
    chinese = len(_CHINESE.findall(clause))
    words = chinese + len(_ENGLISH.findall(clause))
    return words >= _LEAST[chinese > words / 2]
