"""The events of agents that a run's agent calls (EVT-34). Few runs have any, so this is imported when one comes."""

from typing import Any, Final

import msgspec

from yarrow.protocol.events.framing import BaseEvent


class SubagentEvent(BaseEvent, frozen=True, kw_only=True):
    """One of them; the id is of one invocation."""

    subagent_run_id: str


class SubagentStarted(SubagentEvent, frozen=True, kw_only=True, tag="SUBAGENT_STARTED"):
    """A nested agent began, called by another one, or by a tool call."""

    name: str
    description: str | None = None
    parent_subagent_run_id: str | None = None
    parent_tool_call_id: str | None = None


class SubagentFinished(SubagentEvent, frozen=True, kw_only=True, tag="SUBAGENT_FINISHED"):
    """A nested agent is done, or goes on in the run that answers a question: then `outcome` is SUSPENDED."""

    result: Any = None
    outcome: dict[str, Any] | None = None


class SubagentError(SubagentEvent, frozen=True, kw_only=True, tag="SUBAGENT_ERROR"):
    """A nested agent failed. `message` is public."""

    message: str
    code: str | None = None


EVENTS: Final[tuple[type[BaseEvent], ...]] = (SubagentStarted, SubagentFinished, SubagentError)

SUSPENDED: Final[dict[str, Any]] = {"type": "suspended"}

_DECODER: Final = msgspec.json.Decoder(SubagentStarted | SubagentFinished | SubagentError)
_MEMBERS: Final = {str(type_.__struct_config__.tag): {"type", *type_.__struct_encode_fields__} for type_ in EVENTS}


def decode(line: str) -> SubagentEvent:
    """Read one. Raises ValueError for a line that `encode` did not write."""
    event: SubagentEvent = _DECODER.decode(line)
    return event


def known(members: dict[str, Any]) -> SubagentEvent:
    """Make one of a document without the members that a later version may have added."""
    own = {name: value for name, value in members.items() if name in _MEMBERS[members["type"]]}
    event: SubagentEvent = msgspec.convert(own, SubagentStarted | SubagentFinished | SubagentError)
    return event
