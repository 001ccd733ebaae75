"""The emulator's state, in memory or in a folder, from which the next emulator continues."""

from collections.abc import Callable
from pathlib import Path

from local.data import folder as names
from local.data.sqlite import Sqlite
from local.dynamodb import stored as tables
from local.dynamodb.database import Database
from local.emulator import executions
from local.emulator.stored import buckets, queues, schedules
from local.emulator.stored import executions as stored_executions
from local.table_stream.changes import Sender

_SCHEMA = tables.SCHEMA + buckets.SCHEMA + schedules.SCHEMA + queues.SCHEMA + stored_executions.SCHEMA


class EmulatorState:
    """The tables' database, the sender of their changes, and a callback before moto's responses are sent."""

    def __init__(self, host_url: str, folder: Path | None) -> None:
        self.sender = Sender(f"{host_url}/changes")
        self.before_answer: Callable[[], None] = lambda: None
        schedules.refuse_existing_groups()
        if folder is None:
            self.database = Database(self.sender.add)
            executions.install(host_url)
            return
        store = Sqlite(folder / names.AWS, _SCHEMA)
        self.database = database = tables.StoredDatabase(store, self.sender)
        self.sender.on_delivered = database.delivered
        self.before_answer = buckets.StoredBuckets(store).keep
        schedules.install(store)
        queues.install(store)
        executions.install(host_url, store)
