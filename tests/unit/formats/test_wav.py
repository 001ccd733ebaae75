"""What is read of a WAV file, written here byte by byte, and what is refused."""

import io
import struct
import wave

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.formats import wav
from yarrow.formats.wav import Wav, WavError

PCM_GUID = bytes.fromhex("01000000 0000 1000 8000 00aa00389b71")
FLOAT_GUID = bytes.fromhex("03000000 0000 1000 8000 00aa00389b71")


def chunk(kind: bytes, data: bytes, *, size: int | None = None, pad: bool = True) -> bytes:
    return kind + struct.pack("<I", len(data) if size is None else size) + data + b"\0" * (pad and len(data) % 2)


def fmt(
    tag: int = 1,
    channels: int = 1,
    rate: int = 16_000,
    bits: int = 16,
    *,
    frame: int | None = None,
    per_second: int | None = None,
    more: bytes = b"",
) -> bytes:
    frame = channels * bits // 8 if frame is None else frame
    per_second = rate * frame if per_second is None else per_second
    return chunk(b"fmt ", struct.pack("<HHIIHH", tag, channels, rate, per_second, frame, bits) + more)


def extension(valid_bits: int = 16, guid: bytes = PCM_GUID, size: int = 22) -> bytes:
    return struct.pack("<HHI", size, valid_bits, 4) + guid


def riff(*chunks: bytes, size: int | None = None, kind: bytes = b"RIFF", form: bytes = b"WAVE") -> bytes:
    body = form + b"".join(chunks)
    return kind + struct.pack("<I", len(body) if size is None else size) + body


def read(content: bytes) -> Wav:
    return wav.read(io.BytesIO(content))


SAMPLES = bytes(range(64))
DATA = chunk(b"data", SAMPLES)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (riff(fmt(), DATA), Wav(1, 16_000, 16, 44, 64)),
        (riff(fmt(channels=2, rate=44_100), DATA), Wav(2, 44_100, 16, 44, 64)),
        (riff(fmt(bits=8, rate=8_000), DATA), Wav(1, 8_000, 8, 44, 64)),
        (riff(fmt(bits=24), chunk(b"data", SAMPLES[:63])), Wav(1, 16_000, 24, 44, 63)),
        (riff(fmt(bits=32, channels=4), DATA), Wav(4, 16_000, 32, 44, 64)),
        (riff(fmt(more=b"\0\0"), DATA), Wav(1, 16_000, 16, 46, 64)),
        (riff(fmt(tag=0xFFFE, more=extension()), DATA), Wav(1, 16_000, 16, 68, 64)),
        (riff(fmt(tag=0xFFFE, bits=32, more=extension(24)), DATA), Wav(1, 16_000, 32, 68, 64)),
        (riff(chunk(b"LIST", b"odd"), fmt(), DATA), Wav(1, 16_000, 16, 56, 64)),
        (riff(fmt(), chunk(b"fact", bytes(4)), DATA, chunk(b"LIST", bytes(9))), Wav(1, 16_000, 16, 56, 64)),
        (riff(fmt(bits=8), chunk(b"data", b"123", pad=False)), Wav(1, 16_000, 8, 44, 3)),
        (riff(fmt(), DATA) + b"what follows the RIFF", Wav(1, 16_000, 16, 44, 64)),
        (riff(fmt(), chunk(b"data", b"")), Wav(1, 16_000, 16, 44, 0)),
    ],
)
def test_the_headers_of_a_wav_are_read(content: bytes, found: Wav) -> None:
    """ASR-02: PCM and its extensible form, other chunks, padding and its lack at the end are read."""
    assert read(content) == found


