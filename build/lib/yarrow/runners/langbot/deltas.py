"""What is new in a chunk of a message, whichever way its sender streams.

Source: `agent-runner.md` §6.3, which does not say it; C17 and RNR-29 do. The released runners differ: some send pieces
to append, some send all of the message so far, and some of these begin anew with each segment. This is text only: what
a chunk looks like is the business of `results`.
"""

from typing import Final, Literal

DeltaSemantics = Literal["auto", "incremental", "cumulative", "segmented"]
"""How a runner streams: `incremental` chunks are appended, a `cumulative` one repeats all that the run has said, a
`segmented` one all that its segment has said, and with `auto` it is found out."""

_SAID_TWICE: Final = 2
"""Characters: two equal first chunks up to this length are said twice ("哈", "哈"); longer ones are sent twice."""

_BY_CHANCE: Final = 8
"""Characters: a chunk that begins with a longer text that was said repeats it, whoever sends it."""


class DeltaReader:
    """Reads the chunks of one run, in order, and yields every part of their text once.

    With `auto`, a chunk that begins with all that was said so far repeats it, and what follows is new; any other chunk
    is new. From then on the sender is known: the pieces of one that was seen to append are appended even where they
    happen to repeat what little was said. A segment ends with `is_final`. After a tool call a sender may begin anew or
    go on repeating all it has said; a `segmented` one begins anew.

    What no reader can know: whether "ha", "haha" is "haha", sent cumulatively, or "hahaha", sent in pieces. `auto`
    reads the first as long as the sender was not seen to append. Equal final chunks are read as sent twice, and a
    segment that begins with a whole earlier text as repeating it: always after a tool call, else where that text is
    longer than eight characters. Whoever knows the sender says so instead.
    """

    def __init__(self, semantics: DeltaSemantics = "auto") -> None:
        self._semantics = semantics
        self._appends = semantics == "incremental"
        """With `auto`: the sender was seen to append."""
        self._repeats = semantics in ("cumulative", "segmented")
        """With `auto`: the sender was seen to repeat what it had said."""
        self._began_anew = False
        """The sender that repeats has just begun anew for no reason; twice in a row, and it does not repeat."""
        self._run = ""
        self._segment = ""
        self._message_at = 0
        """Where in the run's text the message begins that is being said."""
        self._is_final = False
        self._is_paused = False

    def read(self, content: str, *, is_final: bool = False) -> str:
        """What of a chunk is new, to be appended. An empty chunk may end the segment."""
        new = self._read(content, is_final) if content else ""
        self._is_final = self._is_final or is_final
        return new

    def pause(self) -> None:
        """A tool is called: the message is over, and the sender may begin anew."""
        self._is_paused = True
        self._message_at = len(self._run)

    def complete(self, content: str) -> str:
        """A whole message, without what it repeats of earlier ones. What comes after it begins anew."""
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
        """How many characters of a chunk were said before."""
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
            return is_final or (not self._appends and len(content) > _SAID_TWICE)
        return not self._appends

    def _learn(self, repeated: int, length: int) -> None:
        """What a chunk tells of its sender; one after a pause or at the start of a segment tells less."""
        if 0 < repeated < length:
            self._began_anew = False
            self._repeats = not self._appends
        elif repeated == 0 and self._segment and not self._is_paused:
            if self._repeats and not self._began_anew:
                self._began_anew = True
            else:
                self._repeats, self._appends = False, True
