"""Makes an installable runner from a published plugin's folder.

`spec.components` in `manifest.yaml` locates the runners' manifests, which name their classes.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runners.langbot import manifest as manifests
from yarrow.runners.langbot.deltas import DeltaSemantics
from yarrow.runners.langbot.runner import langbot_runner


def langbot_plugin(
    folder: Path,
    *,
    runner: str | None = None,
    plugin_config: Mapping[str, Any] | None = None,
    delta_semantics: DeltaSemantics = "auto",
) -> InstalledRunner:
    """Make the runner of the plugin in this folder, chosen by name if there are several.

    Other arguments are as for `langbot_runner`. Raises ValueError unless there is exactly one.
    """
    metadata = manifests.load(folder / "manifest.yaml").get("metadata") or {}
    found = [component for component in _runners(folder) if runner in (None, component[1]["metadata"]["name"])]
    if len(found) != 1:
        names = ", ".join(component[1]["metadata"]["name"] for component in _runners(folder)) or "none"
        raise ValueError(f"{folder} must have exactly one runner {runner or ''}; it has {names}")
    [(path, document)] = found
    return langbot_runner(
        _class(folder, path, document),
        manifest=document,
        plugin=f"{metadata.get('author')}/{metadata.get('name')}",
        folder=folder,
        plugin_config=plugin_config,
        delta_semantics=delta_semantics,
    )


def _runners(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    components = (manifests.load(folder / "manifest.yaml").get("spec") or {}).get("components") or {}
    for kind in sorted(manifests.KINDS & components.keys()):
        listed = components[kind]
        paths = [folder / file for file in listed.get("fromFiles", ())]
        for directory in listed.get("fromDirs", ()):
            paths += sorted((folder / directory["path"]).rglob("*.yaml"))
        for path in paths:
            document = manifests.load(path)
            if document.get("kind") in manifests.KINDS and "name" in (document.get("metadata") or {}):
                yield path, document


def _class(folder: Path, manifest: Path, document: Mapping[str, Any]) -> str:
    """Return `module:Class` of a runner, relative to the folder."""
    python = (document.get("execution") or {}).get("python") or {}
    if not python.get("path") or not python.get("attr"):
        raise ValueError(f"{manifest} does not name its class in execution.python")
    file = (manifest.parent / python["path"]).resolve().relative_to(folder.resolve())
    return f"{'.'.join(file.with_suffix('').parts)}:{python['attr']}"
