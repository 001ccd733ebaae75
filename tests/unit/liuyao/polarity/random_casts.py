"""Casts of a question at random times with random lines."""

import random

from liuyao import Divination, DivinationPayload, derive

LINES = {"0": "老阴", "1": "少阳", "2": "少阴", "3": "老阳"}


def cast(draw: random.Random, question: str) -> Divination:
    """Return a derived cast of 2026."""
    day, hour = draw.randrange(1, 29), draw.randrange(24)
    return derive(
        DivinationPayload.model_validate(
            {
                "divinationMethod": "手动起卦",
                "questionType": "other",
                "question": question,
                "divinationTimeIso": f"2026-{draw.randrange(1, 13):02}-{day:02}T{hour:02}:10:00+08:00",
                "yaoLines": [LINES[draw.choice("00112233")] for _ in range(6)],
            }
        )
    )
