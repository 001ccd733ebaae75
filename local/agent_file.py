"""`AGENT=… make run`: installs an agent from one file, with minimal permissions.

A deployment takes a package with an entry point and a block in the list of agents (docs/write-a-runner.md); both are
made here from the file.
"""

import importlib
import sys
from pathlib import Path

import yaml

from yarrow.protocol.runner.manifest import surface_of
from yarrow.runners.discovery import ENTRY_POINTS, checked


def install(file: Path, agents: Path, into: Path) -> Path:
    """Install the file's `RUNNER` as the agent with the file's name; returns the list of `agents` with it.

    Writes the list and the package's metadata `into` a folder. The agent may use the model `chat` if its manifest asks
    for models, and has the workspace that its manifest declares. Raises what the file raises, and TypeError or
    ValueError for an unusable runner.
    """
    name = file.stem
    sys.path[:0] = [str(file.parent), str(into)]
    try:
        runner = checked(getattr(importlib.import_module(name), "RUNNER", None))
    except TypeError as error:
        raise ValueError(f"RUNNER is {error}") from error
    metadata = into / f"{name}-0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\n{name} = {name}:RUNNER\n", encoding="utf-8")

    listed = yaml.safe_load(agents.read_text(encoding="utf-8"))
    if name in listed["agents"]:
        raise ValueError(f"{name} is already the name of an agent")
    models = ["chat"] if runner.manifest.permissions.models else []
    block = {"runner": runner.manifest.id, "modes": {"chat": {}}, "resources": {"models": models}}
    if (surface := surface_of(runner.manifest.metadata)) is not None:
        block["workspace"] = {"events": sorted(surface.events)}
    listed["agents"][name] = block
    together = into / "system_agents.yaml"
    together.write_text(yaml.safe_dump(listed, sort_keys=False), encoding="utf-8")
    return together
