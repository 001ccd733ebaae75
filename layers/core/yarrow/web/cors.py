"""CORS headers of functions' responses. API Gateway answers preflights, as `template.yaml` says."""

from typing import Final

EXPOSED_HEADERS: Final = ("Location", "Retry-After", "x-amzn-RequestId")
"""Headers that scripts of another origin may read; the template has the same list."""
