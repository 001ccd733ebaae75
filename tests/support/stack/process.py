"""`python -m local` as a process of its own, for tests that talk to it from outside."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO, Any

from tests.support.paths import ROOT
from tests.support.stack.forks import Forked

STOP_SECONDS = 30


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return str(listener.getsockname()[1])


def start(
    *arguments: str,
    port: str = "0",
    internal_port: str = "0",
    environment: Mapping[str, str] | None = None,
    log: int | IO[str] = subprocess.PIPE,
    python: Sequence[str] = (sys.executable,),
) -> subprocess.Popen[str]:
    """Start the stack on ports, 0 for any, with more `environment`; `log` is where its standard error goes.

    `python` is what runs it. It keeps no data unless `DATA` is in `environment`.
    """
    return subprocess.Popen(
        [*python, "-m", "local", *arguments],
        cwd=ROOT,
        env={**os.environ, "DATA": "", "PORT": port, "INTERNAL_PORT": internal_port, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )


class ForkedStack(Forked):
    """A stack's process, with its standard output."""

    def __init__(self, nursery: socket.socket, request: Mapping[str, Any], log: IO[str]) -> None:
        read, write = os.pipe()
        self.stdout: IO[str] | None = os.fdopen(read, encoding="utf-8")
        try:
            super().__init__(nursery, request, [write, log.fileno()])
        finally:
            os.close(write)


Process = ForkedStack | subprocess.Popen[str]


class Nursery:
    """The process that stacks are forked from; it starts with the first."""

    def __init__(self) -> None:
        self._requests: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def requests(self) -> socket.socket:
        """Return the socket that it reads requests from."""
        if self._requests is None:
            self._requests, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with other:
                command = [sys.executable, "-m", "tests.support.stack.nursery", str(other.fileno())]
                self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[other.fileno()])
        return self._requests

    def close(self) -> None:
        """End it, and what it has forked; its CPU time is then counted as this process's."""
        if self._requests is not None and self._process is not None:
            self._requests.close()
            self._process.wait(timeout=STOP_SECONDS)
        self._requests = self._process = None


NURSERY = Nursery()


def fork(
    *arguments: str,
    internal_port: str = "0",
    environment: Mapping[str, str] | None = None,
    log: IO[str],
) -> ForkedStack:
    """Start the stack as `start` does, on any port, without importing it again."""
    variables = {**os.environ, "DATA": "", "PORT": "0", "INTERNAL_PORT": internal_port, **(environment or {})}
    return ForkedStack(NURSERY.requests(), {"arguments": arguments, "environment": variables}, log)


def _is_read_at_import(variable: str) -> bool:
    """Whether a variable counts before a fork: Python's own, and the folder whose package may declare tools."""
    return variable.startswith("PYTHON") or variable == "AGENT"


def ready(process: Process) -> str:
    """Wait until the stack is ready and return its base URL; empty if it ended instead."""
    assert process.stdout is not None
    return process.stdout.readline().removeprefix("ready ").strip()


@contextmanager
def running(
    *arguments: str,
    internal_port: str = "0",
    environment: Mapping[str, str] | None = None,
    python: Sequence[str] | None = None,
) -> Iterator[str]:
    """The base URL of a stack that is ready, on a port of its own; its log is shown if it does not start.

    It is forked from a process that has imported it, unless `python`, a variable of Python's own or an agent's folder
    is given.
    """
    is_forked = python is None and sys.platform == "linux" and not any(map(_is_read_at_import, environment or {}))
    with TemporaryFile("w+") as log:
        if is_forked:
            process: Process = fork(*arguments, internal_port=internal_port, environment=environment, log=log)
        else:
            process = start(
                *arguments,
                internal_port=internal_port,
                environment=environment,
                log=log,
                python=python or (sys.executable,),
            )
        try:
            if not (url := ready(process)):
                log.seek(0)
                raise RuntimeError(f"the local stack did not start:\n{log.read()}")
            yield url
        finally:
            process.terminate()
            process.wait(timeout=STOP_SECONDS)
            if process.stdout is not None:
                process.stdout.close()
