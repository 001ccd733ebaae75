"""What becomes of a form with a recording, whoever recognises it. Bucket and table are dictionaries here."""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import pytest

from tests.support.recordings import FORM, form, part
from yarrow.formats import wav
from yarrow.media.transcription.recogniser import unavailable
from yarrow.media.transcription.transcribe import transcribe
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem, ProblemCode
from yarrow.settings import settings
from yarrow.store import objects, recordings

UPLOAD = "7d0a1f6e-3b5c-4c8e-9a47-5f1d2e3c4b5a"
STAGED = f"staged/alice/{UPLOAD}"
KEPT = f"transcription/alice/{UPLOAD}"
ALICE = Caller("alice", "en-GB")
SAMPLES = bytes(range(250)) * 4
LIMIT = 10_000_000


def recording(size: int, rate: int = 16_000, channels: int = 1) -> bytes:
    """Return a WAV of so many bytes, some of them in front of the samples."""
    return wav.header(channels, rate, 16, size - 44) + bytes(size - 44)


WAV = wav.header(1, 16_000, 16, len(SAMPLES)) + SAMPLES


class Bucket:
    """Objects by key, with the type they came with."""

    def __init__(self) -> None:
        self.held: dict[str, tuple[str, bytes]] = {}

    @contextmanager
    def stream(self, key: str) -> Iterator[objects.Stream | None]:
        content_type, data = self.held.get(key, ("", b""))
        pieces = (data[at : at + 65_536] for at in range(0, len(data), 65_536))
        yield objects.Stream(content_type, len(data), pieces) if key in self.held else None

    def get(self, key: str) -> bytes | None:
        return self.held[key][1] if key in self.held else None

    def put(self, key: str, data: bytes, content_type: str) -> None:
        self.held[key] = content_type, data

    def delete(self, key: str) -> None:
        self.held.pop(key, None)


class Recordings:
    """How often a recording was tried, and whether it was recognised; nothing is under way and nothing is spent."""

    def __init__(self) -> None:
        self.tries: dict[str, recordings.Tries] = {}

    def read(self, user_id: str, upload_id: str) -> recordings.Tries:
        return self.tries.get(f"{user_id} {upload_id}", recordings.Tries())

    def claim(self, user_id: str, upload_id: str, *_: int) -> recordings.Claim:
        begun = self.read(user_id, upload_id).begun + 1
        self.tries[f"{user_id} {upload_id}"] = recordings.Tries(begun)
        return recordings.Claim(user_id, upload_id, str(begun))

    def finish(self, claim: recordings.Claim) -> None:
        self.tries[f"{claim.user_id} {claim.upload_id}"] = recordings.Tries(1, recognised=True)

    def give_up(self, _: recordings.Claim) -> None:
        pass


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Bucket:
    bucket, tries = Bucket(), Recordings()
    for name in ("read", "claim", "finish", "give_up"):
        monkeypatch.setattr(recordings, name, getattr(tries, name))
    monkeypatch.setitem(settings.__dict__, "default_locale", "zh-CN")
    monkeypatch.setitem(settings.__dict__, "transcription_seconds", 120)
    monkeypatch.setitem(settings.__dict__, "transcription_seconds_per_day", 1_800)
    for name in ("stream", "get", "put", "delete"):
        monkeypatch.setattr(objects, name, getattr(bucket, name))
    return bucket


class Listener:
    """A recogniser that notes what it is given, and says or raises what it is told to."""

    def __init__(self, *answers: str | Problem) -> None:
        self.answers = list(answers)
        self.heard: list[tuple[bytes, wav.Wav, str]] = []

    def __call__(self, file: IO[bytes], found: wav.Wav, language: str, _: float) -> str:
        file.seek(0)
        self.heard.append((file.read(), found, language))
        answer = self.answers.pop(0)
        if isinstance(answer, Problem):
            raise answer
        return answer


def refused(listener: Listener, caller: Caller = ALICE, upload: str = UPLOAD) -> tuple[ProblemCode, int]:
    with pytest.raises(Problem) as problem:
        transcribe(listener, caller, upload)
    assert listener.heard == []
    return problem.value.code, problem.value.status


def test_a_recording_is_heard_in_the_callers_language(bucket: Bucket) -> None:
    """ASR-01, C28, C37."""
    bucket.put(STAGED, form(part(b"zh", None, "language"), part(WAV)), FORM)
    listener = Listener("hello")
    assert transcribe(listener, ALICE, UPLOAD) == "hello"
    assert listener.heard == [(WAV, wav.Wav(1, 16_000, 16, 44, len(SAMPLES)), "en-GB")]


def test_an_answer_that_was_lost_is_given_again(bucket: Bucket) -> None:
    """ASR-01: the recording is gone, and nobody recognises it a second time."""
    bucket.put(STAGED, form(part(WAV)), FORM)
    listener = Listener("你好")
    assert [transcribe(listener, ALICE, UPLOAD) for _ in range(2)] == ["你好"] * 2
    assert set(bucket.held) == {KEPT}


@pytest.mark.parametrize("kind", ["audio/wav", "audio/x-wav", "audio/wave", "AUDIO/WAV", "audio/wav; codecs=1"])
def test_every_name_of_the_type_is_taken(bucket: Bucket, kind: str) -> None:
    """ASR-02: Case and parameters do not matter."""
    bucket.put(STAGED, form(part(WAV, kind)), FORM)
    assert transcribe(Listener("hello"), ALICE, UPLOAD) == "hello"


