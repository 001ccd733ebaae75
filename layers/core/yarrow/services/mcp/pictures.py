"""Pictures in the results of MCP tools: which of them a model may see (MCP-01).

A server is a stranger: a picture counts only if it is strict base64 of the type that it says, in a size that models and
clients can draw. Others are named in the text, and cost the result nothing else.
"""

import binascii
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from yarrow.formats.picture_headers import header_of
from yarrow.formats.pictures import SHOWN_TYPES

logger = logging.getLogger(f"yarrow.{__name__}")

MAX_PICTURES: Final = 4
"""Of one result."""
MAX_PICTURE_BYTES: Final = 5 * 1024 * 1024
"""What models take, and attachments may have."""
MAX_SIDE: Final = 8_000
"""Pixels of a side: providers take no more. It also bounds what a small file makes a viewer unpack."""

_ALSO_CALLED: Final[Mapping[str, str]] = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture whose bytes are what its type says."""

    data: bytes
    mime_type: str


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A picture that is an artifact of the run's thread."""

    artifact_id: str
    mime_type: str


KeepPicture = Callable[[str | None, Picture], Awaitable[str | None]]
"""Stores a picture of the call with an idempotency key; returns its artifact, None if the user has no room for it."""


def found_in(blocks: Sequence[Any]) -> dict[int, Picture]:
    """Return the first pictures among content blocks, by their places."""
    found: dict[int, Picture] = {}
    for place, block in enumerate(blocks):
        if (written := _written(block)) is None:
            continue
        if len(found) == MAX_PICTURES:
            logger.warning("an MCP server sent too many pictures", extra={"most": MAX_PICTURES})
            break
        picture = _read(*written)
        if isinstance(picture, Picture):
            found[place] = picture
        else:
            logger.warning("a picture of an MCP server is left out", extra={"reason": picture})
    return found


def _written(block: Any) -> tuple[str, str] | None:
    """Return the type and base64 of a picture, as content or as a resource; None for another block."""
    match block:
        case {"type": "image", "data": str(data), "mimeType": str(mime_type)}:
            return mime_type, data
        case {"type": "resource", "resource": {"blob": str(data), "mimeType": str(mime_type)}}:
            return (mime_type, data) if mime_type.lower().startswith("image/") else None
    return None


def _read(declared: str, written: str) -> Picture | str:
    """Return the picture, or why it is none."""
    mime_type = declared.partition(";")[0].strip().lower()
    mime_type = _ALSO_CALLED.get(mime_type, mime_type)
    if mime_type not in SHOWN_TYPES:
        return "models see no pictures of its type"
    if len(written) > (MAX_PICTURE_BYTES + 2) // 3 * 4:
        return "it is too large"
    try:
        data = binascii.a2b_base64(written.encode("ascii"), strict_mode=True)
    except ValueError:  # also for other characters
        return "it is not base64"
    header = header_of(data)
    if header is None or header.mime_type != mime_type:
        return "its bytes are not of its type"
    if len(data) > MAX_PICTURE_BYTES or max(header.width, header.height) > MAX_SIDE:
        return "it is too large"
    return Picture(data, mime_type)
