"""Uploads an attachment: bytes are staged in the bucket and checked. API Gateway stores a form (ATT-01), or the client
sends a file with the form of `begin_upload`. Refused files are deleted.
"""

import time
import uuid
from datetime import UTC, datetime
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.access import limits, ownership
from yarrow.media import attachment_quota, attachments
from yarrow.observability.logs import logger
from yarrow.protocol.files.attachments import (
    MAX_BYTES,
    AttachmentAnswer,
    Upload,
    UploadedFile,
    check_declared,
    path_of,
    stem_of,
    too_large,
    type_of,
)
from yarrow.protocol.files.upload_request import read_upload_request
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.settings import settings
from yarrow.store import objects, sessions, uploads
from yarrow.store.limits import reservations

SEND_SECONDS: Final = 900
"""For a client to start sending."""


def begin_upload(raw: bytes, user_id: str) -> Upload:
    """Sign a form for a file, from an UploadRequest body. Raises Problem: 422 for an invalid body or thread id, 415 for
    an unknown picture type, 403 and 404 as for any upload, 429 at the limit per minute, 502 if signing fails.
    """
    request = read_upload_request(raw)
    check_declared(request.mime_type)
    limits.count(user_id, "uploads")
    _admit(request.thread_id, user_id)
    upload_id = str(uuid.uuid4())
    expires_at = datetime.fromtimestamp(int(time.time()) + SEND_SECONDS, UTC).isoformat()
    try:
        url, fields = objects.signed_post(
            uploads.staged_key(user_id, upload_id), request.mime_type, MAX_BYTES, SEND_SECONDS
        )
    except (BotoCoreError, ClientError) as error:
        raise Problem(Code.AGENT_SIGNED_URL_GENERATION_FAILED, "the form could not be signed") from error
    announced = uploads.StoredUpload(request.thread_id, stem_of(request.filename), request.mime_type, path=None)
    uploads.announce(user_id, upload_id, announced)
    return Upload(upload_id=upload_id, url=url, fields=fields, expires_at=expires_at)


def finish_upload(user_id: str, upload_id: str) -> AttachmentAnswer:
    """Accept the user's upload and return its attachment; idempotent (ATT-03). Raises Problem: 404 for an unknown id;
    403, 404, 413, 415 or 422 for a refused file, which is deleted; 429 at the limit per minute or of stored bytes and
    503 for S3 errors, all retryable (ATT-04).
    """
    if not is_uuid(upload_id):
        raise _unknown()
    upload = uploads.read(user_id, upload_id)
    if upload is None or upload.path is None:
        with attachments.storage_errors(), objects.stream(uploads.staged_key(user_id, upload_id)) as staged:
            # Nothing staged: another request may have finished it just now.
            upload = _accept(user_id, upload_id, upload, staged) if staged else uploads.read(user_id, upload_id)
    if upload is None or upload.path is None:
        raise _unknown()
    return AttachmentAnswer(attachment=attachments.attachment(upload.path))


def _accept(
    user_id: str, upload_id: str, announced: uploads.StoredUpload | None, staged: objects.Stream
) -> uploads.StoredUpload:
    key = uploads.staged_key(user_id, upload_id)
    limits.count(user_id, "uploads")
    try:
        file = _in_form(staged) if announced is None else _single_file(staged, announced)
        mime_type = type_of(file)
        _admit(file.thread_id, user_id)
    except Problem:
        _discard(key)
        raise
    stem = stem_of(file.filename)
    path = path_of(user_id, upload_id, stem, mime_type)
    attachment_quota.store(user_id, path, bytes(file.data), mime_type)
    finished = uploads.finish(user_id, upload_id, uploads.StoredUpload(file.thread_id, stem, file.declared_type, path))
    _discard(key)
    return finished


def _in_form(staged: objects.Stream) -> UploadedFile:
    from yarrow.protocol.files.upload_form import read_upload_form  # here: only forms need it

    return read_upload_form(staged.content_type, staged.chunks)


def _single_file(staged: objects.Stream, announced: uploads.StoredUpload) -> UploadedFile:
    """Read a file that was sent by itself; the bucket has enforced its size."""
    if staged.size > MAX_BYTES:
        raise too_large()
    data = bytearray()
    for chunk in staged.chunks:
        data += chunk
    return UploadedFile(announced.thread_id, data, announced.stem, announced.declared_type)


def _admit(thread_id: str, user_id: str) -> None:
    """Raise Problem unless the user may upload to the thread (ATT-05); an unused one is reserved for them (C25)."""
    ownership.check_thread_id(thread_id)
    if settings.uploads_need_session:
        sessions.read_owned(thread_id, user_id)
        return
    session = sessions.read(thread_id)
    if session is None:
        reservations.reserve(thread_id, user_id)
        session = sessions.read(thread_id)  # it may have been created in between
    if session is not None:
        sessions.check_access(session, user_id)


def _unknown() -> Problem:
    return Problem(Code.AGENT_ATTACHMENT_NOT_FOUND, "there is no such upload")


def _discard(key: str) -> None:
    """Delete a staged object, if possible: the lifecycle deletes it too."""
    try:
        objects.delete(key)
    except (BotoCoreError, ClientError):
        logger.warning("a staged upload could not be deleted and will expire")
