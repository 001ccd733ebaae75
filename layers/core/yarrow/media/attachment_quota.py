"""Stores attachments within their user's quota."""

from typing import Final

from yarrow.access import limits
from yarrow.protocol.files.attachments import folders_of
from yarrow.protocol.problems import Code
from yarrow.settings import settings
from yarrow.store import objects
from yarrow.store.limits import stored_bytes

MIN_BYTES: Final = 65_536
"""A file counts at least this much, so that the number of files is bounded too."""

_MAX_PAGES: Final = 50
"""Pages of 1,000 objects."""


def store(user_id: str, path: str, data: bytes, mime_type: str) -> None:
    """Store an attachment unless its path is taken. Raises Problem 429 beyond the quota, and S3's errors."""
    size, most = max(len(data), MIN_BYTES), settings.attachment_bytes_per_user
    if most:
        _count(user_id, size, most)
    if not objects.put_new(path, data, mime_type) and most:
        stored_bytes.give_back(user_id, size)


def _count(user_id: str, size: int, most: int) -> None:
    if stored_bytes.add(user_id, size, most):
        return
    recount = stored_bytes.begin_recount(user_id)
    if recount is not None:
        stored_bytes.finish_recount(recount, _found(user_id, recount.stored))
    if not stored_bytes.add(user_id, size, most):
        raise limits.refusal(
            Code.AGENT_STORAGE_LIMIT,
            "your files have reached the storage limit of a user",
            params={"limitBytes": most},
            retry_after=stored_bytes.RECOUNT_SECONDS,
        )


def _found(user_id: str, counted: int) -> int:
    """Sum the bytes of a user's objects; if there are too many to list, at least `counted`."""
    total = pages = 0
    for prefix in folders_of(user_id):
        for sizes in objects.sizes(prefix):
            total += sum(max(size, MIN_BYTES) for size in sizes)
            pages += 1
            if pages == _MAX_PAGES:
                return max(total, counted)
    return total
