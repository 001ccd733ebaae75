"""The database on disk: a call's changes are committed to SQLite before it returns."""

import json
import time
from collections.abc import Iterable, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import Any, Final, Protocol

from local.data.sqlite import Sqlite, Statement
from local.dynamodb.database import TOKEN_SECONDS, Database, Json
from local.dynamodb.encoding import dumps, loads
from local.dynamodb.errors import OperationError
from local.dynamodb.table import ItemChange, Table

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tables
    (name TEXT PRIMARY KEY, definition TEXT, created_at REAL, ttl_attribute TEXT);
CREATE TABLE IF NOT EXISTS items (table_name TEXT, key TEXT, item TEXT, PRIMARY KEY (table_name, key));
CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, at REAL, digest TEXT);
CREATE TABLE IF NOT EXISTS changes (table_name TEXT, sequence INTEGER, record TEXT, PRIMARY KEY (table_name, sequence));
"""

_OF_TABLES: Final = frozenset({"CreateTable", "UpdateTable", "DeleteTable", "UpdateTimeToLive"})

_FORGET_DELETED: Final = (
    "DELETE FROM items WHERE table_name NOT IN (SELECT name FROM tables)",
    "DELETE FROM changes WHERE table_name NOT IN (SELECT name FROM tables)",
)


class Outbox(Protocol):
    """Takes the stream records of committed changes."""

    def record(self, table: Table, change: ItemChange) -> tuple[str, Json] | None:
        """Return the table's name and the record of a change; None if no consumer wants it."""

    def put(self, records: Sequence[tuple[str, Json]]) -> None:
        """Queue records for delivery."""


class StoredDatabase(Database):
    """A database that loads its store and writes every change to it."""

    def __init__(self, store: Sqlite, outbox: Outbox) -> None:
        """Load the store; records that were not confirmed by `delivered` go to the outbox again."""
        super().__init__(self._note)
        self._store = store
        self._outbox = outbox
        self._noted: list[tuple[Table, ItemChange]] = []
        self._new_token: Statement | None = None
        self._load()

    def call(self, operation: str, request: Json) -> Json:
        try:
            return super().call(operation, request)
        finally:  # a batch may fail after its first writes
            self._keep(self._tables() if operation in _OF_TABLES else [])

    def delete_expired(self, now: float) -> None:
        super().delete_expired(now)
        self._keep([("DELETE FROM tokens WHERE at < ?", (time.time() - TOKEN_SECONDS,))])

    def delivered(self, records: Iterable[tuple[str, str]]) -> None:
        """Forget records, by table and sequence number, that were delivered or dropped."""
        sql = "DELETE FROM changes WHERE table_name = ? AND sequence = ?"
        if statements := [(sql, (table, int(sequence))) for table, sequence in records]:
            self._store.write(statements)

    def _load(self) -> None:
        for name, definition, created_at, ttl_attribute in self._store.read("SELECT * FROM tables"):
            table = Table(json.loads(definition), self._note)
            table.created_at, table.ttl_attribute = created_at, ttl_attribute
            table.changes = time.time_ns() // 1000  # sequence numbers continue after the last one
            for (item,) in self._store.read("SELECT item FROM items WHERE table_name = ? ORDER BY key", (name,)):
                table.load(loads(item))
            self.tables[name] = table
        waiting = self._store.read("SELECT table_name, record FROM changes ORDER BY table_name, sequence")
        self._outbox.put([(name, loads(record)) for name, record in waiting])

    def _note(self, table: Table, change: ItemChange) -> None:
        self._noted.append((table, change))

    def _keep(self, statements: list[Statement]) -> None:
        records = []
        for table, change in self._noted:
            key = _key(table, change)
            if change.event == "REMOVE":
                statements.append(("DELETE FROM items WHERE table_name = ? AND key = ?", (table.name, key)))
            else:
                item = dumps(change.item).decode()
                statements.append(("INSERT OR REPLACE INTO items VALUES (?, ?, ?)", (table.name, key, item)))
            if record := self._outbox.record(table, change):
                records.append(record)
                kept = dumps(record[1]).decode()
                statements.append(("INSERT INTO changes VALUES (?, ?, ?)", (table.name, change.sequence, kept)))
        if self._new_token is not None:
            statements.append(self._new_token)
        self._noted, self._new_token = [], None
        if statements:
            self._store.write(statements)
        if records:
            self._outbox.put(records)

    def _tables(self) -> list[Statement]:
        statements: list[Statement] = [("DELETE FROM tables", ())]
        for name, table in self.tables.items():
            row = name, json.dumps(table.definition), table.created_at, table.ttl_attribute
            statements.append(("INSERT INTO tables VALUES (?, ?, ?, ?)", row))
        return [*statements, *((sql, ()) for sql in _FORGET_DELETED)]

    def _is_repeated(self, token: str, items: Sequence[Json]) -> bool:
        since = time.time() - TOKEN_SECONDS
        found = self._store.read("SELECT digest FROM tokens WHERE token = ? AND at >= ?", (token, since))
        if found and found[0][0] != _digest(items):
            raise OperationError("IdempotentParameterMismatchException", "The token is of another transaction")
        return bool(found)

    def _remember(self, token: str, items: Sequence[Json]) -> None:
        self._new_token = "INSERT OR REPLACE INTO tokens VALUES (?, ?, ?)", (token, time.time(), _digest(items))


def _key(table: Table, change: ItemChange) -> str:
    """Return a text for an item's key; equal numbers have equal texts."""
    parts = table.schema.key(change.key)
    return dumps([str(part.normalize()) if isinstance(part, Decimal) else part for part in parts]).decode()


def _digest(items: Sequence[Any]) -> str:
    return sha256(dumps(items)).hexdigest()
