"""The emulator as a child process."""

import subprocess
import sys
from collections.abc import Mapping
from types import TracebackType

LOOPBACK = "127.0.0.1"


class Emulator:
    """The emulator's process; leaving its context ends it."""

    def __init__(self, host_url: str, environment: Mapping[str, str]) -> None:
        """Start the process; `host_url` will serve the Lambda API and the event bus."""
        self._process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-m", "local.emulator", host_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )

    def url(self) -> str:
        """Its address. Requests are accepted at once, and answered when it has loaded."""
        port = self._process.stdout.readline().decode().strip() if self._process.stdout else ""
        if not port:
            raise RuntimeError(f"the emulator ended with exit code {self._process.wait()}")
        return f"http://{LOOPBACK}:{port}"

    def __enter__(self) -> "Emulator":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.communicate()
