"""What a text says that a reading has to be careful about: the tables of this package, looked up.

Pure and linear in the length of the text. Nothing of the text is kept or told.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from yarrow.divination.care.cantonese import in_standard_chinese
from yarrow.divination.care.folding import CLAUSE, Folded, fold
from yarrow.divination.care.kinds import Caution, Kind
from yarrow.divination.care.notation import GAP, NEAR, Script, pattern, table

_MOST_CHARACTERS: Final = 20_000
"""How much of a text is looked at, from either end: together more than a run may bring on `/runs`."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """What was noticed: the gravest kind that no cast is judged about, and every caution."""

    kind: Kind | None = None
    cautions: frozenset[Caution] = frozenset()


def assess(texts: Iterable[str]) -> Assessment:
    """Assess texts, each for itself, as one question."""
    folded = [fold(part) for text in texts for part in _parts(text)]
    found = frozenset[Caution]().union(*map(_cautions, folded))
    return Assessment(gravest(map(_kind, folded)), found)


def gravest(kinds: Iterable[Kind | None]) -> Kind | None:
    """The kind that counts of several."""
    return min((each for each in kinds if each is not None), key=list(Kind).index, default=None)


def _parts(text: str) -> tuple[str, ...]:
    if len(text) <= _MOST_CHARACTERS:
        return (text,)
    return text[:_MOST_CHARACTERS], text[-_MOST_CHARACTERS:]


# Compiled when they are first asked for: most processes meet one language.
@cache
def _phrases(script: Script, name: str) -> re.Pattern[str]:
    return pattern(script, table(script, name))


@cache
def _whole_phrases(name: str) -> re.Pattern[str]:
    return pattern("zh", (each for each in table("zh", name) if GAP not in each and NEAR not in each))


@cache
def _joined() -> re.Pattern[str]:
    return re.compile("|".join(table("en", "joined")))


def _kind(text: Folded) -> Kind | None:
    if text.joined and _joined().search(text.joined):
        return Kind.SELF_HARM
    return gravest(
        (
            _shown("zh", text.chinese, lambda kind: _phrases("zh", kind)),
            _shown("zh", in_standard_chinese(text.chinese), lambda kind: _phrases("zh", kind)),
            _shown("zh", text.dense, _whole_phrases),
            _shown("en", text.english, lambda kind: _phrases("en", kind)),
        )
    )


def _shown(script: Script, text: str, patterns: Callable[[Kind], re.Pattern[str]]) -> Kind | None:
    """The gravest kind that a folded text shows, without its ordinary words."""
    if not text or not any(patterns(kind).search(text) for kind in Kind):
        return None  # by far the most frequent
    plain = _phrases(script, "ordinary").sub(f" {CLAUSE} ", text)
    found = next((kind for kind in Kind if patterns(kind).search(plain)), None)
    return None if found is Kind.LIFESPAN and _is_about_things(script, text) else found


def _is_about_things(script: Script, text: str) -> bool:
    """Whether what may end is a game, a phone, a plant or the like, and no one is named who could die."""
    return bool(_phrases(script, "things").search(text)) and not _phrases(script, "living").search(text)


def _cautions(text: Folded) -> frozenset[Caution]:
    given: tuple[tuple[Script, str], ...] = (("zh", text.chinese), ("en", text.english))
    views = [(script, _phrases(script, "caution_ordinary").sub(f" {CLAUSE} ", view)) for script, view in given if view]
    return frozenset(
        caution
        for caution in Caution
        if any(_phrases(script, f"caution_{caution}").search(view) for script, view in views)
    )
