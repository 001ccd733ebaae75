"""Installs the agents of a project (`AGENT=folder make run`): entry points of its package and blocks of its agents.

Both files, `pyproject.toml` and `agent.yaml`, are those of a deployment. The project is used where it is, without pip;
what it depends on is in the environment already.
"""

import sys
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

import yaml

from local.agent_file import declare, listed_with
from yarrow.agents import system_agents
from yarrow.agents.descriptors import SystemAgentsError
from yarrow.runners.discovery import ENTRY_POINTS, Candidate, RejectedRunner, load

AGENTS: Final = "agent.yaml"
PACKAGE: Final = "pyproject.toml"


def install(folder: Path, agents: Path | None, into: Path, config: Mapping[str, Any] | None = None) -> Path:
    """Install a project and return the list of `agents` with its own; `config` replaces members of their configs.

    Raises ValueError for what cannot be used.
    """
    package = _package(folder / PACKAGE)
    sys.path[:0] = [str(folder), str(into)]
    points: Mapping[str, Mapping[str, str]] = package.get("entry-points", {})
    declare(into, str(package["name"]), str(package.get("version", "0")), points)
    for name, place in points.get(ENTRY_POINTS, {}).items():
        found = load(Candidate(name, partial(resolve_name, place)))
        if isinstance(found, RejectedRunner):
            raise ValueError(f"{place}: {found.reason}")  # noqa: TRY004 (the content of a file)
    blocks = _blocks(folder / AGENTS, into)
    for block in blocks.values():
        block["config"] = {**(block.get("config") or {}), **(config or {})}
    return listed_with(agents, blocks, into)


def _package(file: Path) -> Mapping[str, Any]:
    """Return the table `project`. Raises ValueError."""
    try:
        project: Mapping[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        return {"name": project["name"], **project}
    except OSError as error:
        raise ValueError(f"{file.name}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file.name}: {error}") from None
    except KeyError as error:
        raise ValueError(f"{file.name} has no {error}") from None


def _blocks(file: Path, into: Path) -> dict[str, dict[str, Any]]:
    """Return the blocks of a file that is indented as below `agents:`. Raises ValueError."""
    whole = into / file.name
    try:
        whole.write_text(f"agents:\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
        system_agents.load(whole)
    except OSError as error:
        raise ValueError(f"{file.name}: {error.strerror}") from None
    except SystemAgentsError as error:
        raise ValueError(f"{file.name}: {error}") from None
    blocks: dict[str, dict[str, Any]] = yaml.safe_load(whole.read_text(encoding="utf-8"))["agents"]
    return blocks
