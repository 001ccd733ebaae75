"""Projects of `yarrow new` as a user has them: written into a folder, tested and served by their Makefile."""

import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.paths import ROOT
from tests.support.stack.process import STOP_SECONDS
from yarrow_client.starter import FRAMEWORKS, Deployment, files, write

SECONDS = 60


def needs(framework: str) -> None:
    """Skip the test where the framework is not installed."""
    if missing := [module for module in FRAMEWORKS[framework].modules if find_spec(module) is None]:
        alone = FRAMEWORKS[framework].deployment == "image"
        pytest.skip(f"needs {', '.join(missing)}: {'an environment of its own' if alone else 'make frameworks'}")


def written(into: Path, framework: str, deployment: Deployment | None = None) -> Path:
    folder = into / "my_agent"
    write(folder, files("my_agent", framework, str(ROOT), deployment))
    return folder


def make(folder: Path, target: str, **variables: str) -> list[str]:
    """Return the command of a target, in this environment: its packages are taken as they are."""
    variables = {"PYTHON": sys.executable, **variables}
    return [
        *("make", "--no-print-directory", "-C", str(folder), "-o", ".packages", target),
        *(f"{name}={value}" for name, value in variables.items()),
    ]


def own_test_of(folder: Path) -> str:
    done = subprocess.run(make(folder, "test"), capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def served(folder: Path, into: Path, **environment: str) -> Iterator[str]:
    """Run `make run` in a project, with the environment's key of a model if there is one, and give its address."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "MODELS", "AGENT"))}
    log = (into / "log").open("w+")
    process = subprocess.Popen(
        make(folder, "run", PORT="0", DATA=str(into / "data")),
        env={**kept, **environment},
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        ready = process.stdout.readline()
        log.seek(0)
        assert ready.startswith("ready "), log.read()
        yield ready.removeprefix("ready ").strip()
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=STOP_SECONDS)
        log.close()


def answer(url: str, agent: str, text: str) -> list[dict[str, Any]]:
    """Return the events of a run."""
    with httpx.Client(base_url=url, timeout=SECONDS) as client:
        token = client.post("/local/token", json={"sub": "alice"}).json()["token"]
        message = {"id": "message-1", "role": "user", "content": text}
        body = {"threadId": str(uuid.uuid4()), "runId": "run-1", "messages": [message]}
        headers = {"Authorization": f"Bearer {token}"}
        lines = client.post("/send-message", params={"agent": agent}, json=body, headers=headers).text.splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def pieces(events: list[dict[str, Any]]) -> list[str]:
    return [event["delta"] for event in events if event["type"] in ("TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CHUNK")]