BROKEN = b"RIFF" + WAV[4:-1]


@pytest.mark.parametrize(
    ("content", "kind", "answer"),
    [
        (WAV, "audio/mpeg", (Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, 400)),
        (WAV, "audio/wavx", (Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, 400)),
        (WAV, None, (Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, 400)),
        (b"", "audio/mpeg", (Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, 400)),
        (recording(LIMIT + 2), "audio/mpeg", (Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, 400)),
        (b"", "audio/wav", (Code.AGENT_AUDIO_EMPTY, 400)),
        (bytes(LIMIT + 1), "audio/wav", (Code.AGENT_AUDIO_TOO_LARGE, 400)),
        (b"ID3", "audio/wav", (Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, 400)),
        (BROKEN, "audio/wav", (Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, 400)),
        (recording(1_000, rate=7_999), "audio/wav", (Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, 400)),
        (recording(1_000, rate=48_001), "audio/wav", (Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, 400)),
        (recording(44), "audio/wav", (Code.AGENT_AUDIO_EMPTY, 400)),
        (recording(44 + 2 * 16_000 * 120 + 2), "audio/wav", (Code.AGENT_AUDIO_TOO_LONG, 400)),
        (recording(LIMIT, rate=8_000), "audio/wav", (Code.AGENT_AUDIO_TOO_LONG, 400)),
    ],
)
def test_what_is_no_recording_is_refused_and_gone(
    bucket: Bucket, content: bytes, kind: str | None, answer: tuple[Code, int]
) -> None:
    """ASR-02, ASR-03, ASR-04, ERR-08: for its type, then as empty, then for its size, then for what is in it."""
    bucket.put(STAGED, form(part(content, kind)), FORM)
    assert refused(Listener()) == answer
    assert bucket.held == {}


def test_ten_million_bytes_are_not_too_many(bucket: Bucket) -> None:
    """ASR-03: and they are never in memory together."""
    body = form(part(recording(LIMIT, 48_000, 2)))
    bucket.put(STAGED, body, FORM)
    sizes: list[int] = []

    def count(file: IO[bytes], found: wav.Wav, *_: object) -> str:
        sizes.append(found.data_bytes)
        return "hello"

    tracemalloc.start()
    try:
        assert transcribe(count, ALICE, UPLOAD) == "hello"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sizes == [LIMIT - 44]
    assert peak < 1_000_000


@pytest.mark.parametrize(
    ("body", "content_type", "answer"),
    [
        (form(part(WAV, name="file")), FORM, (Code.AGENT_AUDIO_INVALID, 422)),
        (form(), FORM, (Code.AGENT_AUDIO_INVALID, 422)),
        (form(part(WAV), part(WAV)), FORM, (Code.AGENT_AUDIO_INVALID, 422)),
        (part(WAV), FORM, (Code.AGENT_AUDIO_INVALID, 422)),
        (WAV, FORM, (Code.AGENT_AUDIO_INVALID, 422)),
        (b"", FORM, (Code.AGENT_AUDIO_INVALID, 422)),
        (form(part(WAV)), "multipart/form-data", (Code.AGENT_AUDIO_INVALID, 422)),
        (WAV, "audio/wav", (Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, 415)),
    ],
)
def test_a_form_without_a_recording_is_refused_and_gone(
    bucket: Bucket, body: bytes, content_type: str, answer: tuple[Code, int]
) -> None:
    """ASR-04, ERR-11."""
    bucket.put(STAGED, body, content_type)
    assert refused(Listener()) == answer
    assert bucket.held == {}


def test_a_recording_of_two_minutes_is_not_too_long(bucket: Bucket) -> None:
    """ASR-03: The limit is exact to the sample."""
    bucket.put(STAGED, form(part(recording(44 + 2 * 16_000 * 120))), FORM)
    assert transcribe(Listener("hello"), ALICE, UPLOAD) == "hello"


def test_a_failure_leaves_the_recording_for_another_try(bucket: Bucket) -> None:
    """ASR-03."""
    bucket.put(STAGED, form(part(WAV)), FORM)
    listener = Listener(unavailable("the recogniser failed"), "hello")
    with pytest.raises(Problem, match="failed") as problem:
        transcribe(listener, ALICE, UPLOAD)
    assert (problem.value.code, problem.value.status) == (Code.AGENT_ASR_UNAVAILABLE, 502)
    assert set(bucket.held) == {STAGED}
    assert transcribe(listener, ALICE, UPLOAD) == "hello"


def test_a_language_that_nobody_recognises_is_not_tried(bucket: Bucket) -> None:
    """ASR-03."""
    bucket.put(STAGED, form(part(WAV)), FORM)
    assert refused(Listener(), Caller("alice", "tlh")) == (Code.AGENT_ASR_UNAVAILABLE, 502)


@pytest.mark.parametrize("upload", [UPLOAD, UPLOAD[:-1] + "0", "", "x", f"../alice/{UPLOAD}"])
def test_an_upload_that_is_not_the_callers_is_none(bucket: Bucket, upload: str) -> None:
    """SEC-03, SEC-07: Nothing of another user is deleted."""
    bucket.put(STAGED, form(part(WAV)), FORM)
    bucket.put(KEPT, b"hello", "text/plain")
    assert refused(Listener(), Caller("bob"), upload) == (Code.AGENT_AUDIO_NOT_FOUND, 404)
    assert set(bucket.held) == {STAGED, KEPT}
