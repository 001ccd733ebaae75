"""Which agent answers a run, and what that agent demands of its input beyond the rules every run keeps.

The agents and their policies are in `system_agents.yaml`; what can be demanded of an input is here. One run has one
agent, and so one binding and one runner (RNR-86).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from yarrow.agents import system_agents
from yarrow.agents.system_agents import SystemAgent, SystemAgentsError
from yarrow.formats import json_text
from yarrow.protocol import validation_errors
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.run_input.divination_payload import DivinationPayload
from yarrow.protocol.run_input.tool_results import client_results
from yarrow.settings import settings


class Casts(NamedTuple):
    """What was cast in a session, for a run that goes on with it: `latest` on its branch, and `answered` if it was.

    `asks_again` tells whether the run's message is the one that `latest` was cast for, `are_known` whether the session
    names any cast: those of earlier versions do not.
    """

    latest: dict[str, Any] | None
    answered: dict[str, Any] | None
    asks_again: bool
    are_known: bool


@dataclass(frozen=True, slots=True)
class InputRules:
    """What an agent demands of its input, and what it makes of it.

    `members` of forwardedProps it allows besides the common ones (C2); `check` raises Problem for what only this agent
    forbids; `data` are the typed facts its runner finds in the event, `config` what the deployment's settings add
    to its config.
    """

    members: frozenset[str] = frozenset()
    check: Callable[[RunInput], None] = lambda _: None
    data: Callable[[RunInput], dict[str, Any]] = lambda _: {}
    cast: Callable[[RunInput], dict[str, Any] | None] = lambda _: None
    """What is cast in a run, if anything is."""
    continued: Callable[[dict[str, Any], "Casts"], dict[str, Any]] = lambda props, _: props
    """The forwardedProps of an AG-UI client, as they are meant in a session with these casts (C41)."""
    config: Callable[[], dict[str, Any]] = dict


@dataclass(frozen=True, slots=True)
class Binding:
    """One agent, bound to the events of the HTTP API: its policies and the rules of its input."""

    agent: str
    policy: SystemAgent
    rules: InputRules = InputRules()

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
    return BINDINGS.get(_implied(run_input)) or _named(default)


def check(binding: Binding, run_input: RunInput) -> None:
    """Hold an input to its binding: mode, members of forwardedProps, then the agent's own rules. Raises Problem."""
    if run_input.runtime_mode not in binding.policy.modes:
        raise Problem(Code.AGENT_RUNTIME_MODE_INVALID, "invalid RunAgentInput.forwardedProps")
    if not binding.rules.members.issuperset(run_input.extensions):
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "invalid RunAgentInput.forwardedProps")
    binding.rules.check(run_input)


def _named(agent: str) -> Binding:
    if agent not in BINDINGS:
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "unknown agent", params={"agents": sorted(BINDINGS)})
    return BINDINGS[agent]


def _implied(run_input: RunInput) -> str:
    """The agent that the members of forwardedProps imply, else the one that the mode does."""
    by = {name: binding.policy.implied_by for name, binding in BINDINGS.items()}
    named = [name for name, each in by.items() if not run_input.extensions.keys().isdisjoint(each.forwarded_props)]
    if len(named) > 1:
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "ambiguous RunAgentInput.forwardedProps", params={"agents": named})
    named += [name for name, each in by.items() if run_input.runtime_mode in each.runtime_modes]
    return named[0] if named else ""


_PAYLOAD_NAMES: Final = frozenset({"divinationPayload", "divination_payload"})


def divination_payload(extensions: Mapping[str, Any]) -> DivinationPayload:
    """The cast in forwardedProps. Raises Problem 422 when it is missing (DIV-07) or breaks a rule (DIV-01 … DIV-08)."""
    value = next((extensions[name] for name in sorted(_PAYLOAD_NAMES) if extensions.get(name) is not None), None)
    if value is None:
        raise Problem(Code.AGENT_DIVINATION_PAYLOAD_REQUIRED, "forwardedProps.divinationPayload is required")
    try:
        return DivinationPayload.model_validate(value)
    except ValidationError as error:
        first = validation_errors.faults(error)[0]
        where = ".".join(["divinationPayload", *(part[:64] for part in first["loc"][:1] if isinstance(part, str))])
        told = {"reason": validation_errors.reason(first)}
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, f"invalid {where}", params=told) from error