def test_frames_and_seconds_follow_from_the_headers() -> None:
    found = Wav(channels=2, sample_rate=8_000, bits=24, data_at=44, data_bytes=6 * 4_000)
    assert (found.frame_bytes, found.frames, found.seconds) == (6, 4_000, 0.5)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "ends within a header"),
        (b"RIFF\x24\x00", "ends within a header"),
        (b"ID3\x04" + bytes(100), "not a WAV"),
        (riff(fmt(), DATA, kind=b"RIFX"), "not a WAV"),
        (riff(fmt(), DATA, kind=b"RF64"), "not a WAV"),
        (riff(fmt(), DATA, form=b"AVI "), "not a WAV"),
        (riff(fmt(), DATA)[:-1], "shorter than its header says"),
        (riff(fmt(), DATA, size=0xFFFFFFFF), "shorter than its header says"),
        (riff(fmt(), DATA, size=0), "no data chunk"),
        (riff(fmt()), "no data chunk"),
        (riff(fmt(), b"da"), "no data chunk"),
        (riff(fmt(), chunk(b"data", SAMPLES, size=65)), "longer than the file"),
        (riff(fmt(), chunk(b"data", SAMPLES, size=0xFFFFFFFF)), "longer than the file"),
        (riff(chunk(b"LIST", SAMPLES, size=0x7FFFFFFF), fmt(), DATA), "longer than the file"),
        (riff(DATA, fmt()), "no fmt chunk before"),
        (riff(fmt(), fmt(), DATA), "more than one fmt chunk"),
        (riff(chunk(b"fmt ", bytes(14)), DATA), "too short"),
        (riff(fmt(tag=0xFFFE, more=b"\0\0"), DATA), "too short"),
        (riff(fmt(tag=0xFFFE, more=extension(size=0)), DATA), "is inconsistent"),
        (riff(fmt(tag=0xFFFE, more=extension(valid_bits=24)), DATA), "is inconsistent"),
        (riff(fmt(tag=0xFFFE, bits=32, more=extension(32, FLOAT_GUID)), DATA), "not PCM"),
        (riff(fmt(tag=3, bits=32), DATA), "not PCM"),
        (riff(fmt(tag=6, bits=8), DATA), "not PCM"),
        (riff(fmt(bits=12), DATA), "not PCM"),
        (riff(fmt(channels=0), DATA), "is inconsistent"),
        (riff(fmt(rate=0), DATA), "is inconsistent"),
        (riff(fmt(frame=4), DATA), "is inconsistent"),
        (riff(fmt(per_second=1), DATA), "is inconsistent"),
        (riff(fmt(channels=3), DATA), "ends within a sample"),
        (riff(*[chunk(b"junk", b"")] * wav.CHUNKS, fmt(), DATA), "too many chunks"),
    ],
)
def test_what_is_no_wav_or_lies_is_refused(content: bytes, why: str) -> None:
    """ASR-02: and told why."""
    with pytest.raises(WavError, match=why):
        read(content)


pieces = st.sampled_from(
    [b"RIFF", b"WAVE", b"fmt ", b"data", b"\xff\xff\xff\xff", bytes(4), fmt(), DATA, riff(fmt(), DATA)]
)


@given(st.lists(pieces | st.binary(max_size=40)).map(b"".join))
def test_no_bytes_do_more_than_be_refused(content: bytes) -> None:
    """ERR-11: and what is accepted lies within the file, in whole frames."""
    for given_bytes in (content, riff(content), riff(fmt(), content)):
        try:
            found = read(given_bytes)
        except WavError:
            continue
        assert 44 <= found.data_at <= found.data_at + found.data_bytes <= len(given_bytes)
        assert found.frames * found.frame_bytes == found.data_bytes


@given(
    channels=st.integers(1, 8),
    rate=st.integers(1, 192_000),
    bits=st.sampled_from(sorted(wav.SAMPLE_BITS)),
    frames=st.integers(0, 50),
    before=st.lists(st.binary(max_size=9), max_size=3),
)
def test_what_another_writer_writes_is_read_as_it_was_meant(
    channels: int, rate: int, bits: int, frames: int, before: list[bytes]
) -> None:
    """ASR-02: Python's `wave` writes it; chunks of other kinds may be put before."""
    samples = bytes(index % 256 for index in range(frames * channels * bits // 8))
    written = io.BytesIO()
    with wave.open(written, "wb") as writer:
        writer.setparams((channels, bits // 8, rate, frames, "NONE", ""))
        writer.writeframes(samples)
    odd = b"\0" * (len(samples) % 2)
    content = riff(*(chunk(b"note", data) for data in before), written.getvalue()[12:] + odd)
    found = read(content)
    assert (found.channels, found.sample_rate, found.bits, found.frames) == (channels, rate, bits, frames)
    assert content[found.data_at : found.data_at + found.data_bytes] == samples


@given(st.integers(1, 8), st.integers(1, 192_000), st.sampled_from(sorted(wav.SAMPLE_BITS)), st.integers(0, 50))
def test_a_header_that_is_written_is_read_back(channels: int, rate: int, bits: int, frames: int) -> None:
    """ASR-02: Both `read` and Python's `wave` read it."""
    samples = bytes(frames * channels * bits // 8)
    content = wav.header(channels, rate, bits, len(samples)) + samples + b"\0" * (len(samples) % 2)
    assert read(content) == Wav(channels, rate, bits, 44, len(samples))
    with wave.open(io.BytesIO(content)) as reader:
        assert reader.getparams()[:4] == (channels, bits // 8, rate, frames)
