"""Describes what a runner raised, for its author: types, messages and the runner's frames, bounded, without secrets.

Clients never get it with the run's events. `yarrow.runs.diagnose_run` says who may read it.
"""

import asyncio
import traceback
from collections.abc import Iterator
from itertools import dropwhile
from pathlib import Path
from typing import Any, Final

import yarrow
from yarrow.observability.redaction import without_secrets
from yarrow.store.runner.raised import Raised

MAX_EXCEPTIONS: Final = 4
"""Of a chain of causes, or of a group and its members."""
MAX_FRAMES: Final = 24
"""The innermost of an exception."""
MESSAGE_CHARACTERS: Final = 2_000
_LINE_CHARACTERS: Final = 200

_HOST: Final = f"{Path(yarrow.__file__).parent}/"
_EVENT_LOOP: Final = f"{Path(asyncio.__file__).parent}/"


def raised(attempt: int, error: BaseException) -> Raised:
    """Describe what a runner raised in a worker."""
    return Raised(attempt, [_described(link) for link in _chain(error)])


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception, then members of groups and causes, at most MAX_EXCEPTIONS."""
    waiting, seen = [error], set[int]()
    while waiting and len(seen) < MAX_EXCEPTIONS:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if isinstance(current, BaseExceptionGroup):
            waiting += current.exceptions
        cause = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
        if cause is not None:
            waiting.append(cause)


def _described(error: BaseException) -> dict[str, Any]:
    return {
        "type": type(error).__qualname__[:_LINE_CHARACTERS],
        "message": _shown(_message(error), MESSAGE_CHARACTERS),
        "frames": [
            {
                "file": _shown(frame.filename, _LINE_CHARACTERS),
                "line": frame.lineno or 0,
                "function": frame.name[:_LINE_CHARACTERS],
                "code": _shown(frame.line or "", _LINE_CHARACTERS),
            }
            for frame in _frames(error)
        ],
    }


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - a runner's class may fail in this as well
        return "its message could not be made"


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    """Return the innermost frames that are not the host's: the runner's, and of what it called here. The event loop's
    come before the runner's first, and are left out.
    """
    frames = dropwhile(
        lambda frame: frame.filename.startswith((_HOST, _EVENT_LOOP)), traceback.extract_tb(error.__traceback__)
    )
    return [frame for frame in frames if not frame.filename.startswith(_HOST)][-MAX_FRAMES:]


def _shown(text: str, characters: int) -> str:
    """Return the text's beginning without secrets, in characters that can be stored."""
    shown = without_secrets(text[: 4 * characters])[:characters]
    return shown.encode(errors="replace").decode()
