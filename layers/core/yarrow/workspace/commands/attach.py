"""Files from the user (WSP-12 … WSP-14): checked again here, kept as artifacts of the session, and shown by name."""

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yarrow.access import limits
from yarrow.formats import json_text
from yarrow.formats.pictures import SHOWN_TYPES
from yarrow.media import attachment_quota
from yarrow.media.attachments import storage_errors
from yarrow.protocol.files.attachments import UploadedFile, path_of, stem_of, type_of
from yarrow.protocol.problems import Problem
from yarrow.protocol.workspace.commands import Attach
from yarrow.protocol.workspace.files import RejectedFile, SentFile, rules_of
from yarrow.protocol.workspace.models import PREVIEW_CHARACTERS, Attachment
from yarrow.protocol.workspace.surface import kind_of
from yarrow.store import artifacts, table
from yarrow.workspace.commands.draft import Draft, names_of
from yarrow.workspace.state import changes
from yarrow.workspace.state.notices import notice
from yarrow.workspace.state.session import WorkspaceSession

_ANY_BYTES = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class KeptFile:
    sent: SentFile
    artifact_id: str
    mime_type: str

    @property
    def name(self) -> str:
        return self.sent.name

    def document(self) -> dict[str, Any]:
        members = {
            "artifactId": self.artifact_id,
            "name": self.sent.name,
            "mimeType": self.mime_type,
            "size": len(self.sent.data),
            "source": self.sent.source,
            "questionId": self.sent.question_id or None,
        }
        return {name: value for name, value in members.items() if value is not None}

    def preview(self) -> Attachment:
        """Return the file as the conversation shows it: name and size, and the contents of a small picture."""
        preview: Attachment = {"name": self.sent.name, "mimeType": self.mime_type, "size": len(self.sent.data)}
        content = base64.b64encode(self.sent.data).decode()
        if self.mime_type in SHOWN_TYPES and len(content) <= PREVIEW_CHARACTERS:
            preview["contentBase64"] = content
        return preview


@dataclass(frozen=True, slots=True)
class TakenFiles:
    """The outcome of a command's files: the stored, the refused, and marks that identify both."""

    kept: Sequence[KeptFile]
    rejected: Sequence[RejectedFile]
    marks: Sequence[str]


def take(session: WorkspaceSession, command: Attach, user_id: str, cause: str) -> TakenFiles:
    """Check the files of a command and store the accepted ones. Idempotent: equal bytes are one object.

    Raises Problem 429 for too many or too much, 503 if they cannot be stored.
    """
    kept: list[KeptFile] = []
    rejected = [file for file in command.rejected if _mark_of_rejected(file) not in session.seen]
    marks = [_mark_of_rejected(file) for file in rejected]
    new = [file for file in command.files if _mark_of(file) not in session.seen]
    if new:
        limits.count(user_id, "uploads", len(new))
    for file in new:
        marks.append(_mark_of(file))
        refused = rules_of(asking(session, file.question_id), session.prompt).refusal(file)
        if refused is None and (stored := _store(session, file, user_id, cause)) is not None:
            kept.append(stored)
        else:
            rejected.append(refused or RejectedFile(file.name, "type", file.source, kind=file.kind))
    return TakenFiles(kept, rejected, marks)


def asking(session: WorkspaceSession, question_id: str) -> Mapping[str, Any] | None:
    """Return the question, or the message, that asks for files under an id."""
    if not question_id:
        return None
    question = session.question(question_id)
    if question is not None:
        return question
    found = (message for message in reversed(session.messages) if message.get("questionId") == question_id)
    return next((message for message in found if message.get("questionType") == "upload"), None)


def attach(draft: Draft, command: Attach, taken: TakenFiles) -> None:
    """Show the files and pass them to the agent; the conversation names those that were refused (WSP-14)."""
    session = draft.session(command.session_id)
    draft.keep_settings(session)
    if not taken.kept and not taken.rejected:
        return
    draft.require("workspace.attachment")
    if draft.is_held(session):
        return
    draft.rerender(session)
    draft.changes.append(changes.seen(session.id, taken.marks))
    if taken.kept:
        names = names_of(taken.kept)
        members = {"questionId": command.question_id, "questionText": command.question_text}
        parts = {name: value for name, value in members.items() if value}
        draft.echo(session.id, f"[attachment] {names}", attachments=_previews(taken.kept), **parts)
        draft.log(session.id, f"user_attachment: {names}", source="attachment")
        for question_id in dict.fromkeys(file.sent.question_id for file in taken.kept):
            question = session.question(question_id)
            if question is not None and kind_of(question.get("options"), question.get("type")) == "upload":
                draft.changes.append(changes.answered(session.id, question_id, {"uploaded": True}))
    for refused in taken.rejected:
        text = notice(draft.language, "too_large" if refused.reason == "size" else "wrong_kind", name=refused.name)
        draft.say(session.id, text)
        draft.log(session.id, text, level="warn", source="attachment")
    if taken.kept:
        data = {
            "attachments": [file.document() for file in taken.kept],
            "rejected": [file.document() for file in taken.rejected],
            **parts,
        }
        draft.queue(session, "workspace.attachment", data, names)


def _previews(kept: Iterable[KeptFile]) -> list[Attachment]:
    """Return the files of a message, with as many small pictures as fit in it."""
    room = 2 * PREVIEW_CHARACTERS
    previews: list[Attachment] = []
    for file in kept:
        preview = file.preview()
        room -= len(preview.get("contentBase64", ""))
        if room < 0:
            preview.pop("contentBase64", None)
        previews.append(preview)
    return previews


def _store(session: WorkspaceSession, file: SentFile, user_id: str, cause: str) -> KeptFile | None:
    """Store a file as an artifact of the session. None if it is not the picture it claims to be."""
    declared = file.mime_type if file.kind == "image" else None
    try:
        found = type_of(UploadedFile(session.id, bytearray(file.data), file.name, declared))
    except Problem:
        return None
    path = path_of(user_id, hashlib.sha256(file.data).hexdigest(), stem_of(file.name), found)
    mime_type = found if found != _ANY_BYTES or not artifacts.is_mime_type(file.mime_type) else file.mime_type
    artifact_id = artifacts.id_from(f"{session.id.lower()}/{path}")
    with storage_errors():
        attachment_quota.store(user_id, path, file.data, found)
    table.transact(
        artifacts.refer(
            artifacts.reference(
                artifact_id,
                thread_id=session.id,
                user_id=user_id,
                run_key=cause,
                object_key=path,
                artifact_type="image" if mime_type.startswith("image/") else "file",
                mime_type=mime_type,
                size_bytes=len(file.data),
                name=file.name,
            )
        )
    )
    return KeptFile(file, artifact_id, mime_type)


def _mark_of(file: SentFile) -> str:
    return _hash(["file", file.id, file.name, file.question_id, hashlib.sha256(file.data).hexdigest()])


def _mark_of_rejected(rejected: RejectedFile) -> str:
    return _hash(["rejected", rejected.document()])


def _hash(parts: Any) -> str:
    return hashlib.sha256(json_text.canonical(parts).encode()).hexdigest()[:32]
