"""The CORS headers of functions' answers. API Gateway answers preflights: what they allow is in `template.yaml`."""

from typing import Final

EXPOSED_HEADERS: Final = ("Location", "Retry-After", "x-amzn-RequestId")
"""What scripts of another origin may read of an answer, besides what any may; the template says the same."""
