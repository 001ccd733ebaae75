"""Finds the words of cards, including those that packages declare."""

from functools import cache
from typing import Final

from yarrow.packages import declared
from yarrow.protocol.ui_schema.words import WORDS, CardWords

ENTRY_POINTS: Final = "yarrow.card_words"
"""Entry point group of CardWords objects."""


@cache
def card_words() -> CardWords:
    """Join the service's words, then the bundled packages', then others'; none replaces an earlier one."""
    return WORDS.with_those_of(words for _, words in declared.objects(ENTRY_POINTS, CardWords))
