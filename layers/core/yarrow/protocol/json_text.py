"""Reading and writing JSON the way the whole service does: UTF-8, compact, no NaN, nothing that cannot be sent on."""

import json
from typing import Any, Final

MAX_DEPTH: Final = 200
"""How deep JSON may be nested: far less than any Python can follow, wherever on the stack it is asked to."""


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _unique(members: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(members)
    if len(unique) != len(members):
        raise ValueError("a name stands twice in an object")
    return unique


def loads(raw: bytes) -> Any:
    """Read JSON text.

    Raises ValueError for anything that is not JSON or not UTF-8, is nested more than MAX_DEPTH deep, or names a member
    of an object twice.
    """
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_reject_constant, object_pairs_hook=_unique)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if raw.count(b"{") + raw.count(b"[") > MAX_DEPTH:  # fewer cannot be nested that deep
        _check_depth(value)
    return value


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inner = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        level = [member for members in inner for member in members]
        if not level:
            return
    raise ValueError("nested too deeply")


def dumps(value: Any) -> str:
    """Write compact JSON text, keeping the order of keys. Raises ValueError for NaN and infinities."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def canonical(value: Any) -> str:
    """Write JSON text that is equal for equal values, whatever the order of keys.

    Raises ValueError for what cannot be stored or sent on: infinities, lone surrogates, too deep a nesting.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)
        text.encode("utf-8")
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return text
