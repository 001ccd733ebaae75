"""Blobs that runners keep: bytes by area, identity and key, in the bucket (RNR-60).

The identity is who the area belongs to: a plugin, a workspace or a binding. It and the key are each one segment of the
object's key, encoded so that neither can reach into another's, whatever it is called.
"""

from typing import Final
from urllib.parse import quote, unquote

from yarrow.protocol.runner.api import AgentAPIException, StorageArea
from yarrow.store import objects

VALUE_BYTES: Final = 10 * 1024 * 1024


def get(area: StorageArea, identity: str, key: str) -> bytes | None:
    """A blob; None when there is none."""
    return objects.get(_object_key(area, identity, key))


def put(area: StorageArea, identity: str, key: str, value: bytes) -> None:
    """Keep a blob in place of what the key had. Raises AgentAPIException `payload_too_large` over VALUE_BYTES."""
    if len(value) > VALUE_BYTES:
        raise AgentAPIException("payload_too_large", f"a blob may have {VALUE_BYTES} bytes")
    objects.put(_object_key(area, identity, key), value)


def delete(area: StorageArea, identity: str, key: str) -> None:
    """Keep a blob no longer."""
    objects.delete(_object_key(area, identity, key))


def keys(
    area: StorageArea, identity: str, prefix: str = "", after: str | None = None, limit: int = objects.LIST_CAP
) -> tuple[list[str], str | None]:
    """Up to `limit` keys that begin so, sorted, and the key to go on after; None for that when there are no more.

    Pages follow the order of the bucket, in which keys are encoded.
    """
    own = _object_key(area, identity, "")
    start_after = None if after is None else _object_key(area, identity, after)
    found, has_more = objects.keys(_object_key(area, identity, prefix), start_after, limit)
    names = [unquote(each.removeprefix(own)) for each in found]
    return sorted(names), names[-1] if has_more else None


def _object_key(area: StorageArea, identity: str, key: str) -> str:
    whole = f"storage/{area}/{_segment(identity)}/{_segment(key)}"
    if len(whole) > objects.KEY_BYTES:
        raise AgentAPIException("invalid_argument", "the key is too long")
    return whole


def _segment(name: str) -> str:
    # Dots too: a segment `..` means another place to much of what reads a URL.
    return quote(name, safe="").replace(".", "%2E")
