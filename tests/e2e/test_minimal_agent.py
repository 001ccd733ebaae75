"""The example of an agent in one file: its ten lines, and the commands of its README on the local stack."""

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
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
    messages = [event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"]
    assert "".join(messages) == "You said: Good morning. "


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("gone.py", None, "is neither a file nor a folder"),
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


ASKING = """
from yarrow.protocol.runner.manifest import AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentRunResult, InstalledRunner


class Asking:
    async def run(self, context, api):
        if context.input.text == "fail":
            raise LookupError("no such city: Atlantis")
        clock = await api.tools.call("get_current_time", {})
        page = await api.history.page()
        text = f"{context.config['city']} {len(page.items)} {'now' in clock}"
        yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": {"content": text}})


PERMISSIONS = AgentRunnerPermissions(models=("stream",), tools=("call",), history=("page",))
RESOURCES = {"tools": ["get_current_time"]}
RUNNER = InstalledRunner(
    AgentRunnerManifest(
        id="plugin:tests/asking/default", name="default", label={"en_US": "Asking"}, permissions=PERMISSIONS
    ),
    Asking,
)
"""


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The local stack with an agent that uses what it declares, and the stack's log."""
    file, log = tmp_path / "asking.py", tmp_path / "log"
    file.write_text(ASKING, encoding="utf-8")
    environment = {"AGENT": str(file), "AGENT_CONFIG": '{"city": "Berlin"}'}
    with log.open("w") as written:
        process = start(environment=environment, log=written)
        try:
            yield ready(process), log
        finally:
            process.terminate()
            process.communicate(timeout=30)


def test_an_agent_of_one_file_gets_what_it_declares_and_its_exception_is_shown(
    asking: tuple[str, Path],
) -> None:
    """RNR-08, RNR-40: the log says what was granted; what the runner raised is in the stream, and where."""
    url, log = asking
    granted = next(line for line in log.read_text().splitlines() if "is granted" in line)
    assert (
        "AGENT: asking is granted models: chat; tools: get_current_time; history: page; config: city; state" in granted
    )
    assert "Berlin" not in granted
    with httpx.Client(base_url=url, timeout=60) as client:
        token = client.post("/local/token", json={"sub": "alice"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"

        def outcome_of(run: str, text: str) -> list[dict[str, Any]]:
            messages = [{"id": run, "role": "user", "content": text}]
            body = {"threadId": "thread", "runId": run, "messages": messages}
            lines = client.post("/send-message", params={"agent": "asking"}, json=body).text.splitlines()
            return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]

        texts = [event["delta"] for event in outcome_of("run-1", "hello") if event["type"] == "TEXT_MESSAGE_CONTENT"]
        assert texts == ["Berlin 1 True"]
        failed = outcome_of("run-2", "fail")[-1]
    assert (failed["type"], failed["code"]) == ("RUN_ERROR", "runner.error")
    assert failed["message"] == "the agent failed: LookupError: no such city: Atlantis (asking.py, line 9)"


@pytest.mark.parametrize(("config", "reason"), [("{", "AGENT_CONFIG is not JSON"), ("[]", "is not a JSON object")])
def test_a_config_that_cannot_be_used_is_told_at_the_start(config: str, reason: str) -> None:
    process = start(environment={"AGENT": str(EXAMPLE / "echo.py"), "AGENT_CONFIG": config})
    _, log = process.communicate(timeout=30)
    assert process.returncode == 1
    assert reason in log.splitlines()[-1]
