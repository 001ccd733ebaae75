"""Lambda's side of the Runtime API as a test plays it: a raw socket, so that what is asserted is the bytes on the wire.
`Process` is the runtime under test; `Line` is how a test and the app inside it signal to each other.
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from time import time
from types import TracebackType
from typing import Any, Self

from tests.support.paths import ROOT

PATIENCE_SECONDS = 20
RECEIVE_BUFFER = 64 << 10
"""Bytes: little, so that the service is felt to have stopped reading."""
LAYER = ROOT / "layers" / "core"


@dataclass(frozen=True)
class Head:
    """A request line and its headers, names in lower case."""

    method: str
    path: str
    headers: dict[str, str]


class RuntimeApi:
    """The service. Every method waits for what it names."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        self._listener.settimeout(PATIENCE_SECONDS)
        self._connection: socket.socket | None = None
        self._input: BufferedReader
        self.connections = 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._listener.getsockname()[1]}"

    def head(self) -> Head:
        if self._connection is None:
            self._connection, _ = self._listener.accept()
            self._connection.settimeout(PATIENCE_SECONDS)
            self._input = self._connection.makefile("rb")
            self.connections += 1
        method, path, _ = self._line().split()
        headers = {}
        while line := self._line():
            name, value = line.split(": ", 1)
            headers[name.lower()] = value
        return Head(method, path, headers)

    def invoke(
        self, event: object, request_id: str = "request-1", *, seconds: float = 60, trace: str = "Root=1"
    ) -> None:
        """Answer the runtime's `GET …/invocation/next` with this event, whose deadline is in `seconds`."""
        head = self.head()
        assert (head.method, head.path) == ("GET", "/2018-06-01/runtime/invocation/next")
        self.answer(
            200,
            json.dumps(event).encode(),
            {
                "Lambda-Runtime-Aws-Request-Id": request_id,
                "Lambda-Runtime-Deadline-Ms": str(int((time() + seconds) * 1000)),
                "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:eu-west-1:123456789012:function:watch",
                "Lambda-Runtime-Trace-Id": trace,
            },
        )

    def expect_next_invocation(self) -> None:
        """The runtime is done with its invocation and asks for another one."""
        assert self.head().path.endswith("/invocation/next")

    def posted(self) -> tuple[Head, Any]:
        """A request with its JSON body, accepted."""
        head = self.head()
        body = self._input.read(int(head.headers["content-length"]))
        self.accept()
        return head, json.loads(body)

    def chunk(self) -> bytes:
        """One chunk of a chunked body as it was framed; empty at the end."""
        size = int(self._line(), 16)
        if not size:
            return b""
        data = self._input.read(size)
        assert self._line() == ""
        return data

    def trailers(self) -> dict[str, str]:
        return dict(line.split(": ", 1) for line in iter(self._line, ""))

    def accept(self) -> None:
        self.answer(202, b'{"status":"OK"}')

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        assert self._connection
        lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self._connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)

    def hang_up(self) -> None:
        assert self._connection
        self._input.close()
        self._connection.close()
        self._connection = None

    def close(self) -> None:
        if self._connection:
            self.hang_up()
        self._listener.close()

    def _line(self) -> str:
        line = self._input.readline()
        assert line.endswith(b"\r\n"), f"the connection ended in {line!r}"
        return line[:-2].decode()


class Line:
    """A Unix socket between a test and an app, which opens it as `LINE` (in its environment) and talks in lines."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "line"
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.settimeout(PATIENCE_SECONDS)
        self._listener.bind(str(self.path))
        self._listener.listen()
        self._stream: socket.socket | None = None
        self._input: BufferedReader

    def hear(self) -> str:
        """What the app says next."""
        self._connect()
        return self._input.readline().decode().rstrip("\n")

    def say(self, word: str) -> None:
        self._connect().sendall(f"{word}\n".encode())

    def close(self) -> None:
        if self._stream:
            self._input.close()
            self._stream.close()
        self._listener.close()

    def _connect(self) -> socket.socket:
        if self._stream is None:
            self._stream, _ = self._listener.accept()
            self._stream.settimeout(PATIENCE_SECONDS)
            self._input = self._stream.makefile("rb")
        return self._stream


WRAPPED = (str(LAYER / "bin" / "stream-runtime"), sys.executable, "/var/runtime/bootstrap.py")
"""How Lambda starts a runtime that has a wrapper: with the managed runtime's own command as arguments."""


class Process:
    """A runtime that is started with this command in a folder, and serves this Runtime API."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str], api: RuntimeApi) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env={**environment, "AWS_LAMBDA_RUNTIME_API": api.address},
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def terminate(self) -> None:
        self._process.terminate()

    def end(self) -> tuple[int, list[dict[str, Any]]]:
        """Wait for the exit: its code, and the log as the objects of its JSON lines."""
        _, log = self._process.communicate(timeout=PATIENCE_SECONDS)
        return self._process.returncode, [json.loads(line) for line in log.splitlines()]


def environment(folder: Path) -> dict[str, str]:
    """What Lambda sets for a function whose code is `folder` and whose handler is `app.handler`."""
    return {
        "PATH": os.environ["PATH"],
        "LAMBDA_TASK_ROOT": str(folder),
        "_HANDLER": "app.handler",
        "AWS_LAMBDA_FUNCTION_NAME": "watch",
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
    }
