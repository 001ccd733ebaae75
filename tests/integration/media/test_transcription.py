"""Amazon Transcribe, over HTTP, from a server that answers as it does, with the bucket in moto."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import boto3
import pytest
from botocore.retries.standard import ExponentialBackoff
from moto import mock_aws

from local.stack import Stack
from tests.support.functions.deployment import configured
from yarrow.formats import wav
from yarrow.media.transcription import amazon
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings

SAMPLES = bytes(range(256)) * 100
RECORDING = wav.header(1, 16_000, 16, len(SAMPLES)) + SAMPLES
TRANSCRIPT = {"results": {"transcripts": [{"transcript": "我今天适合出门谈合作吗?"}], "items": []}}
JOBS_ARE_BUSY = (400, "LimitExceededException")

Answer = tuple[int, str]


@dataclass
class Service:
    """The server: how its jobs go, and what it was asked.

    `statuses` are told one after the other, the last one from then on. `refusals` are given, by action, in place of
    the first answers.
    """

    statuses: list[str] = field(default_factory=lambda: ["QUEUED", "IN_PROGRESS", "COMPLETED"])
    transcript: Any = field(default_factory=lambda: TRANSCRIPT)
    refusals: dict[str, list[Answer]] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    jobs: dict[str, dict[str, Any]] = field(default_factory=dict)
    heard: list[bytes] = field(default_factory=list)

    def answer(self, action: str, request: dict[str, Any]) -> tuple[int, str, dict[str, Any]]:
        """Return status, error code and body."""
        self.requests.append((action, request))
        if refusals := self.refusals.get(action):
            status, error = refusals.pop(0)
            return status, error, {"Message": "arn:aws:secret"}
        name = request["TranscriptionJobName"]
        match action:
            case "StartTranscriptionJob" if name in self.jobs:
                return 400, "ConflictException", {}
            case "StartTranscriptionJob":
                self.jobs[name] = request
                self.heard.append(self._recording(request))
            case "GetTranscriptionJob":
                job_status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
                if job_status == "COMPLETED":
                    self._tell(self.jobs[name])
                reason = {"FailureReason": "arn:aws:secret"} if job_status == "FAILED" else {}
                job = {"TranscriptionJobName": name, "TranscriptionJobStatus": job_status}
                return 200, "", {"TranscriptionJob": job | reason}
            case "DeleteTranscriptionJob" if self.statuses[0] in {"QUEUED", "IN_PROGRESS"}:
                return 400, "BadRequestException", {}
            case "DeleteTranscriptionJob":
                del self.jobs[name]
        return 200, "", {}

    def did(self) -> list[str]:
        return [action.removesuffix("TranscriptionJob") for action, _ in self.requests]

    def _recording(self, request: dict[str, Any]) -> bytes:
        bucket, _, key = request["Media"]["MediaFileUri"].removeprefix("s3://").partition("/")
        return boto3.client("s3").get_object(Bucket=bucket, Key=key)["Body"].read()

    def _tell(self, request: dict[str, Any]) -> None:
        body = json.dumps(self.transcript).encode()
        boto3.client("s3").put_object(Bucket=request["OutputBucketName"], Key=request["OutputKey"], Body=body)


@pytest.fixture
def service(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    state = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            action = self.headers["X-Amz-Target"].removeprefix("Transcribe.")
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, error, answer = state.answer(action, request)
            body = json.dumps(answer | ({"__type": error} if error else {})).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Keep quiet."""

    monkeypatch.setattr(ExponentialBackoff, "delay_amount", lambda *_: 0)
    monkeypatch.setattr(amazon, "_FIRST_PAUSE", 0.01)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,)).start()
        endpoint = f"http://127.0.0.1:{server.server_port}"
        with configured(stack, AWS_ENDPOINT_URL_TRANSCRIBE=endpoint), mock_aws():
            boto3.client("s3").create_bucket(Bucket=settings.bucket_name)
            yield state
        server.shutdown()


def recognised(recording: bytes = RECORDING, seconds: float = 30) -> str:
    file = io.BytesIO(recording)
    return amazon.recognise(file, wav.read(file), "zh-CN", seconds)


def left() -> list[str]:
    found = boto3.client("s3").list_objects_v2(Bucket=settings.bucket_name).get("Contents", [])
    return [item["Key"] for item in found]


def unavailable(recognise: Callable[[], str]) -> str:
    with pytest.raises(Problem) as refused:
        recognise()
    assert refused.value.code is Code.AGENT_ASR_UNAVAILABLE
    assert "secret" not in str(refused.value.document())
    return refused.value.detail


def test_a_job_is_started_waited_for_read_and_removed(service: Service) -> None:
    """ASR-01: in the caller's language, from the bucket and back to it; nothing stays."""
    assert recognised() == "我今天适合出门谈合作吗?"
    assert service.did() == ["Start", "Get", "Get", "Get", "Delete"]
    _, request = service.requests[0]
    job, bucket = request["TranscriptionJobName"], settings.bucket_name
    assert request == {
        "TranscriptionJobName": job,
        "LanguageCode": "zh-CN",
        "MediaFormat": "wav",
        "Media": {"MediaFileUri": f"s3://{bucket}/transcription/{job}.wav"},
        "OutputBucketName": bucket,
        "OutputKey": f"transcription/{job}.json",
    }
    assert service.heard == [RECORDING]
    assert service.jobs == {}
    assert left() == []


