"""A deployment's agents: runner, modes and policies (AUT-05, FWD-12)."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from pathlib import Path
from typing import Annotated, Final, Literal, Self, get_args

import yaml
from pydantic import (
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from yarrow.agents import approvals, mcp_servers, secrets
from yarrow.agents.approvals import ToolApproval
from yarrow.agents.descriptors import FILE, AgentDescriptor, SystemAgentsError
from yarrow.agents.tool_policies import Id, Listed, Policy, ToolPolicy
from yarrow.protocol.run_input.body import RuntimeMode
from yarrow.protocol.runner.api import ToolDetail
from yarrow.protocol.runner.names import RunnerId
from yarrow.protocol.runner.vocabulary import (
    ArtifactOperation,
    EventOperation,
    HistoryOperation,
    ModelOperation,
    StateScope,
    StorageArea,
    WorkspaceEvent,
)
from yarrow.settings import settings

AgentName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]

TaskName = Annotated[
    str,
    StringConstraints(
        pattern=r"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$", max_length=128
    ),
]

_SECRET: Final = re.compile(r"secret|passw|credential|api[-_]?key|private[-_]?key|token$", re.IGNORECASE)
"""The names of members with secrets."""

_CREDENTIAL: Final = re.compile(
    r"\b(?:sk-[\w-]{16,}|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|gh[pousr]_\w{36}|xox[abprs]-[\w-]{10,}"
    r"|yk_[0-9a-f]{16}_[\w-]{43}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)"
    r"|-----BEGIN [A-Z ]{0,20}PRIVATE KEY|://[^\s/@:]{0,256}:[^\s/@]{1,256}@",
    re.ASCII,
)
"""Values that are secrets whatever their names: keys of well-known services, JWTs, passwords in URLs."""


_HOST_EVENTS: Final = frozenset({"artifact.created", "action.requested"})
_HOST_PREFIXES: Final = ("yarrow.", "workspace.")
"""The names of the host's own CUSTOM events."""


