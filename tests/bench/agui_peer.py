"""pydantic-ai's `AGUIAdapter` with an agent that says so many pieces: what `bench_agui` measures ours beside.

`python -m tests.bench.agui_peer` serves `POST /send-message` with uvicorn on `PORT`, as its documentation shows. The
user's words are those of `delta_stack`. Nothing is stored.
"""

import json
import os
import time
from collections.abc import AsyncIterator

import uvicorn
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelRequest, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


async def pieces(messages: list[ModelMessage], _info: AgentInfo) -> AsyncIterator[str]:
    """What the user asks for, as fast as it is taken."""
    (request,) = (
        part.content
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
    )
    for _ in range(json.loads(str(request))["deltas"]):
        yield f"{time.monotonic():.5f} "


agent = Agent(FunctionModel(stream_function=pieces))


async def endpoint(request: Request) -> Response:
    return await AGUIAdapter.dispatch_request(request, agent=agent)


if __name__ == "__main__":
    app = Starlette(routes=[Route("/send-message", endpoint, methods=["POST"])])
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
