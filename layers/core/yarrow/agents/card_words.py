"""Finds the words of cards, those that packages declare too."""

from functools import cache
from typing import Final

from yarrow.packages import declared
from yarrow.protocol.ui_schema.words import WORDS, CardWords

ENTRY_POINTS: Final = "yarrow.card_words"
"""Entry point group of CardWords objects."""


@cache
def card_words() -> CardWords:
    """The service's words come first, then the bundled packages'; none replaces another's."""
    return WORDS.with_those_of(words for _, words in declared.objects(ENTRY_POINTS, CardWords))
