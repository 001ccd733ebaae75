"""Blobs of runners in the bucket, by area, identity (a plugin, workspace or binding) and key (RNR-60). Identity and key
are each one encoded segment of the object key: neither can reach another's.
"""

from typing import Final
from urllib.parse import quote, unquote

from yarrow.protocol.runner.api import AgentAPIException, StorageArea
from yarrow.store import objects

VALUE_BYTES: Final = 10 * 1024 * 1024


def get(area: StorageArea, identity: str, key: str) -> bytes | None:
    return objects.get(_object_key(area, identity, key))


def put(area: StorageArea, identity: str, key: str, value: bytes) -> None:
    """Store a blob. Raises AgentAPIException `payload_too_large` over VALUE_BYTES."""
    if len(value) > VALUE_BYTES:
        raise AgentAPIException("payload_too_large", f"a blob must have at most {VALUE_BYTES} bytes")
    objects.put(_object_key(area, identity, key), value)


def delete(area: StorageArea, identity: str, key: str) -> None:
    objects.delete(_object_key(area, identity, key))


def keys(
    area: StorageArea, identity: str, prefix: str = "", after: str | None = None, limit: int = objects.MAX_LIST
) -> tuple[list[str], str | None]:
    """Return sorted keys, and the key to continue after, None on the last page. Pages follow the order of the encoded
    keys.
    """
    own = _object_key(area, identity, "")
    start_after = None if after is None else _object_key(area, identity, after)
    found, has_more = objects.keys(_object_key(area, identity, prefix), start_after, limit)
    names = [unquote(found_key.removeprefix(own)) for found_key in found]
    return sorted(names), names[-1] if has_more else None


def _object_key(area: StorageArea, identity: str, key: str) -> str:
    full_key = f"storage/{area}/{_segment(identity)}/{_segment(key)}"
    if len(full_key) > objects.KEY_BYTES:
        raise AgentAPIException("invalid_argument", "the key is too long")
    return full_key


def _segment(name: str) -> str:
    # Dots too: many readers of URLs resolve a segment `..`.
    return quote(name, safe="").replace(".", "%2E")
