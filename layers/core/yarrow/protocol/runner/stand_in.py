"""A package's additions to the script that replaces a model, so that its agents can be tried offline."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StandIn:
    """The object of an entry point of `yarrow.stand_ins`. It must be deterministic and call no service."""

    reply: Callable[[str, str], str | None] = lambda _text, _locale: None
    """Answers the user's text in a locale (`en`, `zh-CN`, `zh-Hant`), or returns None."""
    requests: Sequence[tuple[str, str, str]] = ()
    """Requests in plain words: a tool, its argument that gets the rest of the line, and a pattern of the opening."""
