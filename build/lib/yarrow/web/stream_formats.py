"""How a stream of events looks on the wire: as they are stored, or as AG-UI clients take them.

Source: EVT-01, EVT-03, EVT-08, EVT-14, C11, C12. Which events there are, and when the stream ends, is `event_stream`'s.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from yarrow.protocol.agui import events
from yarrow.protocol.events import sse
from yarrow.protocol.problems import Code, Problem
from yarrow.runs.stream_events import Subscription
from yarrow.store.limits import stream_slots

RECONNECT_MILLISECONDS = 500

_CUT = events.failure(
    "STREAM_TIMEOUT", "the run goes on, but the stream may not last any longer; join the run to see its end"
)
_BROKEN = events.failure("STREAM_FAILED", "the stream failed; the run may go on, and can be joined")


@dataclass(frozen=True, slots=True)
class StreamFormat:
    """What is sent: `opening` first, then for each stored event, by its number, what `frame` makes of it.

    `cut` comes last when the stream ends before its run, and `broken` when it fails; without that one, the error goes
    to the server. A client that has cursors comes back in both cases. One that has none must be told by an event: an
    AG-UI client takes a stream that just stops for a run that went well.
    """

    frame: Callable[[int, str], bytes]
    opening: bytes = b""
    cut: bytes = sse.retry(RECONNECT_MILLISECONDS)
    broken: bytes | None = None


FormattedSubscription = tuple[Subscription, StreamFormat]
"""Which events are streamed, and in which form."""

NATIVE: Final = StreamFormat(sse.frame)


def agui_format(profile: events.Profile, snapshot_event: str | None = None) -> StreamFormat:
    """AG-UI's events with nothing but their data (EVT-01); `snapshot_event` is one that comes after the first."""

    def frame(number: int, stored: str) -> bytes:
        line = profile.line(stored)
        framed = b"" if line is None else sse.data(line)
        return framed + sse.data(snapshot_event) if number == 1 and snapshot_event is not None else framed

    return StreamFormat(frame, cut=sse.data(_CUT), broken=sse.data(_BROKEN))


def formatter(name: str | None) -> Callable[[Subscription], FormattedSubscription]:
    """What makes a subscription one in the form that a query names, and gives its slot back where it cannot.

    Raises Problem 422 for a name that is none.
    """
    format_ = _FORMATS.get(name)
    if format_ is None:
        raise Problem(Code.AGENT_EVENTS_QUERY_INVALID, f"profile must be one of {', '.join(PROFILES)}")

    def formatted(subscription: Subscription) -> FormattedSubscription:
        try:
            return format_(subscription)
        except Exception:
            stream_slots.release(subscription.slot)
            raise

    return formatted


def _agui(subscription: Subscription) -> FormattedSubscription:
    """AG-UI's events under the cursors of the stored ones: for a client that joins streams below its parser."""
    from yarrow.runs.agui import join_cursor  # here: only clients that come back join

    joined = join_cursor.join_from_cursor(subscription)
    return joined.subscription, StreamFormat(_with_cursors(joined.profile))


def _snapshot(subscription: Subscription) -> FormattedSubscription:
    """A stream that is whole in itself, from where the run stands; its opening has the cursor of what it stands for."""
    # Imported here: it brings the shapes of every event and message, for few clients.
    from yarrow.runs.agui.join_snapshot import join_from_snapshot

    joined = join_from_snapshot(subscription)
    at = joined.subscription.after
    opening = b"".join(sse.frame(at, line) for line in joined.opening)
    return joined.subscription, StreamFormat(_with_cursors(joined.profile), opening, sse.data(_CUT), sse.data(_BROKEN))


def _with_cursors(profile: events.Profile) -> Callable[[int, str], bytes]:
    def frame(number: int, stored: str) -> bytes:
        line = profile.line(stored)
        return b"" if line is None else sse.frame(number, line)

    return frame


_FORMATS: Final[Mapping[str | None, Callable[[Subscription], FormattedSubscription]]] = {
    None: lambda subscription: (subscription, NATIVE),
    "agui": _agui,
    "snapshot": _snapshot,
}

PROFILES: Final = tuple(name for name in _FORMATS if name is not None)
"""What a client may ask for (C11, C12)."""
