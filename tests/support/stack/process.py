"""`python -m local` as a process of its own, for tests that talk to it from outside."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO

from tests.support.paths import ROOT

STOP_SECONDS = 10


def start(*arguments: str, port: str = "0", log: int | IO[str] = subprocess.PIPE) -> subprocess.Popen[str]:
    """Start the stack on a port, 0 for any; `log` is where its standard error goes."""
    return subprocess.Popen(
        [sys.executable, "-m", "local", *arguments],
        cwd=ROOT,
        env=os.environ | {"PORT": port},
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )


def ready(process: subprocess.Popen[str]) -> str:
    """Wait until the stack is ready and return its base URL; empty if it ended instead."""
    assert process.stdout is not None
    return process.stdout.readline().removeprefix("ready ").strip()


@contextmanager
def running(*arguments: str) -> Iterator[str]:
    """The base URL of a stack that is ready, on a port of its own; its log is shown if it does not start."""
    with TemporaryFile("w+") as log:
        process = start(*arguments, log=log)
        try:
            if not (url := ready(process)):
                log.seek(0)
                raise RuntimeError(f"the local stack did not start:\n{log.read()}")
            yield url
        finally:
            process.terminate()
            process.communicate(timeout=STOP_SECONDS)
