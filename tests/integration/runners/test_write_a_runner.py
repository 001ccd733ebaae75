"""The guide to writing a runner, done as it says: its files, its agent, and its commands on the local stack."""

import json
import re
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from local.template import load
from tests.support.paths import ROOT
from tests.support.stack.app import App, problem
from tests.support.stack.entry_points import python_path
from tests.support.stack.process import running

GUIDE = (ROOT / "docs/write-a-runner.md").read_text(encoding="utf-8")
FILES: dict[str, str] = dict(
    re.findall(r"^`((?:visits|weather)/[\w.]+)`[^\n]*\n\n```\w+\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
)
COMMANDS: list[str] = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
CLIENT = next(block for block in COMMANDS if block.startswith("API="))
JOIN = next(line for block in COMMANDS for line in block.splitlines() if line.startswith("cat "))


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the local stack with the guide's runner installed."""
    folder = tmp_path_factory.mktemp("guide")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "layers").symlink_to(ROOT / "layers")
    subprocess.run(JOIN, shell=True, cwd=folder, check=True)  # noqa: S602 (it is ours)
    agents = folder / "visits/system_agents.yaml"
    agents.write_text(agents.read_text(encoding="utf-8") + FILES["weather/agent.yaml"], encoding="utf-8")
    path = python_path(folder, folder / "visits", folder / "weather")
    with running(environment={"PYTHONPATH": path, "SYSTEM_AGENTS": str(agents)}) as url:
        yield url


def test_the_runner_is_forty_lines_and_its_files_are_three() -> None:
    assert len([line for line in FILES["visits/visits.py"].splitlines() if line]) <= 40
    visits = [name for name in FILES if name.startswith("visits/")]
    assert sorted(visits) == ["visits/agent.yaml", "visits/pyproject.toml", "visits/visits.py"]
    assert any("pip install ./visits" in block and JOIN in block for block in COMMANDS)


def test_a_layer_brings_a_deployment_its_own_agents() -> None:
    """AUT-05: where the guide says; without one they are those that come with Yarrow."""
    for arguments, named in (({}, None), ({"AgentsLayer": "arn"}, "/opt/system_agents.yaml")):
        deployed = load(
            ROOT / "template.yaml", {"OidcIssuer": "https://issuer.example", "OidcAudience": "y"} | arguments
        )
        assert {function.environment.get("SYSTEM_AGENTS") for function in deployed.functions.values()} == {named}
    assert "AgentsLayer" in GUIDE
    assert "/opt/system_agents.yaml" in GUIDE


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_guide_leads_to_an_agent_that_streams_calls_a_tool_and_remembers(url: str) -> None:
    """RNR-13, RNR-34, RNR-36, RNR-52, RNR-53, RNR-84, CMP-01."""
    commands = CLIENT.replace("http://127.0.0.1:3000", url)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    emitted = [
        json.loads(line.removeprefix("data: ")) for line in done.stdout.splitlines() if line.startswith("data: ")
    ]
    first, second = ([event for event in emitted if event["runId"] == run] for run in ("run-1", "run-2"))
    for events in (first, second):
        kinds = [event["type"] for event in events]
        assert kinds[-1] == "RUN_FINISHED"
        assert kinds.count("TEXT_MESSAGE_CONTENT") > 1
        assert "TOOL_CALL_RESULT" in kinds
    assert text_of(first).startswith("Welcome. ")
    assert "Good morning." in text_of(first)
    (clock,) = (json.loads(event["content"]) for event in first if event["type"] == "TOOL_CALL_RESULT")
    assert clock["time_zone"] == "Europe/London"
    assert text_of(second).startswith(f"Welcome back, last seen at {clock['now']}. ")


def test_an_agent_of_a_package_refuses_a_run_and_tells_an_event_of_its_own(url: str) -> None:
    """AUT-05, C36, ERR-11, RNR-30: by its input rules, before anything is stored; and as CUSTOM, in both forms."""
    app, thread = App(url, "alice"), str(uuid.uuid4())
    assert len([line for line in FILES["weather/weather_rules.py"].splitlines() if line]) <= 10

    def submit(run: str, query: dict[str, str], **forwarded: Any) -> httpx.Response:
        body = {"threadId": thread, "runId": run, "forwardedProps": {"runtime_mode": "chat", **forwarded}}
        message = {"id": f"msg-{run}", "role": "user", "content": "?"}
        return app.http.post("/api/v1/agent/runs", params=query, json={**body, "messages": [message]})

    for query, forwarded in (({"agent": "weather"}, {}), ({}, {"city": 5})):
        refused = submit("run-1", query, **forwarded)
        assert problem(refused) == (422, "AGENT_RUN_INPUT_INVALID")
        assert refused.json()["detail"] == "forwardedProps.city must be text"
    assert app.http.get("/api/v1/agent/history", params={"threadId": thread}).status_code == 404

    assert submit("run-1", {}, city="Bergen").status_code == 202
    forecast = {"city": "Bergen", "celsius": 21.0}
    (event,) = (event for _, kind, event in app.watch(thread, "run-1") if kind == "CUSTOM")
    ids = {"threadId": thread, "runId": "run-1"}
    assert event == {"type": "CUSTOM", **ids, "name": "acme.forecast", "value": forecast}

    messages = [{"id": "msg-run-2", "role": "user", "content": "?"}]
    request = {"threadId": thread, "runId": "run-2", "forwardedProps": {"city": "Bergen"}, "messages": messages}
    streamed = app.http.post("/send-message", json=request).text
    events = [json.loads(line.removeprefix("data: ")) for line in streamed.splitlines() if line.startswith("data: ")]
    assert [(event["name"], event["value"]) for event in events if event["type"] == "CUSTOM"] == [
        ("acme.forecast", forecast)
    ]
    app.http.close()


def text_of(events: list[dict[str, Any]]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")
