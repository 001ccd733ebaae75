"""What recognises speech: one of these, chosen by the deployment."""

from typing import IO, Final, Protocol

from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.wav import Wav

FOLDER: Final = "transcription/"
"""Where in the bucket recordings and transcripts are kept, for a day at most."""


class Recogniser(Protocol):
    """Recognises what is said in a recording."""

    def __call__(self, file: IO[bytes], wav: Wav, language: str, seconds: float, /) -> str:
        """What is said in that language, such as `en-GB`; empty when nothing is. `file` can seek, and blocks.

        Takes about `seconds` at most. Raises Problem AGENT_ASR_UNAVAILABLE when it cannot tell, for whatever reason.
        """
        ...


def chosen(name: str) -> Recogniser:
    """The recogniser of this name: `amazon` is Amazon Transcribe, `embedded` works without a network. ValueError."""
    match name:
        case "amazon":
            from yarrow.host.transcription import amazon

            return amazon.recognise
        case "embedded":
            from yarrow.host.transcription import embedded

            return embedded.recognise
    raise ValueError(f"TRANSCRIBER must be amazon or embedded, not {name!r}")


def unavailable(why: str) -> Problem:
    """The problem to raise, with a public reason (ASR-03)."""
    return Problem(Code.AGENT_ASR_UNAVAILABLE, why)
