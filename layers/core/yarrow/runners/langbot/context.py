"""The context of a run as the SDK's `RunnerContext`.

Source: `agent-runner.md` §4 and the SDK's entities. Fields unknown to the SDK are dropped or kept in
`runtime.metadata`. Nothing is granted beyond the run's grant (RNR-25).
"""

from collections.abc import Mapping
from typing import Any, Final

from yarrow.protocol.runner.models import AgentInput, AgentResources, AgentRunContext, AgentRuntimeContext, ArtifactRef
from yarrow.protocol.runner.resources import ModelResource
from yarrow.runners.langbot.messages import to_sdk_parts

STATE_SCOPES: Final = frozenset({"conversation", "actor", "subject", "runner"})
"""The SDK has no `binding` (C19)."""

_SOURCES: Final = {"pipeline_adapter": "host_adapter"}
"""Trigger sources with another name in the SDK (C20)."""

_NONE: Final[Mapping[str, str]] = {}
_ARTIFACT_APIS: Final = {"artifact_metadata", "artifact_read"}


def to_sdk_context(context: AgentRunContext, data_urls: Mapping[str, str] = _NONE) -> dict[str, Any]:
    """`data_urls` are the input's pictures by artifact id."""
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
    """The SDK cannot read it but names it to a model (C21)."""
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
    """Without the client's tools: SDK runners call every tool they are given (RNR-53)."""
    return {
        "models": [_model(each) for each in granted.models],
        "tools": [each.model_dump(mode="json") for each in granted.tools if each.tool_type == "backend"],
        "knowledge_bases": [each.model_dump(mode="json") for each in granted.knowledge_bases],
        "storage": {"plugin_storage": granted.storage.plugin, "workspace_storage": granted.storage.workspace},
        "platform_capabilities": granted.platform_capabilities,
    }


def _model(granted: ModelResource) -> dict[str, Any]:
    """A usable model also allows token counting, which the adapter estimates."""
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
