"""Data from foreign code, a runner or a tool, as JSON text for storage."""

from typing import Any

from yarrow.formats import json_text


def dumps(data: Any) -> str:
    """Data as JSON text; a lone surrogate becomes U+FFFD. Raises ValueError for anything else, whatever the object."""
    try:
        text = json_text.dumps(data)
    except Exception as error:
        raise ValueError("not JSON") from error
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
