"""The processes that local stacks of tests are forked from."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from tests.support.paths import ROOT
from tests.support.stack.forks import Forked
from tests.support.stack.nursery import independent_of_the_environment
from tests.support.stack.processes import is_alive

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and SEQPACKET sockets")

NURSERY: Final = """
import os, signal, socket, sys
from tests.support.stack.forks import serve

def run(request, descriptors):
    os.write(descriptors[0], request["text"].encode())
    if request["waits"]:
        signal.pause()
    return request["code"]

serve(socket.socket(fileno=int(sys.argv[1])), run)
"""


@contextmanager
def nursery() -> Iterator[tuple[socket.socket, subprocess.Popen[bytes]]]:
    requests, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with requests:
        with other:
            command = [sys.executable, "-c", NURSERY, str(other.fileno())]
            process = subprocess.Popen(command, cwd=ROOT, pass_fds=[other.fileno()])
        yield requests, process
    process.wait(timeout=30)


def forked(requests: socket.socket, *, code: int = 0, waits: bool = False) -> Forked:
    """A fork that has written its text, and then ends or waits."""
    read, write = os.pipe()
    process = Forked(requests, {"text": f"{code}", "waits": waits, "code": code}, [write])
    os.close(write)
    assert os.read(read, 100).decode() == f"{code}"
    os.close(read)
    return process


def test_each_fork_gets_its_request_and_tells_its_exit_code() -> None:
    with nursery() as (requests, _):
        processes = [forked(requests, code=code) for code in (0, 3)]
        assert [process.wait(timeout=30) for process in processes] == [0, 3]


def test_a_fork_can_be_ended_and_killed() -> None:
    with nursery() as (requests, _):
        ended, killed = forked(requests, waits=True), forked(requests, waits=True)
        ended.terminate()
        killed.kill()
        assert (ended.wait(timeout=30), killed.wait(timeout=30)) == (-signal.SIGTERM, -signal.SIGKILL)


def test_forks_end_with_whoever_asked_for_them() -> None:
    """Also where that process was killed and ended none of them."""
    with nursery() as (requests, process):
        left = forked(requests, waits=True)
        requests.close()
        assert process.wait(timeout=30) == 0
        assert not is_alive(left.pid)
        assert left.wait(timeout=30) == -signal.SIGTERM


def test_a_module_that_reads_a_variable_as_it_is_imported_cannot_be_shared() -> None:
    code = "import os\ndef read(): return os.environ.get('PATH')\n"
    own: dict[str, object] = {"__name__": "yarrow.imagined"}
    exec(code, own)  # noqa: S102 (a module of that name)
    with pytest.raises(RuntimeError, match=r"yarrow\.imagined reads PATH"), independent_of_the_environment():
        own["read"]()  # type: ignore[operator]
    with independent_of_the_environment():
        assert os.environ["PATH"]
