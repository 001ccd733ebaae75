"""Computes item sizes (Amazon DynamoDB Developer Guide, "DynamoDB item sizes and formats")."""

import math
from collections.abc import Mapping
from typing import Any, Final

MAX_ITEM_BYTES: Final = 400 * 1024
MAX_PAGE_BYTES: Final = 1024 * 1024
"""Of a query or scan, before its filter."""
MAX_TRANSACTION_BYTES: Final = 4 * 1024 * 1024


def item_size(item: Mapping[str, Any]) -> int:
    """Return the bytes of an item in wire format, including attribute names."""
    return sum([_text_size(name) + _value_size(value) for name, value in item.items()])


def _value_size(value: Mapping[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return _text_size(content)
        case "N":
            return _number_size(content)
        case "B":
            return len(content)
        case "BOOL" | "NULL":
            return 1
        case "SS":
            return sum(map(_text_size, content))
        case "NS":
            return sum(map(_number_size, content))
        case "BS":
            return sum(map(len, content))
        case "M":
            return 3 + len(content) + item_size(content)
        case "L":
            return 3 + len(content) + sum(map(_value_size, content))
    raise ValueError(f"unknown attribute type {kind}")


def _text_size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _number_size(number: str) -> int:
    return math.ceil(len(number.strip("-").replace(".", "").strip("0")) / 2) + 1
