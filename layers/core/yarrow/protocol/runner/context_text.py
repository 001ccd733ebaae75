"""The words in a context of a run that are not its operator's: what a log has to leave out of what a runner raised."""

from collections.abc import Iterator
from typing import Any, Final

from yarrow.protocol.runner.models import AgentRunContext

_OWN_MEMBERS: Final = {"event", "conversation", "actor", "subject", "input", "bootstrap"}
"""Of the context; in the others, names may be anybody's as well."""


def user_texts(context: AgentRunContext, *, config: bool = False) -> list[str]:
    """Every text that comes from a user, a client or the conversation; of `config` too, which may hold secrets."""
    free = context.model_dump(include={"state", "adapter", *(["config"] if config else [])})
    tools = [each.model_dump() for each in context.resources.tools if each.tool_type == "frontend"]
    return [*_texts(context.model_dump(include=_OWN_MEMBERS), names=False), *_texts([free, tools], names=True)]


def _texts(value: Any, *, names: bool) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        if names:
            yield from map(str, value)
        for each in value.values():
            yield from _texts(each, names=names)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each, names=names)
