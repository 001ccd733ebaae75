"""The reasoning in a client's list, which goes to the model with the assistant message that follows it (MSG-06)."""

from collections.abc import Sequence
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.run_input.messages import ActivityMessage, AssistantMessage, Message, ReasoningMessage

MAX_BYTES: Final = 64 * 1024
"""The most bytes of JSON of a request's reasoning; the oldest is dropped first."""


def listed_reasoning(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return reasoning, oldest first: `content`, `encryptedValue`, and `of`, the ids of the message and its calls."""
    found: list[dict[str, Any]] = []
    waiting: list[ReasoningMessage] = []
    for message in messages:
        match message:
            case ReasoningMessage():
                waiting.append(message)
            case ActivityMessage():
                pass
            case _:
                if isinstance(message, AssistantMessage):
                    of = list(dict.fromkeys([message.id, *(call.id for call in message.tool_calls or ())]))
                    found += [entry for reasoning in waiting if (entry := _entry(reasoning, of))]
                waiting = []
    return _latest(found)


def _entry(message: ReasoningMessage, of: list[str]) -> dict[str, Any] | None:
    content = message.content if isinstance(message.content, str) else ""
    if not content and not message.encrypted_value:
        return None
    value = {"encryptedValue": message.encrypted_value} if message.encrypted_value else {}
    return {"of": of, "content": content, **value}


def _latest(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    room = MAX_BYTES
    for index in reversed(range(len(found))):
        room -= len(json_text.dumps(found[index]).encode())
        if room < 0:
            return found[index + 1 :]
    return found
