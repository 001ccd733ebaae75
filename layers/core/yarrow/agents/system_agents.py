"""The agents of a deployment as listed in a file: runner, modes and policies.

The bundled `system_agents.yaml`, unless the deployment names its own file. It is read and validated here; `bindings`
binds runs to agents (AUT-05, FWD-12).
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError, model_validator

from yarrow.observability.logs import logger
from yarrow.protocol.run_input.body import RuntimeMode
from yarrow.protocol.runner.vocabulary import (
    ArtifactOperation,
    EventOperation,
    HistoryOperation,
    ModelOperation,
    RunnerId,
    StateScope,
    StorageArea,
    ToolOperation,
)
from yarrow.settings import settings

FILE: Final = Path(__file__).with_name("system_agents.yaml")
"""The bundled agents."""

Id = Annotated[str, StringConstraints(pattern=r"^\S+$", max_length=256)]
AgentName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]

_SECRET: Final = re.compile(r"secret|passw|credential|api[-_]?key|private[-_]?key|token$", re.IGNORECASE)
"""Names of members that hold secrets, and of a secret reference."""


class SystemAgentsError(ValueError):
    """The agents are invalid; the one-line message says which and where."""


@contextmanager
def at_start() -> Iterator[None]:
    """Wraps reading and checking of the agents at function start (AUT-05).

    A SystemAgentsError is logged, since a function that does not start reports nothing else, and raised with the file's
    name.
    """
    try:
        yield
    except SystemAgentsError as error:
        reason = f"{settings.system_agents or FILE}: {error}"
        logger.critical("the agents cannot be used", extra={"reason": reason})
        raise SystemAgentsError(reason) from error


def _require_unique(what: str, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{what} names {', '.join(twice)} twice")


class _Policy(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Listed(_Policy):
    """A list entry, possibly its id alone."""

    id: Id

    @model_validator(mode="before")
    @classmethod
    def _id_alone(cls, value: Any) -> Any:
        return {"id": value} if isinstance(value, str) else value


class ModelPolicy(_Listed):
    """A model of the gateway and its operations.

    Without `stand_in` it is granted only if configured: the scripted model may not replace it.
    """

    stand_in: bool = True
    type: Literal["llm", "rerank"] = "llm"
    operations: Annotated[tuple[ModelOperation, ...], Field(min_length=1)] = get_args(ModelOperation)


class ToolPolicy(_Listed):
    """A backend tool and its operations."""

    operations: Annotated[tuple[ToolOperation, ...], Field(min_length=1)] = get_args(ToolOperation)


class KnowledgeBasePolicy(_Listed):
    """A knowledge base and its display name."""

    name: str | None = None


class ActionPolicy(_Policy):
    """A platform action, granted only with the operator's approval (RNR-61)."""

    action: Id
    approved: bool = False


class ResourcePolicy(_Policy):
    """The upper bound of a run's resources."""

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
            _require_unique(kind, [each.id for each in getattr(self, kind)])
        _require_unique("platform_actions", [each.action for each in self.platform_actions])
        return self


class StatePolicy(_Policy):
    """The state scopes a runner may read and write."""

    enabled: bool = True
    scopes: tuple[StateScope, ...] = ("conversation", "actor")


class DeliveryPolicy(_Policy):
    """Where results go, and whether state is shown there. `max_message_size` is in characters."""

    surface: Id = "agui"
    streaming: bool = True
    shows_state: bool = False
    max_message_size: Annotated[int, Field(ge=1)] | None = None


class ContextWindow(_Policy):
    """The part of the conversation up to its latest message: a number of messages, exchanges or days."""

    source: Literal["latest_chat"] = "latest_chat"
    window_mode: Literal["number", "round", "day"]
    window_count: Annotated[int, Field(ge=1, le=1_000)]


class RuntimeConfig(_Policy):
    """What a run's mode decides: tools and context only (FWD-11)."""

    enabled_tools: tuple[str, ...] = ()
    context: ContextWindow | None = None


class ModePolicy(_Policy):
    """One mode of an agent. `enabled_tools` None means all of the agent's."""

    enabled_tools: tuple[Id, ...] | None = None
    context: ContextWindow | None = None
    config: dict[str, JsonValue] = {}


class Implication(_Policy):
    """What implies this agent for runs that name none (C36)."""

    runtime_modes: tuple[RuntimeMode, ...] = ()
    forwarded_props: tuple[str, ...] = ()


