"""Transcribes a recording in a form that API Gateway stored. The transcript is kept for a day, to repeat a lost
response. After a failure the form stays for TRIES in all; each counts towards the user's seconds of the day.
"""

import math
from collections.abc import Callable
from tempfile import TemporaryFile
from typing import IO, Final

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.access import limits
from yarrow.formats.wav import Wav
from yarrow.media.transcription.languages import language_of
from yarrow.media.transcription.recogniser import FOLDER, Recogniser, unavailable
from yarrow.observability.logs import logger
from yarrow.protocol.caller import Caller, folder_of
from yarrow.protocol.files import transcription
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.settings import settings
from yarrow.store import objects, recordings, uploads
from yarrow.store.limits import usage
from yarrow.store.recordings import Claim

RECOGNITION_SECONDS: Final = 110
"""The recogniser's time limit."""

TRIES: Final = 3

_MIN_SECONDS: Final = 15
"""Amazon Transcribe charges at least for this long."""

_RETRY_SECONDS: Final = 5
_RETRYABLE: Final = frozenset({Code.AGENT_ASR_UNAVAILABLE, Code.AGENT_ASR_IN_PROGRESS, Code.AGENT_ASR_LIMIT})
"""After these the recording stays."""


def transcribe(recogniser: Recogniser, caller: Caller, upload_id: str) -> str:
    """Transcribe a recording in the language of the caller's locale (ASR-01). Raises Problem: 404 for an unknown id;
    400, 415 or 422 for a refused recording, which is deleted; 409 during another try; 429 at the limit of the day; 502
    if recognition failed.
    """
    if not is_uuid(upload_id):
        raise _not_found()
    form = uploads.staged_key(caller.user_id, upload_id)
    transcript = f"{FOLDER}{folder_of(caller.user_id)}/{upload_id}"
    tries = recordings.read(caller.user_id, upload_id)
    try:
        _check(tries)
        with TemporaryFile() as file:
            if tries.recognised or not _received(form, file):
                return _stored_transcript(transcript)
            wav, language = _checked(caller, file)
            claim = _claim(caller.user_id, upload_id, wav.seconds)
            try:
                text = recogniser(file, wav, language, RECOGNITION_SECONDS)
            except Exception:
                _try_all(lambda: recordings.give_up(claim))
                raise
    except Problem as problem:
        if problem.code not in _RETRYABLE:
            _try_all(lambda: objects.delete(form))
        raise
    _try_all(
        lambda: objects.put(transcript, text.encode(), "text/plain; charset=utf-8"),
        lambda: recordings.finish(claim),
        lambda: objects.delete(form),
    )
    return text


def _check(tries: recordings.Tries) -> None:
    """Raise Problem if no try may begin."""
    if tries.recognised:
        return
    if tries.under_way:
        raise Problem(Code.AGENT_ASR_IN_PROGRESS, "the recording is being recognised", retry_after=_RETRY_SECONDS)
    if tries.begun >= TRIES:
        raise Problem(Code.AGENT_ASR_FAILED, "the recording could not be recognised; send another")


def _claim(user_id: str, upload_id: str, seconds: float) -> Claim:
    """Begin a try. Raises Problem 409 or 429."""
    most = settings.transcription_seconds_per_day
    cost = max(math.ceil(seconds), _MIN_SECONDS)
    try:
        claim = recordings.claim(user_id, upload_id, TRIES, cost, most)
    except recordings.DailyLimitError as error:
        raise limits.refusal(
            Code.AGENT_ASR_LIMIT,
            "too much speech to recognise in one day",
            params={"secondsPerDay": most},
            retry_after=usage.seconds_left(),
        ) from error
    if claim is None:  # a concurrent request won
        raise Problem(Code.AGENT_ASR_IN_PROGRESS, "the recording is being recognised", retry_after=_RETRY_SECONDS)
    return claim


def _received(form: str, file: IO[bytes]) -> bool:
    """Copy the recording of a form to `file`; False without a form. Raises Problem for an invalid one."""
    from yarrow.protocol.files.multipart import read_form  # here: not every call parses a form

    size = 0

    def take(piece: memoryview) -> None:
        nonlocal size
        size += len(piece)
        if size <= transcription.MAX_BYTES:
            file.write(piece)

    with objects.stream(form) as staged:
        if staged is None:
            return False
        parts = read_form(staged.content_type, staged.chunks, {transcription.FIELD: take}, transcription.invalid)
    transcription.check(parts[transcription.FIELD].media_type, size)
    return True


def _checked(caller: Caller, file: IO[bytes]) -> tuple[Wav, str]:
    """Return the recording's headers and its language. Raises Problem."""
    wav = transcription.read(file, settings.transcription_seconds)
    language = language_of(caller.locale, settings.default_locale)
    if language is None:
        raise unavailable("speech in this language cannot be recognised")
    return wav, language


def _stored_transcript(transcript: str) -> str:
    """Read the transcript, which is written before the form is deleted."""
    before = objects.get(transcript)
    if before is None:
        raise _not_found()
    return before.decode()


def _try_all(*steps: Callable[[], object]) -> None:
    """Run cleanup steps; a failure is logged and costs only repeated work."""
    try:
        for step in steps:
            step()
    except (BotoCoreError, ClientError) as error:
        logger.warning("a recording could not be deleted and will expire", extra={"error": type(error).__name__})


def _not_found() -> Problem:
    return Problem(Code.AGENT_AUDIO_NOT_FOUND, "there is no such recording")
