"""Uploads of a user. Bytes are staged under `staged_key` for a day, then stored as an attachment under `path`."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from yarrow.protocol.caller import folder_of
from yarrow.store import clock, table
from yarrow.store.items.records import Codec, stored_as
from yarrow.store.items.updates import IS_NEW, Attr, Update

KEPT_DAYS = 1


@dataclass(frozen=True, slots=True)
class StoredUpload:
    """`path` is None until it is finished."""

    thread_id: str
    stem: str
    declared_type: str | None
    path: str | None = field(metadata=stored_as("attachment_path"))


_UPLOADS: Final = Codec(StoredUpload)


def staged_key(user_id: str, upload_id: str) -> str:
    """The template has the same pattern for API Gateway."""
    return f"staged/{folder_of(user_id)}/{upload_id}"


def announce(user_id: str, upload_id: str, upload: StoredUpload) -> None:
    item = {**_key(user_id, upload_id), **_UPLOADS.item(upload), "expires_at": clock.epoch_in(KEPT_DAYS)}
    with suppress(table.ConditionFailedError):  # it exists already if botocore retried
        table.put_alone(item, IS_NEW)


def read(user_id: str, upload_id: str) -> StoredUpload | None:
    """Read an upload; None if it was neither announced nor finished."""
    return _UPLOADS.record_if(table.get(_key(user_id, upload_id)))


def finish(user_id: str, upload_id: str, upload: StoredUpload) -> StoredUpload:
    """Store a finished upload, once; returns the stored one."""
    finished = Update().set(
        thread_id=upload.thread_id,
        stem=upload.stem,
        attachment_path=upload.path,
        expires_at=clock.epoch_in(KEPT_DAYS),
    )
    changed = table.update_returning(_key(user_id, upload_id), finished, Attr("attachment_path").not_exists())
    return upload if changed else read(user_id, upload_id) or upload


def _key(user_id: str, upload_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": f"UPLOAD#{upload_id}"}
