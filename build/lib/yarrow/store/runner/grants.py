"""The grant of a run, frozen when it started: JSON text in the shape of `yarrow.agents.grants.RunGrant`."""

from typing import NamedTuple

from yarrow.store import clock, table

GRANT_DAYS = 30
"""As long as the run's input is kept."""


class StoredGrant(NamedTuple):
    """The grant of a run, and the attempt whose worker kept it."""

    grant_json: str
    attempt: int


def keep(run_key: str, grant: StoredGrant) -> bool:
    """Keep the grant of a run, in place of what an earlier worker kept. False when a later one has kept its own."""
    item = {**table.run_key_of(run_key, "GRANT"), **grant._asdict(), "expires_at": clock.epoch_in(GRANT_DAYS)}
    try:
        table.put_alone(item, "attribute_not_exists(attempt) OR attempt <= :attempt", {":attempt": grant.attempt})
    except table.ConditionFailedError:
        return False
    return True


def read(run_key: str) -> StoredGrant | None:
    """The grant of a run; None when there is none, or it has expired."""
    item = table.get(table.run_key_of(run_key, "GRANT"))
    return None if item is None else StoredGrant(str(item["grant_json"]), int(item["attempt"]))
