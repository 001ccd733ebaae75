"""Hearing a runner out: its results one by one, until the last, its deadline, or what it does wrong.

Source: `agent-runner.md` §6, §9 (RNR-39, RNR-40, RNR-70, RNR-71). What the results say is not looked at here. A runner
that is heard here must let itself be cancelled; one that may not is put into an `isolation.IsolatedRunner`.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final

from yarrow.observability.logs import HEARD, logger
from yarrow.protocol.runner.context_text import user_texts
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.store.runs import ReplacedError

CLOSE_SECONDS = 5.0
"""How long a runner may clean up after its last result."""

_END: Final = object()


class RunnerFailedError(Exception):
    """The run cannot go on because of its runner: a public code and message, and whether to try again may help."""

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


async def hear(
    runner: AgentRunner,
    context: AgentRunContext,
    api: AgentRunAPIProxy,
    take: Callable[[object], Awaitable[bool]],
) -> None:
    """Give `take` whatever the runner yields until `take` says that it was the last; then close the runner.

    The deadline is the context's; what comes later is not taken, though the runner took no notice of it. Raises
    RunnerFailedError `runner.timeout` then, `runner.error` when the runner raises, `cancelled` when it cancels itself;
    ReplacedError, and what `take` raises. Cancelled, it closes the runner, too.
    """
    deadline = context.runtime.deadline_at
    limit = asyncio.timeout(None if deadline is None else max(0.0, deadline - time.time()))
    heard: AsyncGenerator[AgentRunResult] | None = None
    try:
        async with limit:
            heard = _begin(runner, context, api)
            while (result := await _next(heard, context)) is not _END and not limit.expired():
                if await take(result):
                    break
    except (TimeoutError, RunnerFailedError):
        if not limit.expired():
            raise
    finally:
        if heard is not None:
            await _close(heard)
    if limit.expired():
        raise RunnerFailedError("runner.timeout", "the agent took too long", retryable=True)


def _begin(runner: AgentRunner, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
    try:
        return runner.run(context, api)
    except Exception as error:
        raise _broken(context) from error


async def _next(heard: AsyncGenerator[AgentRunResult], context: AgentRunContext) -> object:
    """The next result, whatever the runner takes for one; `_END` after the last."""
    try:
        return await anext(heard)
    except StopAsyncIteration:
        return _END
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise RunnerFailedError("cancelled", "the agent was cancelled") from error
    except ReplacedError:  # a remote runner finds out, too
        raise
    except Exception as error:
        raise _broken(context) from error


def _broken(context: AgentRunContext) -> RunnerFailedError:
    """What the client is told of an exception, which may hold anything; the log has it without users' words."""
    logger.exception("the agent raised", extra={HEARD: user_texts(context)})
    return RunnerFailedError("runner.error", "the agent failed")


async def _close(heard: AsyncGenerator[AgentRunResult]) -> None:
    """Close the results. How the runner takes that changes nothing any more."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await heard.aclose()
    except Exception:
        logger.exception("the agent did not close well")
