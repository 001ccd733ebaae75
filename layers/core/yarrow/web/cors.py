"""CORS headers of responses. API Gateway answers preflights, as `template.yaml` says."""

from typing import Final

EXPOSED_HEADERS: Final = (
    *("ETag", "Location", "Retry-After", "x-amzn-RequestId"),
    *("Stream-Next-Offset", "Stream-Up-To-Date", "Stream-Closed", "Stream-Cursor"),
)
"""The template has the same list."""
