"""`GET /openapi.json`: the description of the API, the same for everyone and made beforehand.

A plain handler: one answer that looks at nothing needs no app, and so this function imports next to nothing.
"""

from pathlib import Path
from typing import Any

from yarrow.settings import settings
from yarrow.web.cors import EXPOSED_HEADERS

DOCUMENT = Path(__file__).with_name("openapi.json").read_text(encoding="utf-8")


def handler(_event: dict[str, Any], _context: object) -> dict[str, Any]:
    """200 with the OpenAPI document, whoever asks."""
    headers = {
        "Content-Type": "application/json",
        "Access-Control-Allow-Origin": settings.cors_origin,
        "Access-Control-Expose-Headers": ", ".join(EXPOSED_HEADERS),
    }
    return {"statusCode": 200, "headers": headers, "body": DOCUMENT}
