"""Requests to AG-UI agents as durable steps: one whose stream has ended is not made again by a later worker."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
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

_NOT_REPEATED: Final = (
    "the agent's server had taken the request before and does not answer it again: the end of its answer is lost"
)

Document = dict[str, Any]


async def run_agent(api: AgentRunAPIProxy, source: Source, body: Document) -> AsyncGenerator[Document]:
    """Yield the events of a request as they come, up to the end of the agent's run. Raises SourceError.

    In a rerun the stored events come at once, with the pieces of each message joined.
    """
    live: asyncio.Queue[Document] = asyncio.Queue(_WAITING)

    async def ask(attempt: int) -> Document:
        return await _listen(source, body, live, is_again=attempt > 1)

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
    async with aclosing(until_the_end(source, body, is_again=True)) as events:
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


async def _listen(source: Source, body: Document, live: asyncio.Queue[Document], *, is_again: bool) -> Document:
    """Pass events on, and return them to be stored with how the request failed, if it did."""
    events: list[Document] = []
    stored: Document = {"events": events}
    try:
        async with aclosing(until_the_end(source, body, is_again=is_again)) as heard:
            async for event in heard:
                _append(events, event)
                await live.put(event)
    except SourceError as error:
        stored["error"] = {"code": error.code, "message": str(error), "retryable": error.retryable}
    if len(json.dumps(events).encode()) > MAX_STORED_BYTES:
        stored["events"] = None
    return stored


async def until_the_end(source: Source, body: Document, *, is_again: bool = False) -> AsyncGenerator[Document]:
    """Yield the events of a request, up to the end of the agent's run.

    Raises SourceError for a request that is made again and answered with nothing but the beginning and the end of a
    run: so answer agents that keep the conversation, and have seen its messages in the first request, whose answer is
    lost. AG-UI has no event that says so.
    """
    is_empty = is_again
    async with aclosing(source(body)) as events:
        async for event in events:
            is_empty = is_empty and _says_nothing(event)
            if is_empty and event.get("type") == "RUN_FINISHED":
                raise SourceError("agui.not_repeated", _NOT_REPEATED, retryable=True)
            yield dict(event)
            if event.get("type") in ("RUN_FINISHED", "RUN_ERROR"):
                return


def _says_nothing(event: Mapping[str, Any]) -> bool:
    """Whether an event begins a run, or ends one without a result, a question, a cancellation and usage."""
    match event.get("type"):
        case "RUN_STARTED":
            return True
        case "RUN_FINISHED":
            outcome = event.get("outcome")
            is_success = outcome is None or (isinstance(outcome, dict) and outcome.get("type") == "success")
            return is_success and event.get("result") is None and not event.get("usage")
    return False


def _append(events: list[Document], event: Document) -> None:
    """Append an event, or its text to the piece before it."""
    last, piece = (events[-1] if events else {}), event.get("delta")
    is_same = all(last.get(member) == event.get(member) for member in ("type", "messageId", "toolCallId"))
    if is_same and event.get("type") in _PIECES and isinstance(piece, str) and isinstance(last.get("delta"), str):
        last["delta"] += piece
    else:
        events.append(dict(event))
