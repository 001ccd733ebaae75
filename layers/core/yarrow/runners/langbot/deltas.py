"""Finds the new text of a message chunk, however its sender streams.

`agent-runner.md` §6.3 leaves it open; C17 and RNR-29 do not. Released runners send pieces to append, or the whole
message so far; some restart with each segment.
"""

from typing import Final, Literal

DeltaSemantics = Literal["auto", "incremental", "cumulative", "segmented"]
"""Whether chunks are appended, repeat the run's text, or repeat their segment's; `auto` detects it."""

_SHORT: Final = 2
"""Two equal first chunks up to this length are both text ("哈", "哈")."""

_BY_CHANCE: Final = 8
"""A chunk that begins with a longer earlier text repeats it."""


class DeltaReader:
    """Reads the chunks of one run in order and yields each part of their text once.

    With `auto`, a chunk that begins with all text so far repeats it; any other is new, and indicates that its sender
    appends. A segment ends with `is_final`. After a tool call a sender may restart or keep repeating everything; a
    `segmented` one restarts.

    "ha", "haha" may be "haha" (cumulative) or "hahaha" (pieces): `auto` assumes the first until the sender was seen to
    append. Equal final chunks are a repeat, as is a segment that begins with a whole earlier text: always after a tool
    call, else if that text is longer than eight characters. Configure the semantics if the sender is known.
    """

    def __init__(self, semantics: DeltaSemantics = "auto") -> None:
        self._semantics = semantics
        self._appends = semantics == "incremental"
        """With `auto`: the sender has appended."""
        self._repeats = semantics in ("cumulative", "segmented")
        """With `auto`: the sender has repeated."""
        self._began_anew = False
        """A repeating sender has just restarted without a reason; the second time in a row, it does not repeat."""
        self._run = ""
        self._segment = ""
        self._message_at = 0
        """The current message's offset in the run's text."""
        self._is_final = False
        self._is_paused = False

    def read(self, content: str, *, is_final: bool = False) -> str:
        """Read a chunk and return its new text; an empty chunk may end the segment."""
        new = self._read(content, is_final) if content else ""
        self._is_final = self._is_final or is_final
        return new

    def pause(self) -> None:
        """Note a tool call: it ends the message, and the sender may restart."""
        self._is_paused = True
        self._message_at = len(self._run)

    def complete(self, content: str) -> str:
        if content.startswith(self._run):
            content = content[self._message_at :]
        self._run, self._segment, self._message_at = "", "", 0
        self._is_final = self._is_paused = False
        return content

    def _read(self, content: str, is_final: bool) -> str:
        if self._is_final:
            self._message_at = len(self._run)
        if self._is_final or (self._is_paused and self._semantics == "segmented"):
            self._segment = ""
        repeated = self._repeated(content, is_final)
        new = content[repeated:]
        if self._semantics == "auto":
            self._learn(repeated, len(content))
        if repeated == 0 and self._appends:
            self._segment += content
        elif new:
            self._segment = content
        self._run += new
        self._is_final = self._is_paused = False
        return new

    def _repeated(self, content: str, is_final: bool) -> int:
        """Return how many characters repeat earlier text."""
        if self._semantics == "incremental":
            return 0
        if content.startswith(self._run) and self._may_repeat_the_run():
            return len(self._run)
        if self._repeats and not self._is_paused and self._segment.startswith(content):
            return len(content)
        if content.startswith(self._segment) and self._may_repeat_the_segment(content, is_final):
            return len(self._segment)
        return 0

    def _may_repeat_the_run(self) -> bool:
        if self._semantics != "auto":
            return self._semantics == "cumulative"
        return len(self._run) > _BY_CHANCE or (self._is_paused and not self._appends)

    def _may_repeat_the_segment(self, content: str, is_final: bool) -> bool:
        if self._repeats or len(self._segment) > _BY_CHANCE:
            return True
        if content == self._segment:
            return is_final or (not self._appends and len(content) > _SHORT)
        return not self._appends

    def _learn(self, repeated: int, length: int) -> None:
        """Learn how the sender streams; a chunk after a pause or at a segment's start says less."""
        if 0 < repeated < length:
            self._began_anew = False
            self._repeats = not self._appends
        elif repeated == 0 and self._segment and not self._is_paused:
            if self._repeats and not self._began_anew:
                self._began_anew = True
            else:
                self._repeats, self._appends = False, True
