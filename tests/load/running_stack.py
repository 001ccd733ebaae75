"""The counted stack as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any, Final

import httpx

from tests.load import processes
from tests.support.paths import ROOT
from tests.support.stack.process import STOP_SECONDS, free_port, ready

COUNT_SECONDS: Final = 120
"""A look at the whole table may take this long."""


ERROR_LINES: Final = 40
"""Of the log that are shown."""


@dataclass(frozen=True)
class RunningStack:
    url: str
    pid: int
    counts_url: str

    def counts(self) -> dict[str, int]:
        """Calls since the start, as `tests.load.stack` names them."""
        return self._get("/counts")

    def left(self) -> dict[str, int]:
        """What is held: slots, active runs, connections to workspaces; connections of clients."""
        return self._get("/left") | {"connections of clients": self.clients()}

    def table(self) -> dict[str, int]:
        """The items of the table, which the emulator has in memory, and their bytes."""
        return self._get("/table")

    def clients(self) -> int:
        """Open connections to its port."""
        return processes.clients(int(self.url.rpartition(":")[2]))

    def samples(self) -> list[processes.Sample]:
        return processes.samples(os.getpid())

    def cpu_seconds(self) -> float:
        return processes.cpu_seconds(os.getpid())

    def _get(self, path: str) -> dict[str, Any]:
        answer: dict[str, Any] = httpx.get(self.counts_url + path, timeout=COUNT_SECONDS, trust_env=False).json()
        return answer


@contextmanager
def running() -> Iterator[RunningStack]:
    """Run the stack with the agent `pacer`. Its log is shown if it does not start."""
    port = free_port()
    environment = {
        "PORT": "0",
        "INTERNAL_PORT": "0",
        "COUNTS_PORT": port,
        "DATA": "",
        "AGENT": str(ROOT / "tests/load/pacer.py"),
    }
    with ExitStack() as here:
        log = here.enter_context(TemporaryFile("w+"))
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.load.stack"],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            if not (url := ready(process)):
                log.seek(0)
                raise RuntimeError(f"the stack did not start:\n{log.read()}")
            processes.keep_on_one_processor(process.pid)
            yield RunningStack(url, process.pid, f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            process.communicate(timeout=STOP_SECONDS)
            log.seek(0)
            _show_errors(log.read().splitlines())


def _show_errors(log: list[str]) -> None:
    """Print how many errors the stack logged, and the first."""
    at = [number for number, line in enumerate(log) if line.startswith("Traceback")]
    if at:
        first = "\n".join(log[max(0, at[0] - 2) : at[0] + ERROR_LINES])
        print(f"\nerrors in the stack's log: {len(at)}, the first:\n{first}", file=sys.stderr)
