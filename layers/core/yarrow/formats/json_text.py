"""JSON text: UTF-8, compact, no NaN."""

import codecs
import json
import re
from typing import Any, Final, NoReturn

MAX_DEPTH: Final = 200
"""The deepest nesting, safe for any Python stack."""


class UnreadableError(ValueError):
    """The text is not valid JSON. The message is public and follows "the request body" (ERR-11)."""


_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Matches unpaired surrogates only: Python joins pairs."""

_TOO_DEEP: Final = f"is nested more than {MAX_DEPTH} deep"


def _reject_constant(name: str) -> NoReturn:
    raise UnreadableError(f"is not valid JSON: it has {name}")


def _unique(members: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(members)
    if len(unique) != len(members):
        raise UnreadableError("has the same name twice in one object")
    return unique


def loads(raw: bytes) -> Any:
    """Parse JSON. Raises UnreadableError for invalid JSON or UTF-8, a byte order mark, nesting beyond MAX_DEPTH,
    repeated names or thousands of digits.
    """
    if raw.startswith(codecs.BOM_UTF8):
        raise UnreadableError("begins with a byte order mark")
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_reject_constant, object_pairs_hook=_unique)
    except RecursionError as error:
        raise UnreadableError(_TOO_DEEP) from error
    except UnicodeDecodeError as error:
        raise UnreadableError("is not UTF-8") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UnreadableError(f"is not valid JSON: {where}" if raw.strip() else "is empty") from error
    except UnreadableError:
        raise
    except ValueError as error:  # Python's limit of digits
        raise UnreadableError("has a number of too many digits") from error
    check_depth(value, raw)
    return value


def check_depth(value: Any, raw: bytes) -> None:
    """Raise UnreadableError for nesting beyond MAX_DEPTH; `raw` is the value as JSON."""
    if raw.count(b"{") + raw.count(b"[") <= MAX_DEPTH:  # so few brackets cannot exceed it
        return
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inner = [
            item.values() if isinstance(item, dict) else item for item in level if isinstance(item, dict | list | tuple)
        ]
        level = [member for members in inner for member in members]
        if not level:
            return
    raise UnreadableError(_TOO_DEEP)


def replace_lone_surrogates(value: Any) -> Any:
    """Replace them by U+FFFD, in strings and names."""
    text = json.dumps(value, ensure_ascii=False)
    return value if _SURROGATE.search(text) is None else json.loads(_SURROGATE.sub("\ufffd", text))


def dumps(value: Any) -> str:
    """Write compact JSON. Raises ValueError for NaN and infinities."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def size(text: str) -> int:
    """Return the number of bytes in UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


def canonical(value: Any) -> str:
    """Write JSON, equal for equal values. Raises UnreadableError for infinities, lone surrogates or deep nesting."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)
        text.encode("utf-8")
    except RecursionError as error:
        raise UnreadableError(_TOO_DEEP) from error
    except UnicodeEncodeError as error:
        raise UnreadableError("has an unpaired surrogate") from error
    except ValueError as error:
        raise UnreadableError("has a number that is out of range") from error
    return text
