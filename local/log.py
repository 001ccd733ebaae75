"""Formats the stack's log so that text from clients cannot start a line or control a terminal."""

import logging
import unicodedata
from typing import Any

_INDENT = "    "
_ESCAPED = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories: control and format characters, line separators, and what is no character."""


def configure() -> None:
    """Log warnings to standard error, each with its time."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter("%(asctime)s %(message)s", datefmt="%H:%M:%S"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def printable(text: str) -> str:
    r"""Return the text with escapes (`\x1b`, `\u202e`) for characters that terminals do not print."""
    return "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    if " " <= character <= "~" or unicodedata.category(character) not in _ESCAPED:
        return character
    return character.encode("unicode_escape").decode()


class _Formatter(logging.Formatter):
    """Indents tracebacks, so that only a record starts at the margin."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's name)
        record.message = printable(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return "\n".join(f"{_INDENT}{printable(line)}" for line in super().formatException(ei).split("\n"))
