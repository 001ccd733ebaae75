"""Processes forked from one that has imported what they need: a *nursery*, and its client.

A client sends a request of JSON with descriptors over a SEQPACKET socket; any process that has inherited the socket
may. The last descriptor is the fork's *lifeline*: the nursery writes the fork's id to it, and its exit code when it has
ended. The nursery ends when the last client has closed its socket.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import Any, NoReturn

MAX_BYTES = 1 << 20
"""Of a request: the environment of a process."""

_NUMBER = Struct("!i")
_DESCRIPTORS = 8

Run = Callable[[Mapping[str, Any], list[int]], int]
"""What a fork does with a request and its descriptors; returns the exit code."""


class Forked:
    """A fork as the process that asked for it sees it, with the members of `subprocess.Popen` that are used."""

    def __init__(self, nursery: socket.socket, request: Mapping[str, Any], descriptors: Sequence[int]) -> None:
        """Ask the nursery for a process, which gets copies of the descriptors."""
        self._lifeline, other = socket.socketpair()
        with other:
            nursery.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MAX_BYTES)
            socket.send_fds(nursery, [json.dumps(request).encode()], [*descriptors, other.fileno()])
        self.pid = self._read()
        self.returncode: int | None = None

    def terminate(self) -> None:
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; returns its exit code, negative for a signal. Raises TimeoutError."""
        if self.returncode is None:
            self._lifeline.settimeout(timeout)
            self.returncode = self._read()
            self._lifeline.close()
        return self.returncode

    def _signal(self, number: signal.Signals) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def _read(self) -> int:
        received = self._lifeline.recv(_NUMBER.size, socket.MSG_WAITALL)
        if len(received) < _NUMBER.size:
            raise ChildProcessError("the process that forks stacks has ended")
        number: int = _NUMBER.unpack(received)[0]
        return number


def serve(requests: socket.socket, run: Run) -> None:
    """Fork a process for each request until no client is left; then end those that are left, and return."""
    _check_threads()
    gc.collect()
    gc.freeze()
    wakes, wake = os.pipe()
    for end in (wakes, wake):
        os.set_blocking(end, False)
    lifelines: dict[int, socket.socket] = {}
    own = [wakes, wake]
    for number in (signal.SIGCHLD, signal.SIGINT):  # Ctrl-C reaches all processes; the client ends this one
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    is_open = True
    while is_open or lifelines:
        ready, _, _ = select.select([wakes, *([requests.fileno()] if is_open else [])], [], [])
        if wakes in ready:
            with suppress(BlockingIOError):
                os.read(wakes, 4096)
            _report_exits(lifelines)
        if requests.fileno() in ready:
            message, descriptors, _, _ = socket.recv_fds(requests, MAX_BYTES, _DESCRIPTORS)
            if message:
                _start(requests, json.loads(message), descriptors, run, lifelines, own)
                continue
            is_open = False
            for pid in lifelines:
                os.kill(pid, signal.SIGTERM)


def _check_threads() -> None:
    """A fork of a process with threads may wait forever for what they held."""
    tasks = list(Path("/proc/self/task").iterdir())
    if len(tasks) > 1:
        raise RuntimeError(f"{len(tasks)} threads in a process that is to be forked: {threading.enumerate()}")


def _start(
    requests: socket.socket,
    request: Mapping[str, Any],
    descriptors: list[int],
    run: Run,
    lifelines: dict[int, socket.socket],
    own: list[int],
) -> None:
    *given, last = descriptors
    lifeline = socket.socket(fileno=last)
    pid = os.fork()
    if pid == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for end in own:
            os.close(end)
        for kept in (requests, lifeline, *lifelines.values()):
            kept.close()
        _end(run, request, given)
    for descriptor in given:
        os.close(descriptor)
    lifelines[pid] = lifeline
    lifeline.sendall(_NUMBER.pack(pid))


def _end(run: Run, request: Mapping[str, Any], descriptors: list[int]) -> NoReturn:
    """Run in the fork and exit; never returns."""
    code = 1
    try:
        code = run(request, descriptors)
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:  # noqa: BLE001 (the process ends)
        sys.excepthook(*sys.exc_info())
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code & 0xFF)


def _report_exits(lifelines: dict[int, socket.socket]) -> None:
    while lifelines:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        if lifeline := lifelines.pop(pid, None):
            with lifeline, suppress(OSError):  # nobody may wait for it
                lifeline.sendall(_NUMBER.pack(os.waitstatus_to_exitcode(status)))