def test_what_is_sent_has_16_bits_and_one_channel(service: Service) -> None:
    """ASR-02: and at least the half second that the service asks for."""
    stereo = bytes([0, 16, 0, 32]) * 1_000
    recognised(wav.header(2, 8_000, 16, len(stereo)) + stereo)
    (heard,) = service.heard
    assert wav.read(io.BytesIO(heard)) == wav.Wav(1, 8_000, 16, 44, 8_000)
    assert heard[44:] == bytes([0, 24]) * 1_000 + bytes(6_000)


def test_no_more_is_sent_than_the_file_says_it_holds(service: Service) -> None:
    """ASR-03: what its length was judged by, whatever else is in the file."""
    hidden = wav.header(1, 16_000, 16, 0)[36:] + bytes(2_000_000)
    chunk = b"data" + (2_000_000).to_bytes(4, "little") + bytes(2_000_000)
    inside = RECORDING[:4] + (len(RECORDING) - 8 + len(chunk)).to_bytes(4, "little") + RECORDING[8:] + chunk
    for recording in (RECORDING + hidden, inside):
        recognised(recording)
    assert service.heard == [RECORDING] * 2


def test_nothing_said_is_an_empty_transcript(service: Service) -> None:
    """ASR-01."""
    service.transcript = {"results": {"transcripts": [{"transcript": ""}]}}
    assert recognised() == ""


def test_a_busy_service_is_asked_again(service: Service) -> None:
    """ASR-03: Each of its actions is retried a few times."""
    throttled = (400, "ThrottlingException")
    service.refusals = {
        "StartTranscriptionJob": [JOBS_ARE_BUSY, throttled],
        "GetTranscriptionJob": [throttled, (500, "InternalFailureException")],
        "DeleteTranscriptionJob": [throttled],
    }
    assert recognised() == "我今天适合出门谈合作吗?"
    assert service.jobs == {}
    assert left() == []


def test_a_start_whose_answer_was_lost_is_no_conflict(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """ASR-01: the job is there already."""
    first = service.answer

    def answer(action: str, request: dict[str, Any]) -> tuple[int, str, dict[str, Any]]:
        answered = first(action, request)
        lost = service.did() == ["Start"]
        return (500, "InternalFailureException", {}) if lost else answered

    monkeypatch.setattr(service, "answer", answer)
    assert recognised() == "我今天适合出门谈合作吗?"
    assert service.did() == ["Start", "Start", "Get", "Get", "Get", "Delete"]


def test_a_job_whose_start_was_never_answered_is_removed(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """ASR-03: it may have been started."""
    first = service.answer

    def answer(action: str, request: dict[str, Any]) -> tuple[int, str, dict[str, Any]]:
        answered = first(action, request)
        return (500, "InternalFailureException", {}) if action == "StartTranscriptionJob" else answered

    monkeypatch.setattr(service, "answer", answer)
    service.statuses = ["COMPLETED"]
    assert unavailable(recognised) == "the recogniser failed"
    assert len(service.heard) == 1
    assert service.jobs == {}
    assert left() == []


@pytest.mark.parametrize("action", ["StartTranscriptionJob", "GetTranscriptionJob"])
@pytest.mark.parametrize("refusal", [JOBS_ARE_BUSY, (400, "BadRequestException"), (500, "InternalFailureException")])
def test_a_service_that_refuses_is_unavailable(service: Service, action: str, refusal: Answer) -> None:
    """ASR-03, ERR-08: what it says is told to nobody, and nothing stays."""
    service.refusals = {action: [refusal] * 4}
    assert unavailable(recognised) == "the recogniser failed"
    assert left() == []


def test_a_job_that_fails_is_removed(service: Service) -> None:
    """ASR-03."""
    service.statuses = ["IN_PROGRESS", "FAILED"]
    assert unavailable(recognised) == "the recogniser failed"
    assert service.jobs == {}
    assert left() == []


def test_a_job_that_takes_too_long_is_left_without_its_recording(service: Service) -> None:
    """ASR-03: it cannot be deleted while it works, which is tried all the same."""
    service.statuses = ["IN_PROGRESS"]
    assert unavailable(lambda: recognised(seconds=0.1)) == "the recogniser did not answer in time"
    assert service.did()[-1] == "Delete"
    assert left() == []


@pytest.mark.parametrize("transcript", [None, [], {"results": {}}, {"results": {"transcripts": ["text"]}}])
def test_a_transcript_that_cannot_be_read_is_no_transcript(service: Service, transcript: Any) -> None:
    """ASR-03."""
    service.transcript = transcript
    assert unavailable(recognised) == "the recogniser failed"
    assert service.jobs == {}
    assert left() == []


def test_no_bucket_is_no_recogniser(service: Service) -> None:
    """ASR-03."""
    boto3.client("s3").delete_bucket(Bucket=settings.bucket_name)
    assert unavailable(recognised) == "the recogniser failed"
    assert service.requests == []
