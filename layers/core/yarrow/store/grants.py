"""What a run may do, as it was frozen when the run started: JSON text, whose shape is `yarrow.host.grants.RunGrant`."""

from yarrow.store import clock, table

GRANT_DAYS = 30
"""As long as the run's input is kept."""


def keep(run_key: str, grant_json: str) -> None:
    """Keep the grant of a run, in place of what an earlier worker kept."""
    item = {"grant_json": grant_json, "expires_at": clock.epoch_in(GRANT_DAYS)}
    table.put_alone({**table.run_key_of(run_key, "GRANT"), **item})


def read(run_key: str) -> str | None:
    """The grant of a run; None when there is none, or it has expired."""
    item = table.get(table.run_key_of(run_key, "GRANT"))
    return None if item is None else str(item["grant_json"])
