"""Joining a run as an AG-UI client, from a cursor in that client's form. From a snapshot is in `restating`."""

from dataclasses import dataclass, replace

from yarrow.protocol.agui.events import Profile
from yarrow.runs.stream_events import Subscription
from yarrow.store import journal, runs


@dataclass(frozen=True, slots=True)
class JoinedStream:
    """What is streamed from where on, in which form; `opening` are events to begin with."""

    subscription: Subscription
    profile: Profile
    opening: tuple[str, ...] = ()


def join_from_cursor(subscription: Subscription) -> JoinedStream:
    """Go on after the subscription's cursor. What came before it is read again: later events may depend on it."""
    run = runs.must_read(subscription.run_key)
    return JoinedStream(replace(subscription, at=journal.Place()), Profile(run.ids))
