"""What a package adds to the script that stands in for a model, so that its agents can be tried offline."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StandIn:
    """What an entry point of `yarrow.stand_ins` names. It has to be deterministic and asks nobody."""

    reply: Callable[[str, str], str | None] = lambda _text, _locale: None
    """A whole answer to the user's text in a locale (`en`, `zh-CN`, `zh-Hant`), or None."""
    requests: Sequence[tuple[str, str, str]] = ()
    """Requests in plain words: a tool, its argument that gets the rest of the line, and a pattern of the opening."""
