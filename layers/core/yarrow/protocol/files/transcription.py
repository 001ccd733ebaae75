"""Recordings that `POST /api/v1/agent/transcribe` accepts.

Source: `divination-run.md`, "Transcribe contract" (ASR-01 … ASR-04).
"""

from typing import IO, Final

from yarrow.formats import wav
from yarrow.protocol.problems import Code, Problem

FIELD: Final = "audio"

MAX_BYTES: Final = 10_000_000
CONTENT_TYPES: Final = frozenset({"audio/wav", "audio/x-wav", "audio/wave"})
SAMPLE_RATES: Final = range(8_000, 48_001)
"""The rates in Hz that recognisers accept."""


def invalid(detail: str) -> Problem:
    """Make the problem of a malformed form (ASR-04)."""
    return Problem(Code.AGENT_AUDIO_INVALID, detail)


def check(content_type: str | None, size: int) -> None:
    """Raise Problem for type, emptiness or size in bytes, in this order (ASR-04); the type's parameters and case are
    ignored (ASR-02).
    """
    if (content_type or "").partition(";")[0].strip().lower() not in CONTENT_TYPES:
        raise Problem(Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, "the recording must be a WAV", params=_ACCEPTED)
    if not size:
        raise Problem(Code.AGENT_AUDIO_EMPTY, "the recording is empty")
    if size > MAX_BYTES:
        detail = f"the recording is larger than {MAX_BYTES} bytes"
        raise Problem(Code.AGENT_AUDIO_TOO_LARGE, detail, params={"maxBytes": MAX_BYTES})


def read(file: IO[bytes], max_seconds: int) -> wav.Wav:
    """Read a recording. Raises Problem unless it is WAV, has samples, and at most `max_seconds`.

    Only the samples counted here are recognised: false headers cannot evade the limit.
    """
    try:
        found = wav.read(file)
    except wav.WavError as error:
        raise Problem(Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, str(error)) from error
    if found.sample_rate not in SAMPLE_RATES:
        detail = f"the sample rate must be from {SAMPLE_RATES[0]} to {SAMPLE_RATES[-1]} Hz"
        raise Problem(Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, detail)
    if not found.frames:
        raise Problem(Code.AGENT_AUDIO_EMPTY, "the recording has no samples")
    if found.seconds > max_seconds:
        detail = f"the recording is longer than {max_seconds} seconds"
        raise Problem(Code.AGENT_AUDIO_TOO_LONG, detail, params={"maxSeconds": max_seconds})
    return found


_ACCEPTED: Final = {"contentTypes": sorted(CONTENT_TYPES)}
