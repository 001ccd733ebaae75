"""Uploads of a user: what is known of one from the request for it, and the attachment that it became.

The bytes are in the bucket: as they came under `staged_key`, for a day, and as an attachment under its path.
"""

from contextlib import suppress
from dataclasses import dataclass

from yarrow.protocol.caller import folder_of
from yarrow.store import clock, table

KEPT_DAYS = 1
"""How long an upload can be finished, and asked for again."""


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload that was announced, `path` None, or has become the attachment at `path`."""

    thread_id: str
    stem: str
    declared_type: str | None
    path: str | None


def staged_key(user_id: str, upload_id: str) -> str:
    """Where the bytes of an upload arrive. API Gateway writes there too, by the same pattern in the template."""
    return f"staged/{folder_of(user_id)}/{upload_id}"


def announce(user_id: str, upload_id: str, upload: Upload) -> None:
    """Keep what a user said of a file that is to come."""
    item = {
        **_key(user_id, upload_id),
        "thread_id": upload.thread_id,
        "stem": upload.stem,
        "declared_type": upload.declared_type,
        "expires_at": clock.epoch_in(KEPT_DAYS),
    }
    with suppress(table.ConditionFailedError):  # it is there already when botocore had to ask twice
        table.put_alone(item, "attribute_not_exists(pk)")


def read(user_id: str, upload_id: str) -> Upload | None:
    """A user's upload; None for one that is neither announced nor finished."""
    item = table.get(_key(user_id, upload_id))
    if item is None:
        return None
    return Upload(item["thread_id"], item["stem"], item.get("declared_type"), item.get("attachment_path"))


def finish(user_id: str, upload_id: str, upload: Upload) -> Upload:
    """Keep what an upload became, unless somebody did so before; returns what was kept."""
    changed = table.update_returning(
        _key(user_id, upload_id),
        "SET thread_id = :thread, stem = :stem, attachment_path = :path, expires_at = :until",
        {
            ":thread": upload.thread_id,
            ":stem": upload.stem,
            ":path": upload.path,
            ":until": clock.epoch_in(KEPT_DAYS),
        },
        "attribute_not_exists(attachment_path)",
    )
    return upload if changed else read(user_id, upload_id) or upload


def _key(user_id: str, upload_id: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": f"UPLOAD#{upload_id}"}
