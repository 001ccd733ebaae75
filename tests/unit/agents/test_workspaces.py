"""Which agents a page may open as workspaces, under which task names, and what their runners must declare for it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.system_agents import RUNNER, agent
from yarrow.agents import bindings, deployment_checks, system_agents
from yarrow.agents.descriptors import SystemAgentsError
from yarrow.protocol.runner.manifest import AgentRunnerManifest, surface_of
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runners.discovery import checked
from yarrow.worker.invocation.registry import registry

ALL = {"workspace.init", "workspace.input", "workspace.option", "workspace.answer"} | {
    "workspace.attachment",
    "workspace.control",
}


@pytest.fixture
def deployed(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = {
        "plain": agent(),
        "named": agent(workspace={"task_name": "求职AI助手", "events": ["workspace.input"]}),
        "own": agent(workspace={}),
    }
    bound = bindings.bind(agents)
    monkeypatch.setattr(bindings, "deployed", lambda: bound)


@pytest.mark.usefixtures("deployed")
def test_a_task_is_an_agent_with_a_workspace() -> None:
    """WSP-01, WSP-02: by its exact name, which is the agent's own if it has no other."""
    found = {task: bindings.for_task(task) for task in ("求职AI助手", "own", "named", "plain", "OWN", "")}
    assert {task: binding and binding.agent for task, binding in found.items()} == {
        "求职AI助手": "named",
        "own": "own",
        **dict.fromkeys(("named", "plain", "OWN", "")),
    }
    tasks = {name: bindings.task_of(name) for name in ("named", "own", "plain", "nobody")}
    assert tasks == {"named": "求职AI助手", "own": "own", "plain": None, "nobody": None}


@pytest.mark.usefixtures("deployed")
def test_the_commands_that_start_a_run_are_the_bindings() -> None:
    """WSP-33: all of them, if it lists none."""
    events = {name: bindings.deployed()[name].workspace_events for name in ("named", "own", "plain")}
    assert events == {"named": {"workspace.input"}, "own": ALL, "plain": set()}


def load(folder: Path, **workspaces: Any) -> Any:
    blocks = {
        name: {"runner": RUNNER, "modes": {"chat": {}}, "workspace": workspace}
        for name, workspace in workspaces.items()
    }
    path = folder / "system_agents.yaml"
    path.write_text(yaml.safe_dump({"agents": blocks}), encoding="utf-8")
    return system_agents.load(path)


@pytest.mark.parametrize(
    ("workspaces", "fault"),
    [
        ({"one": {}, "two": {"task_name": "one"}}, "workspace.task_name names one twice"),
        ({"one": {"task_name": "x"}, "two": {"task_name": "x"}}, "workspace.task_name names x twice"),
        ({"one": {"task_name": ""}}, "task_name"),
        ({"one": {"task_name": " cast"}}, "task_name"),
        ({"one": {"task_name": "a\nb"}}, "task_name"),
        ({"one": {"task_name": "x" * 129}}, "task_name"),
        ({"one": {"events": []}}, "events"),
        ({"one": {"events": ["workspace.open"]}}, "events"),
        ({"one": {"colour": "red"}}, "colour"),
    ],
)
def test_a_workspace_that_breaks_a_rule_is_refused(tmp_path: Path, workspaces: dict[str, Any], fault: str) -> None:
    """AUT-05: Two agents of one task are refused, too."""
    with pytest.raises(SystemAgentsError, match=fault):
        load(tmp_path, **workspaces)


@pytest.mark.parametrize(
    ("declared", "fault"),
    [
        (None, f"agents.echo has a workspace, and {RUNNER} declares none"),
        (frozenset({"workspace.init"}), "workspace.events has workspace.input, which .* does not take"),
    ],
)
def test_a_runner_must_serve_the_workspace_of_its_agent(declared: Any, fault: str) -> None:
    """AUT-05, WSP-33: found out when the function starts."""
    agents = {"plain": agent(), "echo": agent(workspace={"events": ["workspace.init", "workspace.input"]})}
    with pytest.raises(SystemAgentsError, match=fault):
        deployment_checks.check_surfaces(agents, lambda _: declared)
    deployment_checks.check_surfaces(agents, lambda _: frozenset({"workspace.init", "workspace.input"}))


def test_the_runners_of_the_file_serve_its_workspaces() -> None:
    """AUT-05, WSP-33: what the start of a function leaves to this test."""

    def declared(runner_id: str) -> Any:
        surface = surface_of(registry.find(runner_id).manifest.metadata)
        return None if surface is None else surface.events

    agents = system_agents.load()
    deployment_checks.check_surfaces(agents, declared)
    assert bindings.for_task("assistant") is not None


@pytest.mark.parametrize("surface", [{}, {"events": []}, {"events": ["workspace.open"]}, {"events": "all"}, True])
def test_a_runner_with_a_malformed_surface_is_rejected(surface: Any) -> None:
    """RNR-03, WSP-33."""
    manifest = AgentRunnerManifest(id=RUNNER, name="default", label={"en_US": "x"}, metadata={"workspace": surface})
    with pytest.raises(ValueError, match="WorkspaceSurface"):
        checked(InstalledRunner(manifest, lambda: None))  # type: ignore[arg-type, return-value]
