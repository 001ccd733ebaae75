"""Messages of AG-UI clients with pictures in them."""

import base64
from typing import Any

from tests.support.agui.app import body

TEXT = {"type": "text", "text": "看看"}


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def inline(data: bytes, mime_type: str = "image/png") -> dict[str, Any]:
    return {"type": "binary", "mimeType": mime_type, "data": base64_of(data)}


def asking(*parts: dict[str, Any], run: str = "run_001", message: str = "msg_1", **changes: Any) -> dict[str, Any]:
    return body(run, {"id": message, "role": "user", "content": [TEXT, *parts]}, **changes)
