"""One read of the items that requests about a run need."""

from typing import NamedTuple

from yarrow.store import runs, sessions, table
from yarrow.store.limits import reservations


class SubmitSnapshot(NamedTuple):
    session: sessions.Session | None
    run: runs.Run | None
    reservation: table.Item | None


def read_with(thread_id: str, run_key: str, *more: table.Item) -> tuple[SubmitSnapshot, list[table.Item | None]]:
    """Read them with the items of more keys. Not atomic: a concurrent transaction may show in some items only."""
    keys = (table.session_key(thread_id), table.run_key_of(run_key), reservations.key(thread_id))
    session, run, reservation, *others = table.get_all(*keys, *more)
    return _stored(session, run, reservation), others


def _stored(session: table.Item | None, run: table.Item | None, reservation: table.Item | None) -> SubmitSnapshot:
    return SubmitSnapshot(
        None if session is None else sessions.stored(session),
        None if run is None else runs.stored(run),
        reservation,
    )
