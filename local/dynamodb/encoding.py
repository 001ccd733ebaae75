"""DynamoDB's JSON, with binary values as bytes."""

import base64
import json
from typing import Any


def loads(text: bytes | str) -> Any:
    """Raises ValueError."""
    return json.loads(text, object_hook=_with_bytes)


def _with_bytes(value: dict[str, Any]) -> dict[str, Any]:
    """Binary values are in base64."""
    if len(value) == 1:
        match value:
            case {"B": str(text)}:
                return {"B": base64.b64decode(text)}
            case {"BS": list(texts)}:
                return {"BS": [base64.b64decode(text) for text in texts]}
    return value


def dumps(value: Any) -> bytes:
    """Raises TypeError for what it has no form for."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_as_base64).encode()


def _as_base64(value: object) -> str:
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    raise TypeError(f"{type(value).__name__} is not of DynamoDB's JSON")
