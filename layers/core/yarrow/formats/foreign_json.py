"""JSON text of data from runners and tools."""

from typing import Any

from yarrow.formats import json_text


def dumps(data: Any) -> str:
    """Write JSON, with U+FFFD for lone surrogates. Raises ValueError if the data is not JSON."""
    try:
        text = json_text.dumps(data)
    except Exception as error:
        raise ValueError("not JSON") from error
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