def _require_unique(what: str, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{what} names {', '.join(twice)} twice")


class ModelPolicy(Listed):
    """A model and its operations.

    Without `stand_in` it is granted only if configured, not replaced by the scripted model.
    """

    stand_in: bool = True
    type: Literal["llm", "rerank"] = "llm"
    operations: Annotated[tuple[ModelOperation, ...], Field(min_length=1)] = get_args(ModelOperation)


class KnowledgeBasePolicy(Listed):
    """`name` is displayed."""

    name: str | None = None


class ActionPolicy(Policy):
    """An action that is granted only with the operator's approval (RNR-61)."""

    action: Id
    approved: bool = False


class ResourcePolicy(Policy):
    """The most that a run's resources may be."""

    models: tuple[ModelPolicy, ...] = ()
    tools: tuple[ToolPolicy, ...] = ()
    knowledge_bases: tuple[KnowledgeBasePolicy, ...] = ()
    history: tuple[HistoryOperation, ...] = ()
    events: tuple[EventOperation, ...] = ()
    artifacts: tuple[ArtifactOperation, ...] = ()
    storage: tuple[StorageArea, ...] = ()
    platform_actions: tuple[ActionPolicy, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        for kind in ("models", "tools", "knowledge_bases"):
            _require_unique(kind, [resource.id for resource in getattr(self, kind)])
        _require_unique("platform_actions", [action.action for action in self.platform_actions])
        return self


class StatePolicy(Policy):
    """Scopes a runner may read and write."""

    enabled: bool = True
    scopes: tuple[StateScope, ...] = ("conversation", "actor")


class DeliveryPolicy(Policy):
    """`max_message_size` is in characters. Without `interactions`, what runners request is only shown as text.
    `custom_events` names CUSTOM events that the runner does not declare; `capabilities` are AG-UI's, as far as neither
    the runner nor the host says them.
    """

    surface: Id = "agui"
    streaming: bool = True
    shows_state: bool = False
    interactions: bool = True
    max_message_size: Annotated[int, Field(ge=1)] | None = None
    custom_events: Annotated[tuple[Id, ...], Field(max_length=50)] = ()
    capabilities: dict[str, JsonValue] = Field(default_factory=dict)

    @field_validator("capabilities")
    @classmethod
    def _capabilities_of_agui(cls, document: dict[str, JsonValue]) -> dict[str, JsonValue]:
        if document:
            from yarrow.protocol.agui.capabilities import read_capabilities  # few agents have any

            read_capabilities(document)
        return document

    @field_validator("custom_events")
    @classmethod
    def _not_the_hosts(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if own := [name for name in names if name in _HOST_EVENTS or name.startswith(_HOST_PREFIXES)]:
            raise ValueError(f"{own[0]} is an event of the host")
        return names


class ContextWindow(Policy):
    """The latest messages, exchanges or days."""

    source: Literal["latest_chat"] = "latest_chat"
    window_mode: Literal["number", "round", "day"]
    window_count: Annotated[int, Field(ge=1, le=1_000)]


class RuntimeConfig(Policy):
    """What the run's mode decides (FWD-11)."""

    enabled_tools: tuple[str, ...] = ()
    context: ContextWindow | None = None


class ModePolicy(Policy):
    """`enabled_tools` None means all."""

    enabled_tools: tuple[Id, ...] | None = None
    context: ContextWindow | None = None
    config: dict[str, JsonValue] = Field(default_factory=dict)


class WorkspacePolicy(Policy):
    """`task_name` defaults to the agent's name; `events` start a run."""

    task_name: TaskName | None = None
    events: Annotated[frozenset[WorkspaceEvent], Field(min_length=1)] = frozenset(get_args(WorkspaceEvent))


class Implication(Policy):
    """What implies this agent for runs that name none (C36)."""

    runtime_modes: tuple[RuntimeMode, ...] = ()
    forwarded_props: tuple[str, ...] = ()


class SystemAgent(Policy):
    runner: RunnerId
    input: str = "plain"
    modes: Annotated[dict[RuntimeMode, ModePolicy], Field(min_length=1)]
    implied_by: Implication = Implication()
    stages: Annotated[tuple[Id, ...], Field(min_length=1)] = ("worker",)
    resources: ResourcePolicy = ResourcePolicy()
    state: StatePolicy = StatePolicy()
    delivery: DeliveryPolicy = DeliveryPolicy()
    workspace: WorkspacePolicy | None = None
    max_minutes: Annotated[int, Field(ge=1, le=1_440)] = 5
    mcp: dict[mcp_servers.ServerName, mcp_servers.McpServer] = Field(
        default_factory=dict, max_length=mcp_servers.MAX_SERVERS
    )
    config: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        _require_unique("stages", self.stages)
        if unknown := set(self.implied_by.runtime_modes).difference(self.modes):
            raise ValueError(f"implied by {sorted(unknown)}, which is not among its modes")
        tools = {tool.id for tool in self.resources.tools}
        if taken := tools.intersection(self.mcp_tools):
            raise ValueError(f"mcp: {', '.join(sorted(taken))} is the name of a tool of the host")
        tools |= self.mcp_tools.keys()
        for mode, policy in self.modes.items():
            for index, tool_id in enumerate(policy.enabled_tools or ()):
                if tool_id not in tools:
                    raise ValueError(f"modes.{mode}.enabled_tools[{index}]: resources.tools does not list {tool_id}")
        job = self.modes.get("automation", ModePolicy())
        if job.enabled_tools is not None or job.context is not None:
            raise ValueError("the tools and context of automation come from its job")
        servers = [{"url": server.url, **server.headers} for server in self.mcp.values()]
        for config in (self.config, *(policy.config for policy in self.modes.values()), *servers):
            if _may_have_secrets(config):
                secrets.check(config, _SECRET, _CREDENTIAL)
        return self

    @property
    def mcp_tools(self) -> Mapping[str, tuple[str, mcp_servers.McpTool]]:
        """The tools of MCP servers, each with its server, by their names for models."""
        return mcp_servers.named(self.mcp)

    def with_mcp_tools(self) -> Self:
        """Return the agent with the tools of its MCP servers among its resources."""
        if not self.mcp:
            return self
        tools = tuple(
            ToolPolicy(id=name, operations=tool.operations, approval=tool.approval, allow_edit=tool.allow_edit)
            for name, (_, tool) in self.mcp_tools.items()
        )
        resources = self.resources.model_copy(update={"tools": (*self.resources.tools, *tools)})
        return self.model_copy(update={"resources": resources})

    def task_of(self, name: str) -> str | None:
        """Return the task name of the workspace, if any; `name` is the agent's."""
        return None if self.workspace is None else self.workspace.task_name or name

    def descriptor(self, name: str) -> AgentDescriptor:
        """Return the agent's descriptor; `name` is the agent's."""
        return AgentDescriptor(
            input=self.input,
            modes=tuple(self.modes),
            implied_by_modes=self.implied_by.runtime_modes,
            implied_by_props=self.implied_by.forwarded_props,
            stages=self.stages,
            tools=tuple(sorted(tool.id for tool in self.resources.tools)),
            models=tuple(sorted(model.id for model in self.resources.models)),
            task_name=self.task_of(name),
            workspace_events=() if self.workspace is None else tuple(sorted(self.workspace.events)),
            max_minutes=self.max_minutes,
        )

    def runtime_config(self, mode: RuntimeMode, job: RuntimeConfig | None = None) -> RuntimeConfig:
        """Return the configuration of a mode; in automation the job's, by default none (FWD-12, AUT-04).

        `permissions` limits a job to the agent's own tools.
        """
        if mode == "automation":
            return job or RuntimeConfig()
        policy = self.modes[mode]
        enabled = policy.enabled_tools
        if enabled is None:
            enabled = tuple(tool.id for tool in self.resources.tools)
        return RuntimeConfig(enabled_tools=enabled, context=policy.context)

    def served_by(self, models: Mapping[str, str | None]) -> Self:
        """Return the agent without required models that are not configured."""
        served = tuple(model for model in self.resources.models if model.stand_in or models.get(model.id))
        return self.model_copy(update={"resources": self.resources.model_copy(update={"models": served})})

    def config_in(self, mode: RuntimeMode) -> dict[str, JsonValue]:
        """Return the config with the mode's overrides."""
        return {**self.config, **self.modes[mode].config}


class _File(Policy):
    agents: Annotated[dict[AgentName, SystemAgent], Field(min_length=1)]

    @model_validator(mode="after")
    def _is_unambiguous(self) -> Self:
        implied = [agent.implied_by for agent in self.agents.values()]
        _require_unique(
            "implied_by.runtime_modes", [mode for implication in implied for mode in implication.runtime_modes]
        )
        _require_unique(
            "implied_by.forwarded_props", [name for implication in implied for name in implication.forwarded_props]
        )
        tasks = [task for name, agent in self.agents.items() if (task := agent.task_of(name)) is not None]
        _require_unique("workspace.task_name", tasks)
        return self


def load(path: Path | None = None) -> Mapping[str, SystemAgent]:
    """Load the agents in file order; by default this deployment's.

    Raises SystemAgentsError for a missing, malformed or ambiguous file (RNR-86).
    """
    path = path or settings.system_agents or FILE
    try:
        text = path.read_text(encoding="utf-8")
        _require_unique_keys(yaml.compose(text, Loader=yaml.CSafeLoader))
        agents = _File.model_validate(yaml.load(text, Loader=yaml.CSafeLoader)).agents
        return {name: agent.with_mcp_tools() for name, agent in agents.items()}
    except OSError as error:
        raise SystemAgentsError(f"cannot be read: {error.strerror}") from error
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        messages = (": ".join(filter(None, (".".join(map(str, fault["loc"])), fault["msg"]))) for fault in faults)
        raise SystemAgentsError("; ".join(messages)) from error
    except (yaml.YAMLError, ValueError) as error:
        raise SystemAgentsError(_in_one_line(error)) from error


def check_tools(agents: Mapping[str, SystemAgent], tools: Callable[[str], ToolDetail | None]) -> None:
    """Raise SystemAgentsError for an unknown tool (AUT-05), or an approval that does not fit one (ASK-06).

    `tools` returns None for unknown ones.
    """
    for name, agent in agents.items():
        for index, tool in enumerate(agent.resources.tools):
            where = f"agents.{name}.resources.tools[{index}]"
            if tool.id in agent.mcp_tools:  # its server says what it is, when a run begins
                _check_conditions(f"agents.{name}.mcp: {tool.id}", tool.approved_by_user)
                continue
            if (detail := tools(tool.id)) is None:
                raise SystemAgentsError(f"{where}: there is no tool {tool.id}")
            if (approval := tool.approved_by_user) is not None:
                try:
                    approvals.check(approval, detail.parameters)
                except ValueError as error:
                    raise SystemAgentsError(f"{where}: {error}") from error


def _check_conditions(where: str, approval: ToolApproval | None) -> None:
    try:
        approvals.check_conditions({} if approval is None else approval.when)
    except ValueError as error:
        raise SystemAgentsError(f"{where}: {error}") from error


def check_surfaces(agents: Mapping[str, SystemAgent], declared: Callable[[str], Set[WorkspaceEvent] | None]) -> None:
    """Raise SystemAgentsError if a runner does not serve its agent's workspace.

    `declared` returns the events of a runner's surface by runner id, None without one.
    """
    for name, agent in agents.items():
        if agent.workspace is None:
            continue
        takes = declared(agent.runner)
        if takes is None:
            raise SystemAgentsError(f"agents.{name} has a workspace, and {agent.runner} declares none")
        if unknown := agent.workspace.events - takes:
            events = ", ".join(sorted(unknown))
            raise SystemAgentsError(f"agents.{name}: workspace.events has {events}, which {agent.runner} does not take")


def check_models(agents: Mapping[str, SystemAgent], models: Collection[str]) -> None:
    """Raise SystemAgentsError for an unknown model, if any are configured.

    Those without `stand_in` are left out instead.
    """
    known = ", ".join(sorted(models))
    for name, agent in agents.items():
        unknown = [model.id for model in agent.resources.models if model.stand_in and model.id not in models]
        if models and unknown:
            raise SystemAgentsError(f"agents.{name} needs {', '.join(unknown)}, not in Models (MODELS): {known}")


def _in_one_line(error: yaml.YAMLError | ValueError) -> str:
    """Shorten an error to one line: YAML's own message spans several."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}: {error.problem}"
    return " ".join(str(error).split())


def _require_unique_keys(node: yaml.Node | None) -> None:
    """Raise ValueError for a duplicate key: YAML keeps the last one, which would lose an agent."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            if name in seen:
                raise ValueError(f"line {key.start_mark.line + 1}: {name} is repeated")
            seen.add(name)
            _require_unique_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _require_unique_keys(item)


def _may_have_secrets(value: JsonValue) -> bool:
    """Return whether a name or a text anywhere in a document looks like a secret."""
    if isinstance(value, str):
        return _CREDENTIAL.search(value) is not None
    if isinstance(value, dict) and any(_SECRET.search(name) for name in value):
        return True
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_may_have_secrets, inner))
