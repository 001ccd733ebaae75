"""Reads the lines that an English text names in English words: Officer of Tiger wood on line 2."""

import re
from collections.abc import Iterator
from typing import Final

from liuyao.analysis import LINE_NAMES
from liuyao.reading.wording.glosses import ANIMALS, ELEMENTS, GLOSSES

_RELATIONS: Final = {GLOSSES[name].lower(): name for name in ("官鬼", "妻财", "父母", "兄弟", "子孙")}
_BRANCHES: Final = {animal.lower(): branch for branch, animal in ANIMALS.items()}
_ELEMENTS: Final = {english.lower(): element for element, english in ELEMENTS.items()}
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
_NAMED: Final = re.compile(
    rf"(?:(?P<relation>{'|'.join(_RELATIONS)})(?: \([^)]*\))?(?: line)?(?: of|,)? )?"
    rf"\b(?P<branch>{'|'.join(_BRANCHES)}) (?P<element>{'|'.join(_ELEMENTS)})\b"
    rf"(?: (?:in|on|at|holds|sits (?:in|on|at)) (?:the )?(?:line (?P<line>[1-6])|(?P<ordinal>{'|'.join(_ORDINALS)}) "
    r"(?:line|place|position)))?",
    re.IGNORECASE,
)
_TURNED: Final = re.compile(
    rf"\b(?:turn(?:s|ed|ing)?|chang(?:es?|ed|ing)|transform(?:s|ed|ing)?) in(?:to)? (?:a |an |the )?"
    rf"(?:(?P<relation>{'|'.join(_RELATIONS)})(?: \([^)]*\))?(?: line)?(?: of|,)? )?"
    rf"(?P<branch>{'|'.join(_BRANCHES)}) (?P<element>{'|'.join(_ELEMENTS)})\b",
    re.IGNORECASE,
)
"""What a moving line turns into."""


def named(text: str) -> Iterator[tuple[str, set[str]]]:
    """Yield what a text says of a line, and the names it must have on the plate for that to be true."""
    for match in _NAMED.finditer(text):
        branch, element = _BRANCHES[match["branch"].lower()], _ELEMENTS[match["element"].lower()]
        names = {branch, branch + element}
        if match["relation"]:
            names.add(_RELATIONS[match["relation"].lower()])
        if match["line"] or match["ordinal"]:
            number = int(match["line"]) if match["line"] else _ORDINALS.index(match["ordinal"].lower()) + 1
            names.add(LINE_NAMES[number])
        yield match[0], names
    for match in _TURNED.finditer(text):
        branch, element = _BRANCHES[match["branch"].lower()], _ELEMENTS[match["element"].lower()]
        relation = {_RELATIONS[match["relation"].lower()]} if match["relation"] else set()
        yield match[0], {"变爻", branch, branch + element, *relation}
