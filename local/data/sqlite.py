"""A SQLite database that a process writes to before it answers.

The write-ahead log with `synchronous=NORMAL` (SQLite, "PRAGMA synchronous") keeps commits when a process ends. If the
machine stops, the latest commits may be lost, but the database is not corrupted.
"""

import os
import sqlite3
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import RLock
from typing import Any, Final
from weakref import finalize

Statement = tuple[str, Sequence[Any]]

NOT_KEPT: Final = 74
"""The exit code of a process that could not keep data (EX_IOERR of sysexits.h)."""


class Sqlite:
    """One database, for all threads of one process. A failed write ends the process, which must not confirm it."""

    def __init__(self, path: Path | None, schema: str) -> None:
        """`schema` is `CREATE TABLE IF NOT EXISTS …`; without a path the database is in memory."""
        self._path = path
        self._turn = RLock()
        try:
            if path is not None:
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._connection = sqlite3.connect(path or ":memory:", isolation_level=None, check_same_thread=False)
            for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=4000", "temp_store=MEMORY"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.executescript(schema)
            finalize(self, self._connection.close)
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def write(self, statements: Iterable[Statement]) -> None:
        """Run all statements in one transaction; returns when it is committed."""
        with self._turn:
            try:
                execute = self._connection.execute
                execute("BEGIN IMMEDIATE")
                for sql, parameters in statements:
                    execute(sql, parameters)
                execute("COMMIT")
            except sqlite3.Error as error:
                self._give_up(error)

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        with self._turn:
            try:
                return self._connection.execute(sql, parameters).fetchall()
            except sqlite3.Error as error:
                self._give_up(error)
                raise

    def close(self) -> None:
        with self._turn:
            self._connection.close()

    def _give_up(self, error: Exception) -> None:
        print(f"{self._path} cannot be used: {error}", file=sys.stderr, flush=True)  # noqa: T201
        os._exit(NOT_KEPT)
