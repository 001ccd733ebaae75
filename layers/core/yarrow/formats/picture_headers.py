"""What the first bytes of a picture say of it: its type and how large it is to draw. Nothing is decompressed.

Sources: PNG (third edition) 11.2.2, GIF89a 18, JPEG (ITU-T T.81) B.2.2, WebP container and RFC 6386, RFC 9649.
"""

from typing import Final, Literal, NamedTuple

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_GIF: Final = (b"GIF87a", b"GIF89a")
_JPEG: Final = b"\xff\xd8\xff"

_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG's markers of a frame, which begins with the picture's size."""
_WITHOUT_LENGTH: Final = frozenset({0x01, *range(0xD0, 0xD9)})
_FILL: Final = 0xFF
_START_OF_SCAN: Final = 0xDA


class PictureHeader(NamedTuple):
    """A picture's MIME type, and its width and height in pixels."""

    mime_type: str
    width: int
    height: int


def header_of(data: bytes) -> PictureHeader | None:
    """Read the header of a PNG, JPEG, GIF or WebP; None for other bytes, and for a picture without pixels."""
    found = None
    if data.startswith(_PNG):
        found = _of_png(data)
    elif data.startswith(_GIF):
        found = PictureHeader("image/gif", *_numbers(data, 6, 2, "little")) if len(data) > 10 else None
    elif data.startswith(_JPEG):
        found = _of_jpeg(data)
    elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        found = _of_webp(data)
    return found if found is not None and found.width > 0 and found.height > 0 else None


def _numbers(data: bytes, at: int, size: int, order: Literal["big", "little"]) -> tuple[int, int]:
    """Read two numbers of `size` bytes, one after the other."""
    return (
        int.from_bytes(data[at : at + size], order),
        int.from_bytes(data[at + size : at + 2 * size], order),
    )


def _of_png(data: bytes) -> PictureHeader | None:
    is_header = data[8:16] == b"\x00\x00\x00\rIHDR" and len(data) > 24
    return PictureHeader("image/png", *_numbers(data, 16, 4, "big")) if is_header else None


def _of_jpeg(data: bytes) -> PictureHeader | None:
    """Go from segment to segment until one is a frame."""
    at = 2
    while at + 9 <= len(data) and data[at] == _FILL:
        marker = data[at + 1]
        if marker == _FILL:  # any number may come before a marker
            at += 1
        elif marker in _WITHOUT_LENGTH:
            at += 2
        elif marker in _FRAMES:
            height, width = _numbers(data, at + 5, 2, "big")
            return PictureHeader("image/jpeg", width, height)
        elif marker == _START_OF_SCAN:
            return None
        else:
            at += 2 + max(2, int.from_bytes(data[at + 2 : at + 4], "big"))
    return None


def _of_webp(data: bytes) -> PictureHeader | None:
    if len(data) < 30:
        return None
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = _numbers(data, 24, 3, "little")
        return PictureHeader("image/webp", width + 1, height + 1)
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = _numbers(data, 26, 2, "little")
        return PictureHeader("image/webp", width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return PictureHeader("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    return None
