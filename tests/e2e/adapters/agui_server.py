"""An AG-UI server as its author would write it: a Pydantic AI agent with a tool, whose model is a script."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessage, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

closed = threading.Event()
"""Set when a run that waits is cancelled."""


async def scripted(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    """Answer the last message: use a tool for the weather and the time, wait for `wait`, else repeat the messages."""
    parts = messages[-1].parts
    if isinstance(parts[-1], ToolReturnPart):
        yield f"It is {parts[-1].content}."
        return
    request = [str(part.content) for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    if request[-1] == "wait":
        yield "I wait"
        try:
            await asyncio.sleep(3600)
        finally:
            closed.set()
    elif request[-1] == "fail":
        raise RuntimeError("the model is out of order")
    elif request[-1] == "weather":
        yield "I look. "
        yield {0: DeltaToolCall(name="weather", json_args='{"city": "Rome"}')}
    elif request[-1] == "delete":
        yield {0: DeltaToolCall(name="delete", json_args='{"file": "notes"}')}
    elif request[-1] == "time":
        yield {0: DeltaToolCall(name="get_current_time", json_args="{}")}
    else:
        for word in ("You", " said:", *(f" {text}" for text in request)):
            yield word


agent = Agent(FunctionModel(stream_function=scripted), output_type=[str, DeferredToolRequests])


@agent.tool_plain
def weather(city: str) -> str:
    return f"sunny in {city}"


deleted: list[str] = []


@agent.tool_plain(requires_approval=True)
def delete(file: str) -> str:
    deleted.append(file)
    return f"without {file}"


class Server:
    """Serves the agent, and keeps the bodies of its requests."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.refuses = 0
        """Requests that are refused with 503 before the next is taken."""
        self.closed = closed
        self.app = Starlette(routes=[Route("/run", self.run, methods=["POST"])])

    async def run(self, request: Request) -> Response:
        if self.refuses:
            self.refuses -= 1
            return Response(status_code=503)
        self.bodies.append(json.loads(await request.body()))
        self.headers.append(dict(request.headers))
        return await AGUIAdapter.dispatch_request(request, agent=agent)
