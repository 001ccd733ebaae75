"""Artifacts: files of a thread (RNR-38, RNR-59). The object is written before its item, so a failure leaves nothing
visible; the bucket expires such objects.
"""

import base64
import hashlib
import re
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from yarrow.formats import json_text
from yarrow.protocol.runner.errors import AgentAPIException
from yarrow.store import clock, objects, table
from yarrow.store.items.records import Codec, in_key, stored_always, stored_as
from yarrow.store.items.updates import IS_NEW

if TYPE_CHECKING:  # imported where used: submitting a run refers to artifacts but reads none
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

    from yarrow.protocol.runner.api import ArtifactMetadata, ArtifactRange

ARTIFACT_DAYS: Final = 30
"""The bucket keeps `artifacts/` at least as long."""

ARTIFACT_BYTES: Final = 10 * 1024 * 1024
RANGE_BYTES: Final = 10 * 1024 * 1024

_METADATA_BYTES = 16 * 1024
_NAME_CHARACTERS = 255
_ID = re.compile(r"art_[A-Za-z0-9_-]{32}")
_MIME = re.compile(
    r"[a-z0-9][a-z0-9!#$&^_.+-]{0,63}/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}(; ?charset=[a-z0-9_-]{1,32})?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Artifact:
    """`object_key` is None where it is `object_key(…)`; `runner_id` is None for users' files."""

    id: str = field(metadata=in_key("sk", "ARTIFACT#"))
    user_id: str
    run_key: str
    artifact_type: str
    mime_type: str
    size_bytes: int
    created_at: str
    expires_at: int
    metadata_json: str = field(default="{}", metadata=stored_always())
    name: str | None = field(default=None, metadata=stored_as("file_name"))
    object_key: str | None = None
    runner_id: str | None = None


_ARTIFACTS: Final = Codec(_Artifact)


def create(
    artifact_id: str,
    *,
    thread_id: str,
    user_id: str,
    run_key: str,
    runner_id: str,
    artifact_type: str,
    mime_type: str,
    data: bytes,
    name: str | None = None,
    metadata: dict[str, Any] | None = None,
) -> "ArtifactMetadata":
    """Store a file; an existing artifact stays. Raises AgentAPIException: `payload_too_large` over ARTIFACT_BYTES or
    for large metadata, `invalid_argument` for an invalid MIME type or name.
    """
    if len(data) > ARTIFACT_BYTES:
        raise AgentAPIException("payload_too_large", f"the artifact exceeds {ARTIFACT_BYTES} bytes")
    if not _MIME.fullmatch(mime_type):
        raise AgentAPIException("invalid_argument", "invalid MIME type")
    if name is not None and (not name or len(name) > _NAME_CHARACTERS or not name.isprintable()):
        raise AgentAPIException("invalid_argument", f"a name must have 1 to {_NAME_CHARACTERS} printable characters")
    if not _ID.fullmatch(artifact_id):
        raise ValueError("invalid artifact id")
    key = table.artifact_key(thread_id, artifact_id)
    artifact = _Artifact(
        id=artifact_id,
        user_id=user_id,
        run_key=run_key,
        runner_id=runner_id,
        artifact_type=artifact_type,
        mime_type=mime_type,
        name=name,
        size_bytes=len(data),
        created_at=clock.now_iso(),
        expires_at=clock.epoch_in(ARTIFACT_DAYS),
        metadata_json=_to_json(metadata or {}),
    )
    objects.put(object_key(thread_id, artifact_id), data, mime_type)
    try:
        table.put_alone({**key, **_ARTIFACTS.item(artifact)}, IS_NEW)
    except table.ConditionFailedError:
        artifact = _ARTIFACTS.record_if(table.get(key)) or artifact
    return _metadata(artifact)


def reference(
    artifact_id: str,
    *,
    thread_id: str,
    user_id: str,
    run_key: str,
    object_key: str,
    artifact_type: str,
    mime_type: str,
    size_bytes: int,
    name: str | None = None,
) -> table.Item:
    """Make the item of an artifact whose object is stored already."""
    artifact = _Artifact(
        id=artifact_id,
        user_id=user_id,
        run_key=run_key,
        artifact_type=artifact_type,
        mime_type=mime_type,
        object_key=object_key,
        name=name,
        size_bytes=size_bytes,
        created_at=clock.now_iso(),
        expires_at=clock.epoch_in(ARTIFACT_DAYS),
    )
    return {**table.artifact_key(thread_id, artifact_id), **_ARTIFACTS.item(artifact)}


def refer(item: table.Item) -> "WriteItem":
    """Make the put of a `reference`."""
    return table.put(item)


def refer_once(item: table.Item) -> None:
    """Store a `reference`; an existing artifact stays."""
    with suppress(table.ConditionFailedError):
        table.put_alone(item, IS_NEW)


def id_from(name: str) -> str:
    return f"art_{hashlib.sha256(name.encode()).hexdigest()[:32]}"


def is_mime_type(text: str) -> bool:
    return _MIME.fullmatch(text) is not None


def new_id() -> str:
    return f"art_{secrets.token_urlsafe(24)}"


def metadata(artifact_id: str, thread_id: str) -> "ArtifactMetadata | None":
    artifact = _find(artifact_id, thread_id)
    return None if artifact is None else _metadata(artifact)


def object_of(artifact_id: str, thread_id: str, user_id: str) -> str | None:
    """Return the bucket key; None also for another user's artifact."""
    artifact = _find(artifact_id, thread_id)
    if artifact is None or artifact.user_id != user_id:
        return None
    return artifact.object_key or object_key(thread_id, artifact_id)


def read_range(artifact_id: str, thread_id: str, offset: int, length: int) -> "ArtifactRange | None":
    """Read bytes: None if missing or expired, empty past the end. Raises AgentAPIException `payload_too_large` over
    RANGE_BYTES.
    """
    from yarrow.protocol.runner.api import ArtifactRange

    if length > RANGE_BYTES:
        raise AgentAPIException("payload_too_large", f"a range must have at most {RANGE_BYTES} bytes")
    artifact = _find(artifact_id, thread_id)
    if artifact is None:
        return None
    data: bytes | None = b""
    size = artifact.size_bytes
    if offset < size:
        key = artifact.object_key or object_key(thread_id, artifact_id)
        data = objects.get(key, offset=offset, length=length)
    if data is None:
        return None
    return ArtifactRange(
        artifact_id=artifact_id,
        content_base64=base64.b64encode(data).decode(),
        offset=offset,
        length=len(data),
        has_more=offset + len(data) < size,
    )


def _find(artifact_id: str, thread_id: str) -> _Artifact | None:
    item = table.get(table.artifact_key(thread_id, artifact_id)) if _ID.fullmatch(artifact_id) else None
    artifact = _ARTIFACTS.record_if(item)
    return None if artifact is None or artifact.expires_at <= time.time() else artifact


def object_key(thread_id: str, artifact_id: str) -> str:
    return f"artifacts/{thread_id.lower()}/{artifact_id}"


def _to_json(metadata: dict[str, Any]) -> str:
    try:
        text = json_text.canonical(metadata)
    except (TypeError, ValueError) as error:
        raise AgentAPIException("invalid_argument", "the metadata is not JSON") from error
    if len(text.encode()) > _METADATA_BYTES:
        raise AgentAPIException("payload_too_large", f"metadata must have at most {_METADATA_BYTES} bytes")
    return text


def _metadata(artifact: _Artifact) -> "ArtifactMetadata":
    from yarrow.protocol.runner.api import ArtifactMetadata

    return ArtifactMetadata(
        artifact_id=artifact.id,
        artifact_type=artifact.artifact_type,
        mime_type=artifact.mime_type,
        name=artifact.name,
        size_bytes=artifact.size_bytes,
        created_at=artifact.created_at,
        expires_at=artifact.expires_at,
        metadata=json_text.loads(artifact.metadata_json.encode()),
    )
