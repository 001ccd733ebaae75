"""Stores how far schedules were fired, so that a restart neither skips nor repeats a firing."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from local.data.sqlite import Sqlite

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS looked (only INTEGER PRIMARY KEY CHECK (only = 1), until TEXT);
CREATE TABLE IF NOT EXISTS firings (schedule TEXT, due TEXT, PRIMARY KEY (schedule, due));
CREATE TABLE IF NOT EXISTS completed (arn TEXT, due TEXT, PRIMARY KEY (arn, due));
"""

Due = tuple[datetime, Mapping[str, Any]]
"""A time and its schedule, as in GetSchedule's response."""


class SchedulerProgress:
    """Stores a firing before its time counts as passed, and deletes it when it is delivered."""

    def __init__(self, store: Sqlite) -> None:
        self._store = store

    @property
    def looked(self) -> datetime | None:
        rows = self._store.read("SELECT until FROM looked")
        return datetime.fromisoformat(rows[0][0]) if rows else None

    def passed(self, until: datetime, due: Sequence[Due]) -> None:
        """Record that schedules were looked up until then, and that these must be fired."""
        firings = [("INSERT OR IGNORE INTO firings VALUES (?, ?)", _row(firing)) for firing in due]
        self._store.write([("INSERT OR REPLACE INTO looked VALUES (1, ?)", (_text(until),)), *firings])

    def delivered(self, due: Due) -> None:
        self._store.write([("DELETE FROM firings WHERE schedule = ? AND due = ?", _row(due))])

    def undelivered(self) -> list[Due]:
        """Return the firings that an earlier process did not deliver, in order."""
        rows = self._store.read("SELECT schedule, due FROM firings ORDER BY due")
        return [(datetime.fromisoformat(due), json.loads(schedule)) for schedule, due in rows]

    def complete(self, arn: str, due: datetime) -> None:
        """Record that a one-time schedule has fired."""
        self._store.write([("INSERT OR IGNORE INTO completed VALUES (?, ?)", (arn, _text(due)))])

    def is_completed(self, arn: str, due: datetime) -> bool:
        return bool(self._store.read("SELECT 1 FROM completed WHERE arn = ? AND due = ?", (arn, _text(due))))


def _row(due: Due) -> tuple[str, str]:
    moment, schedule = due
    # `ResponseMetadata` differs in every response.
    kept = {name: value for name, value in sorted(schedule.items()) if name != "ResponseMetadata"}
    return json.dumps(kept, default=str), _text(moment)


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
