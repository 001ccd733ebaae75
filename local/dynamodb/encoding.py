"""Encodes and decodes DynamoDB's JSON, with binary values as bytes."""

import base64
import json
from typing import Any


def loads(text: bytes | str) -> Any:
    """Decode a request. Raises ValueError."""
    return json.loads(text, object_hook=_with_bytes)


def _with_bytes(value: dict[str, Any]) -> dict[str, Any]:
    """Decode binary values from base64."""
    if len(value) == 1:
        match value:
            case {"B": str(text)}:
                return {"B": base64.b64decode(text)}
            case {"BS": list(texts)}:
                return {"BS": [base64.b64decode(text) for text in texts]}
    return value


def dumps(value: Any) -> bytes:
    """Encode a response. Raises TypeError for a type that JSON cannot represent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_as_base64).encode()


def _as_base64(value: object) -> str:
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    raise TypeError(f"{type(value).__name__} is not a type of DynamoDB's JSON")
