"""The emulator as a child process."""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import TracebackType
from typing import IO

from local.posting import post
from local.stack import StreamMapping

LOOPBACK = "127.0.0.1"
MAPPINGS_PATH = "/event-source-mappings"
CORS_PATH = "/bucket-cors"


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

    @cached_property
    def url(self) -> str:
        """Its address. Requests are accepted at once, and answered when it has loaded."""
        port = self._process.stdout.readline().decode().strip() if self._process.stdout else ""
        if not port:
            raise RuntimeError(f"the emulator ended with exit code {self._process.wait()}")
        return f"http://{LOOPBACK}:{port}"

    @property
    def pipes(self) -> list[IO[bytes]]:
        """Its input, whose end ends it, and its output."""
        return [pipe for pipe in (self._process.stdin, self._process.stdout) if pipe is not None]

    def report_only(self, mappings: Iterable[StreamMapping]) -> None:
        """Have it report only the changes of tables that some of these mappings want."""
        wanted: dict[str, list[Mapping[str, object]]] = {}
        for each in mappings:
            wanted.setdefault(each.table, []).extend(each.patterns or ({},))
        post(f"{self.url}{MAPPINGS_PATH}", json.dumps(wanted).encode(), "what mappings want is")

    def allow_origins(self, rules: Mapping[str, Sequence[Mapping[str, object]]]) -> None:
        """Have it answer pages of other origins by these CORS rules of buckets."""
        post(f"{self.url}{CORS_PATH}", json.dumps(rules).encode(), "what buckets allow is")

    def __enter__(self) -> "Emulator":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.communicate()
