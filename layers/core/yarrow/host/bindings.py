"""Which agent answers a run, and what that agent demands of its input beyond the rules every run keeps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from yarrow.protocol.divination import DivinationPayload
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input import RunInput, RuntimeMode


@dataclass(frozen=True, slots=True)
class Binding:
    """One agent: how it is bound to the events of the HTTP API.

    `stages` are the steps a viewer sees (C32). `extensions` are the members of forwardedProps it allows besides the
    common ones (C2); `check` raises Problem for what only this agent forbids.
    """

    agent: str
    modes: frozenset[RuntimeMode]
    stages: tuple[str, ...]
    extensions: frozenset[str]
    check: Callable[[RunInput], None]


def agent_for(run_input: RunInput, *, existing: str | None, requested: str | None, default: str) -> Binding:
    """The binding of a run (C36): the session's agent, else the one asked for, else what the input implies.

    Raises Problem 422 for an agent that is not there.
    """
    if existing is not None:
        return BINDINGS[existing]
    if requested is not None:
        if requested not in BINDINGS:
            raise Problem(Code.AGENT_RUN_INPUT_INVALID, "unknown agent", params={"agents": sorted(BINDINGS)})
        return BINDINGS[requested]
    return BINDINGS.get(_implied(run_input), BINDINGS[default])


def check(binding: Binding, run_input: RunInput) -> None:
    """Hold an input to its binding: mode, members of forwardedProps, then the agent's own rules. Raises Problem."""
    if run_input.runtime_mode not in binding.modes:
        raise Problem(Code.AGENT_RUNTIME_MODE_INVALID, "invalid RunAgentInput.forwardedProps")
    if not binding.extensions.issuperset(run_input.extensions):
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "invalid RunAgentInput.forwardedProps")
    binding.check(run_input)


def _implied(run_input: RunInput) -> str:
    if run_input.runtime_mode == "automation":
        return "assistant"
    if run_input.runtime_mode == "follow_up" or not _PAYLOAD_NAMES.isdisjoint(run_input.extensions):
        return "divination"
    return ""


_PAYLOAD_NAMES: Final = frozenset({"divinationPayload", "divination_payload"})


def divination_payload(extensions: Mapping[str, Any]) -> DivinationPayload:
    """The cast in forwardedProps. Raises Problem 422 when it is missing (DIV-07) or breaks a rule (DIV-01 … DIV-08)."""
    value = next((extensions[name] for name in sorted(_PAYLOAD_NAMES) if extensions.get(name) is not None), None)
    if value is None:
        raise Problem(Code.AGENT_DIVINATION_PAYLOAD_REQUIRED, "forwardedProps.divinationPayload is required")
    try:
        return DivinationPayload.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(["divinationPayload", *(part[:64] for part in first["loc"][:1] if isinstance(part, str))])
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, f"invalid {where}", params={"reason": first["msg"]}) from error


def _check_divination(run_input: RunInput) -> None:
    for name in ("state", "tools", "context"):  # RUN-21, C6
        if name not in run_input.given:
            raise Problem(Code.AGENT_RUN_INPUT_INVALID, f"RunAgentInput.{name} is required")
    if not isinstance(run_input.state, dict):
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "RunAgentInput.state must be an object")
    divination_payload(run_input.extensions)
    if run_input.runtime_mode == "follow_up" and not run_input.user_message.text().strip():
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "a follow-up needs a question in messages[0].content")


BINDINGS: Final[Mapping[str, Binding]] = {
    binding.agent: binding
    for binding in (
        Binding(
            agent="divination",
            modes=frozenset({"chat", "follow_up"}),
            stages=("worker",),
            extensions=_PAYLOAD_NAMES,
            check=_check_divination,
        ),
    )
}
"""Every agent by its name."""
