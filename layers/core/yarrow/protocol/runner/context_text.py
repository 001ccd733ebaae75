"""Texts of a run's context that logs must not contain."""

from collections.abc import Iterator
from typing import Any, Final

from yarrow.protocol.runner.models import AgentRunContext

_OWN_MEMBERS: Final = {"event", "conversation", "actor", "subject", "input", "bootstrap"}
"""The context's members whose names are the host's; elsewhere, names may come from users."""


def user_texts(context: AgentRunContext, *, config: bool = False) -> list[str]:
    """Return texts of users, clients and the conversation; with `config`, also its texts, which may be secrets."""
    free = context.model_dump(include={"state", "adapter", *(["config"] if config else [])})
    tools = [tool.model_dump() for tool in context.resources.tools if tool.tool_type == "frontend"]
    return [*_texts(context.model_dump(include=_OWN_MEMBERS), names=False), *_texts([free, tools], names=True)]


def _texts(value: Any, *, names: bool) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        if names:
            yield from map(str, value)
        for member in value.values():
            yield from _texts(member, names=names)
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _texts(member, names=names)
