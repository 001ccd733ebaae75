"""The guide to writing a runner, done as it says: its files, its agent, and its commands on the local stack."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from local.template import load
from tests.support.paths import ROOT
from tests.support.stack.entry_points import python_path
from tests.support.stack.process import running

GUIDE = (ROOT / "docs/write-a-runner.md").read_text(encoding="utf-8")
FILES: dict[str, str] = dict(
    re.findall(r"^`(visits/[\w.]+)`[^\n]*\n\n```\w+\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
)
COMMANDS: list[str] = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
CLIENT = next(block for block in COMMANDS if block.startswith("API="))
JOIN = next(line for block in COMMANDS for line in block.splitlines() if line.startswith("cat "))


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The local stack with the guide's runner installed."""
    folder = tmp_path_factory.mktemp("guide")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "layers").symlink_to(ROOT / "layers")
    subprocess.run(JOIN, shell=True, cwd=folder, check=True)  # noqa: S602 (it is ours)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", python_path(folder / "visits", folder))
        patch.setenv("SYSTEM_AGENTS", str(folder / "visits/system_agents.yaml"))
        with running() as url:
            yield url


def test_the_runner_is_forty_lines_and_its_files_are_three() -> None:
    assert len([line for line in FILES["visits/visits.py"].splitlines() if line]) <= 40
    assert sorted(FILES) == ["visits/agent.yaml", "visits/pyproject.toml", "visits/visits.py"]
    assert any("pip install ./visits" in block and JOIN in block for block in COMMANDS)


def test_a_layer_brings_a_deployment_its_own_agents() -> None:
    """AUT-05: where the guide says; without one they are those that come with Yarrow."""
    for given, named in (({}, None), ({"AgentsLayer": "arn"}, "/opt/system_agents.yaml")):
        deployed = load(ROOT / "template.yaml", {"OidcIssuer": "https://issuer.example", "OidcAudience": "y"} | given)
        assert {each.environment.get("SYSTEM_AGENTS") for each in deployed.functions.values()} == {named}
    assert "AgentsLayer" in GUIDE
    assert "/opt/system_agents.yaml" in GUIDE


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_guide_leads_to_an_agent_that_streams_calls_a_tool_and_remembers(url: str) -> None:
    """RNR-13, RNR-34, RNR-36, RNR-52, RNR-53, RNR-84, CMP-01."""
    commands = CLIENT.replace("http://127.0.0.1:3000", url)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    told = [json.loads(line.removeprefix("data: ")) for line in done.stdout.splitlines() if line.startswith("data: ")]
    first, second = ([event for event in told if event["runId"] == run] for run in ("run-1", "run-2"))
    for events in (first, second):
        kinds = [event["type"] for event in events]
        assert kinds[-1] == "RUN_FINISHED"
        assert kinds.count("TEXT_MESSAGE_CONTENT") > 1
        assert "TOOL_CALL_RESULT" in kinds
    assert said(first).startswith("Welcome. ")
    assert "Good morning." in said(first)
    (clock,) = (json.loads(event["content"]) for event in first if event["type"] == "TOOL_CALL_RESULT")
    assert clock["time_zone"] == "Europe/London"
    assert said(second).startswith(f"Welcome back, last seen at {clock['now']}. ")


def said(events: list[dict[str, Any]]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")
