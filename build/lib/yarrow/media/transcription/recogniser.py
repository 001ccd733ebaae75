"""What a recogniser of speech is, and how it fails."""

from typing import IO, Final, Protocol

from yarrow.formats.wav import Wav
from yarrow.protocol.problems import Code, Problem

FOLDER: Final = "transcription/"
"""Where in the bucket recordings and transcripts are kept, for a day at most."""


class Recogniser(Protocol):
    """Recognises what is said in a recording."""

    def __call__(self, file: IO[bytes], wav: Wav, language: str, seconds: float, /) -> str:
        """What is said in that language, such as `en-GB`; empty when nothing is. `file` can seek, and blocks.

        Takes about `seconds` at most. Raises Problem AGENT_ASR_UNAVAILABLE when it cannot tell, for whatever reason.
        """
        ...


def unavailable(why: str) -> Problem:
    """The problem to raise, with a public reason (ASR-03)."""
    return Problem(Code.AGENT_ASR_UNAVAILABLE, why)
