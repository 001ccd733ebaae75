"""What an agent demands of its runs beyond the rules of every run, and what it makes of them.

The rules of an agent are an `InputRules`, named by `input` in the agent's block of `system_agents.yaml`. They are pure
functions of the run's input. They run in the functions that accept runs: import what is large where it is used.
"""

from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from yarrow.protocol.run_input.body import RunInput

Topic = dict[str, Any]
"""What a session is about from a run on, as JSON: e.g. the cast that follow-ups ask about."""


class Topics(NamedTuple):
    """The topics of a session, for a run that continues it: `latest` on its branch, and `answered` if that was.

    `asks_again` is true if the run repeats the message of `latest`; `are_known` is false for a session without any
    stored topic, as earlier versions made them.
    """

    latest: Topic | None
    answered: Topic | None
    asks_again: bool
    are_known: bool


@dataclass(frozen=True, slots=True)
class InputRules:
    """What an agent demands and provides; the defaults demand nothing. `check` and `check_topic` raise Problem."""

    members: Set[str] = frozenset()
    """The members of forwardedProps it takes besides the common ones (C2)."""
    check: Callable[[RunInput], None] = lambda _: None
    """Refuses what only this agent forbids."""
    data: Callable[[RunInput], dict[str, Any]] = lambda _: {}
    """The typed facts that its runner finds in `event.data`."""
    topic: Callable[[RunInput], Topic | None] = lambda _: None
    """The topic that a run gives its session, if any."""
    check_topic: Callable[[RunInput, Topic], None] = lambda _, __: None
    """Refuses a follow-up about another topic than the session's (C47)."""
    continued: Callable[[dict[str, Any], Topics], dict[str, Any]] = lambda props, _: props
    """The forwardedProps of an AG-UI client, as they are meant in a session with these topics (C41)."""
    deployment_config: Set[str] = frozenset()
    """The members of its runner's config that are parameters of the deployment, e.g. `help_lines`."""


NONE = InputRules()
