"""Builds a run's context (`agent-runner.md` §4; RNR-10, RNR-14 … RNR-27). The binding is not exposed (RNR-27)."""

import hashlib
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.agents.permissions import frontend_tools
from yarrow.agents.policies import RuntimeConfig
from yarrow.agents.system_agents import SystemAgent
from yarrow.formats import json_text
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import (
    AdapterContext,
    AgentInput,
    AgentResources,
    AgentRunContext,
    AgentRunState,
    AgentRuntimeContext,
    ContextAccess,
    ContextAPICapabilities,
    DeliveryContext,
    StaticContextRef,
)
from yarrow.protocol.runner.vocabulary import INTERRUPTS, SHARED_STATE, StateScope
from yarrow.store.transcript import TranscriptEnd
from yarrow.worker.context import bootstrap
from yarrow.worker.context.entry import Entry

PROTOCOL_VERSION: Final = "1"


def run_context(
    entry: Entry,
    grant: RunGrant,
    manifest: AgentRunnerManifest,
    policy: SystemAgent,
    config: RuntimeConfig,
    position: TranscriptEnd,
    past: bootstrap.BootstrapHistory,
    state: Mapping[StateScope, Mapping[str, Any]],
) -> AgentRunContext:
    """Build the context. `config` is that of the mode or job (FWD-12); only granted scopes of `state` are included
    (RNR-24). Events have no number in the host's log.
    """
    inlined, inline_policy = bootstrap.inline(manifest.context, config.context, past)
    resources = grant.resources.model_copy(
        update={"tools": (*grant.resources.tools, *frontend_tools(entry.tools))},
    )
    shown_config = _shown_config(manifest, policy, entry, config)
    shares_state = "state" in entry.extra and not policy.delivery.shows_state
    return AgentRunContext(
        run_id=grant.run_key,
        trigger=entry.trigger,
        event=entry.event,
        conversation=entry.conversation,
        actor=entry.actor,
        subject=entry.subject,
        input=entry.input if manifest.capabilities.multimodal_input else _text_alone(entry.input),
        delivery=DeliveryContext(
            surface=policy.delivery.surface,
            supports_streaming=policy.delivery.streaming,
            max_message_size=policy.delivery.max_message_size,
            interactions=_interactions(manifest, policy),
            platform_capabilities={
                **({SHARED_STATE: True} if shares_state else {}),
                **({INTERRUPTS: True} if entry.can_answer else {}),
            },
        ),
        resources=resources,
        context=ContextAccess(
            conversation_id=entry.conversation.conversation_id,
            thread_id=entry.conversation.thread_id,
            latest_cursor=position.latest_cursor,
            transcript_seq=position.transcript_seq,
            has_history_before=past.count > 0,
            inline_policy=inline_policy,
            available_apis=_available_apis(grant),
        ),
        state=AgentRunState(**{scope: dict(state.get(scope, {})) for scope in grant.state_scopes}),
        runtime=AgentRuntimeContext(
            trace_id=grant.run_key,
            deadline_at=grant.deadline_at,
            locale=entry.locale,
            timezone=entry.time_zone,
            static_refs=_static_refs(grant, resources, shown_config)
            if manifest.context.wants_static_context_refs
            else {},
            metadata={"protocol_version": PROTOCOL_VERSION},
        ),
        config=shown_config,
        bootstrap=inlined,
        adapter=AdapterContext(extra=entry.extra) if entry.extra else None,
    )


def _shown_config(
    manifest: AgentRunnerManifest, policy: SystemAgent, entry: Entry, config: RuntimeConfig
) -> dict[str, Any]:
    """Return the configuration over the schema's defaults, with the context window."""
    defaults = {item.name: deepcopy(item.default) for item in manifest.config_schema if item.default is not None}
    window = {} if config.context is None else {"context": config.context.model_dump(mode="json")}
    return {**defaults, **policy.config_in(entry.runtime_mode), **window}


def _text_alone(agent_input: AgentInput) -> AgentInput:
    """Drop pictures for runners without `multimodal_input` (RNR-06)."""
    texts = tuple(part for part in agent_input.contents if part["type"] == "text")
    return AgentInput(text=agent_input.text, contents=texts, interaction=agent_input.interaction)


def _available_apis(grant: RunGrant) -> ContextAPICapabilities:
    """Return the context APIs that the grant allows (RNR-21)."""
    allowed = grant.permissions
    return ContextAPICapabilities(
        history_page="page" in allowed.history,
        history_search="search" in allowed.history,
        event_get="get" in allowed.events,
        event_page="page" in allowed.events,
        artifact_metadata="metadata" in allowed.artifacts,
        artifact_read="read" in allowed.artifacts,
        state=bool(grant.state_scopes),
        storage=bool(allowed.storage),
        steering_pull=grant.steering,
    )


def _static_refs(grant: RunGrant, resources: AgentResources, config: Mapping[str, Any]) -> dict[str, StaticContextRef]:
    """Return content hashes for a runner's caches (RNR-23)."""
    lasting = resources.model_dump(mode="json", exclude={"artifacts"})
    tools = sorted(lasting["tools"], key=lambda tool: str(tool["tool_name"]))
    policy = {
        # Artifact permissions change with each input's pictures (C50).
        "permissions": grant.permissions.model_dump(mode="json", exclude={"artifacts"}),
        "state_scopes": grant.state_scopes,
        "config": config,
    }
    parts = {"tool_schemas": tools, "resource_manifest": {**lasting, "tools": tools}, "system_policy": policy}
    return {name: StaticContextRef(hash=_hash(part)) for name, part in parts.items()}


def _hash(part: Any) -> str:
    return "sha256:" + hashlib.sha256(json_text.canonical(part).encode()).hexdigest()


def _interactions(manifest: AgentRunnerManifest, policy: SystemAgent) -> dict[str, Any] | None:
    if not (manifest.capabilities.interactions and policy.delivery.interactions):
        return None
    from yarrow.protocol.interactions import delivery_capabilities  # few runners request any

    return delivery_capabilities()
