"""Reads lines, and makes texts safe to print."""

import contextlib
from typing import Any, Final

with contextlib.suppress(ImportError):  # not on Windows; with it, input() edits lines of wide characters
    import readline  # noqa: F401

_CONTROLS: Final = dict.fromkeys(code for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t")


def ask(prompt: str) -> str:
    """Read a line. Raises EOFError at the end of the input."""
    return input(f"{prompt} ").strip()


def harmless(value: Any) -> Any:
    """Remove from a document's texts the characters that control a terminal."""
    if isinstance(value, str):
        return value.translate(_CONTROLS)
    if isinstance(value, list):
        return [harmless(item) for item in value]
    if isinstance(value, dict):
        return {name: harmless(item) for name, item in value.items()}
    return value
