"""The event log entry of a run's input (RNR-17)."""

from datetime import datetime

from yarrow.store.event_log import LoggedEvent
from yarrow.store.runs import Run


def event_of(run: Run, summary: str = "") -> LoggedEvent:
    """Make the log entry: the same at submit and in the worker. A fork has the time of the event that it repeats."""
    at = run.created_at if run.fork is None else run.fork.created_at
    return LoggedEvent(
        thread_id=run.thread_id,
        run_key=run.key,
        arrived_at=run.created_at,
        event_type=run.event_type,
        event_time=int(datetime.fromisoformat(at).timestamp()),
        source=run.event_source,
        source_event_type="RunAgentInput",
        actor_type="user",
        actor_id=run.user_id,
        subject_type="message",
        summary=summary,
    )
