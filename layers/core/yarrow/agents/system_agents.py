"""A deployment's agents, as their file describes them (AUT-05, FWD-12)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

import yaml
from pydantic import Field, JsonValue, StringConstraints, ValidationError, model_validator

from yarrow.agents import mcp_servers, secrets
from yarrow.agents.descriptors import FILE, AgentDescriptor, SystemAgentsError
from yarrow.agents.policies import (
    DeliveryPolicy,
    Implication,
    ModePolicy,
    ResourcePolicy,
    RuntimeConfig,
    StatePolicy,
    WorkspacePolicy,
    require_unique,
)
from yarrow.agents.tool_policies import Id, Policy, ToolPolicy
from yarrow.protocol.run_input.body import RuntimeMode
from yarrow.protocol.runner.names import RunnerId
from yarrow.settings import settings

AgentName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
McpToolDescription = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)]


class SystemAgent(Policy):
    """An agent: its runner, modes and policies."""

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
    mcp_tool: bool | McpToolDescription = False
    """Whether it is a tool of the MCP server, and what models know of it there."""
    mcp: dict[mcp_servers.ServerName, mcp_servers.McpServer] = Field(
        default_factory=dict, max_length=mcp_servers.MAX_SERVERS
    )
    keeps_contents: bool | None = None
    """Whether what models are asked and answer is kept for the agent's author; None for what the deployment says."""
    config: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _read_short_form(cls, block: Any) -> Any:
        """Read `mcp: true`, of an agent that uses no servers, as `mcp_tool: true`."""
        if isinstance(block, dict) and block.get("mcp") is True:
            return {"mcp_tool": True, **{name: value for name, value in block.items() if name != "mcp"}}
        return block

    @model_validator(mode="after")
    def _check_consistent(self) -> Self:
        require_unique("stages", self.stages)
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
        if self.mcp_tool and "chat" not in self.modes:
            raise ValueError("mcp_tool: calls are runs of the mode chat, which modes does not have")
        servers: list[dict[str, Any]] = [
            {"url": server.url, **server.headers, "oauth": server.oauth and server.oauth.model_dump(exclude_none=True)}
            for server in self.mcp.values()
        ]
        for config in (self.config, *(policy.config for policy in self.modes.values()), *servers):
            secrets.check(config)
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
            mcp_tool=self.mcp_tool,
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
        require_unique(
            "implied_by.runtime_modes", [mode for implication in implied for mode in implication.runtime_modes]
        )
        require_unique(
            "implied_by.forwarded_props", [name for implication in implied for name in implication.forwarded_props]
        )
        tasks = [task for name, agent in self.agents.items() if (task := agent.task_of(name)) is not None]
        require_unique("workspace.task_name", tasks)
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