def _check_divination(run_input: RunInput) -> None:
    for name in ("state", "tools", "context"):  # RUN-21, C6
        if name not in run_input.given:
            raise Problem(Code.AGENT_RUN_INPUT_INVALID, f"RunAgentInput.{name} is required")
    if not isinstance(run_input.state, dict):
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "RunAgentInput.state must be an object")
    if run_input.runtime_mode != "follow_up" or not run_input.passed_on or _has_payload(run_input.extensions):
        divination_payload(run_input.extensions)
    if run_input.runtime_mode == "follow_up" and not run_input.text.strip():
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "a follow-up needs a question in messages[0].content")


def _has_payload(props: Mapping[str, Any]) -> bool:
    return any(props.get(name) is not None for name in _PAYLOAD_NAMES)


def _cast(run_input: RunInput) -> dict[str, Any] | None:
    if run_input.runtime_mode != "chat":
        return None
    return divination_payload(run_input.extensions).model_dump(mode="json")


def _continued(props: dict[str, Any], casts: Casts) -> dict[str, Any]:
    """Plain text and the same cast again are follow-ups; any other cast is a new one.

    The message of a cast without an answer, sent again, is cast again. A null payload tells the runner that nothing was
    cast on the branch.
    """
    rest = {name: value for name, value in props.items() if name not in (*_PAYLOAD_NAMES, "runtimeMode")}
    if not _has_payload(props):
        known = {"divinationPayload": casts.latest} if casts.are_known else {}
        return {**rest, "runtime_mode": "chat" if casts.asks_again else "follow_up", **known}
    given = divination_payload(props).model_dump(mode="json")
    return {**rest, "runtime_mode": "follow_up" if given == casts.answered else "chat", "divinationPayload": given}


def check_cast(run_input: RunInput, cast: Mapping[str, Any] | None) -> None:
    """Hold a follow-up to the session's cast, where there is one (C47). Raises Problem 422 for another."""
    if run_input.runtime_mode != "follow_up" or cast is None or not _has_payload(run_input.extensions):
        return
    if divination_payload(run_input.extensions).model_dump(mode="json") != cast:
        detail = "forwardedProps.divinationPayload is not the session's cast"
        raise Problem(Code.AGENT_DIVINATION_PAYLOAD_MISMATCH, detail)


def _divination_data(run_input: RunInput) -> dict[str, Any]:
    if not _has_payload(run_input.extensions):
        return dict.fromkeys(run_input.extensions.keys() & {"divinationPayload"})
    return {"divinationPayload": divination_payload(run_input.extensions).model_dump(mode="json")}


def _divination_config() -> dict[str, Any]:
    return {"help_lines": json_text.loads(settings.help_lines.encode())} if settings.help_lines else {}


def _check_assistant(run_input: RunInput) -> None:
    if run_input.user_message is not None and not run_input.text.strip() and not run_input.pictures:
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "the user message is empty")


def _assistant_data(run_input: RunInput) -> dict[str, Any]:
    """What the client's tools answered, if it just ran some; which of it answers a call is the agent's to know."""
    messages = (each.model_dump() for each in (*run_input.results_before, *run_input.messages))
    results = client_results(messages, {tool.name for tool in run_input.tools})
    return {"tool_results": results} if results else {}


INPUT_RULES: Final[Mapping[str, InputRules]] = {
    "plain": InputRules(),
    "assistant": InputRules(check=_check_assistant, data=_assistant_data),
    "divination": InputRules(
        _PAYLOAD_NAMES, _check_divination, _divination_data, _cast, _continued, _divination_config
    ),
}
"""What an agent's `input` in `system_agents.yaml` may say."""


def bind(agents: Mapping[str, SystemAgent]) -> Mapping[str, Binding]:
    """Bind agents to the rules they name. Raises SystemAgentsError for rules or members that are not there."""
    bound = {}
    for name, policy in agents.items():
        rules = INPUT_RULES.get(policy.input)
        if rules is None:
            raise SystemAgentsError(f"agents.{name}: input is one of {', '.join(INPUT_RULES)}, not {policy.input}")
        if unknown := set(policy.implied_by.forwarded_props) - rules.members:
            raise SystemAgentsError(f"agents.{name}: input {policy.input} does not know {', '.join(sorted(unknown))}")
        bound[name] = Binding(name, policy, rules)
    return bound


with system_agents.at_start():
    BINDINGS: Final = bind(system_agents.load())
    """Every agent by its name."""


def check_default(agent: str) -> None:
    """Hold the deployment to an agent that is there, for runs that name none (C36). Raises SystemAgentsError."""
    with system_agents.at_start():
        if agent not in BINDINGS:
            raise SystemAgentsError(f"has no agent {agent}, which is to be the default; it has {', '.join(BINDINGS)}")
