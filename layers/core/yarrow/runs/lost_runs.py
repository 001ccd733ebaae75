"""Finding runs whose worker is gone and that nobody else has ended.

Two look out. A reader of the journal ends a run that shows no sign of life while it watches, by the reader's own clock:
no skew between machines can make a live worker look dead. A submit ends one that is older than any execution can be,
however wrong the clocks of those who stored its age and who read it.
"""

import time
from datetime import timedelta
from typing import Final

from yarrow.store import clock, runs

PATIENCE_SECONDS: Final = {"queued": 120.0, "running": 45.0}
"""How long a run may show no sign of life, by its phase: several beats, or the retries of a throttled first task."""

CHECK_EVERY_SECONDS = 5.0

LONGEST_RUN = timedelta(hours=2, minutes=30)
"""More than the state machine's own limit, 20 minutes, by two clocks that are an hour off."""


class LivenessWatch:
    """Watches one run for signs of life. Call `check` now and then while its journal is quiet."""

    def __init__(self, run_key: str) -> None:
        self._run_key = run_key
        self._sign: tuple[str, int, int] | None = None
        self._since = self._checked = time.monotonic()

    def check(self) -> None:
        """Read the run, if it was not read just now, and end it when it has been lifeless for too long."""
        now = time.monotonic()
        if now - self._checked < CHECK_EVERY_SECONDS:
            return
        self._checked = now
        run = runs.must_read(self._run_key)
        sign = (run.phase, run.attempt, run.beats)
        if sign != self._sign:
            self._sign, self._since = sign, now
        elif not run.ended and now - self._since >= PATIENCE_SECONDS[run.phase]:
            _end(self._run_key)


def end_if_overdue(run: runs.Run) -> bool:
    """End a run that is older than any execution. False when it is not, and may still be going on."""
    if clock.since(run.created_at) < LONGEST_RUN:
        return False
    _end(run.key)
    return True


def _end(run_key: str) -> None:
    from yarrow.runs import end_run  # here: it brings the shape of every event, and runs are seldom lost

    end_run.end_with_error(run_key, end_run.LOST)
