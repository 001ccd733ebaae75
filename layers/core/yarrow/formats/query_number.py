"""Sizes of pages in query parameters."""

import re
from typing import Final

_NUMBER: Final = re.compile(r"[1-9]\d{0,2}", re.ASCII)


def whole_number(text: str, most: int) -> int | None:
    """Read a number from 1 to `most`, of at most three digits; None for any other text."""
    return int(text) if _NUMBER.fullmatch(text) and int(text) <= most else None
