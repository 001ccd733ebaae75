"""Which agent answers a run. One run has one agent, and so one binding and one runner (RNR-86).

The agents and their policies are listed in `system_agents.yaml`; what each demands of its input is declared beside its
runner (`yarrow.protocol.run_input.rules`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from yarrow.agents import system_agents
from yarrow.agents.system_agents import SystemAgent, SystemAgentsError
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.run_input.rules import InputRules
from yarrow.runners import input_discovery
from yarrow.settings import settings


@dataclass(frozen=True, slots=True)
class Binding:
    """One agent, bound to the events of the HTTP API: its policies and the rules of its input."""

    agent: str
    policy: SystemAgent

    @property
    def rules(self) -> InputRules:
        """The rules of its input, imported when first asked for."""
        return input_discovery.find(self.policy.input)

    @property
    def stages(self) -> tuple[str, ...]:
        """The steps a viewer sees (C32)."""
        return self.policy.stages


def agent_for(run_input: RunInput, *, existing: str | None, requested: str | None, default: str) -> Binding:
    """The binding of a run (C36): the session's agent, else the one asked for, else what the input implies.

    Raises Problem 422 for an agent that is not there, or any more, and for an input that implies two.
    """
    if existing is not None:
        return _named(existing)
    if requested is not None:
        return _named(requested)
    return deployed().get(_implied(run_input)) or _named(default)


def check(binding: Binding, run_input: RunInput) -> None:
    """Hold an input to its binding: mode, members of forwardedProps, then the agent's own rules. Raises Problem."""
    if run_input.runtime_mode not in binding.policy.modes:
        raise Problem(Code.AGENT_RUNTIME_MODE_INVALID, "invalid RunAgentInput.forwardedProps")
    if not binding.rules.members.issuperset(run_input.extensions):
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "invalid RunAgentInput.forwardedProps")
    binding.rules.check(run_input)


def _named(agent: str) -> Binding:
    if agent not in deployed():
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "unknown agent", params={"agents": sorted(deployed())})
    return deployed()[agent]


def _implied(run_input: RunInput) -> str:
    """The agent that the members of forwardedProps imply, else the one that the mode does."""
    by = {name: binding.policy.implied_by for name, binding in deployed().items()}
    named = [name for name, each in by.items() if not run_input.extensions.keys().isdisjoint(each.forwarded_props)]
    if len(named) > 1:
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "ambiguous RunAgentInput.forwardedProps", params={"agents": named})
    named += [name for name, each in by.items() if run_input.runtime_mode in each.runtime_modes]
    return named[0] if named else ""


def bind(agents: Mapping[str, SystemAgent]) -> dict[str, Binding]:
    """Bind agents to the rules they name. Raises SystemAgentsError for rules or members that are not there."""
    bound = {name: Binding(name, policy) for name, policy in agents.items()}
    for name, binding in bound.items():
        which = binding.policy.input
        try:
            members = binding.rules.members
        except input_discovery.RulesNotFoundError:
            known = ", ".join(input_discovery.names())
            raise SystemAgentsError(f"agents.{name}: input is one of {known}, not {which}") from None
        except Exception as error:  # loading runs foreign code
            reason = f"agents.{name}: input {which} cannot be used: {type(error).__name__}: {error}"
            raise SystemAgentsError(reason) from error
        if unknown := set(binding.policy.implied_by.forwarded_props) - members:
            raise SystemAgentsError(f"agents.{name}: input {which} does not know {', '.join(sorted(unknown))}")
    return bound


@cache
def deployed() -> dict[str, Binding]:
    """Every agent of this deployment by its name; the file is read when first asked for. Raises SystemAgentsError.

    A deployment's own file is checked whole. Ours is checked by a test, so that rules are imported with the first run
    that needs them.
    """
    with system_agents.at_start():
        agents = system_agents.load()
        return bind(agents) if settings.system_agents else {name: Binding(name, each) for name, each in agents.items()}


def check_default(agent: str) -> None:
    """Hold the deployment to an agent that is there, for runs that name none (C36). Raises SystemAgentsError."""
    bindings = deployed()
    with system_agents.at_start():
        if agent not in bindings:
            raise SystemAgentsError(f"has no agent {agent}, which is to be the default; it has {', '.join(bindings)}")
