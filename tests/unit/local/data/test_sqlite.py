"""What was written is there after the process; what cannot be written ends it."""

import stat
import subprocess
import sys
from pathlib import Path

from local.data.sqlite import NOT_KEPT, Sqlite

SCHEMA = "CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY)"

WRITES_AND_IS_KILLED = """
import os, signal, sys
from pathlib import Path
from local.data.sqlite import Sqlite
store = Sqlite(Path(sys.argv[1]), "CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY)")
store.write([("INSERT INTO t VALUES (?)", (n,)) for n in range(3)])
os.kill(os.getpid(), signal.SIGKILL)
"""

FAILS = """
import sys
from pathlib import Path
from local.data.sqlite import Sqlite
store = Sqlite(Path(sys.argv[1]), "CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY)")
store._connection.execute("PRAGMA max_page_count = 3")  # as on a full disk
for n in range(100_000):
    store.write([("INSERT INTO t VALUES (?)", (n,))])
    print(n, flush=True)
"""


def test_what_was_written_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    ended = subprocess.run([sys.executable, "-c", WRITES_AND_IS_KILLED, path], check=False)
    assert ended.returncode == -9
    store = Sqlite(path, SCHEMA)
    assert store.read("SELECT n FROM t") == [(0,), (1,), (2,)]
    store.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_full_disk_ends_the_process_with_one_line_and_nothing_written_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    ended = subprocess.run([sys.executable, "-c", FAILS, path], capture_output=True, text=True, check=False)
    assert ended.returncode == NOT_KEPT
    assert ended.stderr == f"{path} cannot be used: database or disk is full\n"
    store = Sqlite(path, SCHEMA)
    assert [str(n) for (n,) in store.read("SELECT n FROM t")] == ended.stdout.split()
    store.close()


def test_a_file_that_is_no_database_ends_the_process_with_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    path.write_bytes(b"something else, and longer than a header of SQLite would be: " * 40)
    ended = subprocess.run([sys.executable, "-c", FAILS, path], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (NOT_KEPT, f"{path} cannot be used: file is not a database\n")
