"""The context of a run as the SDK's `RunnerContext` has it.

Source: `agent-runner.md` §4 and the SDK's entities. A field the SDK has not is dropped, or kept in `runtime.metadata`
if a runner may want to know; the rest keeps its name. Nothing is granted that the run was not granted (RNR-25).
"""

from collections.abc import Mapping
from typing import Any, Final

from yarrow.protocol.runner.models import AgentInput, AgentResources, AgentRunContext, AgentRuntimeContext, ArtifactRef
from yarrow.protocol.runner.resources import ModelResource
from yarrow.runners.langbot.messages import to_sdk_parts

STATE_SCOPES: Final = frozenset({"conversation", "actor", "subject", "runner"})
"""The scopes of state the SDK knows; `binding` is not among them (C19)."""

_SOURCES: Final = {"pipeline_adapter": "host_adapter"}
"""Sources of a trigger that have another name in the SDK (C20)."""

_NONE: Final[Mapping[str, str]] = {}
_ARTIFACT_APIS: Final = {"artifact_metadata", "artifact_read"}


def to_sdk_context(context: AgentRunContext, data_urls: Mapping[str, str] = _NONE) -> dict[str, Any]:
    """The document of a RunnerContext. `data_urls` are those of the input's pictures, by the ids of their artifacts."""
    document = context.model_dump(
        mode="json",
        exclude={"bootstrap": True, "state": {"binding"}, "context": {"available_apis": _ARTIFACT_APIS}},
    )
    document["trigger"]["source"] = _SOURCES.get(context.trigger.source, context.trigger.source)
    if document["conversation"] is not None and context.actor is not None:
        document["conversation"]["sender_id"] = context.actor.actor_id
    document["input"] = _input(context.input, data_urls)
    document["resources"] = _resources(context.resources)
    document["runtime"] = _runtime(context.runtime)
    return document


def to_sdk_attachment(artifact: Mapping[str, Any]) -> dict[str, Any]:
    """An artifact's reference as an attachment; the SDK has no way to read it, but names it to a model (C21)."""
    return {
        "ref": artifact["artifact_id"],
        "id": artifact["artifact_id"],
        "type": artifact.get("artifact_type"),
        "mime_type": artifact.get("mime_type"),
        "name": artifact.get("name"),
        "size": artifact.get("size_bytes"),
    }


def _input(given: AgentInput, data_urls: Mapping[str, str]) -> dict[str, Any]:
    parts = given.contents
    if not parts and given.text:
        parts = ({"type": "text", "text": given.text},)
    return {
        "text": given.text,
        "contents": list(to_sdk_parts(parts, data_urls)),
        "attachments": [_attachment(each, data_urls.get(each.artifact_id)) for each in given.attachments],
    }


def _attachment(given: ArtifactRef, data_url: str | None) -> dict[str, Any]:
    attachment = to_sdk_attachment(given.model_dump(mode="json"))
    return attachment if data_url is None else {**attachment, "source": "base64", "content": data_url}


def _resources(granted: AgentResources) -> dict[str, Any]:
    """The SDK's runners call every tool they are told of, so those of the client are not among them (RNR-53)."""
    return {
        "models": [_model(each) for each in granted.models],
        "tools": [each.model_dump(mode="json") for each in granted.tools if each.tool_type == "backend"],
        "knowledge_bases": [each.model_dump(mode="json") for each in granted.knowledge_bases],
        "storage": {"plugin_storage": granted.storage.plugin, "workspace_storage": granted.storage.workspace},
        "platform_capabilities": granted.platform_capabilities,
    }


def _model(granted: ModelResource) -> dict[str, Any]:
    """A model that may be asked may also be asked for the size of a request, which the adapter estimates."""
    document = granted.model_dump(mode="json")
    if {"invoke", "stream"} & set(granted.operations):
        document["operations"].append("count_tokens")
    return document


def _runtime(runtime: AgentRuntimeContext) -> dict[str, Any]:
    return {
        "langbot_version": runtime.langbot_version,
        "trace_id": runtime.trace_id,
        "deadline_at": runtime.deadline_at,
        "metadata": {
            **runtime.metadata,
            "host": runtime.host,
            "locale": runtime.locale,
            "timezone": runtime.timezone,
        },
    }
