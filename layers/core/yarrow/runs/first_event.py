"""A run's first event, derived from the run so that it need not be read."""

from yarrow.protocol.events.events import RunStarted, encode
from yarrow.store.runs import Run


def first_event(run: Run) -> str:
    """Return RUN_STARTED as it is stored (EVT-07)."""
    return encode(RunStarted(**run.ids, parent_run_id=run.parent_run_id))
