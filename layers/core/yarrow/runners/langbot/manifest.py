"""Translates the manifest of an SDK runner (component YAML) to ours.

Source: `agent-runner.md` §3 and the SDK's `RunnerManifest`. SDK-only members are kept under `metadata["langbot"]` and
grant nothing. The context policy follows from the permissions.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from yarrow.protocol.runner.manifest import (
    AgentRunnerCapabilities,
    AgentRunnerContextPolicy,
    AgentRunnerManifest,
    AgentRunnerPermissions,
    DynamicFormItem,
)
from yarrow.runners.langbot.deltas import DeltaSemantics

KINDS: Final = frozenset({"Runner", "AgentRunner"})
_COUNT_TOKENS: Final = "count_tokens"
"""An operation of the SDK only; the adapter counts itself."""


def load(path: Path) -> dict[str, Any]:
    import yaml  # needed by LangBot runners only

    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(document, dict):
        raise TypeError(f"{path} is not the manifest of a component")
    return document


def translate(
    document: Mapping[str, Any], plugin: str, delta_semantics: DeltaSemantics, class_schema: list[Any]
) -> AgentRunnerManifest:
    """Translate the manifest of a runner in the plugin `author/name`.

    `class_schema` is used if the document has no configuration schema. Raises ValueError unless the document is an
    agent's.
    """
    metadata, spec = document.get("metadata") or {}, document.get("spec") or {}
    if document.get("kind") not in KINDS or "name" not in metadata:
        raise ValueError("not the manifest of a runner")
    if "agent" not in spec.get("usages", ["agent"]):
        raise ValueError(f"the runner {metadata['name']} handles events of a chat platform and is not an agent")
    permissions, sdk_permissions = _permissions(spec.get("permissions") or {})
    capabilities, sdk_capabilities = _split(spec.get("capabilities") or {}, AgentRunnerCapabilities.model_fields)
    return AgentRunnerManifest(
        id=f"plugin:{plugin}/{metadata['name']}",
        name=metadata["name"],
        label=metadata.get("label") or {"en_US": metadata["name"]},
        description=metadata.get("description"),
        capabilities=AgentRunnerCapabilities.model_validate(capabilities),
        permissions=permissions,
        context=AgentRunnerContextPolicy(
            supports_history_pull="page" in permissions.history,
            supports_history_search="search" in permissions.history,
            supports_artifact_pull=False,
            wants_static_context_refs=False,
        ),
        config_schema=tuple(DynamicFormItem.model_validate(item) for item in spec.get("config") or class_schema),
        metadata={
            "delta_semantics": delta_semantics,
            "langbot": {
                "kind": document["kind"],
                "usages": spec.get("usages", []),
                "events": spec.get("events", []),
                "capabilities": sdk_capabilities,
                "permissions": sdk_permissions,
            },
        },
    )


def _permissions(declared: Mapping[str, Any]) -> tuple[AgentRunnerPermissions, dict[str, Any]]:
    known, sdk_only = _split(declared, AgentRunnerPermissions.model_fields)
    if _COUNT_TOKENS in known.get("models", ()):
        known["models"] = [operation for operation in known["models"] if operation != _COUNT_TOKENS]
        sdk_only["models"] = [_COUNT_TOKENS]
    return AgentRunnerPermissions.model_validate(known), sdk_only


def _split(declared: Mapping[str, Any], fields: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split a declaration into our members and the SDK-only ones."""
    known = {name: value for name, value in declared.items() if name in fields}
    return known, {name: value for name, value in declared.items() if name not in fields}
