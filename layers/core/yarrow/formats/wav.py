"""Headers of WAV files: RIFF with PCM samples, little-endian.

Source: IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0"; Microsoft, "Multiple Channel
Audio Data and WAVE Files" (WAVEFORMATEXTENSIBLE).
"""

import struct
from dataclasses import dataclass
from typing import IO, Final

SAMPLE_BITS: Final = frozenset({8, 16, 24, 32})
"""The sizes of samples; those of 8 bits are unsigned."""

CHUNKS: Final = 1_000
"""How many chunks are searched for the samples."""

_CHUNK: Final = struct.Struct("<4sI")
_PCM: Final = 1
_EXTENSIBLE: Final = 0xFFFE
_FORMAT: Final = struct.Struct("<HHIIHH")
_EXTENSION: Final = struct.Struct("<HHI16s")
_EXTENSION_BYTES: Final = 22
_PCM_GUID: Final = bytes.fromhex("0100000000001000800000aa00389b71")


class WavError(Exception):
    """The file cannot be read; the message is a public sentence."""


@dataclass(frozen=True, slots=True)
class Wav:
    """The headers: `sample_rate` in Hz, `bits` per sample, position and size in bytes."""

    channels: int
    sample_rate: int
    bits: int
    data_at: int
    data_bytes: int

    @property
    def frame_bytes(self) -> int:
        """The bytes of one sample of every channel."""
        return self.channels * self.bits // 8

    @property
    def frames(self) -> int:
        return self.data_bytes // self.frame_bytes

    @property
    def seconds(self) -> float:
        return self.frames / self.sample_rate


def read(file: IO[bytes]) -> Wav:
    """Read the headers of a seekable file. Raises WavError.

    Sizes must match the file; 0 and 0xFFFFFFFF, from recorders that could not seek back, are errors. Other chunks and
    anything after the RIFF are skipped.
    """
    size = file.seek(0, 2)
    file.seek(0)
    riff, length = _CHUNK.unpack(_read_exactly(file, _CHUNK.size))
    if riff != b"RIFF" or _read_exactly(file, 4) != b"WAVE":
        raise WavError("the file is not a WAV")
    end = _CHUNK.size + length
    if end > size:
        raise WavError("the WAV is shorter than its header says")
    samples: tuple[int, int, int] | None = None
    for _ in range(CHUNKS):
        if file.tell() + _CHUNK.size > end:
            raise WavError("the WAV has no data chunk")
        kind, length = _CHUNK.unpack(_read_exactly(file, _CHUNK.size))
        start = file.tell()
        if start + length > end:
            raise WavError("a chunk of the WAV is longer than the file")
        if kind == b"data":
            if samples is None:
                raise WavError("the WAV has no fmt chunk before its data")
            found = Wav(*samples, data_at=start, data_bytes=length)
            if length % found.frame_bytes:
                raise WavError("the WAV ends within a sample")
            return found
        if kind == b"fmt ":
            if samples is not None:
                raise WavError("the WAV has more than one fmt chunk")
            samples = _format(file, length)
        file.seek(start + length + length % 2)
    raise WavError("the WAV has too many chunks")


def header(channels: int, sample_rate: int, bits: int, data_bytes: int) -> bytes:
    """Return the header of a file; an odd number of sample bytes needs a padding byte after them."""
    frame = channels * bits // 8
    form = _FORMAT.pack(_PCM, channels, sample_rate, sample_rate * frame, frame, bits)
    chunks = b"WAVE" + _CHUNK.pack(b"fmt ", len(form)) + form + _CHUNK.pack(b"data", data_bytes)
    return _CHUNK.pack(b"RIFF", len(chunks) + data_bytes + data_bytes % 2) + chunks


def _format(file: IO[bytes], length: int) -> tuple[int, int, int]:
    if length < _FORMAT.size:
        raise WavError("the fmt chunk of the WAV is too short")
    tag, channels, rate, bytes_per_second, frame, bits = _FORMAT.unpack(_read_exactly(file, _FORMAT.size))
    if tag == _EXTENSIBLE:
        if length < _FORMAT.size + _EXTENSION.size:
            raise WavError("the fmt chunk of the WAV is too short")
        more, valid_bits, _, kind = _EXTENSION.unpack(_read_exactly(file, _EXTENSION.size))
        if more < _EXTENSION_BYTES or valid_bits > bits:
            raise WavError("the fmt chunk of the WAV is inconsistent")
        tag = _PCM if kind == _PCM_GUID else None
    if tag != _PCM or bits not in SAMPLE_BITS:
        raise WavError("the WAV is not PCM of 8, 16, 24 or 32 bits")
    if not channels or not rate or frame != channels * bits // 8 or bytes_per_second != rate * frame:
        raise WavError("the fmt chunk of the WAV is inconsistent")
    return channels, rate, bits


def _read_exactly(file: IO[bytes], length: int) -> bytes:
    read = file.read(length)
    if len(read) < length:
        raise WavError("the WAV ends within a header")
    return read
