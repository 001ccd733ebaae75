"""The upload form: the parts `threadId` and `file`, each up to its limit."""

from collections.abc import Iterable
from typing import Final

from yarrow.protocol.files.attachments import MAX_BYTES, UploadedFile, too_large
from yarrow.protocol.files.multipart import Sink, read_form
from yarrow.protocol.problems import Code, Problem

MAX_FIELD_BYTES: Final = 64
"""The most bytes of a field; `threadId` has 36."""


def read_upload_form(content_type: str, chunks: Iterable[bytes]) -> UploadedFile:
    """Read a form (ATT-01, ATT-08). Raises Problem: 415 unless multipart/form-data, 413 over the limit, else 422."""
    thread_id, file = bytearray(), bytearray()
    sinks = {
        "threadId": _limited(thread_id, MAX_FIELD_BYTES, _invalid("the part threadId is too long")),
        "file": _limited(file, MAX_BYTES, too_large()),
    }
    part = read_form(content_type, chunks, sinks, _invalid)["file"]
    return UploadedFile(thread_id.decode(errors="replace"), file, part.filename, part.media_type)


def _limited(data: bytearray, most: int, too_long: Problem) -> Sink:
    def write(piece: memoryview) -> None:
        if len(data) + len(piece) > most:
            raise too_long
        data.extend(piece)

    return write


def _invalid(detail: str) -> Problem:
    return Problem(Code.AGENT_ATTACHMENT_INVALID, detail)
