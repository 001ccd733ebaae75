"""Whether a text asks about more than one matter, of which a cast answers one (一卦不断二事).

Source: 《增删卜易》, 「一事一占」.
"""

import re
from typing import Final

from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.matters import GENERAL
from liuyao.reading.question.named_matter import matter_of_type

MOST: Final = 4
"""More than so many questions are a story, of which nobody is asked to choose."""

_QUESTION: Final = re.compile(r"(?:[^?？!！。\n.]|\.(?!\s))*[?？]+")
_JOINED: Final = re.compile(
    r"^[\W_]*(?:(?:and|also|plus|or)\b|另外|还有|還有|以及|再就是|顺便|順便)?[\W_]*", re.IGNORECASE
)


def questions_apart(question_type: str, question: str) -> tuple[str, ...]:
    """Return the questions of a text that asks about different matters, in its words; empty for all others.

    A type that names a matter says which is meant, and a question that follows from another one has no matter of its
    own.
    """
    if matter_of_type(question_type) not in (None, GENERAL):
        return ()
    asked = [_begun(_JOINED.sub("", found[0])) for found in _QUESTION.finditer(question)]
    if not 1 < len(asked) <= MOST:
        return ()
    inquiries = [(part, inquire(question_type, part)) for part in asked]
    apart = {inquiry.matter.key: part for part, inquiry in reversed(inquiries) if inquiry.matter is not GENERAL}
    of_lines = {inquiry.focus for _, inquiry in inquiries if inquiry.matter is not GENERAL}
    return tuple(reversed(apart.values())) if len(apart) > 1 and len(of_lines) > 1 else ()


def _begun(question: str) -> str:
    return question[:1].upper() + question[1:]
