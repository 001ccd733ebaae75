"""However the stack ends, its processes end with it; without its fork server it stops."""

import json
import os
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.support.stack.app import App
from tests.support.stack.process import STOP_SECONDS, ready, start
from tests.support.stack.processes import children, is_alive
from tests.support.stack.runs import first_words, submit

AGENT = Path(__file__).with_name("agent.py")


def descendants(pid: int) -> list[int]:
    own = children(pid)
    return own + [process for child in own for process in descendants(child)]


def wait_until_gone(pids: Sequence[int]) -> None:
    deadline = time.monotonic() + STOP_SECONDS
    while left := list(filter(is_alive, pids)):
        assert time.monotonic() < deadline, left
        time.sleep(0.01)  # nobody tells when a process that is not a child has ended


def begin(url: str, folder: Path) -> None:
    """Have a run at work that does not end by itself."""
    app, thread = App(url, "alice"), str(uuid.uuid4())
    submit(app, "agent", thread, "run-1", json.dumps({"pieces": 9, "holds": [3, str(folder / "held")]}))
    assert first_words(app, thread, "run-1") == "0 "
    app.http.close()


def interrupt(process: subprocess.Popen[str]) -> None:
    """As Ctrl-C does: everything in the terminal's group gets it."""
    for pid in (*descendants(process.pid), process.pid):
        os.kill(pid, signal.SIGINT)


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (interrupt, 130),
        (subprocess.Popen.terminate, 0),
        (subprocess.Popen.kill, -signal.SIGKILL),
    ],
    ids=["Ctrl-C", "SIGTERM", "SIGKILL"],
)
def test_no_process_outlives_the_stack(tmp_path: Path, end: Callable[[subprocess.Popen[str]], None], code: int) -> None:
    """A process at work ends, too."""
    process = start(environment={"AGENT": str(AGENT)})
    begin(ready(process), tmp_path)
    pids = descendants(process.pid)
    assert len(pids) > 3
    end(process)
    _, log = process.communicate(timeout=STOP_SECONDS)
    assert process.returncode == code, log
    assert "Traceback" not in log
    wait_until_gone(pids)


def test_a_stack_without_its_fork_server_stops_and_says_why(tmp_path: Path) -> None:
    process = start(environment={"AGENT": str(AGENT)})
    begin(ready(process), tmp_path)
    pids = descendants(process.pid)
    (server,) = (pid for pid in pids if len(descendants(pid)) > 1)
    os.kill(server, signal.SIGKILL)
    _, log = process.communicate(timeout=STOP_SECONDS)
    assert process.returncode == 1
    assert log.splitlines()[-1] == "stopped: the process that starts functions was killed"
    wait_until_gone(pids)
