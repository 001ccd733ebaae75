r"""What a `message.delta` adds to the answer.

`agent-runner.md` §6.3 leaves it open (RNR-34, C17). `metadata.delta_semantics` of the manifest is one of:

- `incremental` (default): append the piece;
- `cumulative`: the piece is the whole text so far, of its message or of the run;
- `auto`: cumulative if it starts with the whole text so far, else appended; "ha", "ha" adds one "ha".
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, get_args

DeltaSemantics = Literal["incremental", "cumulative", "auto"]

_KNOWN: Final = {semantics: semantics for semantics in get_args(DeltaSemantics)}


def semantics_of(metadata: Mapping[str, Any]) -> DeltaSemantics:
    """Return the manifest's semantics, `incremental` if they are missing or unknown."""
    declared = metadata.get("delta_semantics")
    found: DeltaSemantics = _KNOWN[declared] if isinstance(declared, str) and declared in _KNOWN else "incremental"
    return found


class Addition(NamedTuple):
    text: str
    starts_message: bool = False


class Deltas:
    """The pieces of one run's answers in order. A segment ends at tool calls, final pieces and whole messages.
    Cumulative runners may restart with each or repeat earlier ones.
    """

    def __init__(self, semantics: DeltaSemantics) -> None:
        self._semantics = semantics
        self._before = ""
        """The earlier segments, joined."""
        self._segment = ""

    def add(self, piece: str) -> Addition:
        """Return what a piece adds. A cumulative one that differs starts a message; an outdated one adds nothing."""
        if self._semantics == "incremental" or not piece:
            return Addition(piece)
        everything = self._before + self._segment
        for prefix in (everything, self._segment):
            if piece.startswith(prefix):
                return self._append(piece[len(prefix) :])
        if self._semantics == "auto":
            return self._append(piece)
        if everything.startswith(piece) or self._segment.startswith(piece):
            return Addition("")
        self._before, self._segment = "", piece
        return Addition(piece, starts_message=True)

    def end_segment(self, final_text: str | None = None) -> None:
        if self._semantics != "incremental":
            self._before += self._segment if final_text is None else final_text
            self._segment = ""

    def _append(self, text: str) -> Addition:
        self._segment += text
        return Addition(text)
