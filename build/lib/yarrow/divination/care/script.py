"""The language that a text is written in, as far as readings have it."""

from typing import Final

from yarrow.divination.care.characters import SIMPLIFIED_ALONE, TRADITIONAL_ALONE
from yarrow.divination.care.folding import fold
from yarrow.divination.reading.language import Language

_LANGUAGES_OF_HAN: Final = (Language.SIMPLIFIED, Language.TRADITIONAL)


def language_of(text: str, usual: Language) -> Language:
    """The language of a text; where it could be more than one, the usual one if that is among them."""
    folded = fold(text)
    if not folded.chinese:
        return Language.ENGLISH if folded.english else usual
    if not TRADITIONAL_ALONE.isdisjoint(text):
        return Language.TRADITIONAL
    if not SIMPLIFIED_ALONE.isdisjoint(text):
        return Language.SIMPLIFIED
    return usual if usual in _LANGUAGES_OF_HAN else Language.SIMPLIFIED
