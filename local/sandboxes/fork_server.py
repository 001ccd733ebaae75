"""Forks sandboxes from a process with every function imported, no thread and no connection.

The stack forks the server before it starts a thread. A fork takes milliseconds and shares the memory of all imports.
The server ends all sandboxes when the stack ends, even if it is killed.

The stack sends commands of a fixed size, START with the sandbox's socket; the server answers with lines,
`started NUMBER PID` and `exited NUMBER STATUS`, where the status is negative for a signal.
"""

import ctypes
import gc
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import IntEnum
from struct import Struct
from typing import NoReturn, Protocol

_COMMAND = Struct("!BII")

_PRCTL: Callable[[int, int], int] | None = getattr(ctypes.CDLL(None), "prctl", None)
_PR_SET_PDEATHSIG = 1
"""prctl(2)."""

_QUIET_SECONDS = 1.0
"""Without a command: the stack has started."""

_END_SECONDS = 5.0


class Command(IntEnum):
    """`START number function` and `KILL number 0`."""

    START = 1
    KILL = 2


class Closable(Protocol):
    """A file or socket of the stack that its children must not keep open."""

    def close(self) -> object: ...


Run = Callable[[int, socket.socket], NoReturn]

Prepare = tuple[Callable[[], None], Callable[[], None]]
"""What the server does before its first sandbox, and once it has had no command for a second."""

UNPREPARED: Prepare = (lambda: None, lambda: None)


class ForkServer:
    def __init__(self, run: Run, inherited: Sequence[Closable], prepare: Prepare) -> None:
        """Fork the server; there must be no other thread. The server closes `inherited` and runs `prepare`."""
        self.control, other = socket.socketpair()
        gc.freeze()  # a collection in a child would copy shared memory
        self.pid = os.fork()
        if self.pid == 0:
            _in_child(lambda: _serve(other, [self.control, *inherited], run, prepare))
        other.close()

    def start(self, number: int, function: int) -> socket.socket:
        own, other = socket.socketpair()
        with other:
            socket.send_fds(self.control, [_COMMAND.pack(Command.START, number, function)], [other.fileno()])
        return own

    def kill(self, number: int) -> None:
        """Kill a sandbox, if it has not ended."""
        self.control.send(_COMMAND.pack(Command.KILL, number, 0))

    def close(self) -> None:
        self.control.close()
        deadline = time.monotonic() + _END_SECONDS
        while os.waitpid(self.pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(0.002)


def _in_child(work: Callable[[], NoReturn]) -> NoReturn:
    """Run the server and exit; never returns."""
    try:
        work()
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
        _exit(status)
    except BaseException:  # noqa: BLE001 (the process ends)
        sys.excepthook(*sys.exc_info())
    _exit(1)


def _exit(status: int) -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status & 0xFF)


def _kill(sandbox: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(sandbox, signal.SIGKILL)


def _ignore(*_: object) -> None:
    """Handle a signal without effect; unlike SIG_IGN, programs that an agent starts do not inherit a handler."""


def _serve(control: socket.socket, inherited: list[Closable], run: Run, prepare: Prepare) -> NoReturn:
    for closable in inherited:
        closable.close()
    os.dup2(2, 1)  # standard output is for the ready line
    for number in (signal.SIGINT, signal.SIGTERM):  # Ctrl-C reaches all processes; the stack ends this one
        signal.signal(number, _ignore)
    at_once, when_quiet = prepare
    at_once()
    gc.freeze()
    _Server(control, run, when_quiet).serve()


def _end_with(parent: int) -> None:
    """Make Linux kill this process when its parent ends, however busy it is."""
    if _PRCTL is not None:
        _PRCTL(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


class _Server:
    def __init__(self, control: socket.socket, run: Run, when_quiet: Callable[[], None]) -> None:
        self._control = control
        self._when_quiet = when_quiet
        self._run = run
        self._numbers: dict[int, int] = {}
        """The sandboxes' numbers by process id."""
        self._wakes, self._wake = os.pipe()
        for end in (self._wakes, self._wake):
            os.set_blocking(end, False)

    def serve(self) -> NoReturn:
        """Serve until the stack ends, which may reset the connection; then end the sandboxes."""
        try:
            with suppress(OSError):
                self._serve()
        finally:
            for pid in self._numbers:
                _kill(pid)
            for pid in self._numbers:
                os.waitpid(pid, 0)
        os._exit(0)

    def _serve(self) -> None:
        signal.signal(signal.SIGCHLD, _ignore)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        quiet: float | None = _QUIET_SECONDS
        while True:
            ready, _, _ = select.select([self._control.fileno(), self._wakes], [], [], quiet)
            if not ready:
                self._when_quiet()
                gc.freeze()
                quiet = None
            if self._wakes in ready:
                os.read(self._wakes, 4096)
                self._report_exits()
            if self._control.fileno() in ready and not self._obey():
                return

    def _obey(self) -> bool:
        """Run one command; returns False at the end."""
        message, handles, _, _ = socket.recv_fds(self._control, _COMMAND.size, 1)
        while 0 < len(message) < _COMMAND.size:
            if not (more := self._control.recv(_COMMAND.size - len(message))):
                return False
            message += more
        if not message:
            return False
        command, number, function = _COMMAND.unpack(message)
        if command == Command.START:
            self._start(number, function, handles[0])
        else:
            for pid in [pid for pid, known in self._numbers.items() if known == number]:
                _kill(pid)
        return True

    def _start(self, number: int, function: int, handle: int) -> None:
        with socket.socket(fileno=handle) as channel:
            server = os.getpid()
            try:
                pid = os.fork()
            except OSError as error:
                sys.stderr.write(f"a function's process could not be forked: {error}\n")
                self._tell(f"exited {number} {os.EX_OSERR}")
                return
            if pid == 0:
                _end_with(server)
                os.setpgid(0, 0)
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for end in (self._wakes, self._wake):
                    os.close(end)
                self._control.close()
                _in_child(lambda: self._run(function, channel))
        with suppress(PermissionError, ProcessLookupError):  # it already leads a group, or ended
            os.setpgid(pid, pid)
        self._numbers[pid] = number
        self._tell(f"started {number} {pid}")

    def _report_exits(self) -> None:
        while self._numbers:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            _kill(pid)  # processes that an agent left behind
            if (number := self._numbers.pop(pid, None)) is not None:
                self._tell(f"exited {number} {os.waitstatus_to_exitcode(status)}")

    def _tell(self, line: str) -> None:
        self._control.sendall(f"{line}\n".encode())
