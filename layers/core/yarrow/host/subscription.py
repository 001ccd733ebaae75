"""Subscribing to a run's events: may this caller, from where on, and is there room for one more stream."""

from dataclasses import dataclass

from yarrow.host import owned
from yarrow.protocol import sse
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import stream_slots

DEFAULT_IDLE_SECONDS = 300
MAX_IDLE_SECONDS = 3_600


@dataclass(frozen=True, slots=True)
class Subscription:
    """A run to stream, the sequence number after which to begin, and how long it may be idle.

    `ended` tells that it had ended by then: what is stored is all there is. `slot` is held until the stream gives it
    back.
    """

    run_key: str
    after: int
    idle_seconds: int
    ended: bool
    slot: stream_slots.Slot


def subscribe(
    user_id: str, thread_id: str, run_id: str | None, last_event_id: str | None, idle_limit: str | None
) -> Subscription:
    """Check a subscription and take a slot for it (EVT-04, EVT-06).

    Raises Problem as `owned.run_of` does, 422 for a bad cursor or idle limit, 429 when the user has too many streams.
    """
    run = owned.run_of(user_id, thread_id, run_id)
    after = sse.read_cursor(last_event_id, run.last_sequence)
    idle_seconds = _idle_seconds(idle_limit)
    slot = stream_slots.acquire(user_id, settings.streams_per_user)
    if slot is None:
        raise Problem(
            Code.AGENT_SSE_CONNECTION_LIMIT, "too many open streams", params={"limit": settings.streams_per_user}
        )
    return Subscription(run.key, after, idle_seconds, run.ended, slot)


def _idle_seconds(value: str | None) -> int:
    if value is None:
        return DEFAULT_IDLE_SECONDS
    if value.isascii() and value.isdecimal() and 1 <= int(value[:6]) <= MAX_IDLE_SECONDS:
        return int(value[:6])
    raise Problem(Code.AGENT_EVENTS_QUERY_INVALID, f"idle_limit must be 1 to {MAX_IDLE_SECONDS} seconds")
