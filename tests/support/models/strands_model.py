"""A model of Strands that follows a script."""

import json
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from strands.models.model import Model


@dataclass(frozen=True)
class Call:
    """A call that the model makes."""

    name: str
    id: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Thought:
    """A piece of the model's reasoning."""

    text: str


Said = str | Call | Thought
Script = Callable[[list[Any]], Awaitable[Sequence[Said]]]
"""From the messages of a request to the texts and calls of its response; its texts are pieces of one block."""


class ScriptedModel(Model):
    def __init__(self, script: Script, pause: Callable[[], Awaitable[None]] | None = None) -> None:
        """`pause` is awaited after each piece of text."""
        self._script = script
        self._pause = pause
        self.signal: threading.Event | None = None
        """By which the latest request is told to stop."""

    def update_config(self, **_: Any) -> None:
        raise NotImplementedError

    def get_config(self) -> Any:
        return {"model_id": "scripted"}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *_: Any, **named: Any) -> AsyncGenerator[Any]:
        self.signal = named["cancel_signal"]
        said = await self._script(messages)
        yield {"messageStart": {"role": "assistant"}}
        if thoughts := [piece for piece in said if isinstance(piece, Thought)]:
            yield {"contentBlockStart": {"start": {}}}
            for thought in thoughts:
                yield {"contentBlockDelta": {"delta": {"reasoningContent": {"text": thought.text}}}}
            yield {"contentBlockStop": {}}
        if any(isinstance(piece, str) for piece in said):
            yield {"contentBlockStart": {"start": {}}}
            for piece in said:
                if isinstance(piece, str):
                    yield {"contentBlockDelta": {"delta": {"text": piece}}}
                    if self._pause is not None:
                        await self._pause()
            yield {"contentBlockStop": {}}
        calls = [piece for piece in said if isinstance(piece, Call)]
        for call in calls:
            yield {"contentBlockStart": {"start": {"toolUse": {"name": call.name, "toolUseId": call.id}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(call.arguments)}}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if calls else "end_turn"}}
        usage = {"inputTokens": 10, "outputTokens": 2, "totalTokens": 12, "cacheReadInputTokens": 4}
        yield {"metadata": {"usage": usage, "metrics": {"latencyMs": 1}}}


def results_of(messages: Sequence[Any]) -> list[Any]:
    """The results of calls in the last message."""
    return [block["toolResult"] for block in messages[-1]["content"] if "toolResult" in block]
