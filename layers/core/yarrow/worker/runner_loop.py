"""Reads a runner's results until the last one, the deadline, the end of the worker's turn or a failure
(`agent-runner.md` §6, §9; RNR-39, RNR-40, RNR-70, RNR-71). A runner that may not be cancellable needs
`isolation.IsolatedRunner`.
"""

import asyncio
import time
import traceback
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Final

from yarrow.observability.logs import USER_TEXT, logger
from yarrow.protocol.runner.context_text import user_texts
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.turn import HandOver, Turn
from yarrow.settings import settings
from yarrow.store.runs import ReplacedError

CLOSE_SECONDS = 5.0
"""For a runner's cleanup after the last result."""

MESSAGE_CHARACTERS: Final = 1_000
"""Of an exception that the local stack shows."""

_END: Final = object()


class RunnerFailedError(Exception):
    """The code and message are public."""

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


class TurnEndedError(Exception):
    """The worker's turn has ended before its run; the next one goes on."""

    def __init__(self, hand_over: HandOver) -> None:
        super().__init__(f"the run goes on {'at once' if hand_over.until is None else f'at {hand_over.until}'}")
        self.hand_over = hand_over


async def read_results(
    runner: AgentRunner,
    context: AgentRunContext,
    api: AgentRunAPIProxy,
    take: Callable[[object], Awaitable[bool]],
    turn: Turn | None = None,
) -> None:
    """Pass each result to `take` until it returns True, or the deadline passes or the turn ends; close the runner.
    Raises RunnerFailedError: `runner.timeout`, `runner.error` if the runner raises, `cancelled` if it cancels itself;
    TurnEndedError, ReplacedError, and what `take` raises.
    """
    deadline = context.runtime.deadline_at
    limit = asyncio.timeout(None if deadline is None else max(0.0, deadline - time.time()))
    turn = turn or Turn()
    results: AsyncGenerator[AgentRunResult] | None = None
    try:
        async with limit, turn.stopping(limit):
            results = _begin(runner, context, api)
            while (result := await _next(results, context)) is not _END and not _is_stopped(limit, turn):
                with turn.taking():
                    is_last = await take(result)
                if is_last:
                    break
    except (TimeoutError, RunnerFailedError):
        if not _is_stopped(limit, turn):
            raise
    finally:
        if results is not None:
            await _close(results)
    if turn.hand_over is not None:
        raise TurnEndedError(turn.hand_over)
    if limit.expired():
        raise RunnerFailedError("runner.timeout", "the agent took too long", retryable=True)


def _is_stopped(limit: asyncio.Timeout, turn: Turn) -> bool:
    return limit.expired() or turn.hand_over is not None


def _begin(runner: AgentRunner, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
    try:
        return runner.run(context, api)
    except Exception as error:
        raise _broken(context, error) from error


async def _next(results: AsyncGenerator[AgentRunResult], context: AgentRunContext) -> object:
    """Return the next result, of any type; `_END` after the last."""
    try:
        return await anext(results)
    except StopAsyncIteration:
        return _END
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise RunnerFailedError("cancelled", "the agent was cancelled") from error
    except ReplacedError:  # raised by remote runners
        raise
    except Exception as error:
        raise _broken(context, error) from error


def _broken(context: AgentRunContext, error: Exception) -> RunnerFailedError:
    """Log an exception without users' texts and return a public error."""
    logger.exception("the agent raised", extra={USER_TEXT: user_texts(context)})
    return RunnerFailedError("runner.error", failure_message(error))


def failure_message(error: BaseException) -> str:
    """Return the message for clients. On the local stack it says what the runner raised, and where."""
    if not settings.shows_exceptions:
        return "the agent failed"
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"the agent failed: {type(error).__name__}: {error}"[:MESSAGE_CHARACTERS] + where


async def _close(results: AsyncGenerator[AgentRunResult]) -> None:
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await results.aclose()
    except Exception:
        logger.exception("closing the agent failed")
