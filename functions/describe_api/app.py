"""`GET /openapi.json`: the API description, generated beforehand.

It is a plain handler: a constant response needs no app, which saves imports.
"""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from pathlib import Path
from typing import Any

from yarrow.settings import settings
from yarrow.web.cors import EXPOSED_HEADERS

DOCUMENT = Path(__file__).with_name("openapi.json").read_text(encoding="utf-8")


def handler(_event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Respond 200 with the OpenAPI document, without authorization."""
    headers = {
        "Content-Type": "application/json",
        "Access-Control-Allow-Origin": settings.cors_origin,
        "Access-Control-Expose-Headers": ", ".join(EXPOSED_HEADERS),
    }
    return {"statusCode": 200, "headers": headers, "body": DOCUMENT}


resume_garbage_collection()
