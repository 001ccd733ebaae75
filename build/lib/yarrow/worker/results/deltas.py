"""What a piece of an answer adds to it, where runners mean different things by `message.delta`.

Source: `agent-runner.md` §6.3 leaves it open; RNR-34, C17. A manifest says which in `metadata.delta_semantics`:

- `incremental`, the default: a piece is to be appended;
- `cumulative`: a piece is all that was said so far, of its message or of the whole run;
- `auto`: a piece that begins with all that was said is cumulative, any other one is to be appended. It cannot tell
  "ha", "ha" from one "ha" that came twice: it takes the latter.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, get_args

DeltaSemantics = Literal["incremental", "cumulative", "auto"]

_KNOWN: Final = {each: each for each in get_args(DeltaSemantics)}


def semantics_of(metadata: Mapping[str, Any]) -> DeltaSemantics:
    """What a manifest's `metadata` says of the runner's pieces; `incremental` if nothing that is known."""
    said = metadata.get("delta_semantics")
    found: DeltaSemantics = _KNOWN[said] if isinstance(said, str) and said in _KNOWN else "incremental"
    return found


class Addition(NamedTuple):
    """Text to append, to the message so far or, where the agent took that back, to a new one."""

    text: str
    begins_anew: bool = False


class Deltas:
    """The pieces of one run's answers, in turn.

    A segment is what is said between two tool calls, final pieces or whole messages. Runners of the cumulative kind
    begin again with each, or go on repeating the earlier ones: both are heard.
    """

    def __init__(self, semantics: DeltaSemantics) -> None:
        self._semantics = semantics
        self._before = ""
        """The segments before, joined."""
        self._segment = ""

    def take(self, piece: str) -> Addition:
        """What a piece adds. A cumulative one that takes back what was said begins anew; an older one adds nothing."""
        if self._semantics == "incremental" or not piece:
            return Addition(piece)
        everything = self._before + self._segment
        for said in (everything, self._segment):
            if piece.startswith(said):
                return self._append(piece[len(said) :])
        if self._semantics == "auto":
            return self._append(piece)
        if everything.startswith(piece) or self._segment.startswith(piece):
            return Addition("")
        self._before, self._segment = "", piece
        return Addition(piece, begins_anew=True)

    def end_segment(self, said: str | None = None) -> None:
        """The agent goes on with something else. `said` is what the segment came to, where it is known better."""
        if self._semantics != "incremental":
            self._before += self._segment if said is None else said
            self._segment = ""

    def _append(self, text: str) -> Addition:
        self._segment += text
        return Addition(text)
