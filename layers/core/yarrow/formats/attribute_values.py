"""DynamoDB's attribute values, as `boto3.dynamodb.types` reads and writes them, for what items here have.

boto3's own would import all of boto3, and look through eight kinds for each value.
"""

from collections.abc import Mapping
from decimal import Clamped, Context, Decimal, Inexact, Overflow, Rounded, Underflow
from typing import Any, Final

_NUMBERS: Final = Context(Emin=-128, Emax=126, prec=38, traps=[Clamped, Overflow, Inexact, Rounded, Underflow])
"""Numbers as DynamoDB stores them: others raise instead of being rounded."""

_BEYOND: Final = 10**38
"""Whole numbers below it are stored with all their digits."""


def serialize(value: Any) -> dict[str, Any]:
    """Raises TypeError for what DynamoDB does not store, floats too."""
    match value:
        case str():
            return {"S": value}
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case int() | Decimal():
            return {"N": _number(value)}
        case bytes() | bytearray():
            return {"B": value}
        case Mapping():
            return {"M": {name: serialize(each) for name, each in value.items()}}
        case list() | tuple():
            return {"L": [serialize(each) for each in value]}
        case set() | frozenset() if value and all(isinstance(each, str) for each in value):
            return {"SS": list(value)}
    raise TypeError(f"DynamoDB stores no {type(value).__name__} here")


def deserialize(attribute: Mapping[str, Any]) -> Any:
    """Numbers are Decimal, binary is bytes, sets are sets of those or of str. Raises TypeError for unknown kinds."""
    ((kind, value),) = attribute.items()
    match kind:
        case "S" | "BOOL":
            return value
        case "N":
            return _NUMBERS.create_decimal(value)
        case "M":
            return {name: deserialize(each) for name, each in value.items()}
        case "L":
            return [deserialize(each) for each in value]
        case "NULL":
            return None
        case "B":
            return bytes(value)
        case "SS":
            return set(value)
        case "NS":
            return {_NUMBERS.create_decimal(each) for each in value}
        case "BS":
            return {bytes(each) for each in value}
    raise TypeError(f"DynamoDB has no kind {kind}")


def _number(value: int | Decimal) -> str:
    if type(value) is int and -_BEYOND < value < _BEYOND:  # as nearly all are
        return str(value)
    number = _NUMBERS.create_decimal(value)
    if not number.is_finite():
        raise TypeError("DynamoDB stores finite numbers only")
    return str(number)
