"""The payload of `divination-run.md`, to start from."""

from typing import Any

from liuyao import DivinationPayload
from tests.support.example_cast import EXAMPLE

# One letter per line, 初爻 first: y 少阳, n 少阴, Y 老阳, N 老阴.
LETTERS = {"y": "少阳", "n": "少阴", "Y": "老阳", "N": "老阴"}


def payload(**changes: Any) -> DivinationPayload:
    """The example with other members, read as the service reads it."""
    return DivinationPayload.model_validate(EXAMPLE | changes)


def cast(letters: str, moment: str = "2026-04-03T20:30:00+08:00") -> DivinationPayload:
    return payload(yaoLines=[LETTERS[letter] for letter in letters], divinationTimeIso=moment)
