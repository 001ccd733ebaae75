"""The data folder (`DATA`): locked by one stack at a time, of one format."""

import fcntl
import os
import time
from pathlib import Path
from typing import Final

FORMAT: Final = "1"
"""Of everything in the folder. A change that older data cannot be read with takes the next number."""

AWS: Final = "aws.sqlite3"
"""What the emulator keeps: the table, the bucket, schedules, executions."""
STACK: Final = "stack.sqlite3"
"""What the server keeps: how far schedules were fired, and who is signed in."""
KEY: Final = "issuer-key.pem"

_FORMAT_FILE: Final = "format"
_LOCK_FILE: Final = "lock"

LOCK_SECONDS: Final = 5.0
"""The processes of a stack that was killed hold its lock until they have noticed."""


class DataError(Exception):
    """The folder cannot be used; the message says why in one line."""


class DataFolder:
    """An open folder; only the owner can read its files.

    `lock` is a descriptor for child processes that write there: the lock lasts as long as any of them.
    """

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self.lock = lock

    @classmethod
    def open(cls, path: Path, wait: float = LOCK_SECONDS) -> "DataFolder":
        """Make the folder if it is missing, and wait `wait` seconds for its lock. Raises DataError."""
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            is_new = not (path / _FORMAT_FILE).exists()
            if is_new and {file.name for file in path.iterdir()} - {_LOCK_FILE, ".gitignore"}:
                raise DataError(f"{path} has other files; choose a new folder with DATA")
            lock = os.open(path / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            _lock(lock, path, wait)
            _check_writable(path)
            if is_new:
                _write(path / _FORMAT_FILE, f"{FORMAT}\n".encode())
            found = (path / _FORMAT_FILE).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
            raise DataError(f"{path} cannot be used: {reason}; choose another folder with DATA") from None
        if found != FORMAT:
            os.close(lock)
            raise DataError(
                f"{path} has data of format {found[:20]!r}, this version keeps format {FORMAT!r}; "
                "remove the folder or choose another with DATA"
            )
        return cls(path, lock)

    def close(self) -> None:
        os.close(self.lock)

    def secret(self, name: str, made: bytes) -> bytes:
        """Return the content of a file; write what `made` returns if it is missing."""
        path = self.path / name
        if not path.exists():
            _write(path, made)
        return path.read_bytes()


def _lock(lock: int, path: Path, wait: float) -> None:
    deadline = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                os.close(lock)
                raise DataError(f"{path} is in use by another stack; choose another folder with DATA") from None
            time.sleep(0.05)
        else:
            return


def _check_writable(path: Path) -> None:
    """Raise OSError if a megabyte cannot be written, so that a full disk is noticed at the start."""
    probe = path / "probe"
    try:
        _write(probe, bytes(1_000_000))
    finally:
        probe.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
