"""DynamoDB's attribute values, as `boto3.dynamodb.types` reads and writes them, for the types that items here have.

boto3's own module imports all of boto3, and tries eight kinds for each value.
"""

from collections.abc import Mapping
from decimal import Clamped, Context, Decimal, Inexact, Overflow, Rounded, Underflow
from typing import Any, Final

_NUMBERS: Final = Context(Emin=-128, Emax=126, prec=38, traps=[Clamped, Overflow, Inexact, Rounded, Underflow])
"""The numbers that DynamoDB stores: others raise instead of being rounded."""

_BEYOND: Final = 10**38
"""Whole numbers below it are stored with all their digits."""


def serialize(value: Any) -> dict[str, Any]:
    """Convert a value. Raises TypeError for types that DynamoDB does not store, and for floats."""
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
            return {"M": {name: serialize(member) for name, member in value.items()}}
        case list() | tuple():
            return {"L": [serialize(member) for member in value]}
        case set() | frozenset() if value and all(isinstance(member, str) for member in value):
            return {"SS": list(value)}
    raise TypeError(f"{type(value).__name__} cannot be stored in DynamoDB")


def deserialize(attribute: Mapping[str, Any]) -> Any:
    """Convert back: numbers become Decimal, binary bytes, sets a set. Raises TypeError for unknown kinds."""
    ((kind, value),) = attribute.items()
    match kind:
        case "S" | "BOOL":
            return value
        case "N":
            return _NUMBERS.create_decimal(value)
        case "M":
            return {name: deserialize(member) for name, member in value.items()}
        case "L":
            return [deserialize(member) for member in value]
        case "NULL":
            return None
        case "B":
            return bytes(value)
        case "SS":
            return set(value)
        case "NS":
            return {_NUMBERS.create_decimal(member) for member in value}
        case "BS":
            return {bytes(member) for member in value}
    raise TypeError(f"DynamoDB has no type {kind}")


def _number(value: int | Decimal) -> str:
    if type(value) is int and -_BEYOND < value < _BEYOND:  # as nearly all are
        return str(value)
    number = _NUMBERS.create_decimal(value)
    if not number.is_finite():
        raise TypeError("DynamoDB stores finite numbers only")
    return str(number)
