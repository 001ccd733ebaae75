"""API keys: hash, user and revocation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from yarrow.store import clock, table
from yarrow.store.items.records import Codec, in_key
from yarrow.store.items.updates import EXISTS, IS_NEW, Update

PARTITION = "API_KEYS"
"""The template lets the authorizer read this partition only."""


@dataclass(frozen=True, slots=True)
class StoredApiKey:
    id: str = field(metadata=in_key("sk", "API_KEY#"))
    sha256: str
    user_id: str
    label: str
    created_at: str
    last_four: str
    revoked_at: str | None = None
    operates: bool = False


_KEYS: Final = Codec(StoredApiKey)


def add(key: StoredApiKey) -> None:
    """Store a key. Raises ConditionFailedError if its id exists."""
    table.put_alone({**_key(key.id), **_KEYS.item(key)}, IS_NEW)


def read(key_id: str) -> StoredApiKey | None:
    """Read a valid or revoked key."""
    return _KEYS.record_if(table.get(_key(key_id)))


def every(user_id: str | None = None) -> Iterator[StoredApiKey]:
    for item in table.query(PARTITION, start="API_KEY#", before="API_KEY#~"):
        if user_id in (None, item["user_id"]):
            yield _KEYS.record(item)


def revoke(key_id: str) -> bool:
    """Revoke a key, once; False if it is missing."""
    revoked = Update().set_once(revoked_at=clock.now_iso())
    return table.update_returning(_key(key_id), revoked, EXISTS) is not None


def _key(key_id: str) -> table.Item:
    return {"pk": PARTITION, "sk": f"API_KEY#{key_id}"}
