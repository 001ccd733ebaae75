"""Which pictures an agent can be shown: those that the models of every provider take. Uploads take more."""

from typing import Final

SHOWN_TYPES: Final = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
"""Their MIME types."""
