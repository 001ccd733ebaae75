"""The emulator as a child process."""

import json
import logging
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Thread
from types import TracebackType
from typing import Final

from local.data.folder import DataFolder
from local.data.sqlite import NOT_KEPT
from local.posting import post
from local.sandboxes.fork_server import Closable
from local.stack import StreamMapping

LOOPBACK = "127.0.0.1"
MAPPINGS_PATH = "/event-source-mappings"
CORS_PATH = "/bucket-cors"
READY: Final = "ready"

RESTARTS: Final = 5
RESTARTS_SECONDS: Final = 60
"""An emulator that ends more often than `RESTARTS` times in so many seconds is not started again."""

logger = logging.getLogger(__name__)


class EmulatorError(Exception):
    """The emulator ended and cannot be restarted; the message says why in one line."""


class Emulator:
    """The emulator's process; leaving its context ends it.

    With a data folder, it is restarted on the same socket when it ends: new requests wait, unanswered ones fail.
    """

    def __init__(self, host_url: str, environment: Mapping[str, str], data: DataFolder | None = None) -> None:
        """Start the process; `host_url` will serve the Lambda API and the event bus."""
        self._listener = socket.create_server((LOOPBACK, 0))
        # Without it, responses wait for acknowledgements; asyncio sets it only on sockets with an explicit protocol.
        self._listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._arguments = [host_url, str(self._listener.fileno()), *([str(data.path)] if data else [])]
        self._environment = environment
        self._data = data
        self._settings: dict[str, bytes] = {}
        self._starts: list[float] = []
        self._is_closing = False
        self._process = self._start()
        self.url = f"http://{LOOPBACK}:{self._listener.getsockname()[1]}"
        """Its address. Requests are accepted at once, and answered when it has loaded."""

    @property
    def pipes(self) -> list[Closable]:
        """The emulator's input, whose end stops it, its output, and the socket that it serves."""
        return [pipe for pipe in (self._process.stdin, self._process.stdout, self._listener) if pipe is not None]

    def wait(self) -> None:
        """Wait until the emulator answers. Raises EmulatorError."""
        if not self._process.stdout or not self._process.stdout.readline():
            raise EmulatorError(f"the emulator ended with exit code {self._process.wait()}")

    def watch(self, ended: Callable[[EmulatorError], object]) -> None:
        """Restart it whenever it ends, in a thread; `ended` is called if that fails."""
        Thread(target=self._watch, args=[ended], daemon=True, name="emulator").start()

    def report_only(self, mappings: Iterable[StreamMapping]) -> None:
        """Report only changes of tables that match a pattern of these mappings."""
        wanted: dict[str, list[Mapping[str, object]]] = {}
        for mapping in mappings:
            wanted.setdefault(mapping.table, []).extend(mapping.patterns or ({},))
        self._set(MAPPINGS_PATH, wanted)

    def allow_origins(self, rules: Mapping[str, Sequence[Mapping[str, object]]]) -> None:
        self._set(CORS_PATH, rules)

    def _set(self, path: str, setting: object) -> None:
        """Post a setting now, and again to a restarted process."""
        self._settings[path] = json.dumps(setting).encode()
        post(f"{self.url}{path}", self._settings[path], f"{path} is")

    def _start(self) -> subprocess.Popen[bytes]:
        self._starts.append(time.monotonic())
        return subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-m", "local.emulator", *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self._environment,
            pass_fds=[self._listener.fileno(), *([self._data.lock] if self._data else [])],
        )

    def _watch(self, ended: Callable[[EmulatorError], object]) -> None:
        while True:
            code = self._process.wait()
            if self._is_closing:
                return
            try:
                self._start_again(code)
            except EmulatorError as error:
                self._listener.close()  # a connected client would wait for a response
                ended(error)
                return

    def _start_again(self, code: int) -> None:
        if self._data is None:
            raise EmulatorError(f"the emulator ended with exit code {code}, and all data with it")
        if code == NOT_KEPT:
            raise EmulatorError(f"the emulator could not keep data in {self._data.path}")
        del self._starts[:-RESTARTS]
        if len(self._starts) == RESTARTS and time.monotonic() - self._starts[0] < RESTARTS_SECONDS:
            raise EmulatorError(f"the emulator ended with exit code {code}, too often to start it again")
        logger.warning("the emulator ended with exit code %d, and is started again", code)
        self._process = self._start()
        if self._is_closing:
            self._process.terminate()
        self.wait()
        for path, setting in self._settings.items():
            post(f"{self.url}{path}", setting, f"{path} is")

    def __enter__(self) -> "Emulator":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_closing = True
        self._process.terminate()
        self._process.communicate()
        self._listener.close()
