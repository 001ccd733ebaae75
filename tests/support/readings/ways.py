"""All the ways in which a reading may say a sentence of the catalogues."""

import re

from liuyao.reading import Language
from liuyao.reading.catalogues import catalogue_for

_FIELD = re.compile(r"\\\{\w+\\\}")


def ways(key: str, language: Language, question: str = "") -> tuple[str, ...]:
    """The sentence of a key and the others that may stand for it, with their fields unfilled."""
    words = catalogue_for(language, question)
    return (words.sentences[key], *words.ways.get(key, ()))


def says(key: str, language: Language, text: str, question: str = "", **fields: str) -> bool:
    """Whether a text has a sentence in any of its ways; a field that is not given may be anything."""
    return any(re.search(_expression(way, fields), text, re.IGNORECASE) for way in ways(key, language, question))


def _expression(way: str, fields: dict[str, str]) -> str:
    for name, value in fields.items():
        way = way.replace(f"{{{name}}}", value)
    return _FIELD.sub(".+?", re.escape(way))
