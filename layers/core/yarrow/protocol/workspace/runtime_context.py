"""A session's runtime context, which the user bound to it, without its secrets (WSP-08, WSP-40, C31)."""

import re
from collections.abc import Mapping
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.workspace.errors import CommandError, ErrorCode

RuntimeContext = Mapping[str, Any]

MAX_BYTES: Final = 3 * 1024
"""The most bytes of a context as JSON: those of all sessions are in every snapshot."""

_SECRET: Final = re.compile(
    r"secret|pass(w|phrase)|pwd|credential|(api|access|private)[-_ ]?key|mnemonic|seed|token|cookie|auth|bearer",
    re.IGNORECASE,
)
"""The names of members that may hold secrets: none is stored, sent or logged."""
_DETAILS: Final = ("envs", "wallets")
"""Lists that repeat what `envIds` and `walletIds` name; left out where they are too large."""


def without_secrets(value: Any) -> RuntimeContext | None:
    """Return the context to store; None for none. Raises CommandError if it is too large."""
    if not isinstance(value, Mapping) or not value:
        return None
    kept: dict[str, Any] = _cleaned(value)
    if _size(kept) > MAX_BYTES:
        kept = {name: value for name, value in kept.items() if name not in _DETAILS}
    if _size(kept) > MAX_BYTES:
        raise CommandError(ErrorCode.PAYLOAD_TOO_LARGE, f"a runtimeContext must have at most {MAX_BYTES // 1024} KB")
    return kept


def _cleaned(context: Any) -> Any:
    if isinstance(context, Mapping):
        return {name: _cleaned(value) for name, value in context.items() if not _SECRET.search(name)}
    return [_cleaned(item) for item in context] if isinstance(context, list) else context


def _size(context: Any) -> int:
    return len(json_text.dumps(context).encode())
