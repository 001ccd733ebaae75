"""The example of an agent in one file: its ten lines, and the commands of its README on the local stack."""

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.stack.process import ready, running, start

EXAMPLE = ROOT / "examples/minimal_agent"
ECHO = (EXAMPLE / "echo.py").read_text(encoding="utf-8")
START, CLIENT = re.findall(r"^```sh\n(.*?)^```", (EXAMPLE / "README.md").read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The local stack as the README starts it."""
    variable, _, file = START.split()[0].partition("=")
    with running(environment={variable: file}) as url:
        yield url


def test_the_agent_is_one_file_of_ten_lines() -> None:
    files = [path.name for path in EXAMPLE.iterdir() if path.is_file()]
    assert sorted(files) == ["README.md", "echo.py"]
    module = ast.parse(ECHO)
    lines = {node.lineno for node in ast.walk(ast.Module(module.body[1:], [])) if isinstance(node, ast.stmt)}
    assert len(lines) <= 10
    assert START == "AGENT=examples/minimal_agent/echo.py make run\n"


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_its_commands_lead_from_nothing_to_a_stream(url: str) -> None:
    """RNR-13, RNR-34, CMP-01."""
    commands = CLIENT.replace("http://127.0.0.1:3000", url)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line.removeprefix("data: ")) for line in done.stdout.splitlines() if line.startswith("data: ")]
    assert events[0]["type"] == "RUN_STARTED"
    assert events[-1]["type"] == "RUN_FINISHED"
    said = [event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"]
    assert "".join(said) == "You said: Good morning. "


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("gone.py", None, "is not a file"),
        ("empty.py", "", "RUNNER is not an InstalledRunner"),
        ("assistant.py", ECHO, "assistant is already the name of an agent"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_at_the_start(
    tmp_path: Path, name: str, text: str | None, reason: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    process = start(environment={"AGENT": str(tmp_path / name)})
    assert ready(process) == ""
    _, log = process.communicate(timeout=30)
    assert process.returncode == 1
    assert re.search(rf"^cannot start: AGENT: {re.escape(str(tmp_path / name))}:? {re.escape(reason)}$", log, re.M), log
