"""Reading and writing JSON the way the whole service does: UTF-8, compact, no NaN, nothing that cannot be sent on."""

import codecs
import json
import re
from typing import Any, Final, NoReturn

MAX_DEPTH: Final = 200
"""How deep JSON may be nested: far less than any Python can follow, wherever on the stack it is asked to."""


class UnreadableError(ValueError):
    """A text is not JSON, or JSON of a kind that is not taken. The message is public: what the text is or has, as the
    end of a sentence that begins with "the request body" (ERR-11), without a word of it."""


_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""In Python's text, one without its other half: pairs are one character there."""

_TOO_DEEP: Final = f"is nested more than {MAX_DEPTH} deep"


def _reject_constant(name: str) -> NoReturn:
    raise UnreadableError(f"is not valid JSON: it has {name}")


def _unique(members: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(members)
    if len(unique) != len(members):
        raise UnreadableError("has the same name twice in one object")
    return unique


def loads(raw: bytes) -> Any:
    """Read JSON text.

    Raises UnreadableError for anything that is not JSON or not UTF-8, begins with a byte order mark, is nested more
    than MAX_DEPTH deep, names a member of an object twice, or has an integer of thousands of digits.
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
    except ValueError as error:  # Python's limit, which keeps a number from taking minutes
        raise UnreadableError("has a number of too many digits") from error
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
    raise UnreadableError(_TOO_DEEP)


def replace_lone_surrogates(value: Any) -> Any:
    """The value with U+FFFD for each half of a surrogate pair, in its texts and names; itself where there is none."""
    text = json.dumps(value, ensure_ascii=False)
    return value if _SURROGATE.search(text) is None else json.loads(_SURROGATE.sub("\ufffd", text))


def dumps(value: Any) -> str:
    """Write compact JSON text, keeping the order of keys. Raises ValueError for NaN and infinities."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def canonical(value: Any) -> str:
    """Write JSON text that is equal for equal values, whatever the order of keys.

    Raises UnreadableError for what cannot be stored or sent on: infinities, lone surrogates, too deep a nesting.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)
        text.encode("utf-8")
    except RecursionError as error:
        raise UnreadableError(_TOO_DEEP) from error
    except UnicodeEncodeError as error:
        raise UnreadableError("has half of a surrogate pair") from error
    except ValueError as error:
        raise UnreadableError("has a number that is out of range") from error
    return text
