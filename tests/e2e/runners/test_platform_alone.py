"""The platform without its bundled agents: a layer with neither their package nor `liuyao`, and other agents."""

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from typing import Any, Final

import httpx
import pytest

from tests.support.paths import ROOT
from tests.support.stack.entry_points import python_path
from tests.support.stack.process import running

LAYER: Final = ROOT / "layers/core"
PYTHON: Final = (sys.executable, "-S")
"""Without what `.pth` files add: the packages of this repository."""
GUIDE: Final = (ROOT / "docs/write-a-runner.md").read_text(encoding="utf-8")
FILES: Final = dict(re.findall(r"^`(weather/[\w.]+)`[^\n]*\n\n```\w+\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL))
"""The guide's package with input rules and an event of its own."""
ECHO: Final = ROOT / "examples/minimal_agent/echo.py"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The PYTHONPATH of a layer that has the platform alone, beside the requirements."""
    layer = tmp_path_factory.mktemp("layer")
    for name in ("bin", "yarrow"):
        (layer / name).symlink_to(LAYER / name)
    return os.pathsep.join([str(layer), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), str(ROOT)])


@pytest.fixture(scope="module")
def echo(bare: str) -> Iterator[str]:
    """The base URL of a local stack with the agent of one file, and no other."""
    environment = {"PYTHONPATH": bare, "AGENT": str(ECHO), "DEFAULT_AGENT": "echo", "SYSTEM_AGENTS": ""}
    with running(environment=environment, python=PYTHON) as url:
        yield url


@pytest.fixture(scope="module")
def weather(bare: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same with a package that has rules and events of its own."""
    folder = tmp_path_factory.mktemp("weather")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    agents = folder / "system_agents.yaml"
    agents.write_text(f"agents:\n{FILES['weather/agent.yaml']}", encoding="utf-8")
    site = folder / "site"
    site.mkdir()
    path = f"{python_path(site, folder / 'weather')}{os.pathsep}{bare}"
    environment = {"PYTHONPATH": path, "SYSTEM_AGENTS": str(agents), "DEFAULT_AGENT": "weather"}
    with running(environment=environment, python=PYTHON) as url:
        yield url


def told(url: str, text: str, **props: Any) -> list[dict[str, Any]] | dict[str, Any]:
    """The events of a run with these `forwardedProps`, or the problem."""
    with httpx.Client(base_url=url, timeout=60) as client:
        token = client.post("/local/token", json={"sub": "alice"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        body = {
            "threadId": "thread",
            "runId": f"run-{len(props)}",
            "messages": [{"id": "message", "role": "user", "content": text}],
            "forwardedProps": props,
        }
        answer = client.post("/send-message", json=body)
    if answer.status_code != 200:
        problem: dict[str, Any] = answer.json()
        return problem
    lines = (line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: "))
    return [json.loads(line) for line in lines]


def test_the_layer_has_the_platform_alone(bare: str) -> None:
    names = ("yarrow", "yarrow_agents", "liuyao")
    code = f"import importlib.util as util; print(*(util.find_spec(each) is not None for each in {names}))"
    found = subprocess.run(
        [*PYTHON, "-c", code], env={"PYTHONPATH": bare}, cwd="/", capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["True", "False", "False"]


def test_the_agent_of_one_file_runs_on_it(echo: str) -> None:
    """CMP-02, RNR-13."""
    events = told(echo, "Good morning.")
    assert isinstance(events, list), events
    assert [events[0]["type"], events[-1]["type"]] == ["RUN_STARTED", "RUN_FINISHED"]
    said = "".join(each["delta"] for each in events if each["type"] == "TEXT_MESSAGE_CONTENT")
    assert said == "You said: Good morning. "


def test_a_package_brings_its_own_event_and_input_rules(weather: str) -> None:
    """RNR-01, FWD-01, AUT-05."""
    events = told(weather, "What will it be?", city="Berlin")
    assert isinstance(events, list), events
    (custom,) = (each for each in events if each["type"] == "CUSTOM")
    assert (custom["name"], custom["value"]) == ("acme.forecast", {"city": "Berlin", "celsius": 21})
    assert events[-1]["type"] == "RUN_FINISHED"


def test_what_its_rules_refuse_is_a_problem(weather: str) -> None:
    problem = told(weather, "What will it be?")
    assert isinstance(problem, dict)
    assert (problem["status"], problem["code"]) == (422, "AGENT_RUN_INPUT_INVALID")
    assert problem["detail"] == "forwardedProps.city must be text"
