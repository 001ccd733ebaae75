"""A run's first event: whoever has the run need not read it."""

from yarrow.protocol.events.events import RunStarted, encode
from yarrow.store.runs import Run


def first_event(run: Run) -> str:
    """RUN_STARTED, as it is stored with the run (EVT-07)."""
    return encode(RunStarted(**run.ids, parent_run_id=run.parent_run_id))
