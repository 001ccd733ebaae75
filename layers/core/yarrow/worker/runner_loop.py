"""Reads a runner's results until the last one, the deadline or a failure.

Source: `agent-runner.md` §6, §9 (RNR-39, RNR-40, RNR-70, RNR-71). Results are not interpreted here. The runner must be
cancellable; otherwise wrap it in `isolation.IsolatedRunner`.
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
"""Time for a runner to clean up after its last result."""

_END: Final = object()


class RunnerFailedError(Exception):
    """The run fails because of its runner: a public code and message, and whether a retry may help."""

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


async def read_results(
    runner: AgentRunner,
    context: AgentRunContext,
    api: AgentRunAPIProxy,
    take: Callable[[object], Awaitable[bool]],
) -> None:
    """Pass each result to `take` until it returns True; then close the runner.

    The deadline is the context's. Raises RunnerFailedError: `runner.timeout` after it, `runner.error` if the runner
    raises, `cancelled` if it cancels itself; ReplacedError, and what `take` raises. Cancelled, it closes the runner,
    too.
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
    """The next result, of any type; `_END` after the last."""
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
    """A public error for an exception, which may contain anything; the log has it without users' words."""
    logger.exception("the agent raised", extra={HEARD: user_texts(context)})
    return RunnerFailedError("runner.error", "the agent failed")


async def _close(heard: AsyncGenerator[AgentRunResult]) -> None:
    """Close the results; failures no longer matter."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await heard.aclose()
    except Exception:
        logger.exception("the agent did not close well")
