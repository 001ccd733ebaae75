"""PocketSphinx: English only, offline, one recording at a time. For the local stack: it needs a clear voice and little
noise.
"""

import struct
import time
from collections.abc import Iterator
from itertools import chain
from threading import Lock
from typing import IO, Final

from pocketsphinx import Decoder

from yarrow.formats.wav import Wav
from yarrow.media.transcription.recogniser import unavailable
from yarrow.media.transcription.samples import mono

_MODEL_RATE: Final = 16_000
"""In Hz, the lowest rate with the model's whole band."""

_UTTERANCE_SECONDS: Final = 30
"""Longer utterances are cut, even within a word."""

_lock: Final = Lock()
"""One decoder at a time: it takes 100 MB and a whole CPU."""


def recognise(file: IO[bytes], wav: Wav, language: str, seconds: float) -> str:
    if not language.startswith("en-"):
        raise unavailable("speech in this language cannot be recognised here, only English")
    end = time.monotonic() + seconds
    if not _lock.acquire(timeout=seconds):
        raise unavailable("the recogniser is busy")
    try:
        return _decoded(file, wav, end)
    finally:
        _lock.release()


def _decoded(file: IO[bytes], wav: Wav, end: float) -> str:
    rate, pieces = wav.sample_rate, mono(file, wav)
    while rate < _MODEL_RATE:
        rate, pieces = rate * 2, _doubled(pieces)
    # A new one each time: a decoder adapts to the speaker.
    decoder = Decoder(samprate=float(rate), loglevel="FATAL")
    texts: list[str] = []
    for first in pieces:
        samples_read = 0
        decoder.start_utt()
        for piece in chain([first], pieces):
            if time.monotonic() > end:
                raise unavailable("the recording takes too long to recognise")
            decoder.process_raw(piece)
            samples_read += len(piece) // 2
            if samples_read > _UTTERANCE_SECONDS * rate:
                break
        decoder.end_utt()
        if found := decoder.hyp():
            texts.append(found.hypstr)
    return " ".join(texts)


def _doubled(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Double the sample rate by interpolation, which is better than silence above the old band."""
    last = 0
    for piece in pieces:
        samples = struct.unpack(f"<{len(piece) // 2}h", piece)
        between = ((before + after) // 2 for before, after in zip((last, *samples), samples, strict=False))
        doubled = [sample for pair in zip(between, samples, strict=True) for sample in pair]
        last = samples[-1]
        yield struct.pack(f"<{len(doubled)}h", *doubled)
