"""The released AG-UI clients that `make agui-clients` installs, and conversations with them in Node."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT

CLIENTS = ROOT / "tests/clients"
INSTALLED = ROOT / ".cache/agui-clients"
PACKAGES: list[str] = list(json.loads((CLIENTS / "package.json").read_text(encoding="utf-8"))["dependencies"])
VERSIONS = [name for name in PACKAGES if name.startswith("agui-")]


class Node:
    """A process that holds conversations, one after the other."""

    def __init__(self, process: subprocess.Popen[str], version: str) -> None:
        self._process = process
        self.version = version

    def converse(self, **conversation: Any) -> dict[str, Any]:
        """What the client said of every run, and the messages it has in the end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(conversation) + "\n")
        self._process.stdin.flush()
        output: dict[str, Any] = json.loads(self._process.stdout.readline())
        return output


@contextmanager
def node_with(version: str, agent: Path | None = None) -> Iterator[Node]:
    """Node with a version of the client, and perhaps an agent on top of it; skips where something of it is missing."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    if not (INSTALLED / ".ready").exists():
        pytest.skip("needs the AG-UI clients: make agui-clients")
    client = INSTALLED / "node_modules" / version
    command = ["node", *map(str, (CLIENTS / "converse.mjs", client, *([agent] if agent else [])))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        yield Node(process, version)
        process.kill()
