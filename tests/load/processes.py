"""The processes of a stack as Linux sees them: resident memory, threads, connections of clients."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Sample:
    """A sample of one process at one moment."""

    name: str
    mebibytes: float
    threads: int


PYTHON: Final = "-m"


def samples(pid: int) -> list[Sample]:
    """The servers that a process started, and they."""
    return [sample for sample in map(_sample, _family(pid)[1:]) if sample is not None]


def _sample(pid: int) -> Sample | None:
    folder = Path(f"/proc/{pid}")
    words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
    name = dict(pairwise(words)).get(PYTHON)
    if name is None:
        return None  # a shell that waits
    status = (folder / "status").read_text(encoding="ascii", errors="replace")
    resident = int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) / 1024
    return Sample(name, resident, len(list((folder / "task").iterdir())))


def _family(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            with suppress(OSError):  # it has ended
                parents.setdefault(int(_stat(int(path.name))[1]), []).append(int(path.name))
    found = [pid]
    for each_pid in found:
        found += parents.get(each_pid, [])
    return found


def _stat(pid: int) -> list[str]:
    """What follows the name: state, parent …"""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()


def keep_on_one_processor(pid: int) -> None:
    """All threads of a process, and those that they start. They share one interpreter lock; on several processors some
    wait for it ten times as long.
    """
    processor = max(os.sched_getaffinity(0))
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has ended
            os.sched_setaffinity(int(thread.name), {processor})


def clients(port: int) -> int:
    established, ending = "01", f":{port:04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return sum(row[1].endswith(ending) and row[3] == established for row in rows)


def cpu_seconds(pid: int) -> float:
    """That those took that a process started, and they."""
    return sum(int(ticks) for number in _family(pid)[1:] for ticks in _stat(number)[11:13]) / os.sysconf("SC_CLK_TCK")
