"""Maps tool names to ones that providers accept (C44): MCP names may have dots, blanks or Chinese."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from yarrow.protocol.runner.api import ModelReply, ModelTool, ModelToolCall
from yarrow.services.models.call import ChatMessage, ModelCall

ANSWER: Final = "__answer__"
"""Returns an instance of `response_schema`, for models without structured output."""

_ACCEPTED: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Accepted by every provider."""
_NOT_ACCEPTED: Final = re.compile(r"[^A-Za-z0-9_-]+")
_STEM_LENGTH: Final = 55
_DIGEST_LENGTH: Final = 8


class ToolNames:
    """The name mapping of one request: stable across requests, except for collisions."""

    def __init__(self, names: Iterable[str]) -> None:
        distinct = set(names)
        self._provider_names = {name: name for name in distinct if _ACCEPTED.fullmatch(name) and name != ANSWER}
        self._own_names = dict(self._provider_names)
        for name in sorted(distinct - self._provider_names.keys()):
            number = 0
            while (to_provider := _mapped(name, number)) in self._own_names:
                number += 1
            self._provider_names[name], self._own_names[to_provider] = to_provider, name

    @classmethod
    def of(cls, call: ModelCall) -> "ToolNames":
        called = (tool_call.function.name for message in call.messages for tool_call in message.tool_calls)
        answered = (message.tool_name for message in call.messages if message.tool_name)
        return cls([*(tool.name for tool in call.tools), *called, *answered])

    def to_provider(self, call: ModelCall) -> ModelCall:
        """Rename the tools of a call; a renamed tool's description begins with its own name."""
        return replace(
            call,
            messages=tuple(self._message(message) for message in call.messages),
            tools=tuple(self._tool(tool) for tool in call.tools),
        )

    def from_provider(self, reply: ModelReply) -> ModelReply:
        """Restore the own names of a reply's calls; unknown names stay."""
        calls = tuple(_renamed(tool_call, self._own_names) for tool_call in reply.message.tool_calls)
        return reply.model_copy(update={"message": reply.message.model_copy(update={"tool_calls": calls})})

    def _tool(self, tool: ModelTool) -> ModelTool:
        to_provider = self._provider_names[tool.name]
        if to_provider == tool.name:
            return tool
        return tool.model_copy(update={"name": to_provider, "description": f"{tool.name}: {tool.description or ''}"})

    def _message(self, message: ChatMessage) -> ChatMessage:
        return replace(
            message,
            tool_calls=tuple(_renamed(tool_call, self._provider_names) for tool_call in message.tool_calls),
            tool_name=self._provider_names.get(message.tool_name, message.tool_name),
        )


def _renamed(call: ModelToolCall, names: Mapping[str, str]) -> ModelToolCall:
    name = names.get(call.function.name, call.function.name)
    return call.model_copy(update={"function": call.function.model_copy(update={"name": name})})


def _mapped(name: str, number: int) -> str:
    stem = _NOT_ACCEPTED.sub("_", name)[:_STEM_LENGTH].strip("_") or "tool"
    digest = hashlib.sha256(f"{name}\n{number}".encode()).hexdigest()
    return f"{stem}_{digest[:_DIGEST_LENGTH]}"
