"""Folds the clauses of a model's text once: every check reads the same ones."""

from functools import lru_cache
from typing import Final

from liuyao.care import folding

_KEPT: Final = 64
"""Texts: a sentence and its clauses, and the facts."""


@lru_cache(maxsize=_KEPT)
def fold(text: str) -> folding.Folded:
    """As `care.folding.fold`."""
    return folding.fold(text)
