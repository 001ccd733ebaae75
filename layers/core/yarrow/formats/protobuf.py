"""Writes the fields of Protocol Buffers' messages in their binary form.

Source: protobuf.dev, "Encoding". Fields with their type's default value are written too, unless noted; readers take
them for absent ones.
"""

import struct
from typing import Final

_VARINT: Final = 0
_FIXED64: Final = 1
_BYTES: Final = 2
_FIXED32: Final = 5
_UNSIGNED: Final = (1 << 64) - 1
_LOW_BITS: Final = 0x7F
_MORE: Final = 0x80


def varint(value: int) -> bytes:
    """Return a number of at most 64 bits; a negative one as its two's complement."""
    value &= _UNSIGNED
    written = bytearray()
    while value > _LOW_BITS:
        written.append(value & _LOW_BITS | _MORE)
        value >>= 7
    written.append(value)
    return bytes(written)


def integer(field: int, value: int) -> bytes:
    """Write an int64, enum or bool."""
    return _tag(field, _VARINT) + varint(value)


def fixed64(field: int, value: int) -> bytes:
    return _tag(field, _FIXED64) + struct.pack("<Q", value)


def fixed32(field: int, value: int) -> bytes:
    return _tag(field, _FIXED32) + struct.pack("<I", value)


def double(field: int, value: float) -> bytes:
    return _tag(field, _FIXED64) + struct.pack("<d", value)


def data(field: int, value: bytes) -> bytes:
    """Write bytes, or a message that is written already."""
    return _tag(field, _BYTES) + varint(len(value)) + value


def text(field: int, value: str) -> bytes:
    """Write a string; lone surrogates, which UTF-8 does not have, become question marks."""
    return data(field, value.encode(errors="replace"))


def _tag(field: int, kind: int) -> bytes:
    return varint(field << 3 | kind)
