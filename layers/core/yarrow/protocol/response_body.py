"""Bodies of responses that are only written: structs, as JSON."""

import math
import re
from typing import Any, Final

import msgspec
from msgspec import Struct

_ENCODER: Final = msgspec.json.Encoder()
_MAY_BE_LARGE: Final = re.compile(rb"[0-9]e[0-9]")
_LARGE: Final = 1e16
"""Floats have an exponent from here on."""


class Body(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A member is left out where it has its default; so is an empty list, dict or set from a factory."""


def to_json(body: Struct) -> bytes:
    """Write UTF-8 JSON. Floats are as Python writes them, `1e+16`, where msgspec leaves out the sign.

    Raises ValueError for half of a surrogate pair.
    """
    text = _ENCODER.encode(body)
    if _MAY_BE_LARGE.search(text) is None:
        return text
    return _ENCODER.encode(_with_signs(msgspec.to_builtins(body)))


def _with_signs(value: Any) -> Any:
    match value:
        case dict():
            return {name: _with_signs(member) for name, member in value.items()}
        case list() | tuple():
            return [_with_signs(member) for member in value]
        case float() if math.isfinite(value) and abs(value) >= _LARGE:
            return msgspec.Raw(repr(value).encode())
    return value
