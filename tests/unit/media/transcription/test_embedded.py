"""What PocketSphinx hears of a sentence that flite's voice `rms` says, recorded in many ways."""

import io
import struct
from collections.abc import Callable, Sequence

import pytest

from tests.support.paths import ROOT
from yarrow.formats import wav
from yarrow.media.transcription import embedded
from yarrow.protocol.problems import Code, Problem

SPEECH = ROOT / "tests/speech/weather.wav"
SECONDS = 60.0

Samples = Sequence[int]


def spoken() -> list[int]:
    """Return the samples of the recording: 16 kHz, 16 bits, one channel."""
    content = SPEECH.read_bytes()
    found = wav.read(io.BytesIO(content))
    assert (found.channels, found.sample_rate, found.bits) == (1, 16_000, 16)
    return list(struct.unpack(f"<{found.frames}h", content[found.data_at : found.data_at + found.data_bytes]))


def recorded(samples: Samples, rate: int, bits: int = 16, channels: int = 1) -> bytes:
    if bits == 8:
        data = b"".join(bytes([(value >> 8) + 128]) * channels for value in samples)
    else:
        data = b"".join((value << bits - 16).to_bytes(bits // 8, "little", signed=True) * channels for value in samples)
    return wav.header(channels, rate, bits, len(data)) + data + b"\0" * (len(data) % 2)


def recognised(content: bytes, language: str = "en-US", seconds: float = SECONDS) -> str:
    file = io.BytesIO(content)
    return embedded.recognise(file, wav.read(file), language, seconds)


def three_times_as_many(samples: Samples) -> Samples:
    following = [*samples[1:], samples[-1]]
    return [
        value
        for here, there in zip(samples, following, strict=True)
        for value in (here, (2 * here + there) // 3, (here + 2 * there) // 3)
    ]


def half_as_many(samples: Samples) -> Samples:
    return [(first + second) // 2 for first, second in zip(samples[::2], samples[1::2], strict=True)]


@pytest.mark.parametrize(
    "content",
    [
        lambda: SPEECH.read_bytes(),
        lambda: recorded(spoken(), 16_000, bits=24),
        lambda: recorded(spoken(), 16_000, bits=32, channels=2),
        lambda: recorded(three_times_as_many(spoken()), 48_000),
        lambda: recorded(half_as_many(spoken()), 8_000),
    ],
    ids=["as it is", "24 bits", "stereo", "48 kHz", "8 kHz"],
)
def test_a_sentence_is_understood(content: Callable[[], bytes]) -> None:
    """ASR-01: however it was recorded; a word may be misheard."""
    heard = set(recognised(content()).split())
    assert len(heard & {"the", "weather", "is", "good", "today"}) >= 4


def test_nothing_is_said_in_silence() -> None:
    """ASR-01."""
    assert recognised(recorded([0] * 16_000, 16_000)) == ""
    assert recognised(recorded([0], 8_000)) == ""


def test_a_long_recording_is_heard_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASR-01: Each part is recognised, to the end."""
    monkeypatch.setattr(embedded, "_UTTERANCE_SECONDS", 1.75)
    heard = recognised(recorded(spoken() * 3, 16_000)).split()
    assert heard.count("weather") == heard.count("good") == 3


def test_other_languages_are_not_guessed_at() -> None:
    """ASR-03."""
    with pytest.raises(Problem, match="only English") as refused:
        recognised(SPEECH.read_bytes(), "zh-CN")
    assert refused.value.code is Code.AGENT_ASR_UNAVAILABLE


def test_it_ends_when_its_time_is_up() -> None:
    """ASR-03."""
    with pytest.raises(Problem, match="too long") as refused:
        recognised(SPEECH.read_bytes(), seconds=0)
    assert refused.value.code is Code.AGENT_ASR_UNAVAILABLE
    assert "weather" in recognised(SPEECH.read_bytes())


def test_who_waits_for_another_waits_no_longer_than_it_may() -> None:
    """ASR-03."""
    with embedded._lock, pytest.raises(Problem, match="busy") as refused:
        recognised(SPEECH.read_bytes(), seconds=0.01)
    assert refused.value.code is Code.AGENT_ASR_UNAVAILABLE
