"""The picture types that models of every provider accept. Uploads accept more."""

from typing import Final

SHOWN_TYPES: Final = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
"""MIME types."""
