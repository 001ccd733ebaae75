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
"""The SDK's scopes, which lack `binding` (C19)."""

_SOURCES: Final = {"pipeline_adapter": "host_adapter"}
"""Trigger sources with another name in the SDK (C20)."""

_NONE: Final[Mapping[str, str]] = {}
_ARTIFACT_APIS: Final = {"artifact_metadata", "artifact_read"}


def to_sdk_context(context: AgentRunContext, data_urls: Mapping[str, str] = _NONE) -> dict[str, Any]:
    """Translate a context; `data_urls` are the input's pictures by artifact id."""
    document = context.model_dump(
        mode="json",
        exclude={"bootstrap": True, "state": {"binding"}, "context": {"available_apis": _ARTIFACT_APIS}},
    )
    document["context"]["available_apis"]["prompt_get"] = True
    document["trigger"]["source"] = _SOURCES.get(context.trigger.source, context.trigger.source)
    if document["conversation"] is not None and context.actor is not None:
        document["conversation"]["sender_id"] = context.actor.actor_id
    document["input"] = _input(context.input, data_urls)
    document["resources"] = _resources(context.resources)
    document["runtime"] = _runtime(context.runtime)
    return document


def to_sdk_attachment(artifact: Mapping[str, Any]) -> dict[str, Any]:
    """Translate an artifact, which the SDK cannot read but names to a model (C21)."""
    return {
        "ref": artifact["artifact_id"],
        "id": artifact["artifact_id"],
        "type": artifact.get("artifact_type"),
        "mime_type": artifact.get("mime_type"),
        "name": artifact.get("name"),
        "size": artifact.get("size_bytes"),
    }


def _input(agent_input: AgentInput, data_urls: Mapping[str, str]) -> dict[str, Any]:
    parts = agent_input.contents
    if not parts and agent_input.text:
        parts = ({"type": "text", "text": agent_input.text},)
    submitted = {} if agent_input.interaction is None else {"interaction": agent_input.interaction}
    return {
        **submitted,
        "text": agent_input.text,
        "contents": list(to_sdk_parts(parts, data_urls)),
        "attachments": [
            _attachment(attachment, data_urls.get(attachment.artifact_id)) for attachment in agent_input.attachments
        ],
    }


def _attachment(artifact: ArtifactRef, data_url: str | None) -> dict[str, Any]:
    attachment = to_sdk_attachment(artifact.model_dump(mode="json"))
    return attachment if data_url is None else {**attachment, "source": "base64", "content": data_url}


def _resources(granted: AgentResources) -> dict[str, Any]:
    """Translate resources without the client's tools: SDK runners call every tool they have (RNR-53)."""
    return {
        "models": [_model(model) for model in granted.models],
        "tools": [tool.model_dump(mode="json") for tool in granted.tools if tool.tool_type == "backend"],
        "knowledge_bases": [base.model_dump(mode="json") for base in granted.knowledge_bases],
        "storage": {"plugin_storage": granted.storage.plugin, "workspace_storage": granted.storage.workspace},
        "platform_capabilities": granted.platform_capabilities,
    }


def _model(granted: ModelResource) -> dict[str, Any]:
    """Translate a model. A usable one also allows token counting, which the adapter estimates."""
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
