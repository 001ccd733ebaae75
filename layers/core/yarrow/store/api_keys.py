"""API keys: hash, user and revocation. Their format is in `yarrow.web.api_keys`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from yarrow.store import clock, table
from yarrow.store.items.records import Codec, in_key
from yarrow.store.items.updates import EXISTS, IS_NEW, Update

PARTITION = "API_KEYS"
"""The template lets the authorizer read no other."""


@dataclass(frozen=True, slots=True)
class StoredKey:
    """`revoked_at` is None while valid."""

    id: str = field(metadata=in_key("sk", "API_KEY#"))
    sha256: str
    user_id: str
    label: str
    created_at: str
    last_four: str
    revoked_at: str | None = None


_KEYS: Final = Codec(StoredKey)


def add(key: StoredKey) -> None:
    """Raises ConditionFailedError if the id exists."""
    table.put_alone({**_key(key.id), **_KEYS.item(key)}, IS_NEW)


def read(key_id: str) -> StoredKey | None:
    """Valid or revoked; strongly consistent."""
    return _KEYS.record_if(table.get(_key(key_id)))


def every(user_id: str | None = None) -> Iterator[StoredKey]:
    """Of one user or all, by id."""
    for item in table.query(PARTITION, start="API_KEY#", before="API_KEY#~"):
        if user_id in (None, item["user_id"]):
            yield _KEYS.record(item)


def revoke(key_id: str) -> bool:
    """The first revocation time stays. False if missing."""
    revoked = Update().set_once(revoked_at=clock.now_iso())
    return table.update_returning(_key(key_id), revoked, EXISTS) is not None


def _key(key_id: str) -> table.Item:
    return {"pk": PARTITION, "sk": f"API_KEY#{key_id}"}
