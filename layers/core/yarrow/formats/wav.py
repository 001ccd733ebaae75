"""What a WAV file says of itself: a RIFF file with PCM samples. Of the file it reads the headers, never the samples.

Source: IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0" (RIFF, `WAVE`), and the
WAVEFORMATEXTENSIBLE of Microsoft's "Multiple Channel Audio Data and WAVE Files". Numbers are little-endian.
"""

import struct
from dataclasses import dataclass
from typing import IO, Final

SAMPLE_BITS: Final = frozenset({8, 16, 24, 32})
"""Samples of 8 bits are unsigned, all others signed."""

CHUNKS: Final = 1_000
"""How many chunks are looked at for the one with the samples; what has more of them is no recording."""

_CHUNK: Final = struct.Struct("<4sI")
_PCM: Final = 1
_EXTENSIBLE: Final = 0xFFFE
_FORMAT: Final = struct.Struct("<HHIIHH")
_EXTENSION: Final = struct.Struct("<HHI16s")
_EXTENSION_BYTES: Final = 22
_PCM_GUID: Final = bytes.fromhex("0100000000001000800000aa00389b71")


class WavError(Exception):
    """Why a file is not a WAV that can be read: one sentence for whoever sent it."""


@dataclass(frozen=True, slots=True)
class Wav:
    """The samples of a file: `sample_rate` in Hz, `bits` of one sample, and where in the file they are, in bytes."""

    channels: int
    sample_rate: int
    bits: int
    data_at: int
    data_bytes: int

    @property
    def frame_bytes(self) -> int:
        """One sample of every channel."""
        return self.channels * self.bits // 8

    @property
    def frames(self) -> int:
        """How many samples each channel has."""
        return self.data_bytes // self.frame_bytes

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.frames / self.sample_rate


def read(file: IO[bytes]) -> Wav:
    """Read the headers of a file that can seek, up to its samples. Raises WavError.

    What a header says must be so: a size that the file does not have is an error, also the size of 0 or 0xFFFFFFFF
    which a recorder leaves that could not go back to write it. Chunks of other kinds and what follows the RIFF are
    passed over.
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
    """What stands before the samples in a file that has nothing else; after an odd number of bytes stands one more."""
    frame = channels * bits // 8
    form = _FORMAT.pack(_PCM, channels, sample_rate, sample_rate * frame, frame, bits)
    chunks = b"WAVE" + _CHUNK.pack(b"fmt ", len(form)) + form + _CHUNK.pack(b"data", data_bytes)
    return _CHUNK.pack(b"RIFF", len(chunks) + data_bytes + data_bytes % 2) + chunks


def _format(file: IO[bytes], length: int) -> tuple[int, int, int]:
    """Channels, sample rate and bits of a fmt chunk."""
    if length < _FORMAT.size:
        raise WavError("the fmt chunk of the WAV is too short")
    tag, channels, rate, bytes_per_second, frame, bits = _FORMAT.unpack(_read_exactly(file, _FORMAT.size))
    if tag == _EXTENSIBLE:
        if length < _FORMAT.size + _EXTENSION.size:
            raise WavError("the fmt chunk of the WAV is too short")
        more, valid_bits, _, kind = _EXTENSION.unpack(_read_exactly(file, _EXTENSION.size))
        if more < _EXTENSION_BYTES or valid_bits > bits:
            raise WavError("the fmt chunk of the WAV contradicts itself")
        tag = _PCM if kind == _PCM_GUID else None
    if tag != _PCM or bits not in SAMPLE_BITS:
        raise WavError("the WAV is not PCM of 8, 16, 24 or 32 bits")
    if not channels or not rate or frame != channels * bits // 8 or bytes_per_second != rate * frame:
        raise WavError("the fmt chunk of the WAV contradicts itself")
    return channels, rate, bits


def _read_exactly(file: IO[bytes], length: int) -> bytes:
    read = file.read(length)
    if len(read) < length:
        raise WavError("the WAV ends within a header")
    return read
