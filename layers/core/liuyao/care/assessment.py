"""Classifies a text by the phrase tables and a trained classifier: the declined kind, and cautions.

Pure; linear in the length of the text, which is neither stored nor logged.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from liuyao.care.cantonese import in_standard_chinese
from liuyao.care.classified import agrees, classified, classified_cautions, clearly_ordinary, contradicted_cautions
from liuyao.care.folding import CLAUSE, Folded, fold
from liuyao.care.kinds import SURE, Caution, Kind
from liuyao.care.languages import crisis_language
from liuyao.care.mood import is_hopeless_of_something_unnamed
from liuyao.care.notation import GAP, NEAR, Script, pattern, phrases_of, table

_DEATH: Final = ("死", "生还")
"""Most sentences that have these are about nobody's death: 先生還會來嗎."""
_ONESELF: Final = re.compile(
    r"\b(?:me|my|mine|myself|us|our|ourselves|both|too|die|dead|dying|suicid\w*|goodbye|pills?)\b"
)
_I_DO: Final = re.compile(
    r"\b(?:i|ill|im|id|we|well|gonna)\b"
    r"(?: (?!(?:he|she|they|who|if|when|that|and|but|my)\b|think|fear|afraid|worr)[a-z]+){0,8}$"
)
"""The asker does what stands at the end, and fears it of nobody else."""
_MOST_CHARACTERS: Final = 20_000
"""Characters read from either end of a text: together more than `/runs` accepts."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """The most serious declined kind, and every caution."""

    kind: Kind | None = None
    cautions: frozenset[Caution] = frozenset()


def assess(texts: Iterable[str], *, is_follow_up: bool = False) -> Assessment:
    """Assess texts, each for itself, as one question, or as what is said after a reading.

    People feel, tell and thank in a follow-up, and most of that was never a question; it takes more to be unsure of it.
    """
    different = list(dict.fromkeys(texts))
    found = frozenset[Caution]().union(*map(_cautions_of_tables, different))
    called_for = frozenset[Caution]().union(*map(classified_cautions, different))
    # A pregnancy has its own caution.
    found |= called_for - {Caution.HEALTH} if Caution.PREGNANCY in found else called_for
    if any(map(crisis_language, different)):
        return Assessment(Kind.SELF_HARM, found)
    kind = gravest(_of_tables(text, is_follow_up=is_follow_up) for text in different)
    if kind is None or kind is Kind.LIFESPAN:
        likely = gravest(_classified(text, is_follow_up=is_follow_up) for text in different)
        # A word of death is of who will be killed where the classifier is sure that somebody does it: 斩死他.
        kind = likely if kind is None or likely is Kind.VIOLENCE else kind
    if kind is None and any(map(is_hopeless_of_something_unnamed, different)):
        kind = Kind.UNSURE
    return Assessment(kind, found)


def _cautions_of_tables(text: str) -> frozenset[Caution]:
    """By the tables, without those that the classifier is sure of not being called for."""
    found = table_cautions(text)
    return found - contradicted_cautions(text) if found else found  # most texts have none


def _of_tables(text: str, *, is_follow_up: bool) -> Kind | None:
    """By the tables, without ambiguous phrases where the classifiers find nothing grave and no illness.

    `LIFESPAN` by a word of death is as doubtful where the classifier is far from any alarm.
    """
    kind = declined_by_tables(text)
    if kind is None or agrees(text, is_follow_up=is_follow_up):
        return kind
    if kind is Kind.LIFESPAN and Caution.HEALTH in table_cautions(text) | classified_cautions(text):
        return kind
    kind = declined_by_tables(text, certain=True)
    is_of_death_alone = kind is Kind.LIFESPAN and any(word in fold(text).chinese for word in _DEATH)
    return None if is_of_death_alone and clearly_ordinary(text) else kind


def _classified(text: str, *, is_follow_up: bool) -> Kind | None:
    """By the classifier; what it flags is read again without its ordinary phrases."""
    kind = classified(text, is_follow_up=is_follow_up)
    if kind is None:
        return None
    parts = [
        phrases_of(script, "ordinary").sub(f" {CLAUSE} ", view)
        for folded in map(fold, _parts(text))
        for script, view in (("zh", folded.chinese), ("en", folded.english if not folded.chinese else ""))
    ]
    return classified(" ".join(parts), is_follow_up=is_follow_up)


def gravest(kinds: Iterable[Kind | None]) -> Kind | None:
    """The most serious kind."""
    return min((kind for kind in kinds if kind is not None), key=list(Kind).index, default=None)


def _parts(text: str) -> tuple[str, ...]:
    if len(text) <= _MOST_CHARACTERS:
        return (text,)
    return text[:_MOST_CHARACTERS], text[-_MOST_CHARACTERS:]


@cache
def _whole_phrases(name: str, certain: bool) -> re.Pattern[str]:
    phrases = table("zh", name, certain=certain)
    return pattern("zh", (phrase for phrase in phrases if GAP not in phrase and NEAR not in phrase))


@cache
def _joined() -> re.Pattern[str]:
    return re.compile("|".join(table("en", "joined")))


def _kind(text: Folded, certain: bool) -> Kind | None:
    if text.joined and _joined().search(text.joined):
        return Kind.SELF_HARM
    return gravest(
        (
            _shown("zh", text.chinese, lambda kind: phrases_of("zh", kind, certain)),
            _shown("zh", in_standard_chinese(text.chinese), lambda kind: phrases_of("zh", kind, certain)),
            _shown("zh", text.dense, lambda kind: _whole_phrases(kind, certain)),
            _shown("en", text.english, lambda kind: phrases_of("en", kind, certain)),
        )
    )


def _shown(script: Script, text: str, patterns: Callable[[Kind], re.Pattern[str]]) -> Kind | None:
    """The most serious kind in a folded text, without its ordinary phrases."""
    if not text or not any(patterns(kind).search(text) for kind in SURE):
        return None  # the usual case
    plain = phrases_of(script, "ordinary").sub(f" {CLAUSE} ", text)
    found = next((kind for kind in SURE if patterns(kind).search(plain)), None)
    if found is Kind.SELF_HARM and script == "en" and _is_done_to_another(plain, patterns):
        return Kind.VIOLENCE
    return None if found is Kind.LIFESPAN and _is_about_things(script, text) else found


def _is_done_to_another(text: str, patterns: Callable[[Kind], re.Pattern[str]]) -> bool:
    """Whether all that speaks of self-harm is what the asker would do to another: I will slash his throat."""
    if _ONESELF.search(text):
        return False
    threats = [match for match in patterns(Kind.VIOLENCE).finditer(text) if _I_DO.search(text[: match.end()])]
    if not threats:
        return False
    rest = text
    for match in reversed(threats):
        rest = f"{rest[: match.start()]} {CLAUSE} {rest[match.end() :]}"
    return patterns(Kind.SELF_HARM).search(rest) is None


def _is_about_things(script: Script, text: str) -> bool:
    """Whether the text names a thing that may end (`things.txt`) and no living being (`living.txt`)."""
    return bool(phrases_of(script, "things").search(text)) and not phrases_of(script, "living").search(text)


@lru_cache(64)
def declined_by_tables(text: str, *, certain: bool = False) -> Kind | None:
    """The kind that the tables alone find in a text; `certain` leaves out the ambiguous phrases."""
    return gravest(_kind(fold(part), certain) for part in _parts(text))


@lru_cache(64)
def table_cautions(text: str) -> frozenset[Caution]:
    """The cautions that the tables alone find in a text."""
    return frozenset[Caution]().union(*(_cautions(fold(part)) for part in _parts(text)))


def _cautions(text: Folded) -> frozenset[Caution]:
    texts: tuple[tuple[Script, str], ...] = (("zh", text.chinese), ("en", text.english))
    views = [
        (script, phrases_of(script, "caution_ordinary").sub(f" {CLAUSE} ", view)) for script, view in texts if view
    ]
    return frozenset(
        caution
        for caution in Caution
        if any(phrases_of(script, f"caution_{caution}").search(view) for script, view in views)
    )
