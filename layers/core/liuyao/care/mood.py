"""Hopelessness beside a matter that nothing names (CARE-07): "nothing matters any more, should I just finish it?".

What "it" is cannot be known there, so it is not taken for a job or a book. The words of such a mood are in `mood.txt`;
how far the rest of a text names a matter is measured (`liuyao.classification.naming`). Who is tired of everything and
asks about an exam has named the exam.
"""

from collections.abc import Iterator
from typing import Final

from liuyao.care.cantonese import in_standard_chinese
from liuyao.care.folding import CLAUSE, Folded, fold
from liuyao.care.notation import Script, phrases_of

LEAST: Final = 1.2
"""What the words beside the mood must tell together to name a matter, in nats."""


def is_hopeless_of_something_unnamed(text: str) -> bool:
    """Whether a text has words of hopelessness, of an end or of being a burden, and beside them names no matter."""
    rest = list(_beside_the_mood(fold(text)))
    if not rest:
        return False
    from liuyao.classification.naming import naming  # which imports this package

    return any(naming(words) < LEAST for words in rest)


def _beside_the_mood(text: Folded) -> Iterator[str]:
    """Yield each view of a text that has words of such a mood, without these."""
    views: tuple[tuple[Script, str], ...] = (
        ("zh", text.chinese),
        ("zh", in_standard_chinese(text.chinese)),
        ("en", text.english),
    )
    for script, view in views:
        rest, found = phrases_of(script, "mood").subn(f" {CLAUSE} ", view) if view else (view, 0)
        if found:
            yield rest
