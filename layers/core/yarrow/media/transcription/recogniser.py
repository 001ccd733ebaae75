"""The interface of a speech recogniser."""

from typing import IO, Final, Protocol

from yarrow.formats.wav import Wav
from yarrow.protocol.problems import Code, Problem

FOLDER: Final = "transcription/"
"""The prefix of objects that expire after a day."""


class Recogniser(Protocol):
    def __call__(self, file: IO[bytes], wav: Wav, language: str, seconds: float, /) -> str:
        """Return the text in `language`, such as `en-GB`, possibly empty. `file` is seekable. Blocks for about
        `seconds` at most. Raises Problem AGENT_ASR_UNAVAILABLE on any failure.
        """
        ...


def unavailable(why: str) -> Problem:
    """`why` is public (ASR-03)."""
    return Problem(Code.AGENT_ASR_UNAVAILABLE, why)
