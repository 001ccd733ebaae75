"""The pictures in an AG-UI message: by URL, by id, or inline (C7). An inline picture becomes an attachment whose path
is a hash of its bytes, so repeats are idempotent. Types that agents cannot see are dropped.
"""

import base64
import hashlib
from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import chain
from typing import Final, NamedTuple

from yarrow.access import limits
from yarrow.formats.pictures import SHOWN_TYPES
from yarrow.protocol.agui.media import Medium
from yarrow.protocol.files.attachments import (
    BUCKET,
    MAX_BYTES,
    UploadedFile,
    check_path,
    folders_of,
    path_of,
    too_large,
    type_by_path,
    type_of,
)
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.store import artifacts, objects

INLINE_BYTES: Final = 2 * 1024 * 1024
"""Inline pictures in base64 take two thirds of the request."""

_MAX_HANDLES: Final = 3
"""Ids that may be foreign, and objects that tool results name; each costs a read."""

_REFUSED: Final = frozenset({413, 422})


class _Found(NamedTuple):
    """`data` if it may not be stored yet."""

    path: str
    data: bytes | None = None


class SentPictures:
    def __init__(self, user_id: str, session_id_of: Callable[[str], str]) -> None:
        """`session_id_of` maps the client's thread id to the session's."""
        self._user_id = user_id
        self._session_of = session_id_of
        self._handles = 0
        self._lookups = 0
        self._own: dict[str, bytes | None] = {}

    @property
    def paths(self) -> Collection[str]:
        """The paths of the user's pictures, without signed URLs."""
        return self._own.keys()

    def store(self) -> None:
        """Store new inline pictures. Raises Problem 503, or 429 at the limit per minute or of stored bytes."""
        inline = {path: data for path, data in self._own.items() if data is not None}
        if not inline:
            return
        from yarrow.media import attachment_quota, attachments  # here and below: few messages have pictures

        limits.count(self._user_id, "uploads", len(inline))
        with attachments.storage_errors():
            for path, data in inline.items():
                attachment_quota.store(self._user_id, path, data, type_by_path(path))
                self._own[path] = None  # stored

    def find(self, medium: Medium, thread: str) -> tuple[str, str] | None:
        """Return type and signed URL or path; None for other media. URLs and handles of other services are never an
        error. Raises Problem: 422 for invalid base64 or an unknown id, 413 for too many bytes, 503 for S3 errors.
        """
        if medium.url is not None and (path := self._by_url(medium.url)):
            return _visible(path, medium.url)
        if medium.kind != "image":
            return None
        found = None
        if medium.data is not None:
            found = self._new(_decoded(medium.data, medium.where))
        elif medium.id is not None:
            found = self._by_id(medium.id, thread)
            if found is None:
                raise _invalid(f"{medium.where}.id is not one of your pictures")
        elif medium.handle is not None and self._handles < _MAX_HANDLES:
            self._handles += 1
            found = self._by_id(medium.handle, thread)
        if found is None or (picture := _visible(found.path, found.path)) is None:
            return None
        if found.data is not None:
            _check_size(found.data, medium)
            self._own[found.path] = found.data
        self._own.setdefault(found.path, None)
        return picture

    def find_in_result(self, medium: Medium, thread: str) -> tuple[str, str] | None:
        """Return type and path of a picture in a tool result; None for other media, and for those that `find` refuses.
        Raises Problem 503 for S3 errors.
        """
        if medium.id is not None:
            medium = replace(
                medium, id=None, handle=medium.id
            )  # an unknown id is no error, so their number has a limit
        try:
            found = self.find(medium, thread)
        except Problem as problem:
            if problem.status in _REFUSED:
                return None
            raise
        if found is None:
            return None
        mime_type, url = found
        path = url if url in self._own else self._by_url(url)
        if path is None:
            return None
        if self._is_there(path):
            self._own[path] = None  # clients send a turn's results with each of its runs
        elif self._own.get(path) is None:
            return None
        return mime_type, path

    def _is_there(self, path: str) -> bool:
        """Look an object up; False after too many lookups."""
        from yarrow.media import attachments

        if self._lookups == _MAX_HANDLES:
            return False
        self._lookups += 1
        with attachments.storage_errors():
            return objects.size(path) is not None

    def _by_url(self, url: str) -> str | None:
        """Return the path of a signed URL, expired or not (RUN-16)."""
        from yarrow.media import signed_urls

        try:
            return _picture(signed_urls.read(url, self._user_id).path)
        except signed_urls.InvalidUrlError:
            return None

    def _by_id(self, id_: str, thread: str) -> _Found | None:
        """Find a picture by an upload's id, an attachment's path, or the id of an artifact of the thread."""
        from yarrow.media import attachments

        with attachments.storage_errors():
            if is_uuid(id_):
                found = (objects.keys(f"{folder}{id_.lower()}")[0] for folder in folders_of(self._user_id))
                path = next(filter(_picture, chain.from_iterable(found)), None)
            elif id_.startswith(f"{BUCKET}/"):
                path = self._of_user(id_)
            else:
                key = artifacts.object_of(id_, self._session_of(thread), self._user_id)
                path = None if key is None else self._of_user(key)
                if path is None and key is not None:  # made by an agent
                    return self._new(objects.get(key) or b"")
        return None if path is None else _Found(path)

    def _of_user(self, path: str) -> str | None:
        try:
            return _picture(check_path(BUCKET, path, self._user_id))
        except Problem:
            return None

    def _new(self, data: bytes) -> _Found | None:
        """Make a new picture; None unless uploads would accept the bytes as one."""
        try:
            mime_type = type_of(UploadedFile("", bytearray(data), None, "image/*"))
        except Problem:
            return None
        return _Found(path_of(self._user_id, hashlib.sha256(data).hexdigest(), "", mime_type), data)


def _visible(path: str, url: str) -> tuple[str, str] | None:
    """Return type and URL; None if agents cannot see the type."""
    mime_type = type_by_path(path)
    return (mime_type, url) if mime_type in SHOWN_TYPES else None


def _decoded(text: str, where: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)  # some clients break lines
    except ValueError:
        raise _invalid(f"{where} is not base64") from None


def _picture(path: str) -> str | None:
    return path if type_by_path(path).startswith("image/") else None


def _check_size(data: bytes, medium: Medium) -> None:
    if len(data) > MAX_BYTES:
        raise too_large()
    if medium.data is not None and len(data) > INLINE_BYTES:
        detail = f"{medium.where} exceeds {INLINE_BYTES} bytes; upload the picture and send its URL"
        raise Problem(Code.AGENT_ATTACHMENT_TOO_LARGE, detail, params={"limitBytes": INLINE_BYTES})


def _invalid(detail: str) -> Problem:
    return Problem(Code.AGENT_RUN_MESSAGES_INVALID, detail)
