"""A run's journal as tests look at it."""

from yarrow.store import journal


def numbered(run_key: str) -> list[tuple[int, str]]:
    """Every event with its sequence number."""
    return [event for batch in journal.read(run_key, journal.Position()) for event in batch.numbered()]


def end_of(run_key: str) -> journal.Position:
    """Where the next item goes."""
    at = journal.Position()
    for batch in journal.read(run_key, at):
        at = batch.end
    return at
