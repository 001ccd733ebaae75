"""How well texts in Chinese and English match a query, by the words they share (Okapi BM25)."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

_SATURATION, _LENGTH = 1.5, 0.75
"""BM25's k1 and b."""

_TERM: Final = re.compile(r"[㐀-鿿豈-﫿]+|[^\W_㐀-鿿豈-﫿]+")
_CHINESE: Final = re.compile(r"[㐀-鿿豈-﫿]")


def scores(query: str, documents: Sequence[str]) -> list[float]:
    """Return the score of each document, from 0; comparable within this call only."""
    query_terms = set(_terms(query))
    counted = [Counter(_terms(document)) for document in documents]
    lengths = [counts.total() for counts in counted]
    usual = sum(lengths) / len(lengths) or 1
    matching = Counter(term for counts in counted for term in query_terms & counts.keys())
    rarity = {term: math.log(1 + (len(documents) - n + 0.5) / (n + 0.5)) for term, n in matching.items()}
    return [
        sum(
            rarity[term]
            * counts[term]
            * (_SATURATION + 1)
            / (counts[term] + _SATURATION * (1 - _LENGTH + _LENGTH * length / usual))
            for term in sorted(query_terms & counts.keys())
        )
        for counts, length in zip(counted, lengths, strict=True)
    ]


def _terms(text: str) -> list[str]:
    """Return words in lower case; Chinese as characters and bigrams."""
    return [
        term
        for run in _TERM.findall(text.lower())
        for term in ([*run, *map("".join, pairwise(run))] if _CHINESE.match(run) else [run])
    ]
