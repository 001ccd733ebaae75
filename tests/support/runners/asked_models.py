"""A run whose models answer as a script says, over several workers that share its steps."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from tests.support.runners.fake_services import RUNNER, World, grant
from tests.support.runners.steps_in_memory import StepsInMemory
from yarrow.protocol.runner.api import (
    FunctionCall,
    ModelChunk,
    ModelMessage,
    ModelReply,
    ModelRequest,
    ModelToolCall,
    ModelUsage,
)
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.services.api.run_api import RunApi
from yarrow.services.steps.step_log import StepLog

USAGE = ModelUsage(input_tokens=11, output_tokens=7, cached_input_tokens=3)


def said(*pieces: str, call: tuple[str, str, str] | None = None, **reply: Any) -> list[ModelChunk]:
    """The chunks of an answer; `call` is the id, name and arguments of a call."""
    calls = () if call is None else (ModelToolCall(id=call[0], function=FunctionCall(name=call[1], arguments=call[2])),)
    message = ModelMessage(role="assistant", content="".join(pieces) or None, tool_calls=calls)
    finish = {"finish_reason": "tool_call"} if call else {}
    whole = ModelReply(message=message, **{"usage": USAGE, **finish, **reply})
    return [*(ModelChunk(content=piece) for piece in pieces), ModelChunk(reply=whole)]


Script = Callable[[ModelRequest, int], "list[ModelChunk] | Exception"]
"""Answers a request; the number counts the requests of the run from 1."""


@dataclass
class AskedModels:
    """`requests` are those that reached a model; `left` those whose stream was closed before its end."""

    script: Script
    requests: list[ModelRequest] = field(default_factory=list)
    left: list[ModelRequest] = field(default_factory=list)
    hangs_at: int = 0
    """The number of the request that is never answered to its end."""
    hanging: asyncio.Event = field(default_factory=asyncio.Event)
    store: StepsInMemory = field(default_factory=StepsInMemory)
    attempts: int = 0
    unused: list[str | None] = field(default_factory=list)
    """Steps of earlier workers that the latest one did not repeat."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk]:
        self.requests.append(request)
        number = len(self.requests)
        answer = self.script(request, number)
        if isinstance(answer, Exception):
            raise answer
        whole = False
        try:
            for chunk in answer:
                if number == self.hangs_at and chunk.reply is not None:
                    self.hanging.set()
                    await asyncio.Event().wait()
                whole = chunk.reply is not None
                yield chunk
        finally:
            if not whole:
                self.left.append(request)

    async def worker(self, use: Callable[[AgentRunAPIProxy], Awaitable[Any]]) -> Any:
        """What a new worker's runner returns."""
        self.attempts += 1
        log = StepLog("run", self.attempts, self.store.of("run"), self.store)
        api = RunApi(grant(), RUNNER, replace(World().services, steps=log, models=self))  # type: ignore[arg-type]
        try:
            return await use(AgentRunAPIProxy("run", api))
        finally:
            api.close()
            self.unused = [step.name for step in log.unused]
