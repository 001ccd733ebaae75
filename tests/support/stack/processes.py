"""Processes that tests start, as Linux lists them: `ps` is not on every machine."""

import os
from pathlib import Path

import pytest


def children(pid: int) -> list[int]:
    """The processes that a process has started. Skips the test where there is no /proc."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if not listed.exists():
        pytest.skip("needs /proc")
    return [int(child) for child in listed.read_text(encoding="ascii").split()]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
