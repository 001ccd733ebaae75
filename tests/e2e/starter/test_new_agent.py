"""Projects of `yarrow new`: their own tests, and their agents on the local stack with a model on loopback."""

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
from tools.make_examples import name_of
from yarrow.testing import call, fake_model
from yarrow.testing.__main__ import ANSWER
from yarrow_client.starter import FRAMEWORKS, files, write

SECONDS = 60


def needs(framework: str) -> None:
    """Skip the test where the framework is not installed."""
    if missing := [module for module in FRAMEWORKS[framework].modules if find_spec(module) is None]:
        pytest.skip(f"needs {', '.join(missing)}: make frameworks")


def written(into: Path, framework: str) -> Path:
    folder = into / "my_agent"
    write(folder, files("my_agent", framework, str(ROOT)))
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


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_new_project_passes_its_own_test(framework: str, tmp_path: Path) -> None:
    """AGT-04."""
    needs(framework)
    assert "1 passed" in own_test_of(written(tmp_path, framework))


@pytest.mark.parametrize("framework", [name for name, entry in FRAMEWORKS.items() if entry.modules])
def test_without_its_framework_the_test_is_skipped_and_says_what_is_needed(framework: str, tmp_path: Path) -> None:
    folder = written(tmp_path, framework)
    missing = FRAMEWORKS[framework].modules[-1]
    (folder / f"{missing}.py").write_text(f"raise ModuleNotFoundError('No module named {missing}', name='{missing}')\n")
    shown = own_test_of(folder)
    assert "1 skipped" in shown
    assert "needs the packages of requirements.txt: make test installs them" in " ".join(shown.split())


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_an_example_is_served_and_streams_what_its_model_says(framework: str, tmp_path: Path) -> None:
    """AGT-04: as an agent of the local stack, with the grants of its block."""
    needs(framework)
    uses_tool = FRAMEWORKS[framework].test == "tool"
    says = (call("add", a=2, b=3), "It is 5.") if uses_tool else ("It is 5.",)
    folder = ROOT / "examples" / name_of(framework)
    with fake_model(*says) as model:
        key = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": model.url}
        with served(folder, tmp_path, **key) as url:
            events = answer(url, folder.name, "What is 2 and 3?")
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    assert "".join(pieces(events)) == "It is 5."
    assert len(pieces(events)) > 1 or framework == "plain"
    assert [event["toolCallName"] for event in events if event["type"] == "TOOL_CALL_START"] == ["add"] * uses_tool
    assert model.requests[0]["messages"][-1]["content"] == "What is 2 and 3?"


def test_without_a_key_a_model_on_loopback_answers_and_says_so(tmp_path: Path) -> None:
    with served(written(tmp_path, "pydantic_ai"), tmp_path) as url:
        assert "".join(pieces(answer(url, "my_agent", "hello"))) == ANSWER


def test_a_clone_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = written(tmp_path, "plain")
    command = ["make", "-C", str(folder), "test", "YARROW=/nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode != 0
    assert "there is no clone of Yarrow at /nowhere: make YARROW=/path/to/yarrow" in done.stderr
