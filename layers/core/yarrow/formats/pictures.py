"""The picture types that all models accept; uploads accept more."""

from typing import Final

SHOWN_TYPES: Final = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
