"""How a thread and one of its runs stand: what every request about a run has to know first, in one reading."""

from typing import NamedTuple

from yarrow.store import reservations, runs, sessions, table


class Standing(NamedTuple):
    """The session, the run, and what is stored under the key of the thread's reservation, as far as they are there."""

    session: sessions.Session | None
    run: runs.Run | None
    reservation: table.Item | None


def read(thread_id: str, run_key: str) -> Standing:
    """How they stand. What a transaction writes meanwhile may show in one and not in another."""
    session, run, reservation = table.get_all(
        table.session_key(thread_id), table.run_key_of(run_key), reservations.key(thread_id)
    )
    return Standing(
        None if session is None else sessions.stored(session),
        None if run is None else runs.stored(run),
        reservation,
    )
