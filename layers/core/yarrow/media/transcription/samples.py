"""Samples as 16-bit signed mono, at the recording's rate."""

import struct
from collections.abc import Iterator
from typing import IO, Final

from yarrow.formats.wav import Wav

BITS: Final = 16
_PIECE_BYTES: Final = 8_192
_FLIP: Final = bytes(byte ^ 0x80 for byte in range(256))


def mono(file: IO[bytes], wav: Wav) -> Iterator[bytes]:
    """Yield the samples in chunks; channels are averaged."""
    file.seek(wav.data_at)
    rest, length = wav.data_bytes, max(_PIECE_BYTES // wav.frame_bytes, 1) * wav.frame_bytes
    while piece := file.read(min(rest, length)):
        rest -= len(piece)
        yield _mixed(_of_16_bits(piece, wav.bits), wav.channels)


def _of_16_bits(samples: bytes, bits: int) -> bytes:
    """Return the two highest bytes of each sample."""
    if bits == BITS:
        return samples
    width = bits // 8
    shortened = bytearray(len(samples) // width * 2)
    if width == 1:
        shortened[1::2] = samples.translate(_FLIP)
    else:
        shortened[0::2], shortened[1::2] = samples[width - 2 :: width], samples[width - 1 :: width]
    return bytes(shortened)


def _mixed(samples: bytes, channels: int) -> bytes:
    if channels == 1:
        return samples
    every = struct.unpack(f"<{len(samples) // 2}h", samples)
    frames = zip(*(every[channel::channels] for channel in range(channels)), strict=True)
    return struct.pack(f"<{len(every) // channels}h", *(sum(frame) // channels for frame in frames))
