"""Small pictures of each type that models see, whole enough to be drawn."""

import base64
import struct
import zlib


def png(width: int = 2, height: int = 2, *, rows: int | None = None) -> bytes:
    """A PNG that says its size; of its black pixels, as many rows are there, by default all."""
    pixels = zlib.compress(bytes((1 + width * 3) * (height if rows is None else rows)))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def jpeg(width: int, height: int) -> bytes:
    """The segments of a progressive JPEG up to its frame, with a fill byte before it."""
    frame = struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(9)
    return b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xff\xc2" + frame + b"\xff\xd9"


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\x00\x00" + bytes(6) + b";"


def webp(kind: bytes, width: int, height: int) -> bytes:
    """The header of a lossy (`VP8 `), lossless (`VP8L`) or extended (`VP8X`) WebP."""
    match kind:
        case b"VP8 ":
            body = b"\x10\x00\x00\x9d\x01\x2a" + struct.pack("<HH", width, height)
        case b"VP8L":
            body = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14)
        case _:
            body = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body += bytes(20)
    return b"RIFF" + struct.pack("<I", len(body) + 12) + b"WEBP" + kind + struct.pack("<I", len(body)) + body


def in_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def image(data: bytes, mime_type: str = "image/png") -> dict[str, str]:
    """A content block of MCP."""
    return {"type": "image", "data": in_base64(data), "mimeType": mime_type}
