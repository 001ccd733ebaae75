"""The clock of the local stack's scheduler, which tests move on its internal port."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import httpx


class SchedulerClock:
    def __init__(self, port: str) -> None:
        self._url = f"http://127.0.0.1:{port}/scheduler/clock"

    def now(self) -> datetime:
        """What the scheduler takes for now; a stack starts with the machine's time."""
        return datetime.fromisoformat(httpx.get(self._url, trust_env=False).json()["now"])

    def move(self, to: datetime) -> Sequence[tuple[str, str]]:
        """Fire all schedules that are due until then, and wait until they are delivered.

        Returns their names and times (`2026-11-01T05:30:00Z`). Backwards fires none, and forwards again all once more.
        """
        return [
            (item["schedule"], item["scheduled_time"]) for item in self.put({"now": to.isoformat()}).json()["fired"]
        ]

    def put(self, body: Any) -> httpx.Response:
        return httpx.put(self._url, json=body, timeout=60, trust_env=False)
