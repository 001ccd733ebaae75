"""A run's grant, frozen at its start: JSON of `yarrow.agents.grants.RunGrant`."""

from typing import NamedTuple

from yarrow.store import clock, table
from yarrow.store.items.updates import Attr

GRANT_DAYS = 30
"""As long as the run's input."""


class StoredGrant(NamedTuple):
    grant_json: str
    attempt: int


def keep(run_key: str, grant: StoredGrant) -> bool:
    """Replaces an earlier attempt's. False if a later attempt stored one."""
    item = {**table.run_key_of(run_key, "GRANT"), **grant._asdict(), "expires_at": clock.epoch_in(GRANT_DAYS)}
    attempt = Attr("attempt")
    try:
        table.put_alone(item, attempt.not_exists() | attempt.lte(grant.attempt))
    except table.ConditionFailedError:
        return False
    return True


def read(run_key: str) -> StoredGrant | None:
    """None if missing or expired."""
    item = table.get(table.run_key_of(run_key, "GRANT"))
    return None if item is None else StoredGrant(str(item["grant_json"]), int(item["attempt"]))
