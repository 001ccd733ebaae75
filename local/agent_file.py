"""Installs an agent from one file (`AGENT=… make run`) and grants what it declares.

A deployment takes a package with an entry point and a block in the list of agents (docs/write-a-runner.md); both are
made here from the file: its `RESOURCES` are those of the block. Kinds that it does not name are granted as its manifest
asks for them, except tools, of which none is: a model that is offered tools which write does write with them.
A folder that has both is a project (`local.agent_project`).
"""

import importlib
import json
import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError

from yarrow.agents.policies import ResourcePolicy
from yarrow.packages import declared, event_types
from yarrow.protocol.events.event_types import EventType
from yarrow.protocol.runner.manifest import AgentRunnerManifest, surface_of
from yarrow.runners.discovery import ENTRY_POINTS, checked
from yarrow.services import knowledge
from yarrow.services.tools.names import NAMES
from yarrow.settings import settings

MAX_MINUTES: Final = 1_440
"""How long its runs may last: as long as any agent's."""

MAX_MESSAGES: Final = 1_000
"""The widest window of a mode."""

logger = logging.getLogger(__name__)


def install(file: Path, agents: Path | None, into: Path, config: Mapping[str, Any] | None = None) -> Path:
    """Install the file's `RUNNER`, and its event types, as the agent with the file's name and its `RESOURCES`.

    Returns the list of `agents` with it.

    Writes the list and the package's metadata `into` a folder, and logs the grants. Raises what the file raises, and
    TypeError or ValueError for an unusable runner.
    """
    name = file.stem
    sys.path[:0] = [str(file.parent), str(into)]
    try:
        runner = checked(getattr(importlib.import_module(name), "RUNNER", None))
    except TypeError as error:
        raise ValueError(f"RUNNER is {error}") from error
    resources = _declared(getattr(sys.modules[name], "RESOURCES", {}))
    types = {
        event_type.type: f"{name}:{place}"
        for place, event_type in vars(sys.modules[name]).items()
        if isinstance(event_type, EventType)
    }
    declare(into, name, "0", {ENTRY_POINTS: {name: f"{name}:RUNNER"}, event_types.ENTRY_POINTS: types})
    block = _block(runner.manifest, resources, config or {})
    listed = listed_with(agents, {name: block}, into)
    if runner.manifest.permissions.tools and "tools" not in resources:
        logger.info("AGENT: %s is granted no tools of the host: RESOURCES = {'tools': [...]} in it names some", name)
    return listed


def declare(into: Path, name: str, version: str, points: Mapping[str, Mapping[str, str]]) -> None:
    """Write the metadata of an installed package: its entry points by group."""
    metadata = into / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    groups = [
        "".join([f"[{group}]\n", *(f"{point} = {place}\n" for point, place in places.items())])
        for group, places in points.items()
    ]
    (metadata / "entry_points.txt").write_text("".join(groups), encoding="utf-8")


def listed_with(agents: Path | None, blocks: Mapping[str, Mapping[str, Any]], into: Path) -> Path:
    """Write the list of `agents` with further ones, and log what these are granted. Raises ValueError."""
    listed = yaml.safe_load(agents.read_text(encoding="utf-8")) if agents else {"agents": {}}
    for name, block in blocks.items():
        if name in listed["agents"]:
            raise ValueError(f"{name} is already the name of an agent")
        listed["agents"][name] = block
        logger.info("AGENT: %s is granted %s", name, granted(block))
    together = into / "system_agents.yaml"
    together.write_text(yaml.safe_dump(listed, sort_keys=False), encoding="utf-8")
    return together


def _declared(resources: Any) -> Mapping[str, Any]:
    """Return `RESOURCES`, which are as in a block. Raises ValueError."""
    try:
        policy = ResourcePolicy.model_validate(resources)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(": ".join(["RESOURCES", *map(str, first["loc"]), first["msg"]])) from None
    if unknown := sorted({tool.id for tool in policy.tools} - NAMES):
        raise ValueError(f"RESOURCES: tools: the host has no {', '.join(unknown)}, but {', '.join(sorted(NAMES))}")
    declared: Mapping[str, Any] = resources
    return declared


def _block(
    manifest: AgentRunnerManifest, declared_resources: Mapping[str, Any], config: Mapping[str, Any]
) -> dict[str, Any]:
    """Grant what is declared. Of other kinds, all that the manifest asks for, but no tools, and no actions, which an
    operator approves one by one.
    """
    permissions = manifest.permissions
    resources: dict[str, Any] = {
        "models": sorted({"chat", *_language_models()}) if permissions.models else [],
        "tools": [],
        "knowledge_bases": _knowledge_bases() if permissions.knowledge_bases else [],
        "history": list(permissions.history),
        "events": list(permissions.events),
        "artifacts": list(permissions.artifacts),
        "storage": list(permissions.storage),
        **declared_resources,
    }
    block = {
        "runner": manifest.id,
        "modes": {"chat": _mode(manifest)},
        "resources": {kind: listed for kind, listed in resources.items() if listed},
        "max_minutes": MAX_MINUTES,
        "mcp_tool": True,
        "config": dict(config),
    }
    if (surface := surface_of(manifest.metadata)) is not None:
        block["workspace"] = {"events": sorted(surface.events)}
    return block


def _mode(manifest: AgentRunnerManifest) -> dict[str, Any]:
    """Give as much of the conversation as the manifest asks for."""
    wanted = manifest.context
    if wanted.bootstrap in ("none", "current_event") or not wanted.max_inline_events:
        return {}
    count = min(wanted.max_inline_events, MAX_MESSAGES)
    return {"context": {"source": "latest_chat", "window_mode": "number", "window_count": count}}


def _language_models() -> list[str]:
    """Return the names in MODELS of language models; MODELS is validated later."""
    try:
        return [key for key, name in settings.models.items() if not str(name).startswith("bedrock-rerank:")]
    except (AttributeError, OSError, ValueError):
        return []


def _knowledge_bases() -> list[str]:
    """Return all knowledge bases; those of packages only, if KNOWLEDGE_BASES is invalid."""
    try:
        return knowledge.ids()
    except ValueError:
        return sorted(declared.names(knowledge.ENTRY_POINTS))


def granted(block: Mapping[str, Any]) -> str:
    """Describe the grants in one line, without the values of the config."""
    resources = block.get("resources") or {}
    kinds = [f"{kind}: {', '.join(map(_id_of, listed))}" for kind, listed in resources.items()]
    kinds += [f"config: {', '.join(sorted(config))}"] if (config := block.get("config")) else []
    return "; ".join([*kinds, "state of the conversation and the user"])


def _id_of(resource: Any) -> str:
    """Return what a grant names: an id, or an object with it."""
    return str(resource.get("id", resource.get("action"))) if isinstance(resource, dict) else str(resource)


def config_of(text: str) -> dict[str, Any]:
    """Read AGENT_CONFIG. Raises ValueError."""
    try:
        config = json.loads(text or "{}")
    except ValueError as error:
        raise ValueError(f"AGENT_CONFIG is not JSON: {error}") from None
    if not isinstance(config, dict):
        raise ValueError("AGENT_CONFIG is not a JSON object")  # noqa: TRY004 (the value of a variable)
    return config
