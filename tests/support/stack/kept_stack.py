"""A local stack on one port whose data outlives it, for tests that end it and start it again."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.stack.process import STOP_SECONDS, free_port, ready, start
from tests.support.stack.processes import children
from tests.support.stack.scheduler_clock import SchedulerClock


class KeptStack:
    """Its processes, and the agent of a file, by default `pacer`."""

    def __init__(
        self, folder: Path | None, log: Path | None = None, *, agent: Path = ROOT / "tests/load/pacer.py"
    ) -> None:
        """`folder` is its `DATA`, None for memory; `log` is beside it if it is not named."""
        self.folder = folder
        self.port = free_port()
        self._internal_port = free_port()
        self.url = ""
        self.process: subprocess.Popen[str] | None = None
        if log is None:
            assert folder is not None
            log = folder.parent / "log"
        self._log = log
        self._agent = agent

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        environment = {"DATA": str(self.folder or ""), "AGENT": str(self._agent)}
        with self._log.open("a") as log:
            self.process = start(port=self.port, internal_port=self._internal_port, environment=environment, log=log)
        self.url = ready(self.process)
        assert self.url, self._log.read_text(encoding="utf-8")

    def stop(self, *, is_killed: bool = False) -> None:
        """End it, if it has not ended."""
        assert self.process is not None
        (self.process.kill if is_killed else self.process.terminate)()
        self.process.communicate(timeout=STOP_SECONDS)

    @property
    def scheduler_clock(self) -> SchedulerClock:
        return SchedulerClock(self._internal_port)

    def process_of(self, name: str) -> int:
        """Return the number of one of its processes: `stack`, `emulator`, `fork server` or `sandbox`."""
        assert self.process is not None
        if name == "stack":
            return self.process.pid
        by_name = {
            "emulator" if "local.emulator" in command else "fork server": pid
            for pid, command in _commands(self.process.pid)
        }
        if name == "sandbox":
            return children(by_name["fork server"])[0]
        return by_name[name]


def _commands(parent: int) -> Iterator[tuple[int, str]]:
    """The ids and command lines of the processes that a process has started."""
    for pid in children(parent):
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
        yield pid, command.decode(errors="replace")
