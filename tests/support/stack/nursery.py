"""Forks local stacks that have imported everything: `python -m tests.support.stack.nursery DESCRIPTOR`.

A stack and its emulator import two thousand modules, which takes most of their start. Here two processes import them
once: one forks stacks, another, in which nothing of the stack is, forks their emulators. What stacks share may not
depend on the environment, of which each has its own: a module of ours that reads a variable as it is imported is an
error.
"""

import ast
import gc
import importlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from typing import IO, Any

from tests.support.paths import ROOT
from tests.support.stack.forks import Forked, serve

OWN = ("yarrow", "liuyao", "yarrow_agents", "local")


@contextmanager
def independent_of_the_environment() -> Iterator[None]:
    """Raise RuntimeError at the end if one of our modules has read a variable."""
    kind: Any = type(os.environ)
    read = kind.__getitem__
    found: set[str] = set()

    def noticed(environment: Any, name: str) -> Any:
        frame = sys._getframe(1)
        while frame is not None and frame.f_globals.get("__name__") in {"os", "collections.abc"}:
            frame = frame.f_back  # type: ignore[assignment]
        module = frame.f_globals.get("__name__", "") if frame else ""
        if module.split(".")[0] in OWN:
            found.add(f"{module} reads {name}")
        return read(environment, name)

    kind.__getitem__ = noticed
    try:
        yield
    finally:
        kind.__getitem__ = read
    if found:
        raise RuntimeError(f"what stacks share depends on the environment: {sorted(found)}")


def import_stack() -> None:
    """Import all that a stack does, except its functions, which are imported with their environment.

    Runners are prepared, which compiles the tables of care.
    """
    from yarrow.runners.discovery import BUILT_IN, checked

    importlib.import_module("local.assembly")
    for app in sorted(ROOT.glob("functions/*/app.py")):
        for node in ast.parse(app.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                importlib.import_module(node.module)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    importlib.import_module(alias.name)
    for place in BUILT_IN.values():
        checked(resolve_name(place)).prepare()


def import_emulator() -> None:
    """Import all that an emulator does."""
    from local.emulator import server

    server.load()


class ForkedEmulatorProcess(Forked):
    """An emulator's process, with its pipes."""

    def __init__(self, nursery: socket.socket, request: Mapping[str, Any], descriptors: Sequence[int]) -> None:
        read_input, write_input = os.pipe()
        read_output, write_output = os.pipe()
        super().__init__(nursery, request, [read_input, write_output, sys.stderr.fileno(), *descriptors])
        for end in (read_input, write_output):
            os.close(end)
        self.stdin: IO[bytes] = os.fdopen(write_input, "wb")
        self.stdout: IO[bytes] = os.fdopen(read_output, "rb")

    def communicate(self) -> tuple[bytes, None]:
        self.stdin.close()
        with self.stdout:
            output = self.stdout.read()
        self.wait()
        return output, None


def run_stack(request: Mapping[str, Any], descriptors: list[int], emulators: socket.socket) -> int:
    """Run a stack as `python -m local` does."""
    from local import __main__ as program
    from local.emulator.process import Emulator

    class ForkedEmulator(Emulator):
        """Its first process is a fork; at a restart this process has threads."""

        def _start(self) -> subprocess.Popen[bytes]:
            if self._starts:
                return super()._start()
            self._starts.append(time.monotonic())
            forked: Any = ForkedEmulatorProcess(
                emulators,
                {"arguments": self._arguments, "environment": dict(self._environment)},
                [self._listener.fileno(), *([self._data.lock] if self._data else [])],
            )
            return forked  # type: ignore[no-any-return]

    _become(request["environment"], {1: descriptors[0], 2: descriptors[1]})
    sys.argv = ["local", *request["arguments"]]
    vars(program)["Emulator"] = ForkedEmulator
    return program.main()


def run_emulator(request: Mapping[str, Any], descriptors: list[int]) -> int:
    """Run an emulator as `python -m local.emulator` does."""
    from local.emulator.server import main

    standard_input, output, log, listener, *_ = descriptors
    _become(request["environment"], {0: standard_input, 1: output, 2: log})
    url, _, *folders = request["arguments"]
    main(url, socket.socket(fileno=listener), *map(Path, folders))
    return 0


def _become(environment: Mapping[str, str], standard: Mapping[int, int]) -> None:
    """Take this environment, and these descriptors for the standard streams."""
    for number, descriptor in standard.items():
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()


def main(requests: socket.socket) -> None:
    """Serve requests for stacks. Emulators are forked from a process that this one forks before it imports a stack."""
    gc.disable()
    emulators, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid == 0:
        emulators.close()
        requests.close()
        import_emulator()
        gc.enable()
        serve(other, run_emulator)
        os._exit(0)
    other.close()
    with independent_of_the_environment():
        import_stack()
    gc.enable()
    serve(requests, lambda request, descriptors: run_stack(request, descriptors, emulators))
    emulators.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.waitpid(pid, 0)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
