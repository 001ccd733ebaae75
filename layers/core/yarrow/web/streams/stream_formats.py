"""Event streams on the wire: as stored, with schemas of cards, or for AG-UI clients (EVT-01, EVT-03, EVT-08, EVT-14,
C11, C12).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from yarrow.formats import json_text
from yarrow.protocol.agui import events
from yarrow.protocol.events import sse
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.member_names import member
from yarrow.protocol.ui_schema import event_lines
from yarrow.runs.message_cards import ui_schema
from yarrow.runs.stream_events import Subscription
from yarrow.store.limits import stream_slots
from yarrow.web.streams.journal_polling import PolledEvents

RECONNECT_MILLISECONDS = 500
LONGEST_REST_MILLISECONDS = 30_000
"""How long a client stays away from a run that rests, which somebody may cancel meanwhile."""

RECONNECT: Final = sse.retry(RECONNECT_MILLISECONDS)

_CUT = events.failure(
    "STREAM_TIMEOUT", "the stream reached its time limit, and the run continues; reconnect to the run"
)
_BROKEN = events.failure("STREAM_FAILED", "the stream failed, and the run may continue; reconnect to the run")


def refused(problem: Problem, body: bytes) -> bytes:
    """Frame a refusal as RUN_ERROR of a run that ends at once."""
    document = json_text.loads(body)
    ids = {name: member(document, name) for name in ("threadId", "runId")}
    started = json_text.dumps({"type": "RUN_STARTED", **ids, "protocolVersion": events.PROTOCOL_VERSION})
    return sse.data(started) + sse.data(events.failure(problem.code.name, problem.detail))


Frames = Callable[[PolledEvents, int], bytes]
"""Frames the events after a number; an empty reading may have a frame too."""


@dataclass(frozen=True, slots=True)
class StreamFormat:
    """`cut` is sent if the stream ends before its run, `broken` if it fails; `headers` are added to the response's.
    Clients without cursors need an event for both: to AG-UI, a stream that just stops has succeeded.
    """

    frames: Frames
    opening: bytes = b""
    cut: bytes = RECONNECT
    broken: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_resumed(self) -> bool:
        """Whether its clients reconnect by themselves, when they are told to."""
        return self.cut == RECONNECT


def rest(seconds: float) -> bytes:
    """Tell a client to come back when the run goes on."""
    return sse.retry(min(round(seconds * 1000), LONGEST_REST_MILLISECONDS))


FormattedSubscription = tuple[Subscription, StreamFormat]


def one_by_one(frame: Callable[[int, str], bytes]) -> Frames:
    def frames(reading: PolledEvents, after: int) -> bytes:
        # Events sent before are framed too: the frames of later ones may depend on them.
        framed = [(number, frame(number, line)) for number, line in reading.events]
        return b"".join(data for number, data in framed if number > after)

    return frames


NATIVE: Final = StreamFormat(one_by_one(lambda number, stored: sse.frame(number, event_lines.without_hints(stored))))
"""Leaves out the hints of cards."""

WITH_SCHEMAS: Final = StreamFormat(
    one_by_one(lambda number, stored: sse.frame(number, event_lines.with_schema(stored, ui_schema)))
)
"""Compiles the hints of cards (UIS-04)."""


def agui_format(profile: events.Profile, snapshot_event: str | None = None) -> StreamFormat:
    """Return a format with data lines only (EVT-01); `snapshot_event` follows the first event."""

    def frame(number: int, stored: str) -> bytes:
        line = profile.line(stored)
        framed = b"" if line is None else sse.data(line)
        return framed + sse.data(snapshot_event) if number == 1 and snapshot_event is not None else framed

    return StreamFormat(one_by_one(frame), cut=sse.data(_CUT), broken=sse.data(_BROKEN))


def formatter(name: str | None, version: str | None = None) -> Callable[[Subscription], FormattedSubscription]:
    """Return what formats a subscription, by its name in the query; it releases the stream's slot on errors. Raises
    Problem 422 for an unknown name. `version` is the AG-UI version of a client, None before 1.0.
    """
    format_ = _FORMATS.get(name)
    if format_ is None:
        raise Problem(Code.AGENT_EVENTS_QUERY_INVALID, f"profile must be one of {', '.join(PROFILES)}")

    def formatted(subscription: Subscription) -> FormattedSubscription:
        try:
            return format_(subscription, version)
        except Exception:
            stream_slots.release(subscription.slot)
            raise

    return formatted


def _agui(subscription: Subscription, version: str | None) -> FormattedSubscription:
    """Keep the stored cursors, for clients that reconnect below their parser."""
    from yarrow.runs.agui import join_cursor  # here: only reconnecting clients join

    joined = join_cursor.join_from_cursor(subscription, version)
    return joined.subscription, StreamFormat(_with_cursors(joined.profile))


def _snapshot(subscription: Subscription, version: str | None) -> FormattedSubscription:
    """Begin with the run's current state; the opening has the current cursor."""
    # Imported here: it needs every event and message model, for few clients.
    from yarrow.runs.agui.join_snapshot import join_from_snapshot

    joined = join_from_snapshot(subscription, version)
    at = joined.subscription.after
    opening = b"".join(sse.frame(at, line) for line in joined.opening)
    return joined.subscription, StreamFormat(_with_cursors(joined.profile), opening, sse.data(_CUT), sse.data(_BROKEN))


def _with_cursors(profile: events.Profile) -> Frames:
    def frame(number: int, stored: str) -> bytes:
        line = profile.line(stored)
        return b"" if line is None else sse.frame(number, line)

    return one_by_one(frame)


_FORMATS: Final[Mapping[str | None, Callable[[Subscription, str | None], FormattedSubscription]]] = {
    None: lambda subscription, _: (subscription, NATIVE),
    "native": lambda subscription, _: (subscription, WITH_SCHEMAS),
    "agui": _agui,
    "snapshot": _snapshot,
}

PROFILES: Final = tuple(name for name in _FORMATS if name is not None)
"""The names that clients may use (C11, C12)."""
