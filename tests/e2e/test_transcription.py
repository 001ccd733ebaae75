"""Speech over HTTP, as a mobile app sends it: the form is stored, and the client follows to its transcript."""

import uuid

import httpx
import pytest

from tests.support.paths import ROOT
from tests.support.stack.app import App, SignIn
from yarrow.formats import wav

ROUTE = "/api/v1/agent/transcribe"
SPEECH = (ROOT / "tests/speech/weather.wav").read_bytes()


@pytest.fixture
def emma(sign_in: SignIn) -> App:
    """Somebody who speaks English."""
    return sign_in("emma", locale="en-US")


def send(app: App, content: bytes = SPEECH, kind: str = "audio/wav", field: str = "audio") -> httpx.Response:
    return app.http.post(ROUTE, files={field: ("speech.wav", content, kind)}, follow_redirects=True)


def problem(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, response.json()["code"]


def test_a_sentence_that_is_sent_comes_back_as_text(emma: App) -> None:
    """ASR-01, C28."""
    answer = send(emma)
    assert answer.status_code == 200
    assert answer.json() == {"transcript": "the weather is good today"}
    assert [response.status_code for response in answer.history] == [303]
    assert emma.http.get(answer.url.path).json() == answer.json()


def test_another_user_does_not_hear_it(emma: App, alice: App) -> None:
    """SEC-03, SEC-01."""
    stored = emma.http.post(ROUTE, files={"audio": ("speech.wav", SPEECH, "audio/wav")})
    assert stored.status_code == 303
    assert problem(alice.http.get(stored.headers["location"])) == (404, "AGENT_AUDIO_NOT_FOUND")
    assert problem(httpx.get(emma.http.base_url.join(stored.headers["location"]))) == (401, "AUTH_UNAUTHORIZED")
    assert "weather" in emma.http.get(stored.headers["location"]).json()["transcript"]


def test_ten_million_bytes_pass_and_no_more(alice: App) -> None:
    """ASR-03, C28: up to the recogniser, which does not know her language."""
    most = wav.header(2, 48_000, 16, 10_000_000 - 44) + bytes(10_000_000 - 44)
    assert problem(send(alice, most)) == (502, "AGENT_ASR_UNAVAILABLE")
    assert problem(send(alice, most + bytes(4))) == (400, "AGENT_AUDIO_TOO_LARGE")
    assert problem(send(alice, most + bytes(500_000))) == (413, "REQUEST_TOO_LARGE")


def test_a_long_recording_is_refused(emma: App) -> None:
    """ASR-03: by its samples, of which 10,000,000 bytes may hold twenty minutes."""
    long = wav.header(1, 8_000, 8, 8_000 * 121) + bytes(8_000 * 121)
    assert problem(send(emma, long)) == (400, "AGENT_AUDIO_TOO_LONG")


def test_what_is_no_recording_is_refused(emma: App) -> None:
    """ASR-02, ASR-03, ASR-04, ERR-08."""
    assert problem(send(emma, kind="audio/mpeg")) == (400, "AGENT_AUDIO_UNSUPPORTED_FORMAT")
    assert problem(send(emma, b"")) == (400, "AGENT_AUDIO_EMPTY")
    assert problem(send(emma, SPEECH[:100])) == (400, "AGENT_AUDIO_UNSUPPORTED_FORMAT")
    assert problem(send(emma, field="file")) == (422, "AGENT_AUDIO_INVALID")
    assert problem(emma.http.get(f"{ROUTE}/{uuid.uuid4()}")) == (404, "AGENT_AUDIO_NOT_FOUND")
