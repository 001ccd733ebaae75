"""Detects runs whose worker is gone. A reader of the journal ends a run without heartbeats, by its own clock: clock
skew does not matter. Between two turns no worker has the run: it is lost if no worker claims it for as long after its
next turn was to begin. A submit ends a run older than its execution can be.
"""

import time
from datetime import timedelta
from typing import Final

from yarrow.store import clock, runs

PATIENCE_SECONDS: Final = {"queued": 120.0, "running": 45.0}
"""Seconds without a heartbeat: several beats, or the retries of a turn's throttled task."""

CHECK_EVERY_SECONDS = 5.0

MARGIN = timedelta(hours=2, minutes=30)
"""How much older than its `max_minutes` a run is that has no execution; clocks may differ by an hour."""


class LivenessWatch:
    """Watches a run's heartbeat: call `check` while its journal is quiet. `resumes_at` is when the run's next turn
    begins, as of the last read.
    """

    def __init__(self, run_key: str, resumes_at: str | None = None) -> None:
        self.resumes_at = resumes_at
        self._run_key = run_key
        self._sign: tuple[str, int, int, int] | None = None
        self._since = self._checked = time.monotonic()

    @property
    def rest_seconds(self) -> float:
        """How long no worker will have the run from now on; 0 if one has it, or may have it at any moment."""
        return 0.0 if self.resumes_at is None else max(0.0, -clock.since(self.resumes_at).total_seconds())

    def check(self) -> None:
        """Read the run at most every CHECK_EVERY_SECONDS."""
        now = time.monotonic()
        if now - self._checked < CHECK_EVERY_SECONDS:
            return
        self._checked = now
        run = runs.must_read(self._run_key)
        self.resumes_at = run.resumes_at
        sign = (run.phase, run.attempt, run.beats, run.turns)
        if sign != self._sign or _rests(run):
            self._sign, self._since = sign, now
        elif not run.ended and now - self._since >= _patience(run):
            _end(self._run_key)


def end_if_overdue(run: runs.Run) -> bool:
    """End a run that is older than its execution can be; False if it may be active."""
    if clock.since(run.created_at) < MARGIN + timedelta(minutes=run.max_minutes):
        return False
    _end(run.key)
    return True


def _rests(run: runs.Run) -> bool:
    """Return whether the run's next turn is yet to begin."""
    return run.resumes_at is not None and clock.since(run.resumes_at) < timedelta(0)


def _patience(run: runs.Run) -> float:
    return PATIENCE_SECONDS["queued" if run.resumes_at is not None else run.phase]


def _end(run_key: str) -> None:
    from yarrow.runs import end_run  # imports every event model

    end_run.end_with_error(run_key, end_run.LOST)
