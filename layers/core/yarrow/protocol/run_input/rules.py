"""An agent's rules for its runs beyond the common ones, named by `input` in its block of `system_agents.yaml`.

They are pure functions that run wherever runs are accepted: import large modules where they are used.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.run_input.tool_results import client_results

Topic = dict[str, Any]
"""The topic of a session, e.g. the order that follow-ups ask about."""


class Topics(NamedTuple):
    """The `latest` topic on the session's branch, and the latest that was `answered`.

    `asks_again`: the run repeats the message of `latest`. `are_known` is false for sessions of earlier versions.
    """

    latest: Topic | None
    answered: Topic | None
    asks_again: bool
    are_known: bool


def tool_results(run_input: RunInput) -> dict[str, Any]:
    """Return the results of the client's tools, which runners match to calls of earlier runs; nothing without one."""
    messages = (message.wire() for message in (*run_input.results_before, *run_input.messages))
    results = client_results(messages, {tool.name for tool in run_input.tools})
    return {"tool_results": results} if results else {}


@dataclass(frozen=True, slots=True)
class InputRules:
    """The defaults demand nothing. `check` and `check_topic` raise Problem."""

    members: Set[str] = frozenset()
    """Members of forwardedProps, besides the common ones (C2)."""
    check: Callable[[RunInput], None] = lambda _: None
    data: Callable[[RunInput], dict[str, Any]] = tool_results
    """Makes the runner's `event.data`."""
    topic: Callable[[RunInput], Topic | None] = lambda _: None
    """Finds the topic that a run adds to its session."""
    check_topic: Callable[[RunInput, Topic], None] = lambda _, __: None
    """Refuses a follow-up about another topic (C47)."""
    continued: Callable[[dict[str, Any], Topics], dict[str, Any]] = lambda props, _: props
    """Interprets an AG-UI client's forwardedProps by the topics (C41)."""
    deployment_config: Mapping[str, Callable[[str], object]] = MappingProxyType({})
    """Config members that are deployment parameters in JSON, with functions that check their texts as functions start
    and raise ValueError, whose message may be logged."""


NONE = InputRules()
