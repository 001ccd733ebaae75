"""The README's commands, pasted as they stand, against the local stack."""

import json
import re
import shutil
import subprocess

import pytest

from tests.support.paths import ROOT
from tests.support.stack.process import running

BLOCKS = re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
CLIENT = [block for block in BLOCKS if "$API" in block]
SHOW = [block for block in BLOCKS if "--show" in block]
FIRST_ADDRESS = "API=http://127.0.0.1:3000\n"


def pasted(commands: str) -> str:
    """Standard output of the commands; a command that fails fails the test."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_commands_submit_stream_and_read_back() -> None:
    """CMP-01."""
    commands = "".join(CLIENT)
    assert commands.startswith(FIRST_ADDRESS)
    with running() as url:
        output = pasted(commands.replace(FIRST_ADDRESS, f"API={url}\n"))
    lines = output.splitlines()
    events = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    documents = [json.loads(line) for line in lines if line.startswith("{")]
    assistant, resumed, ag_ui, divination = _runs([event["type"] for event in events])
    assert assistant[0] == ag_ui[0] == divination[0] == "RUN_STARTED"
    assert "TOOL_CALL_RESULT" in assistant
    assert resumed == assistant[31:] == ["STEP_FINISHED", "RUN_FINISHED"]  # `Last-Event-ID: 31` was sent
    assert "DIVINATION_DERIVED" in divination
    assert [sorted(each) for each in documents[:2]] == [["created", "runId", "taskId", "threadId"]] * 2
    _, _, snapshot, sessions, attachment, transcript = documents
    assert [message["role"] for message in snapshot["messages"]] == ["user", "assistant"]
    assert sessions["scope"] == "history_sessions_latest_assistant"
    assert attachment["attachment"]["mimeType"] == "image/png"
    assert "weather" in json.dumps(transcript).lower()


def test_the_plate_is_the_one_that_is_shown() -> None:
    (command,) = SHOW
    (shown,) = re.findall(
        r"^```console\n(六神.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert shown in pasted(command)


def _runs(types: list[str]) -> list[list[str]]:
    """The types of the events, run by run."""
    runs: list[list[str]] = [[]]
    for each in types:
        runs[-1].append(each)
        if each == "RUN_FINISHED":
            runs.append([])
    assert runs.pop() == []
    return runs
