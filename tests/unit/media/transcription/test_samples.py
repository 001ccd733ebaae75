"""Recordings of every width and number of channels as 16 bits of one channel."""

import io
import struct
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.formats import wav
from yarrow.media.transcription.samples import mono


def stored(values: Sequence[int], bits: int) -> bytes:
    """Samples as a WAV has them, each of these 16 bits in the highest bits of its own."""
    if bits == 8:
        return bytes((value >> 8) + 128 for value in values)
    return b"".join((value << bits - 16).to_bytes(bits // 8, "little", signed=True) for value in values)


def heard(values: Sequence[int], bits: int, channels: int) -> list[int]:
    samples = stored(values, bits)
    file = io.BytesIO(wav.header(channels, 16_000, bits, len(samples)) + samples + b"what follows")
    body = b"".join(mono(file, wav.read(io.BytesIO(file.getvalue()[:44] + samples + b"\0"))))
    return list(struct.unpack(f"<{len(body) // 2}h", body))


@pytest.mark.parametrize("bits", sorted(wav.SAMPLE_BITS))
def test_the_highest_16_bits_of_a_sample_stay(bits: int) -> None:
    """ASR-02."""
    values = [0, 256, -256, 32_512, -32_768, 12_800]
    assert heard(values, bits, 1) == values


@pytest.mark.parametrize("bits", sorted(wav.SAMPLE_BITS))
def test_channels_are_mixed(bits: int) -> None:
    """ASR-02."""
    left, right = [0, 512, -512, 32_512], [1_024, 512, 512, 32_512]
    together = [number for pair in zip(left, right, strict=True) for number in pair]
    assert heard(together, bits, 2) == [512, 512, 0, 32_512]


@given(st.lists(st.integers(-32_768, 32_767), max_size=20), st.integers(1, 5), st.integers(1, 400))
def test_no_sample_is_lost_between_pieces(few: list[int], channels: int, times: int) -> None:
    """ASR-01: however many there are."""
    values = few * times
    together = [value for value in values for _ in range(channels)]
    assert heard(together, 16, channels) == values


def test_a_piece_is_small_however_many_channels_there_are() -> None:
    """ASR-03: a recording costs the same memory whatever its header says."""
    for channels in (1, 2, 60_000):
        found = wav.Wav(channels, 48_000, 16, 0, channels * 2 * 20)
        assert all(len(piece) <= 8_192 for piece in mono(io.BytesIO(bytes(found.data_bytes)), found))
