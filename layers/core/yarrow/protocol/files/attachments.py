"""Attachments: limits, names, types, responses.

Source: `divination-run.md` (ATT-01 … ATT-08, SGN-01 … SGN-03). The bucket name is logical; an object's key is its path.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import quote

from yarrow.protocol.caller import folder_of, is_hashed
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import Body

BUCKET: Final = "agent-inputs"
MAX_BYTES: Final = 5 * 1024 * 1024

EXTENSIONS: Final = {
    "image/avif": "avif",
    "image/gif": "gif",
    "image/heic": "heic",
    "image/heif": "heif",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/webp": "webp",
    "application/pdf": "pdf",
    "application/octet-stream": "bin",
}
"""Attachment types, with the extensions of their paths."""

_ALSO_CALLED: Final = frozenset({"image/jpg", "image/pjpeg", "image/x-png"})

_HEAD_BYTES: Final = 4_096
_ANY_BYTES: Final = "application/octet-stream"
_TYPES: Final = {extension: mime_type for mime_type, extension in EXTENSIONS.items()}
_STEM_CHARACTERS: Final = 64
_NAME: Final = re.compile(r"\w[\w.-]{0,199}")
_NOT_A_SEGMENT: Final = re.compile(r"[%/\\\x00-\x1f\x7f]|^\.{1,2}$")


class Upload(Body, frozen=True, kw_only=True):
    """POST these fields and then `file`, until `expires_at`."""

    upload_id: str
    url: str
    fields: dict[str, str]
    expires_at: str


class StoredAttachment(Body, frozen=True, kw_only=True):
    """`url` expires; `bucket` and `path` get another."""

    bucket: Literal["agent-inputs"]
    path: str
    mime_type: str
    url: str


class AttachmentAnswer(Body, frozen=True, kw_only=True):
    """The response to an upload (ATT-03)."""

    attachment: StoredAttachment


class SignedUrl(Body, frozen=True, kw_only=True):
    """An expiring URL (SGN-01)."""

    bucket: Literal["agent-inputs"]
    path: str
    url: str


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """An uploaded file; `filename` and `declared_type` are the client's."""

    thread_id: str
    data: bytearray
    filename: str | None
    declared_type: str | None


def too_large() -> Problem:
    """Make the problem of a file that is too large (ATT-02)."""
    return Problem(
        Code.AGENT_ATTACHMENT_TOO_LARGE, f"a file must have at most {MAX_BYTES} bytes", params={"limitBytes": MAX_BYTES}
    )


def check_declared(mime_type: str) -> None:
    """Raise Problem 415 for a picture type that `type_of` would refuse."""
    declared = mime_type.lower()
    if declared.startswith("image/") and declared not in EXTENSIONS.keys() | _ALSO_CALLED:
        raise Problem(Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED, "this picture type is not accepted")


def type_of(file: UploadedFile) -> str:
    """Detect the type by the first bytes; application/octet-stream if it is unknown (ATT-07).

    Raises Problem 422 for an empty file (ATT-02), 415 for a declared picture of unknown type. SVG may hold scripts.
    """
    import puremagic  # here, since only uploads need it

    if not file.data:
        raise Problem(Code.AGENT_ATTACHMENT_EMPTY, "the file is empty")
    try:
        matches = puremagic.magic_string(bytes(file.data[:_HEAD_BYTES]))
    except puremagic.PureError:
        matches = []
    found = next((match.mime_type for match in matches if match.mime_type in EXTENSIONS), _ANY_BYTES)
    declared = (file.declared_type or "").strip().lower()
    if declared.startswith("image/") and not found.startswith("image/"):
        raise Problem(
            Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED, "the part declares a picture, but the file is not of a known type"
        )
    return found


def stem_of(filename: str | None) -> str:
    """Return the word characters of a file name, without extension (ATT-06)."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", filename or ""))[-1]
    stem = last.rpartition(".")[0] or last
    return re.sub(r"[^\w-]+", "_", stem)[:_STEM_CHARACTERS].strip("_-")


def path_of(user_id: str, upload_id: str, stem: str, mime_type: str) -> str:
    name = f"{upload_id}-{stem}" if stem else upload_id
    return f"{BUCKET}/{folder_of(user_id)}/{name}.{EXTENSIONS[mime_type]}"


def check_path(bucket: str | None, path: str | None, user_id: str) -> str:
    """Raise Problem 422 or 403 unless in the user's folder (SGN-02, SGN-03, SEC-07).

    Nothing is decoded, resolved or normalised.
    """
    if bucket != BUCKET:
        raise Problem(Code.AGENT_ATTACHMENT_BUCKET_INVALID, f"bucket must be {BUCKET}")
    if not path:
        raise Problem(Code.AGENT_ATTACHMENT_INVALID, "the query parameter path is required")
    if not any(path.startswith(folder) and _NAME.fullmatch(path[len(folder) :]) for folder in folders_of(user_id)):
        raise Problem(
            Code.AGENT_ATTACHMENT_PATH_SCOPE_INVALID, f"path must be {BUCKET}/{{userId}}/ followed by a file name"
        )
    return path


def type_by_path(path: str) -> str:
    return _TYPES.get(path.rpartition(".")[2], _ANY_BYTES)


def folders_of(user_id: str) -> tuple[str, ...]:
    """Return the prefixes of the user's attachments, that of new ones first.

    Earlier versions percent-encoded the id; that prefix is left out if it looks like another user's.
    """
    earlier = _NOT_A_SEGMENT.sub(lambda match: quote(match[0], safe="").replace(".", "%2E"), user_id)
    both = [folder_of(user_id), *([] if is_hashed(earlier) else [earlier])]
    return tuple(f"{BUCKET}/{folder}/" for folder in dict.fromkeys(both))
