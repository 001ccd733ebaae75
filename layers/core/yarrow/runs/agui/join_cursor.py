"""Joins a run from an AG-UI client's cursor."""

from dataclasses import dataclass, replace

from yarrow.packages import event_types
from yarrow.protocol.agui.events import Profile
from yarrow.runs.stream_events import Subscription
from yarrow.store import journal, runs


@dataclass(frozen=True, slots=True)
class JoinedStream:
    """A stream to join; `opening` is sent first."""

    subscription: Subscription
    profile: Profile
    opening: tuple[str, ...] = ()


def join_from_cursor(subscription: Subscription, version: str | None = None) -> JoinedStream:
    """Join from a cursor. Events before it are replayed unsent: later ones may depend on them.

    `version` is the client's `protocolVersion`.
    """
    run = runs.must_read(subscription.run_key)
    profile = Profile(run.ids, event_types.find, protocol_version=version)
    return JoinedStream(replace(subscription, at=journal.Position()), profile)
