"""How a thread and one of its runs stand: what every request about a run has to know first, in one reading."""

from collections.abc import Sequence
from typing import NamedTuple

from yarrow.store import runs, sessions, table
from yarrow.store.limits import reservations


class Standing(NamedTuple):
    """The session, the run, and what is stored under the key of the thread's reservation, as far as they are there."""

    session: sessions.Session | None
    run: runs.Run | None
    reservation: table.Item | None


def read(thread_id: str, run_key: str) -> Standing:
    """How they stand. What a transaction writes meanwhile may show in one and not in another."""
    return _stored(*table.get_all(*_keys(thread_id, run_key)))


def read_with(thread_id: str, run_key: str, *more: table.Item) -> tuple[Standing, list[table.Item | None]]:
    """How they stand, and the items with these keys; there may have been writes in between."""
    session, run, reservation, *others = table.get_all(*_keys(thread_id, run_key), *more)
    return _stored(session, run, reservation), others


def _keys(thread_id: str, run_key: str) -> Sequence[table.Item]:
    return table.session_key(thread_id), table.run_key_of(run_key), reservations.key(thread_id)


def _stored(session: table.Item | None, run: table.Item | None, reservation: table.Item | None) -> Standing:
    return Standing(
        None if session is None else sessions.stored(session),
        None if run is None else runs.stored(run),
        reservation,
    )
