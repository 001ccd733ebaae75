"""What foreign code hands over, a runner or a tool, as JSON text that can be stored and sent on. Reading it back into a
shape is its receiver's: `results` does for results, `api.run_api` for the arguments of actions."""

from typing import Any

from yarrow.formats import json_text


def dumps(data: Any) -> str:
    """Data as JSON text; a lone surrogate becomes U+FFFD.

    Raises ValueError for what is not JSON, or does not let itself be written, for it may be any object.
    """
    try:
        text = json_text.dumps(data)
    except Exception as error:
        raise ValueError("not JSON") from error
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