class SystemAgent(_Policy):
    """One agent: runner, input and policies."""

    runner: RunnerId
    input: str = "plain"
    modes: Annotated[dict[RuntimeMode, ModePolicy], Field(min_length=1)]
    implied_by: Implication = Implication()
    stages: Annotated[tuple[Id, ...], Field(min_length=1)] = ("worker",)
    resources: ResourcePolicy = ResourcePolicy()
    state: StatePolicy = StatePolicy()
    delivery: DeliveryPolicy = DeliveryPolicy()
    config: dict[str, JsonValue] = {}

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        _require_unique("stages", self.stages)
        if unknown := set(self.implied_by.runtime_modes).difference(self.modes):
            raise ValueError(f"implied by {sorted(unknown)}, which is not among its modes")
        tools = {tool.id for tool in self.resources.tools}
        for mode, policy in self.modes.items():
            if unknown_tools := set(policy.enabled_tools or ()) - tools:
                raise ValueError(f"{mode} enables {sorted(unknown_tools)}, which resources.tools does not list")
        job = self.modes.get("automation", ModePolicy())
        if job.enabled_tools is not None or job.context is not None:
            raise ValueError("the tools and context of automation come from its job")
        for config in (self.config, *(policy.config for policy in self.modes.values())):
            if any(_SECRET.search(name) for name in _names(config)):
                from yarrow.agents import secrets  # here, for most deployments have none

                secrets.check(config, _SECRET)
        return self

    def runtime_config(self, mode: RuntimeMode, job: RuntimeConfig | None = None) -> RuntimeConfig:
        """A run's tools and context: from this file, or from its job in automation, where none means none.

        FWD-12, AUT-04. `permissions` limits a job to the agent's own tools.
        """
        if mode == "automation":
            return job or RuntimeConfig()
        policy = self.modes[mode]
        enabled = policy.enabled_tools
        if enabled is None:
            enabled = tuple(tool.id for tool in self.resources.tools)
        return RuntimeConfig(enabled_tools=enabled, context=policy.context)

    def served_by(self, models: Mapping[str, str | None]) -> Self:
        """The agent without models that are required but not configured."""
        served = tuple(model for model in self.resources.models if model.stand_in or models.get(model.id))
        return self.model_copy(update={"resources": self.resources.model_copy(update={"models": served})})

    def config_in(self, mode: RuntimeMode) -> dict[str, JsonValue]:
        """The agent's config with the mode's overrides."""
        return {**self.config, **self.modes[mode].config}


class _File(_Policy):
    agents: Annotated[dict[AgentName, SystemAgent], Field(min_length=1)]

    @model_validator(mode="after")
    def _is_unambiguous(self) -> Self:
        implied = [agent.implied_by for agent in self.agents.values()]
        _require_unique("implied_by.runtime_modes", [mode for each in implied for mode in each.runtime_modes])
        _require_unique("implied_by.forwarded_props", [name for each in implied for name in each.forwarded_props])
        return self


def load(path: Path | None = None) -> Mapping[str, SystemAgent]:
    """The agents by name, in file order; by default this deployment's.

    Raises SystemAgentsError for a file that is missing, no YAML, has duplicate or unknown members, or is ambiguous
    (RNR-86).
    """
    path = path or settings.system_agents or FILE
    try:
        text = path.read_text(encoding="utf-8")
        _require_unique_keys(yaml.compose(text, Loader=yaml.CSafeLoader))
        return _File.model_validate(yaml.load(text, Loader=yaml.CSafeLoader)).agents
    except OSError as error:
        raise SystemAgentsError(f"cannot be read: {error.strerror}") from error
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        told = (": ".join(filter(None, (".".join(map(str, each["loc"])), each["msg"]))) for each in faults)
        raise SystemAgentsError("; ".join(told)) from error
    except (yaml.YAMLError, ValueError) as error:
        raise SystemAgentsError(_in_one_line(error)) from error


def check_tools(agents: Mapping[str, SystemAgent], tools: Callable[[str], object | None]) -> None:
    """Check the agents' tools (AUT-05). Raises SystemAgentsError for the first unknown one.

    `tools` returns a registered tool by name, None for others.
    """
    for name, agent in agents.items():
        unknown = [tool.id for tool in agent.resources.tools if tools(tool.id) is None]
        if unknown:
            raise SystemAgentsError(f"agents.{name} has the unknown tools {', '.join(unknown)}")


def check_models(agents: Mapping[str, SystemAgent], models: Collection[str]) -> None:
    """Check the agents' models, if any are configured: then no scripted model answers for unknown ids.

    Raises SystemAgentsError for the first unknown one; models without `stand_in` are left out instead.
    """
    known = ", ".join(sorted(models))
    for name, agent in agents.items():
        unknown = [model.id for model in agent.resources.models if model.stand_in and model.id not in models]
        if models and unknown:
            raise SystemAgentsError(f"agents.{name} has the unknown models {', '.join(unknown)}; known are {known}")


def _in_one_line(error: yaml.YAMLError | ValueError) -> str:
    """Error and location on one line; YAML's own message spans several."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}: {error.problem}"
    return " ".join(str(error).split())


def _require_unique_keys(node: yaml.Node | None) -> None:
    """Reject duplicate keys. YAML readers keep the last, which would lose an agent that was copied and not renamed."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            if name in seen:
                raise ValueError(f"line {key.start_mark.line + 1}: {name} stands twice")
            seen.add(name)
            _require_unique_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _require_unique_keys(item)


def _names(value: JsonValue) -> Iterator[str]:
    """All member names in a document."""
    if isinstance(value, dict):
        yield from value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _names(each)
