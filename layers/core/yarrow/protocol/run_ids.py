"""What threads and runs may be called. Apart from `run_input`, for whoever is given a name and no input."""

import re
from typing import Final

MAX_RUN_ID_LENGTH: Final = 128

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def is_uuid(text: object) -> bool:
    """Whether a thread id is a UUID in its canonical 8-4-4-4-12 form, in either case."""
    return isinstance(text, str) and _UUID.fullmatch(text) is not None
