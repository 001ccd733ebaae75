"""Detects which of the readings' languages a text is in."""

from typing import Final

from liuyao.care.characters import SIMPLIFIED_ALONE, TRADITIONAL_ALONE
from liuyao.care.folding import fold
from liuyao.reading.language import Language

_LANGUAGES_OF_HAN: Final = (Language.SIMPLIFIED, Language.TRADITIONAL)


def language_of(text: str, usual: Language) -> Language:
    """The language of a text; of several candidates, `usual` if it is one."""
    folded = fold(text)
    if not folded.chinese:
        return Language.ENGLISH if folded.english else usual
    if not TRADITIONAL_ALONE.isdisjoint(text):
        return Language.TRADITIONAL
    if not SIMPLIFIED_ALONE.isdisjoint(text):
        return Language.SIMPLIFIED
    return usual if usual in _LANGUAGES_OF_HAN else Language.SIMPLIFIED
