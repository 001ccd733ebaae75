"""API keys: hash, user and revocation. Their format is in `yarrow.web.api_keys`."""

from collections.abc import Iterator
from dataclasses import dataclass

from yarrow.store import clock, table
from yarrow.store.items.updates import EXISTS, IS_NEW, Update

PARTITION = "API_KEYS"
"""The template lets the authorizer read no other."""


@dataclass(frozen=True, slots=True)
class StoredKey:
    """`revoked_at` is None while valid."""

    id: str
    sha256: str
    user_id: str
    label: str
    created_at: str
    last_four: str
    revoked_at: str | None = None


def add(key: StoredKey) -> None:
    """Raises ConditionFailedError if the id exists."""
    item = {
        **_key(key.id),
        "sha256": key.sha256,
        "user_id": key.user_id,
        "label": key.label,
        "created_at": key.created_at,
        "last_four": key.last_four,
    }
    table.put_alone(item, IS_NEW)


def read(key_id: str) -> StoredKey | None:
    """Valid or revoked; strongly consistent."""
    item = table.get(_key(key_id))
    return None if item is None else _stored(item)


def every(user_id: str | None = None) -> Iterator[StoredKey]:
    """Of one user or all, by id."""
    for item in table.query(PARTITION, start="API_KEY#", before="API_KEY#~"):
        if user_id in (None, item["user_id"]):
            yield _stored(item)


def revoke(key_id: str) -> bool:
    """The first revocation time stays. False if missing."""
    revoked = Update().set_once(revoked_at=clock.now_iso())
    return table.update_returning(_key(key_id), revoked, EXISTS) is not None


def _key(key_id: str) -> table.Item:
    return {"pk": PARTITION, "sk": f"API_KEY#{key_id}"}


def _stored(item: table.Item) -> StoredKey:
    return StoredKey(
        id=item["sk"].removeprefix("API_KEY#"),
        sha256=item["sha256"],
        user_id=item["user_id"],
        label=item["label"],
        created_at=item["created_at"],
        last_four=item["last_four"],
        revoked_at=item.get("revoked_at"),
    )
