"""`python -m local` as a process of its own, for tests that talk to it from outside."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO

from tests.support.paths import ROOT

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


def ready(process: subprocess.Popen[str]) -> str:
    """Wait until the stack is ready and return its base URL; empty if it ended instead."""
    assert process.stdout is not None
    return process.stdout.readline().removeprefix("ready ").strip()


@contextmanager
def running(
    *arguments: str,
    internal_port: str = "0",
    environment: Mapping[str, str] | None = None,
    python: Sequence[str] = (sys.executable,),
) -> Iterator[str]:
    """The base URL of a stack that is ready, on a port of its own; its log is shown if it does not start."""
    with TemporaryFile("w+") as log:
        process = start(*arguments, internal_port=internal_port, environment=environment, log=log, python=python)
        try:
            if not (url := ready(process)):
                log.seek(0)
                raise RuntimeError(f"the local stack did not start:\n{log.read()}")
            yield url
        finally:
            process.terminate()
            process.communicate(timeout=STOP_SECONDS)
