"""Reads a cast on the wire without building a model, which takes most of the time of a first request.

It takes what clients of today send; `liuyao.payload` takes the other spelling as well, and says what is wrong.
"""

from typing import Any, Final, Literal, get_args

from liuyao.instants import parse

DivinationMethod = Literal["手动起卦", "自动起卦"]
YaoType = Literal["少阳", "少阴", "老阳", "老阴"]

FIRST_YEAR, LAST_YEAR = 1900, 2100
"""In local time: the solar-term table covers them in every offset."""

MAX_TYPE_LENGTH: Final = 32
MAX_QUESTION_LENGTH: Final = 300
LINES: Final = 6

_METHODS: Final = frozenset(get_args(DivinationMethod))
_YAO_TYPES: Final = frozenset(get_args(YaoType))


def plain_cast(value: Any) -> dict[str, Any] | None:
    """Return the JSON of the cast's DivinationPayload; None if it is invalid or spelt another way."""
    match value:
        case {
            "divinationMethod": str(method),
            "questionType": str(question_type),
            "question": str(question),
            "divinationTimeIso": str(time),
            "yaoLines": list(lines),
        } if len(value) == 5 and method in _METHODS:
            pass
        case _:
            return None
    if len(lines) != LINES or not all(isinstance(line, str) and line in _YAO_TYPES for line in lines):
        return None
    for text, longest in ((question_type, MAX_TYPE_LENGTH), (question, MAX_QUESTION_LENGTH)):
        if len(text) > longest or not text.strip():
            return None
    try:
        moment = parse(time)
    except ValueError:
        return None
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        return None
    return {
        "divinationMethod": method,
        "questionType": question_type,
        "question": question,
        "divinationTimeIso": moment.isoformat(),
        "yaoLines": list(lines),
    }
