"""The Lambda handler of a function with runners: lists them, or runs one, in lines of JSON.

Needs the streaming runtime (`AWS_LAMBDA_EXEC_WRAPPER: /opt/python/bin/stream-runtime`) and InvokeWithResponseStream.
The host's side is `yarrow.worker.invocation.remote_runner`.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter

from yarrow.protocol.runner.callback import LINES
from yarrow.protocol.runner.context_text import user_texts
from yarrow.protocol.runner.manifest import ListAgentRunnersResponse
from yarrow.protocol.runner.models import AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.remote import (
    MESSAGES_TAKEN,
    TURN_ENDED,
    ListAgentRunners,
    RemoteCall,
    RemoteQuestion,
    RunAgent,
    TurnEnded,
)
from yarrow.protocol.runner.turn import HandOver, Turn
from yarrow.web.lambda_bytes import StreamingBytes

logger = logging.getLogger(__name__)

_END: Final = object()

_trace_parent: ContextVar[str | None] = ContextVar("trace_parent", default=None)

_EVENT: Final[TypeAdapter[ListAgentRunners | RunAgent]] = TypeAdapter(
    Annotated[ListAgentRunners | RunAgent, Field(discriminator="action")]
)


def serve(*runners: InstalledRunner) -> StreamingBytes:
    """Return the Lambda handler of these runners (RNR-01, RNR-13). An unreadable event fails the invocation."""

    async def answer(event: Any) -> AsyncGenerator[bytes]:
        match _EVENT.validate_python(event):
            case ListAgentRunners():
                listed = ListAgentRunnersResponse(runners=tuple(runner.manifest for runner in runners))
                yield _line(listed)
            case RunAgent() as request:
                async with aclosing(_run(runners, request)) as results:
                    async for result in results:
                        yield _line(result)

    return StreamingBytes(answer, LINES)


def trace_parent() -> str | None:
    """Return the `traceparent` of the run that this runner works on: the parent of spans of its own.

    None outside a run, and if nothing is traced.
    """
    return _trace_parent.get()


async def _run(runners: tuple[InstalledRunner, ...], request: RunAgent) -> AsyncGenerator[AgentRunResult]:
    """Run the agent; yields `run.failed` for an unknown runner, a timeout, and what else the runner raises (RNR-40)."""
    _trace_parent.set(request.traceparent)
    found = [runner for runner in runners if runner.manifest.id == request.runner_id]
    if not found:
        yield _failed(request, "not_found", "there is no such agent")
        return
    # Imported with the first run: listing runners needs no HTTP.
    from yarrow.sdk.callback import HttpTransport

    deadline_at, turn = request.context.runtime.deadline_at, _turn_of(request)
    asked: Sequence[RemoteQuestion] = ()
    calls: Sequence[RemoteCall] = ()
    try:
        async with HttpTransport(request.callback, deadline_at, turn) as transport:
            asked, calls = transport.asked, transport.calls
            api = AgentRunAPIProxy(request.context.run_id, transport)
            async with aclosing(found[0].create().run(request.context, api)) as results:
                while True:
                    seconds = None if deadline_at is None else deadline_at - time.time()
                    async with asyncio.timeout(seconds) as limit, turn.stopping(limit):
                        result = await anext(results, _END)
                    if transport.has_taken:
                        transport.has_taken = False
                        yield AgentRunResult(run_id=request.context.run_id, type=MESSAGES_TAKEN, data={})
                    if result is _END:
                        return
                    if not isinstance(result, AgentRunResult):
                        raise TypeError(f"the agent yielded a {type(result).__name__}, not an AgentRunResult")  # noqa: TRY301
                    turn.touch()
                    yield result
    except TimeoutError:
        if turn.hand_over is not None:
            yield _turn_ended(request, turn.hand_over, asked, calls)
            return
        yield _failed(request, "runner.timeout", "the agent took too long", retryable=True)
    except (Exception, SystemExit, KeyboardInterrupt):
        # Any member of the config may be a secret.
        logger.exception("the agent raised", extra={"heard": user_texts(request.context, config=True)})
        yield _failed(request, "runner.error", "the agent failed")


def _turn_of(request: RunAgent) -> Turn:
    callback = request.callback
    if callback.limit_at is None or callback.stop_at is None:
        return Turn()
    return Turn(callback.limit_at, callback.stop_at)


def _turn_ended(
    request: RunAgent, hand_over: HandOver, asked: Sequence[RemoteQuestion], calls: Sequence[RemoteCall]
) -> AgentRunResult:
    until = None if hand_over.until is None else datetime.fromtimestamp(hand_over.until, UTC)
    ended = TurnEnded(until=until)
    if hand_over.asks:
        ended = TurnEnded(until=until, asked=tuple(asked), calls=tuple(calls))
    return AgentRunResult(run_id=request.context.run_id, type=TURN_ENDED, data=ended.model_dump(mode="json"))


def _failed(request: RunAgent, code: str, message: str, *, retryable: bool = False) -> AgentRunResult:
    data = {"code": code, "message": message, "retryable": retryable}
    return AgentRunResult(run_id=request.context.run_id, type="run.failed", data=data)


def _line(document: ListAgentRunnersResponse | AgentRunResult) -> bytes:
    return document.model_dump_json().encode() + b"\n"
