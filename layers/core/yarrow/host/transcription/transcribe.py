"""The use case: a form that API Gateway stored, the recording in it, and what is said there.

The transcript takes the place of the form for a day, so that an answer that was lost can be asked for again. What is
refused is deleted. After a failure of the recogniser the form stays, so that the client need not send it again; what
nobody asks for, the bucket's lifecycle deletes.
"""

from collections.abc import Callable
from tempfile import TemporaryFile
from typing import IO, Final

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.host.transcription.languages import language_of
from yarrow.host.transcription.recogniser import FOLDER, Recogniser, unavailable
from yarrow.observability.logs import logger
from yarrow.protocol import transcription
from yarrow.protocol.caller import Caller, folder_of
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.store import objects, uploads

RECOGNITION_SECONDS: Final = 110
"""How long the recogniser may take."""


def transcribe(recogniser: Recogniser, caller: Caller, upload_id: str) -> str:
    """What is said in the recording of the caller's upload, in the language of their locale (ASR-01).

    Raises Problem: 404 when nothing arrived under this id, 400, 415 or 422 for what is refused and gone, 502 when the
    speech could not be recognised.
    """
    if not is_uuid(upload_id):
        raise _not_found()
    form = uploads.staged_key(caller.user_id, upload_id)
    transcript = f"{FOLDER}{folder_of(caller.user_id)}/{upload_id}"
    try:
        with TemporaryFile() as file:
            said = _recognised(recogniser, caller, file) if _received(form, file) else None
    except Problem as problem:
        if problem.code is not Code.AGENT_ASR_UNAVAILABLE:
            _settle(lambda: objects.delete(form))
        raise
    if said is None:
        return _kept(transcript)
    _settle(lambda: objects.put(transcript, said.encode(), "text/plain; charset=utf-8"), lambda: objects.delete(form))
    return said


def _received(form: str, file: IO[bytes]) -> bool:
    """Write the recording of a stored form to the file; whether there is a form. Raises Problem for what may not be."""
    from yarrow.protocol.forms import read_form  # here, since only a call needs its parser

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


def _recognised(recogniser: Recogniser, caller: Caller, file: IO[bytes]) -> str:
    wav = transcription.read(file)
    language = language_of(caller.locale)
    if language is None:
        raise unavailable("speech in this language cannot be recognised")
    return recogniser(file, wav, language, RECOGNITION_SECONDS)


def _kept(transcript: str) -> str:
    """The transcript that has taken the place of a form. It was put there before the form was deleted."""
    before = objects.get(transcript)
    if before is None:
        raise _not_found()
    return before.decode()


def _settle(*steps: Callable[[], object]) -> None:
    """What is done once the caller's answer is sure: its failure changes nothing but what another call would cost."""
    try:
        for step in steps:
            step()
    except (BotoCoreError, ClientError) as error:
        logger.warning("a recording was left to expire", extra={"error": type(error).__name__})


def _not_found() -> Problem:
    return Problem(Code.AGENT_AUDIO_NOT_FOUND, "there is no such recording")
