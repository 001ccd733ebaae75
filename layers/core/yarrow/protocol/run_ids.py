"""Ids of threads and runs; without `run_input`, for callers that need only ids."""

import re
from typing import Final

MAX_RUN_ID_LENGTH: Final = 128

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def is_uuid(text: object) -> bool:
    """Return whether a text is a canonical UUID (8-4-4-4-12), in either case."""
    return isinstance(text, str) and _UUID.fullmatch(text) is not None
