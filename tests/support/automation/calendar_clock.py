"""The service's clock, set by a test to any moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from typing import Self

import pytest

from yarrow.automation import access, run_job, start_job
from yarrow.store import clock


class CalendarClock:
    """It stands still until it is set."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    @contextmanager
    def installed(self) -> Iterator["CalendarClock"]:
        """In the place of the machine's, for jobs and what is stored."""
        at = self

        class Moment(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Self:
                return cls.fromtimestamp(at.now.timestamp(), tz)

        with pytest.MonkeyPatch.context() as patch:
            for module in (access, clock, run_job, start_job):
                patch.setattr(module, "datetime", Moment)
            patch.setattr(clock, "now_ms", lambda: int(self.now.timestamp() * 1000))
            yield self
