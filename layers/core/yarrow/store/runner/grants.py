"""A run's grant, frozen at its start: JSON of `yarrow.agents.grants.RunGrant`."""

from dataclasses import dataclass
from typing import Final

from yarrow.store import clock, table
from yarrow.store.items.records import Codec
from yarrow.store.items.updates import Attr

GRANT_DAYS = 31
"""Days; as long as the run's input."""


@dataclass(frozen=True, slots=True)
class StoredGrant:
    grant_json: str
    attempt: int
    version: str | None = None
    """That of the agent by which the run was begun; None for runs of earlier versions of the service."""
    is_remote: bool = False
    """Whether the runner is in a function of its own; False for runs of earlier versions of the service as well."""


_GRANTS: Final = Codec(StoredGrant)


def keep(run_key: str, grant: StoredGrant) -> bool:
    """Store a grant, replacing an earlier attempt's; False if a later attempt stored one."""
    item = {**table.run_key_of(run_key, "GRANT"), **_GRANTS.item(grant), "expires_at": clock.epoch_in(GRANT_DAYS)}
    attempt = Attr("attempt")
    try:
        table.put_alone(item, attempt.not_exists() | attempt.lte(grant.attempt))
    except table.ConditionFailedError:
        return False
    return True


def read(run_key: str) -> StoredGrant | None:
    return _GRANTS.record_if(table.get(table.run_key_of(run_key, "GRANT")))
