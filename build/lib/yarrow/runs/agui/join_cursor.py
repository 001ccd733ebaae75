"""Joining a run as an AG-UI client from a cursor. `join_snapshot` joins from a snapshot."""

from dataclasses import dataclass, replace

from yarrow.protocol.agui.events import Profile
from yarrow.runs.stream_events import Subscription
from yarrow.store import journal, runs


@dataclass(frozen=True, slots=True)
class JoinedStream:
    """A subscription, its profile, and the events to send first."""

    subscription: Subscription
    profile: Profile
    opening: tuple[str, ...] = ()


def join_from_cursor(subscription: Subscription) -> JoinedStream:
    """Continue after the subscription's cursor. Earlier events are read again: later ones may depend on them."""
    run = runs.must_read(subscription.run_key)
    return JoinedStream(replace(subscription, at=journal.Place()), Profile(run.ids))
