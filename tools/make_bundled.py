"""Generates the core layer's files about the packages beside the platform; a test compares.

`bundled.json` in the layer has their entry points, what functions know of their agents, and what models know of their
tools. `system_agents.yaml` there
is the agents' file: the head that explains it, and the block of each (`agent.yaml` in the folder that an entry point
of `yarrow.agents` names). Run `python -m tools.make_bundled` after changing either.
"""

import json
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from yarrow.agents import system_agents
from yarrow.agents.descriptors import FILE
from yarrow.packages.declared import INDEX, LAYER
from yarrow.services.tools.names import ENTRY_POINTS, OF_THE_PLATFORM

HEAD: Final = LAYER / "yarrow/agents/system_agents.head.yaml"
OURS: Final = "yarrow."
AGENTS: Final = "yarrow.agents"


def entry_points() -> dict[str, dict[str, str]]:
    """Return the entry points of the platform and of the packages beside it, by group and name."""
    found: dict[str, dict[str, str]] = {}
    for path in (LAYER.parents[1] / "pyproject.toml", *sorted(LAYER.glob("*/pyproject.toml"))):
        project: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        for group, places in project.get("entry-points", {}).items():
            if group.startswith(OURS):
                found.setdefault(group, {}).update(places)
    return found


def agents_file() -> str:
    folders = (LAYER / module.replace(".", "/") for module in entry_points().get(AGENTS, {}).values())
    blocks = (folder.joinpath("agent.yaml").read_text(encoding="utf-8") for folder in folders)
    return f"{HEAD.read_text(encoding='utf-8')}\nagents:\n" + "\n".join(blocks)


def tool_details() -> dict[str, dict[str, Any]]:
    """Return the tools of the platform and of the packages beside it, as models get them, by name."""
    from yarrow.services.tools.builtin import TOOLS  # it needs the entry points from the index

    names = sorted(OF_THE_PLATFORM | entry_points().get(ENTRY_POINTS, {}).keys())
    details = ((name, TOOLS.detail(name)) for name in names)
    return {name: detail.model_dump(exclude={"tool_name"}) for name, detail in details if detail is not None}


def index(agents: Path = FILE) -> str:
    described = {name: asdict(agent.descriptor(name)) for name, agent in system_agents.load(agents).items()}
    found = {"entry_points": entry_points(), "agents": described, "tools": tool_details()}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    # Reading the agents' file needs their rules from the index.
    INDEX.write_text(json.dumps({"entry_points": entry_points(), "agents": {}, "tools": {}}), encoding="utf-8")
    FILE.write_text(agents_file(), encoding="utf-8")
    INDEX.write_text(index(), encoding="utf-8")
