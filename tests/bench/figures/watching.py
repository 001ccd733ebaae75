"""What a viewer of a run costs for an hour, by the way in which it watches: reckoned from counted requests.

An opened stream and a chunk were counted with `engine.capacity`; waiting is reckoned from the intervals of the code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.bench import scale
from tests.bench.figures.workspace_use import SHORT_SECONDS
from yarrow.runs import lost_runs, stream_events
from yarrow.store.limits import stream_slots
from yarrow.web.streams import event_stream, journal_polling

HOUR: Final = 3600
MEMORY_GB: Final = 192 / 1024
OPENED: Final = {"dynamodb read units": 5, "dynamodb write units": 2}
"""The session, its reservation, the run, the slots and the cursor's place; the slot taken and given back."""
CHUNK: Final = {"dynamodb read units": 5, "dynamodb write units": 2}
"""The same without slots, the rate of reads, and the events, of which there may be none."""

_QUIET_READS: Final = 0.5 / journal_polling.SLOWEST_POLL_SECONDS + 1 / lost_runs.CHECK_EVERY_SECONDS
"""Units a second."""


@dataclass(frozen=True)
class Way:
    """`answers` an hour, each of which is held open for `seconds`; `reads` and `writes` an hour while it is."""

    name: str
    answers: float
    seconds: float
    reads: float
    writes: float
    opening: Mapping[str, float]

    @property
    def used(self) -> dict[str, float]:
        return {
            "api gateway requests": self.answers,
            "lambda requests": self.answers,
            "lambda gb-seconds": self.answers * self.seconds * MEMORY_GB,
            "dynamodb read units": self.answers * self.opening["dynamodb read units"] + self.reads,
            "dynamodb write units": self.answers * self.opening["dynamodb write units"] + self.writes,
        }

    def executions(self, viewers: int) -> float:
        """Return the executions at once."""
        return viewers * self.answers * self.seconds / HOUR

    def requests(self, viewers: int) -> float:
        """Return the requests a second."""
        return viewers * self.answers / HOUR


def _held(name: str, seconds: float, reads: float) -> Way:
    """Open all the time, for so long at once."""
    renewals = HOUR / stream_slots.RENEW_SECONDS if seconds > stream_slots.RENEW_SECONDS else 0
    return Way(name, HOUR / seconds, seconds, reads * HOUR, renewals, OPENED)


def _polled(seconds: float) -> Way:
    return Way(f"a chunk every {seconds:g} s", HOUR / seconds, SHORT_SECONDS, 0, 0, CHUNK)


LONG_POLL_SECONDS: Final = scale.default("LongPollSeconds")

WAYS: Final = (
    _held("events or `live=sse`, nothing happens", stream_events.DEFAULT_IDLE_SECONDS, _QUIET_READS),
    _held("events or `live=sse`, events come", 885, scale.VIEWER_READS),
    _held("`live=long-poll`, nothing happens", LONG_POLL_SECONDS, _QUIET_READS),
    _held("`live=long-poll`, events come", event_stream.GATHER_SECONDS, scale.VIEWER_READS),
    _polled(5),
    _polled(15),
    _polled(60),
)
