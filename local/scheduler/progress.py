"""How far schedules were fired, so that a restart misses and repeats none."""

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
"""A time, and the schedule that it is of, as GetSchedule answers it."""


class Progress:
    """In a store. Every firing is in it from before its time is passed until it is delivered."""

    def __init__(self, store: Sqlite) -> None:
        self._store = store

    @property
    def looked(self) -> datetime | None:
        """Until when due schedules were looked for."""
        rows = self._store.read("SELECT until FROM looked")
        return datetime.fromisoformat(rows[0][0]) if rows else None

    def passed(self, until: datetime, due: Sequence[Due]) -> None:
        """Schedules were looked for until then, and these are to be fired."""
        firings = [("INSERT OR IGNORE INTO firings VALUES (?, ?)", _row(each)) for each in due]
        self._store.write([("INSERT OR REPLACE INTO looked VALUES (1, ?)", (_text(until),)), *firings])

    def delivered(self, due: Due) -> None:
        self._store.write([("DELETE FROM firings WHERE schedule = ? AND due = ?", _row(due))])

    def undelivered(self) -> list[Due]:
        """What an earlier process was to fire, in its order."""
        rows = self._store.read("SELECT schedule, due FROM firings ORDER BY due")
        return [(datetime.fromisoformat(due), json.loads(schedule)) for schedule, due in rows]

    def complete(self, arn: str, due: datetime) -> None:
        """Note that a schedule for once has had its time."""
        self._store.write([("INSERT OR IGNORE INTO completed VALUES (?, ?)", (arn, _text(due)))])

    def is_completed(self, arn: str, due: datetime) -> bool:
        return bool(self._store.read("SELECT 1 FROM completed WHERE arn = ? AND due = ?", (arn, _text(due))))


def _row(due: Due) -> tuple[str, str]:
    moment, schedule = due
    # `ResponseMetadata` is another with each answer.
    kept = {name: value for name, value in sorted(schedule.items()) if name != "ResponseMetadata"}
    return json.dumps(kept, default=str), _text(moment)


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
