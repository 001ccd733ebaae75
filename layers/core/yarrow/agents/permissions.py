"""A run's grant: the intersection of manifest, policy and scope.

Source: `agent-runner.md` §3.4, §5 and §10 (RNR-08, RNR-25, RNR-28). Capabilities grant nothing.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from yarrow.agents.grants import READING, GrantedMcpTool, RunGrant
from yarrow.agents.policies import ModelPolicy, ResourcePolicy, StatePolicy
from yarrow.agents.system_agents import SystemAgent
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.messages import Tool
from yarrow.protocol.runner.api import ToolDetail
from yarrow.protocol.runner.manifest import AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentResources
from yarrow.protocol.runner.resources import (
    ArtifactResource,
    HistoryResource,
    KnowledgeBaseResource,
    ModelResource,
    StorageResource,
    ToolResource,
)
from yarrow.protocol.runner.vocabulary import ModelOperation, StateScope

_NONE: Final[Mapping[str, GrantedMcpTool]] = {}

ToolDetails = Callable[[str], ToolDetail | None]
"""Finds a backend tool by name; None if it is unknown (TOOL-04)."""

_Word = TypeVar("_Word", bound=str)

_OF_MODELS: Final[Mapping[str, frozenset[ModelOperation]]] = {
    "llm": frozenset({"invoke", "stream"}),
    "rerank": frozenset({"rerank"}),
}
"""The operations of a model by its type."""


@dataclass(frozen=True, slots=True)
class RunScope:
    """The run's ids, deadline (epoch seconds) and available resources.

    `enabled_tools` are its mode's or job's (FWD-12), `pictures` the ids in its input, always readable (C50),
    `artifacts` other ids, readable if the policy allows.
    """

    run_key: str
    user_id: str
    thread_id: str
    event_id: str
    deadline_at: float
    enabled_tools: frozenset[str] = frozenset()
    pictures: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()


def grant(
    manifest: AgentRunnerManifest,
    agent: str,
    policy: SystemAgent,
    scope: RunScope,
    tools: ToolDetails,
    of_servers: Mapping[str, GrantedMcpTool] = _NONE,
) -> RunGrant:
    """Make a run's grant; resources without operations are omitted, since an empty list means all.

    `of_servers` are the tools of MCP servers, which `tools` finds as well.
    """
    resources = _resources(manifest.permissions, policy.resources, scope, tools)
    return RunGrant(
        run_key=scope.run_key,
        runner_id=manifest.id,
        binding_id=agent,
        user_id=scope.user_id,
        thread_id=scope.thread_id,
        event_id=scope.event_id,
        deadline_at=scope.deadline_at,
        permissions=_permissions(manifest.permissions, policy.resources, scope, resources),
        resources=resources,
        state_scopes=_state_scopes(policy.state),
        steering=manifest.capabilities.steering,
        approvals={
            tool.id: approval
            for tool in policy.resources.tools
            if tool.id in scope.enabled_tools and (approval := tool.approved_by_user) is not None
        },
        mcp_tools={
            tool.tool_name: of_servers[tool.tool_name] for tool in resources.tools if tool.tool_name in of_servers
        },
    )


def frontend_tools(tools: Iterable[Tool]) -> tuple[ToolResource, ...]:
    """Return the client's tools, shown to models but not callable here (RNR-53, TOOL-03)."""
    return tuple(
        ToolResource(
            tool_name=tool.name, tool_type="frontend", description=tool.description, parameters=tool.parameters
        )
        for tool in tools
    )


def check_frontend_tools(tools: Iterable[Tool], backend: Collection[str]) -> None:
    """Raise Problem 422 for a duplicate name, or one of a backend tool (TOOL-05)."""
    taken: set[str] = set()
    for index, tool in enumerate(tools):
        of_backend = tool.name in backend
        if of_backend or tool.name in taken:
            reason = "is the name of a tool of the service" if of_backend else "repeats the name of an earlier tool"
            where = f"RunAgentInput.tools[{index}].name"
            raise Problem(Code.AGENT_RUN_INPUT_INVALID, f"invalid {where}", params={"reason": reason})
        taken.add(tool.name)


def _resources(
    requested: AgentRunnerPermissions, policy: ResourcePolicy, scope: RunScope, tools: ToolDetails
) -> AgentResources:
    artifact_operations = _both(requested.artifacts, policy.artifacts)
    history = _both(requested.history, policy.history)
    storage = _both(requested.storage, policy.storage)
    return AgentResources(
        models=tuple(
            ModelResource(model_id=model.id, model_type=model.type, operations=of_model)
            for model in policy.models
            if (of_model := _of_model(requested, model))
        ),
        tools=tuple(
            ToolResource(
                tool_name=tool.id,
                description=detail.description,
                parameters=detail.parameters if "detail" in of_tool else None,
                operations=of_tool,
            )
            for tool in policy.tools
            if tool.id in scope.enabled_tools
            and (of_tool := _both(requested.tools, tool.operations))
            and (detail := tools(tool.id)) is not None
        ),
        knowledge_bases=tuple(
            KnowledgeBaseResource(kb_id=base.id, kb_name=base.name)
            for base in policy.knowledge_bases
            if requested.knowledge_bases
        ),
        artifacts=(
            *(ArtifactResource(artifact_id=artifact_id, operations=READING) for artifact_id in scope.pictures),
            *(
                ArtifactResource(artifact_id=artifact_id, operations=artifact_operations)
                for artifact_id in scope.artifacts
                if artifact_operations and artifact_id not in scope.pictures
            ),
        ),
        storage=StorageResource(
            plugin="plugin" in storage, workspace="workspace" in storage, binding="binding" in storage
        ),
        history=HistoryResource(page="page" in history, search="search" in history),
        platform_capabilities=dict.fromkeys(_actions(requested, policy), True),
    )


def _permissions(
    requested: AgentRunnerPermissions, policy: ResourcePolicy, scope: RunScope, resources: AgentResources
) -> AgentRunnerPermissions:
    """Return the permissions; models and tools only if a resource remains.

    Artifacts have their own operations, so the input's pictures grant no others.
    """
    return AgentRunnerPermissions(
        models=_both(requested.models, {operation for model in resources.models for operation in model.operations}),
        tools=_both(requested.tools, {operation for tool in resources.tools for operation in tool.operations}),
        knowledge_bases=requested.knowledge_bases if resources.knowledge_bases else (),
        history=_both(requested.history, policy.history),
        events=_both(requested.events, policy.events),
        artifacts=READING if scope.pictures else _both(requested.artifacts, policy.artifacts),
        storage=_both(requested.storage, policy.storage),
        platform_api=_actions(requested, policy),
    )


def _both(requested: Iterable[_Word], allowed: Collection[str]) -> tuple[_Word, ...]:
    return tuple(dict.fromkeys(name for name in requested if name in allowed))


def _of_model(requested: AgentRunnerPermissions, model: ModelPolicy) -> tuple[ModelOperation, ...]:
    return _both(requested.models, _OF_MODELS[model.type].intersection(model.operations))


def _actions(requested: AgentRunnerPermissions, policy: ResourcePolicy) -> tuple[str, ...]:
    """Return the actions that are requested, in the policy, and approved (RNR-61)."""
    return _both(requested.platform_api, {action.action for action in policy.platform_actions if action.approved})


def _state_scopes(policy: StatePolicy) -> tuple[StateScope, ...]:
    """Return the policy's scopes; manifests do not declare state."""
    return tuple(dict.fromkeys(policy.scopes)) if policy.enabled else ()
