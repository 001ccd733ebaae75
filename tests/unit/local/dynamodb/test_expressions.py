"""The reserved words: the same as those of the emulator that the tests compare with."""

from moto.dynamodb.parsing.reserved_keywords import ReservedKeywords

from local.dynamodb.expressions import reserved_words


def test_the_reserved_words_are_motos() -> None:
    """Both engines refuse the same names of attributes."""
    assert len(reserved_words()) == 573
    assert reserved_words() == set(ReservedKeywords.get_reserved_keywords())
