"""What a `message.delta` adds to the answer; runners mean different things by it.

`agent-runner.md` §6.3 leaves it open (RNR-34, C17). The manifest's `metadata.delta_semantics` is one of:

- `incremental`, the default: append the piece;
- `cumulative`: the piece is the whole text so far, of its message or of the run;
- `auto`: a piece that starts with the whole text so far is cumulative, any other is appended. It cannot tell
  "ha", "ha" from a repeated "ha" and assumes the latter.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, get_args

DeltaSemantics = Literal["incremental", "cumulative", "auto"]

_KNOWN: Final = {each: each for each in get_args(DeltaSemantics)}


def semantics_of(metadata: Mapping[str, Any]) -> DeltaSemantics:
    """The delta semantics in a manifest's `metadata`; `incremental` if missing or unknown."""
    said = metadata.get("delta_semantics")
    found: DeltaSemantics = _KNOWN[said] if isinstance(said, str) and said in _KNOWN else "incremental"
    return found


class Addition(NamedTuple):
    """Text to append to the current message, or to a new one if the agent replaced it."""

    text: str
    starts_message: bool = False


class Deltas:
    """The pieces of one run's answers in order.

    A segment ends at tool calls, final pieces and whole messages. Cumulative runners restart with each segment or
    repeat earlier ones: both are supported.
    """

    def __init__(self, semantics: DeltaSemantics) -> None:
        self._semantics = semantics
        self._before = ""
        """The earlier segments, joined."""
        self._segment = ""

    def add(self, piece: str) -> Addition:
        """What a piece adds. A cumulative one that replaces the text starts a new message; an outdated one adds
        nothing.
        """
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
        return Addition(piece, starts_message=True)

    def end_segment(self, said: str | None = None) -> None:
        """End the segment. `said` is its final text, if known better."""
        if self._semantics != "incremental":
            self._before += self._segment if said is None else said
            self._segment = ""

    def _append(self, text: str) -> Addition:
        self._segment += text
        return Addition(text)
