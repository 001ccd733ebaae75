"""The payload of `divination-run.md`, to start from."""

from typing import Any

from yarrow.divination import DivinationPayload

EXAMPLE: dict[str, Any] = {
    "divinationMethod": "手动起卦",
    "questionType": "事业",
    "question": "我最近换工作是否合适?",
    "divinationTimeIso": "2026-04-03T20:30:00+08:00",
    "yaoLines": ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
}

# One letter per line, 初爻 first: y 少阳, n 少阴, Y 老阳, N 老阴.
LETTERS = {"y": "少阳", "n": "少阴", "Y": "老阳", "N": "老阴"}


def payload(**changes: Any) -> DivinationPayload:
    """The example with other members, read as the service reads it."""
    return DivinationPayload.model_validate(EXAMPLE | changes)


def cast(letters: str, moment: str = "2026-04-03T20:30:00+08:00") -> DivinationPayload:
    """A cast written in six LETTERS."""
    return payload(yaoLines=[LETTERS[letter] for letter in letters], divinationTimeIso=moment)
