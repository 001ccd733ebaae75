"""The use case: a form that API Gateway stored, the recording in it, and what is said there.

The transcript takes the place of the form for a day, so that an answer that was lost can be asked for again. What is
refused is deleted. After a failure of the recogniser the form stays for another try, one at a time and TRIES in all;
what nobody asks for, the bucket's lifecycle deletes. Each try counts towards the user's seconds of the day what it may
cost.
"""

import math
from collections.abc import Callable
from tempfile import TemporaryFile
from typing import IO, Final

from botocore.exceptions import BotoCoreError, ClientError

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
"""How long the recogniser may take."""

TRIES: Final = 3
"""How often it is asked about one recording."""

_LEAST_SECONDS: Final = 15
"""What Amazon Transcribe charges for at least."""

_RETRY_SECONDS: Final = 5
_RETRYABLE: Final = frozenset({Code.AGENT_ASR_UNAVAILABLE, Code.AGENT_ASR_IN_PROGRESS, Code.AGENT_ASR_LIMIT})
"""The refusals after which the same recording may be asked about again."""


def transcribe(recogniser: Recogniser, caller: Caller, upload_id: str) -> str:
    """What is said in the recording of the caller's upload, in the language of their locale (ASR-01).

    Raises Problem: 404 when nothing arrived under this id, 400, 415 or 422 for what is refused and gone, 409 while
    another request has it recognised, 429 when the day's seconds are used up, 502 when it could not be recognised.
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
    """Raise Problem when no try may be begun."""
    if tries.recognised:
        return
    if tries.under_way:
        raise Problem(Code.AGENT_ASR_IN_PROGRESS, "the recording is being recognised", retry_after=_RETRY_SECONDS)
    if tries.begun >= TRIES:
        raise Problem(Code.AGENT_ASR_FAILED, "the recording could not be recognised; send another")


def _claim(user_id: str, upload_id: str, seconds: float) -> Claim:
    """Begin a try. Raises Problem."""
    most = settings.transcription_seconds_per_day
    cost = max(math.ceil(seconds), _LEAST_SECONDS)
    try:
        claim = recordings.claim(user_id, upload_id, TRIES, cost, most)
    except recordings.SpentError as error:
        raise Problem(
            Code.AGENT_ASR_LIMIT,
            "too much speech to recognise in one day",
            params={"secondsPerDay": most},
            retry_after=usage.seconds_left(),
        ) from error
    if claim is None:  # another request was quicker
        raise Problem(Code.AGENT_ASR_IN_PROGRESS, "the recording is being recognised", retry_after=_RETRY_SECONDS)
    return claim


def _received(form: str, file: IO[bytes]) -> bool:
    """Write the recording of a stored form to the file; whether there is a form. Raises Problem for what may not be."""
    from yarrow.protocol.files.multipart import read_form  # here, since only a call needs its parser

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
    """The recording, and the language it is in. Raises Problem."""
    wav = transcription.read(file, settings.transcription_seconds)
    language = language_of(caller.locale)
    if language is None:
        raise unavailable("speech in this language cannot be recognised")
    return wav, language


def _stored_transcript(transcript: str) -> str:
    """The transcript that has taken the place of a form. It was put there before the form was deleted."""
    before = objects.get(transcript)
    if before is None:
        raise _not_found()
    return before.decode()


def _try_all(*steps: Callable[[], object]) -> None:
    """What is done once the caller's answer is sure: its failure changes nothing but what another call would cost."""
    try:
        for step in steps:
            step()
    except (BotoCoreError, ClientError) as error:
        logger.warning("a recording was left to expire", extra={"error": type(error).__name__})


def _not_found() -> Problem:
    return Problem(Code.AGENT_AUDIO_NOT_FOUND, "there is no such recording")
