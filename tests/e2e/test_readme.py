"""The README's commands, pasted as they stand, against the local stack."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.support.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
CLIENT = [block for block in BLOCKS if "$API" in block]
CAST = [block for block in BLOCKS if "yarrow cast" in block]
FIRST_ADDRESS = "API=http://127.0.0.1:3000\n"


YARROW = ".venv/bin/yarrow"
FALLBACK = f"env PYTHONPATH={ROOT / 'clients/python/src'} {sys.executable} -m yarrow_client"
"""The same command, where an older `.venv` does not have it."""


def pasted(commands: str, url: str) -> str:
    """Standard output of the commands; a command that fails fails the test."""
    if not (ROOT / YARROW).exists():
        commands = commands.replace(YARROW, FALLBACK)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=ROOT,
        env={**os.environ, "YARROW_URL": url},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_commands_submit_stream_and_read_back(stack: str) -> None:
    """CMP-01."""
    commands = "".join(CLIENT)
    assert commands.startswith(FIRST_ADDRESS)
    output = pasted(commands.replace(FIRST_ADDRESS, f"API={stack}\n"), stack)
    lines = output.splitlines()
    events = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    documents = [json.loads(line) for line in lines if line.startswith("{")]
    assistant, resumed, ag_ui = _runs([event["type"] for event in events])
    assert assistant[0] == ag_ui[0] == "RUN_STARTED"
    assert "TOOL_CALL_RESULT" in assistant
    assert resumed == assistant[31:] == ["STEP_FINISHED", "RUN_FINISHED"]  # `Last-Event-ID: 31` was sent
    accepted, snapshot, sessions, attachment, transcript = documents
    assert sorted(accepted) == ["created", "runId", "taskId", "threadId"]
    assert [message["role"] for message in snapshot["messages"]] == ["user", "assistant"]
    assert sessions["scope"] == "history_sessions_latest_assistant"
    assert attachment["attachment"]["mimeType"] == "image/png"
    assert "weather" in json.dumps(transcript).lower()


def test_the_reading_is_the_one_that_is_shown(stack: str) -> None:
    """The README's output is exact up to the dots."""
    (command,) = CAST
    (shown,) = re.findall(r"^```console\n(天雷无妄.*?)…\n```", README, re.MULTILINE | re.DOTALL)
    assert pasted(command, stack).startswith(shown)


def _runs(types: list[str]) -> list[list[str]]:
    """Return the types of the events, run by run."""
    runs: list[list[str]] = [[]]
    for text in types:
        runs[-1].append(text)
        if text == "RUN_FINISHED":
            runs.append([])
    assert runs.pop() == []
    return runs
