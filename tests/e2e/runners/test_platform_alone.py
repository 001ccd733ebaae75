"""The platform without its bundled agents: a layer with neither their package nor `liuyao`, and other agents."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import uuid
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
FILES: Final = dict(
    re.findall(r"^`((?:weather|tides)/[\w.]+)`[^\n]*\n\n```\w+\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
)
"""The guide's packages: one with input rules, an event and an error code, one with a tool, knowledge and a card."""
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
    """Yield the base URL of a local stack with the agent of one file, and no other."""
    environment = {"PYTHONPATH": bare, "AGENT": str(ECHO), "DEFAULT_AGENT": "echo", "SYSTEM_AGENTS": ""}
    with running(environment=environment, python=PYTHON) as url:
        yield url


@pytest.fixture(scope="module")
def weather(bare: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same with packages of others, as the guide has them."""
    folder = tmp_path_factory.mktemp("weather")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    agents = folder / "system_agents.yaml"
    agents.write_text(f"agents:\n{FILES['weather/agent.yaml']}{FILES['tides/agent.yaml']}", encoding="utf-8")
    site = folder / "site"
    site.mkdir()
    python_path(site, folder / "tides")
    path = os.pathsep.join([python_path(site, folder / "weather"), str(folder), bare])
    environment = {"PYTHONPATH": path, "SYSTEM_AGENTS": str(agents), "DEFAULT_AGENT": "weather"}
    with running(environment=environment, python=PYTHON) as url:
        yield url


def events_of(url: str, text: str, **props: Any) -> list[dict[str, Any]] | dict[str, Any]:
    """Return the events of a run with these `forwardedProps`, or the problem."""
    with httpx.Client(base_url=url, timeout=60) as client:
        token = client.post("/local/token", json={"sub": "alice"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        body = {
            "threadId": "thread",
            "runId": str(uuid.uuid4()),
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
    events = events_of(echo, "Good morning.")
    assert isinstance(events, list), events
    assert [events[0]["type"], events[-1]["type"]] == ["RUN_STARTED", "RUN_FINISHED"]
    text = "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")
    assert text == "You said: Good morning. "


def test_a_package_brings_its_own_event_and_input_rules(weather: str) -> None:
    """RNR-01, FWD-01, AUT-05."""
    events = events_of(weather, "What will it be?", city="Berlin")
    assert isinstance(events, list), events
    (custom,) = (event for event in events if event["type"] == "CUSTOM")
    assert (custom["name"], custom["value"]) == ("acme.forecast", {"city": "Berlin", "celsius": 21})
    assert events[-1]["type"] == "RUN_FINISHED"


def test_what_its_rules_refuse_is_a_problem(weather: str) -> None:
    problem = events_of(weather, "What will it be?")
    assert isinstance(problem, dict)
    assert (problem["status"], problem["code"]) == (422, "AGENT_RUN_INPUT_INVALID")
    assert problem["detail"] == "forwardedProps.city must be text"


def test_a_package_has_error_codes_of_its_own(weather: str) -> None:
    """ERR-01: The problem has the meaning that the package declares."""
    problem = events_of(weather, "What will it be?", city="Atlantis")
    assert isinstance(problem, dict)
    assert (problem["status"], problem["code"]) == (422, "AGENT_WEATHER_CITY_UNKNOWN")
    assert problem["detail"] == "Atlantis is not on the map"


@pytest.mark.parametrize(
    ("locale", "title", "port"), [("en-GB", "High tide", "Port"), ("de-DE", "Hochwasser", "Hafen")]
)
def test_a_package_brings_a_tool_knowledge_and_a_card(weather: str, locale: str, title: str, port: str) -> None:
    """TOOL-04, RNR-54, UIS-04: its card is shown with its own words."""
    thread = str(uuid.uuid4())
    with httpx.Client(base_url=weather, timeout=60) as client:
        token = client.post("/local/token", json={"sub": "alice", "locale": locale}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        message = {"id": "message", "role": "user", "content": "What is a high tide?"}
        body = {"threadId": thread, "runId": "run-1", "messages": [message]}
        answer = client.post("/send-message", params={"agent": "tides"}, json=body)
        assert "RUN_FINISHED" in answer.text, answer.text
        history = client.get("/api/v1/agent/history", params={"threadId": thread, "ui": "2.0"}).json()
    (output,) = (message for message in history["messages"] if message["role"] == "assistant")
    found = re.fullmatch(r"At high tide the water stands highest\. The next one is at (\d+:00)\.", output["content"])
    assert found, output
    shown = output["ui_schema"]["root"]["children"]
    texts = [event["content"] for event in shown if event["type"] == "text"]
    assert texts == [title, found[1]]
    (grid,) = (event["children"] for event in shown if event["type"] == "grid")
    assert [message["content"] for message in grid] == [port, "Hamburg"]
