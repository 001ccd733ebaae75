"""Adds to the events of a stream when they were stored, for clients that ask for it (EVT-29)."""

from bisect import bisect_left
from dataclasses import replace

from msgspec import structs

from yarrow.protocol.events import events
from yarrow.runs.stream_events import Subscription
from yarrow.web.streams.journal_polling import PolledEvents
from yarrow.web.streams.stream_formats import FormattedSubscription, StreamFormat


def timed(subscription: Subscription, format_: StreamFormat) -> FormattedSubscription:
    """Return the stream whose events have a `timestamp`. Its first event is read, as the others are."""

    def frames(reading: PolledEvents, after: int) -> bytes:
        return format_.frames(replace(reading, events=_stamped(reading)), after)

    return replace(subscription, first_event=None), replace(format_, frames=frames)


def _stamped(reading: PolledEvents) -> list[tuple[int, str]]:
    ends = [last for last, _ in reading.stored_at]
    return [(number, _with(line, reading.stored_at[bisect_left(ends, number)][1])) for number, line in reading.events]


def _with(line: str, at: int | None) -> str:
    """Return the line with a timestamp, unless it is of an earlier version, which stored none, or of a later one."""
    event = None if at is None else events.read(line)
    return line if event is None else events.encode(structs.replace(event, timestamp=at))
