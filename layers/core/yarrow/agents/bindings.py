"""Binds runs to agents: one run, one agent, one runner (RNR-86).

Policies are in `system_agents.yaml`, input rules beside the runner (`yarrow.protocol.run_input.rules`).
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, cast

from yarrow.agents import descriptors
from yarrow.agents.descriptors import AgentDescriptor, SystemAgentsError
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput, RuntimeMode
from yarrow.protocol.run_input.rules import InputRules
from yarrow.protocol.runner.vocabulary import WorkspaceEvent
from yarrow.runners import input_discovery
from yarrow.settings import settings

if TYPE_CHECKING:
    from yarrow.agents.system_agents import SystemAgent


@dataclass(frozen=True, slots=True)
class Binding:
    """One agent, with its input rules and policy, both loaded on first use."""

    agent: str
    descriptor: AgentDescriptor
    _policy: "SystemAgent | None" = field(default=None, compare=False)

    @classmethod
    def of(cls, agent: str, policy: "SystemAgent") -> "Binding":
        return cls(agent, policy.descriptor(agent), policy)

    @property
    def policy(self) -> "SystemAgent":
        return self._policy or _policies()[self.agent]

    @property
    def rules(self) -> InputRules:
        return input_discovery.find(self.descriptor.input)

    @property
    def task_name(self) -> str | None:
        return self.descriptor.task_name

    @property
    def workspace_events(self) -> Set[WorkspaceEvent]:
        """The commands of its workspace that start a run."""
        return cast("Set[WorkspaceEvent]", frozenset(self.descriptor.workspace_events))

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages that clients get as AG-UI steps (C32)."""
        return self.descriptor.stages


def agent_for(run_input: RunInput, *, existing: str | None, requested: str | None, default: str) -> Binding:
    """Choose the session's agent, else the requested, the implied or the default one (C36).

    Raises Problem 422 for an unknown agent and for an input that implies two.
    """
    if existing is not None:
        return _named(existing)
    if requested is not None:
        return _named(requested)
    return deployed().get(_implied(run_input)) or _named(default)


def for_mode(mode: RuntimeMode, default: str) -> Binding:
    """Choose the agent of runs that have only a mode, such as automation jobs'. Raises Problem 422 as `agent_for`."""
    implied = (binding for binding in deployed().values() if mode in binding.descriptor.implied_by_modes)
    return next(implied, None) or _named(default)


def for_task(task_name: str) -> Binding | None:
    """Find the agent with exactly this task name; None if there is none."""
    return _by_task().get(task_name)


def task_of(agent: str) -> str | None:
    """Return the agent's task name; None if it has no workspace or is unknown."""
    binding = deployed().get(agent)
    return None if binding is None else binding.task_name


def _by_task() -> dict[str, Binding]:
    return {task: binding for binding in deployed().values() if (task := binding.task_name) is not None}


def check(binding: Binding, run_input: RunInput) -> None:
    """Check mode, members of forwardedProps, then the agent's rules. Raises Problem."""
    if run_input.runtime_mode not in binding.descriptor.modes:
        raise Problem(Code.AGENT_RUNTIME_MODE_INVALID, "invalid RunAgentInput.forwardedProps")
    if not run_input.extensions.keys() <= binding.rules.members:
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "invalid RunAgentInput.forwardedProps")
    binding.rules.check(run_input)


def agui_default() -> str:
    """Return the agent of AG-UI requests that neither name nor imply one (C36); empty if there is none."""
    return settings.agui_agent if settings.agui_agent in deployed() else settings.default_agent


def _named(agent: str) -> Binding:
    if agent not in deployed():
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "unknown agent", params={"agents": sorted(deployed())})
    return deployed()[agent]


def _implied(run_input: RunInput) -> str:
    """Return the agent implied by members of forwardedProps, else by the mode; empty if there is none."""
    by = {name: binding.descriptor for name, binding in deployed().items()}
    named = [
        name
        for name, descriptor in by.items()
        if not run_input.extensions.keys().isdisjoint(descriptor.implied_by_props)
    ]
    if len(named) > 1:
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "ambiguous RunAgentInput.forwardedProps", params={"agents": named})
    named += [name for name, descriptor in by.items() if run_input.runtime_mode in descriptor.implied_by_modes]
    return named[0] if named else ""


def bind(agents: Mapping[str, "SystemAgent"]) -> dict[str, Binding]:
    """Bind agents to their rules. Raises SystemAgentsError for unknown rules or members."""
    bound = {name: Binding.of(name, policy) for name, policy in agents.items()}
    for name, binding in bound.items():
        which = binding.descriptor.input
        try:
            members = binding.rules.members
        except input_discovery.RulesNotFoundError:
            known = ", ".join(input_discovery.names())
            raise SystemAgentsError(f"agents.{name}: input is one of {known}, not {which}") from None
        except Exception as error:  # loading runs foreign code
            reason = f"agents.{name}: input {which} cannot be used: {type(error).__name__}: {error}"
            raise SystemAgentsError(reason) from error
        if unknown := set(binding.descriptor.implied_by_props) - members:
            raise SystemAgentsError(f"agents.{name}: input {which} does not know {', '.join(sorted(unknown))}")
    return bound


@cache
def deployed() -> dict[str, Binding]:
    """Return this deployment's agents by name, cached. Raises SystemAgentsError.

    A deployment's own file is fully checked; a test checks the bundled one, so its policies and rules load on demand.
    """
    if not settings.system_agents:
        return {name: Binding(name, descriptor) for name, descriptor in descriptors.bundled().items()}
    with descriptors.at_start():
        return bind(_policies())


@cache
def _policies() -> Mapping[str, "SystemAgent"]:
    from yarrow.agents import system_agents  # functions that accept runs of the bundled agents do not need it

    return system_agents.load()


def check_default(agent: str) -> None:
    """Raise SystemAgentsError for an unknown default agent (C36); an empty name means none."""
    bindings = deployed()
    with descriptors.at_start():
        if agent and agent not in bindings:
            raise SystemAgentsError(f"has no agent {agent} to use as the default; it has {', '.join(bindings)}")
