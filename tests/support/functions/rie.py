"""AWS's Runtime Interface Emulator around a runtime: Lambda's Invoke action, for one process of one function.

It buffers what is streamed. The environment variable `YARROW_RIE` names its binary
(`samcli/local/rapid/aws-lambda-rie-x86_64` in the wheel of aws-sam-cli).
"""

import json
import os
import socket
import subprocess
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Self

import pytest

from tests.support.functions.runtime_api import PATIENCE_SECONDS

needs_rie = pytest.mark.skipif(
    not os.environ.get("YARROW_RIE"), reason="needs AWS's Runtime Interface Emulator: make sam"
)


class RuntimeInterfaceEmulator:
    """The emulator with this command as the runtime."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        front, runtime_api = _free_port(), _free_port()
        self._process = subprocess.Popen(
            [
                os.environ["YARROW_RIE"],
                *("--runtime-interface-emulator-address", f"127.0.0.1:{front}"),
                *("--runtime-api-address", f"127.0.0.1:{runtime_api}"),
                *command,
            ],
            cwd=folder,
            env=environment,
        )
        self._connection = HTTPConnection("127.0.0.1", front, timeout=PATIENCE_SECONDS)
        while True:
            assert self._process.poll() is None
            try:
                self._connection.connect()
            except ConnectionRefusedError:  # it does not say when it listens
                continue
            break

    def invoke(self, event: object) -> bytes:
        """What the function answers, or its error as JSON: the emulator's own answer does not tell them apart."""
        self._connection.request("POST", "/2015-03-31/functions/function/invocations", json.dumps(event))
        return self._connection.getresponse().read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self._process.terminate()
        self._process.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
