"""Amazon Transcribe: run a batch job, wait, read and delete the result. A job that exceeds the wait cannot be deleted:
its objects expire by lifecycle, its record (without speech) after 90 days.
"""

import json
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, Final

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.formats import wav as wav_file
from yarrow.formats.wav import Wav
from yarrow.media.transcription.recogniser import FOLDER, unavailable
from yarrow.media.transcription.samples import BITS, mono
from yarrow.observability.logs import logger
from yarrow.settings import settings
from yarrow.store import clients, objects, table

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 2.0
"""Seconds between polls, increasing."""

_MIN_SECONDS: Final = 0.5
"""The service's minimum; shorter recordings are padded with silence."""


def recognise(file: IO[bytes], wav: Wav, language: str, seconds: float) -> str:
    end = time.monotonic() + seconds
    try:
        with ExitStack() as made:
            return _transcribed(file, wav, language, end, made)
    except (BotoCoreError, ClientError) as error:
        logger.warning("speech could not be recognised", extra={"error": _name(error)})
        raise unavailable("the recogniser failed") from error


def _transcribed(file: IO[bytes], wav: Wav, language: str, end: float, made: ExitStack) -> str:
    """Run a job and return its text; `made` collects cleanup callbacks."""
    job = f"yarrow-{uuid.uuid4()}"
    recording, transcript = f"{FOLDER}{job}.wav", f"{FOLDER}{job}.json"
    made.callback(_remove, recording, lambda: objects.delete(recording))
    _store(recording, file, wav)
    made.callback(_remove, transcript, lambda: objects.delete(transcript))
    made.callback(_remove, job, lambda: clients.transcribe().delete_transcription_job(TranscriptionJobName=job))
    _start(job, recording, transcript, language)
    _wait(job, end)
    try:
        results = json.loads(objects.get(transcript) or b"null")["results"]
        return " ".join(transcript_part["transcript"] for transcript_part in results["transcripts"]).strip()
    except (KeyError, TypeError, ValueError) as error:
        logger.warning("a transcript could not be read", extra={"job": job, "error": type(error).__name__})
        raise unavailable("the recogniser failed") from error


def _store(key: str, file: IO[bytes], wav: Wav) -> None:
    """Store the recording as 16-bit mono, padded."""
    padding = max(0, int(_MIN_SECONDS * wav.sample_rate) - wav.frames)
    with TemporaryFile() as speech:
        speech.write(wav_file.header(1, wav.sample_rate, BITS, (wav.frames + padding) * BITS // 8))
        speech.writelines(mono(file, wav))
        speech.write(bytes(padding * BITS // 8))
        speech.seek(0)
        objects.put(key, speech, "audio/wav")


def _start(job: str, recording: str, transcript: str, language: str) -> None:
    try:
        clients.transcribe().start_transcription_job(
            TranscriptionJobName=job,
            LanguageCode=language,
            MediaFormat="wav",
            Media={"MediaFileUri": f"s3://{settings.bucket_name}/{recording}"},
            OutputBucketName=settings.bucket_name,
            OutputKey=transcript,
        )
    except ClientError as error:
        if "ConflictException" not in table.error_codes(error):
            raise
        # The name is unique: the job was started, and only the response was lost.
        logger.info("a transcription job is already running", extra={"job": job})


def _wait(job: str, end: float) -> None:
    pause = _FIRST_PAUSE
    while True:
        found = clients.transcribe().get_transcription_job(TranscriptionJobName=job)["TranscriptionJob"]
        match found["TranscriptionJobStatus"]:
            case "COMPLETED":
                return
            case "FAILED":
                logger.warning("a transcription job failed", extra={"job": job})
                logger.debug("the reason of the failure", extra={"reason": found.get("FailureReason")})
                raise unavailable("the recogniser failed")
        if time.monotonic() + pause > end:
            logger.warning("a transcription job took too long", extra={"job": job})
            raise unavailable("the recogniser did not answer in time")
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def _remove(what: str, removal: Callable[[], object]) -> None:
    try:
        removal()
    except (BotoCoreError, ClientError) as error:
        logger.warning("files of a transcription job could not be deleted", extra={"left": what, "error": _name(error)})


def _name(error: BotoCoreError | ClientError) -> str:
    return error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
