"""Requests to AG-UI agents as durable steps: one whose stream has ended is not made again by a later worker."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any, Final

from yarrow.adapters.agui.sources import Source, SourceError
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

NAME: Final = "agui.request"

MAX_STORED_BYTES: Final = 512 * 1024
"""JSON bytes of a stream's events; a longer one is not stored, and a later worker asks again."""

_WAITING: Final = 100
"""Events that the agent may be ahead of the host."""

_PIECES: Final = frozenset({"TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS", "REASONING_MESSAGE_CONTENT"})

Document = dict[str, Any]


async def run_agent(api: AgentRunAPIProxy, source: Source, body: Document) -> AsyncGenerator[Document]:
    """Yield the events of a request as they come, up to the end of the agent's run. Raises SourceError.

    In a rerun the stored events come at once, with the pieces of each message joined.
    """
    live: asyncio.Queue[Document] = asyncio.Queue(_WAITING)

    async def ask() -> Document:
        return await _listen(source, body, live)

    own = {name: value for name, value in body.items() if name != "runId"}  # a run that goes on has another id
    step = asyncio.create_task(api.step(NAME, ask, arguments=own))
    try:
        has_come = False
        while (event := await _next(live, step)) is not None:
            has_come = True
            yield event
        stored = await step
        if not has_come:
            async with aclosing(_replayed(stored, source, body)) as events:
                async for event in events:
                    yield event
        if error := stored.get("error"):
            raise SourceError(error["code"], error["message"], retryable=error["retryable"])
    finally:
        step.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await step


async def _replayed(stored: Document, source: Source, body: Document) -> AsyncGenerator[Document]:
    """Yield the events of an earlier worker; of a stream that was too long to store, those of another request."""
    if stored["events"] is not None:
        for event in stored["events"]:
            yield event
        return
    async with aclosing(until_the_end(source, body)) as events:
        async for event in events:
            yield event


async def _next(live: asyncio.Queue[Document], step: "asyncio.Task[Any]") -> Document | None:
    """Wait for the next event; None if the step has ended and no event is left."""
    if live.empty() and not step.done():
        getting = asyncio.ensure_future(live.get())
        await asyncio.wait({getting, step}, return_when=asyncio.FIRST_COMPLETED)
        if getting.done():
            return getting.result()
        getting.cancel()
    return None if live.empty() else live.get_nowait()


async def _listen(source: Source, body: Document, live: asyncio.Queue[Document]) -> Document:
    """Pass events on, and return them to be stored with how the request failed, if it did."""
    events: list[Document] = []
    stored: Document = {"events": events}
    try:
        async with aclosing(until_the_end(source, body)) as heard:
            async for event in heard:
                _append(events, event)
                await live.put(event)
    except SourceError as error:
        stored["error"] = {"code": error.code, "message": str(error), "retryable": error.retryable}
    if len(json.dumps(events).encode()) > MAX_STORED_BYTES:
        stored["events"] = None
    return stored


async def until_the_end(source: Source, body: Document) -> AsyncGenerator[Document]:
    """Yield the events of a request, up to the end of the agent's run."""
    async with aclosing(source(body)) as events:
        async for event in events:
            yield dict(event)
            if event.get("type") in ("RUN_FINISHED", "RUN_ERROR"):
                return


def _append(events: list[Document], event: Document) -> None:
    """Append an event, or its text to the piece before it."""
    last, piece = (events[-1] if events else {}), event.get("delta")
    is_same = all(last.get(member) == event.get(member) for member in ("type", "messageId", "toolCallId"))
    if is_same and event.get("type") in _PIECES and isinstance(piece, str) and isinstance(last.get("delta"), str):
        last["delta"] += piece
    else:
        events.append(dict(event))
