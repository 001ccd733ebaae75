"""Reads files in a command, and their kinds (WSP-12 … WSP-14)."""

import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from yarrow.protocol.workspace.errors import CommandError, ErrorCode
from yarrow.protocol.workspace.surface import FILE_KINDS, LINE_CHARACTERS, FileKind

MAX_FILES: Final = 20
MAX_REJECTED: Final = 50
MEGABYTE: Final = 1024 * 1024
DEFAULT_MEGABYTES: Final = 4

_NAME_CHARACTERS: Final = 255
_ID_CHARACTERS: Final = 128
_UNKNOWN_TYPE: Final = "application/octet-stream"
_KINDS: Final[Mapping[FileKind, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "image": (("image/",), ("png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "avif", "heic", "heif")),
    "pdf": (("application/pdf",), ("pdf",)),
    "sheet": (
        ("text/csv", "application/vnd.ms-excel", "application/vnd.openxmlformats-officedocument.spreadsheetml"),
        ("csv", "tsv", "xls", "xlsx", "ods"),
    ),
    "doc": (
        ("application/msword", "application/vnd.openxmlformats-officedocument.wordprocessingml", "application/rtf"),
        ("doc", "docx", "rtf", "odt"),
    ),
    "text": (("text/", "application/json"), ("txt", "md", "json", "log", "xml", "yaml", "yml")),
}
"""The beginnings of MIME types and endings of names, by kind. Anything else is a `file`."""


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as sent, decoded. `id` is the page's."""

    id: str
    name: str
    mime_type: str
    source: str
    data: bytes
    question_id: str
    question_text: str

    @property
    def kind(self) -> FileKind:
        return kind_of_file(self.mime_type, self.name)


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """A file that the page, or this service, did not accept."""

    name: str
    reason: Literal["size", "type"]
    source: str
    size: int | None = None
    kind: str | None = None
    question_id: str = ""

    def document(self) -> dict[str, Any]:
        """Return it as a runner reads it."""
        members = {
            "name": self.name,
            "reason": self.reason,
            "source": self.source,
            "size": self.size,
            "kind": self.kind,
            "questionId": self.question_id or None,
        }
        return {name: value for name, value in members.items() if value is not None}


@dataclass(frozen=True, slots=True)
class FileRules:
    """The files that a session accepts (WSP-13): the rules of a question, if any, override the prompt's."""

    kinds: tuple[str, ...] = ()
    max_bytes: int = DEFAULT_MEGABYTES * MEGABYTE

    def refusal(self, file: SentFile) -> RejectedFile | None:
        """Return why a file is rejected; None if it is accepted."""
        refused = (file.name, file.source, file.question_id)
        if self.kinds and file.kind not in self.kinds:
            return RejectedFile(refused[0], "type", refused[1], kind=file.kind, question_id=refused[2])
        if len(file.data) > self.max_bytes:
            return RejectedFile(refused[0], "size", refused[1], size=len(file.data), question_id=refused[2])
        return None


def rules_of(question: Mapping[str, Any] | None, prompt: Mapping[str, Any] | None) -> FileRules:
    """Return the rules for a question (or a message that requests files) in a session with this prompt."""
    policy: Mapping[str, Any] = (prompt or {}).get("attachmentPolicy") or {}
    rules: Mapping[str, Any] = question or {}
    kinds = rules.get("acceptKinds") or policy.get("allowedKinds") or ()
    most = rules.get("maxSizeMB", policy.get("maxSizeMB", DEFAULT_MEGABYTES))
    return FileRules(tuple(kinds), int(max(most, 1) * MEGABYTE))  # the page takes 1 MB at least


def kind_of_file(mime_type: str, name: str) -> FileKind:
    """Return the kind of a file, by its type and else by its name."""
    declared, ending = mime_type.lower(), name.rpartition(".")[2].lower() if "." in name else ""
    for kind, (types, _) in _KINDS.items():
        if declared.startswith(types):
            return kind
    if declared in ("", _UNKNOWN_TYPE):
        return next((kind for kind, (_, endings) in _KINDS.items() if ending in endings), "file")
    return "file"


def read_files(value: Any, question_id: str, question_text: str) -> tuple[SentFile, ...]:
    """Read the files of a command. Raises CommandError for the first malformed one: then none is accepted."""
    if value is None:
        return ()
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MAX_FILES:
        raise CommandError(ErrorCode.ATTACHMENT_INVALID, f"attachments must be an array of at most {MAX_FILES} files")
    return tuple(_file(entry, index, question_id, question_text) for index, entry in enumerate(value))


def read_rejected(value: Any, question_id: str) -> tuple[RejectedFile, ...]:
    """Read what the page did not accept; malformed entries are skipped, as they are feedback only (WSP-14)."""
    entries = value[:MAX_REJECTED] if isinstance(value, list) else []
    found = [_rejected(entry, question_id) for entry in entries if isinstance(entry, Mapping)]
    return tuple(dict.fromkeys(rejected for rejected in found if rejected is not None))


def _file(entry: Any, index: int, question_id: str, question_text: str) -> SentFile:
    where = f"attachments[{index}]"
    if not isinstance(entry, Mapping):
        raise CommandError(ErrorCode.ATTACHMENT_INVALID, f"{where} must be an object")
    name = _name(entry.get("name"))
    if not name:
        raise CommandError(ErrorCode.ATTACHMENT_INVALID, f"{where} must have a name")
    content = entry.get("contentBase64")
    try:
        data = binascii.a2b_base64(content.encode("ascii"), strict_mode=True) if isinstance(content, str) else b""
    except ValueError as error:  # also of the encoding
        raise CommandError(ErrorCode.ATTACHMENT_INVALID, f"{where}.contentBase64 is not strict base64") from error
    if not data:
        raise CommandError(ErrorCode.ATTACHMENT_INVALID, f"{where} must have a contentBase64 that is not empty")
    size = entry.get("size")
    if isinstance(size, bool) or not isinstance(size, int) or size != len(data):
        raise CommandError(ErrorCode.ATTACHMENT_INVALID, f"{where}.size differs from the size of its content")
    return SentFile(
        id=_text(entry.get("id"), _ID_CHARACTERS),
        name=name,
        mime_type=_text(entry.get("mimeType"), _ID_CHARACTERS).lower() or _UNKNOWN_TYPE,
        source=_text(entry.get("source"), _ID_CHARACTERS) or "upload",
        data=data,
        question_id=_text(entry.get("questionId"), _ID_CHARACTERS) or question_id,
        question_text=_text(entry.get("questionText"), LINE_CHARACTERS) or question_text,
    )


def _rejected(entry: Mapping[str, Any], question_id: str) -> RejectedFile | None:
    name, reason, size, kind = _name(entry.get("name")), entry.get("reason"), entry.get("size"), entry.get("kind")
    if not name or reason not in ("size", "type"):
        return None
    return RejectedFile(
        name=name,
        reason=reason,
        source=_text(entry.get("source"), _ID_CHARACTERS) or "upload",
        size=size if isinstance(size, int) and not isinstance(size, bool) and size >= 0 else None,
        kind=kind if kind in FILE_KINDS else None,
        question_id=_text(entry.get("questionId"), _ID_CHARACTERS) or question_id,
    )


def _name(value: Any) -> str:
    """Return the printable last component of a file name; empty if nothing is left."""
    last = _text(value, 4 * _NAME_CHARACTERS).replace("\\", "/").rpartition("/")[2]
    name = "".join(character for character in last if character.isprintable()).strip()[-_NAME_CHARACTERS:]
    return "" if name in (".", "..") else name


def _text(value: Any, most: int) -> str:
    return value[:most] if isinstance(value, str) else ""
