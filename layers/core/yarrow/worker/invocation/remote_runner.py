"""Discovers and runs runners in Lambda functions.

Source: `agent-runner.md` §3 and §4.1; wire format: `yarrow.protocol.runner.remote`. The function calls back with a
token (`run_tokens`); `api` says which worker's turn it is.
"""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import cache, partial
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from pydantic import ValidationError

from yarrow.formats import json_text
from yarrow.observability.logs import logger
from yarrow.protocol.runner.errors import AgentAPIException
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.remote import MESSAGES_TAKEN, TURN_ENDED, Callback, ListAgentRunners, RunAgent, TurnEnded
from yarrow.protocol.runner.turn import HandOver, Turn
from yarrow.runners.discovery import Candidate
from yarrow.services import run_tokens
from yarrow.services.api.run_api import RunApi
from yarrow.settings import settings
from yarrow.worker.invocation.remote_invocation import InvocationError, lines

DISCOVERY_SECONDS = 15
"""The limit of a discovery, which may include a cold start."""

TO_HEAR_SECONDS = 5.0
"""How much earlier than the worker its function stops, so that its last line arrives."""


@cache
def discover(function: str) -> tuple[InstalledRunner, ...]:
    """List a function's runners, once per process; `function` is a name or ARN (RNR-01).

    Invalid and duplicate manifests are skipped with a warning (RNR-03). Raises InvocationError. Blocks; works beside a
    running event loop.
    """
    with ThreadPoolExecutor(1) as thread:
        offered = thread.submit(asyncio.run, _list(function)).result()
    found: dict[str, InstalledRunner] = {}
    for document in offered:
        try:
            manifest = AgentRunnerManifest.model_validate(document)
        except ValidationError as error:
            reasons = [f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}" for detail in error.errors()]
            logger.warning("an invalid manifest was skipped", extra={"function": function, "reasons": reasons})
            continue
        if manifest.id in found:
            logger.warning(
                "two functions offer the same runner", extra={"function": function, "runner_id": manifest.id}
            )
            continue
        found[manifest.id] = InstalledRunner(manifest, partial(RemoteRunner, function, manifest), is_remote=True)
    return tuple(found.values())


def installed() -> Iterator[Candidate]:
    """Yield the runners of `settings.remote_runners`; a failing function becomes a rejected candidate (RNR-03)."""
    for function in settings.remote_runners:
        try:
            offered = discover(function)
        except InvocationError as error:
            yield Candidate(function, partial(_raise, error))
            continue
        for runner in offered:
            yield Candidate(f"{function}: {runner.manifest.id}", partial(_loaded, runner), runner.manifest.id)


def _raise(error: InvocationError) -> InstalledRunner:
    raise error


def _loaded(runner: InstalledRunner) -> InstalledRunner:
    return runner


async def _list(function: str) -> list[Any]:
    event = ListAgentRunners().model_dump_json().encode()
    try:
        async with asyncio.timeout(DISCOVERY_SECONDS), aclosing(lines(function, event)) as answer:
            match json_text.loads(await anext(answer, b"")):
                case {"runners": list(offered)}:
                    return offered
    except TimeoutError as error:
        raise InvocationError("runner.timeout", "the agent's function took too long", retryable=True) from error
    except ValueError:
        pass
    raise InvocationError("runner.error", "the agent's function did not list its runners")


class RemoteRunner:
    """A runner in a Lambda function. `trace_parent` is the `traceparent` that its function gets."""

    def __init__(self, function: str, manifest: AgentRunnerManifest) -> None:
        self._function = function
        self._manifest = manifest
        self.trace_parent: str | None = None

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Run a claimed run whose grant is stored; `api` is its RunApi's.

        A failure of the function is yielded as `run.failed`. Closing or cancelling disconnects at once; the token is
        revoked (RNR-64, RNR-71, RNR-72). Raises ReplacedError.
        """
        host = api.transport
        if context.runtime.deadline_at is None or not isinstance(host, RunApi):
            raise ValueError("a remote run needs a deadline and its host")
        token = await asyncio.to_thread(run_tokens.issue, context.run_id, self._manifest.id, host.attempt)
        answer = lines(self._function, self._request(context, token, host.turn))
        try:
            async with host.turn.call():  # the function ends its part of the turn by itself
                while True:
                    async with asyncio.timeout(context.runtime.deadline_at - time.time()):
                        line = await anext(answer, None)
                    if line is None:
                        return
                    result = _result(line)
                    if result.type == MESSAGES_TAKEN:
                        await host.show_taken()
                        continue
                    if result.type == TURN_ENDED:
                        host.turn.end(await _hand_over(result, host))
                        await asyncio.get_running_loop().create_future()
                    yield result
        except TimeoutError:
            yield _failed(context, InvocationError("runner.timeout", "the agent took too long", retryable=True))
        except InvocationError as error:
            yield _failed(context, error)
        finally:
            await answer.aclose()
            await asyncio.to_thread(_revoke, context.run_id, token)

    def _request(self, context: AgentRunContext, token: str, turn: Turn) -> bytes:
        callback = Callback(
            url=f"{settings.runner_api_url}/internal/runs/{context.run_id}/actions",
            token=token,
            limit_at=None if math.isinf(turn.limit_at) else turn.limit_at,
            stop_at=None if math.isinf(turn.stop_at) else turn.stop_at - TO_HEAR_SECONDS,
        )
        request = RunAgent(
            runner_id=self._manifest.id,
            runner_name=self._manifest.name,
            context=context,
            callback=callback,
            traceparent=self.trace_parent,
        )
        return request.model_dump_json().encode()


def _result(line: bytes) -> AgentRunResult:
    try:
        return AgentRunResult.model_validate_json(line, extra="ignore")
    except ValidationError as error:
        raise InvocationError("runner.error", "the agent's function returned an unexpected response") from error


async def _hand_over(result: AgentRunResult, host: RunApi) -> HandOver:
    """Return how the function's part of the turn ended; the host asks what its runner has asked."""
    try:
        ended = TurnEnded.model_validate(result.data)
    except ValidationError as error:
        raise InvocationError("runner.error", "the agent's function answered with something else") from error
    try:
        for asked in ended.asked:
            await host.ask(asked.question, asked.occurrence)
        for call in ended.calls:
            await host.ask_approval(call.arguments, call.occurrence)
    except AgentAPIException as error:
        raise InvocationError("runner.error", error.message) from error
    waits = bool(ended.asked or ended.calls)
    if waits and not host.is_asking:
        raise InvocationError("runner.error", "the agent's function waits for nothing that is open")
    return HandOver(None if ended.until is None else ended.until.timestamp(), asks=waits)


def _failed(context: AgentRunContext, error: InvocationError) -> AgentRunResult:
    data = {"code": error.code, "message": error.message, "retryable": error.retryable}
    return AgentRunResult(run_id=context.run_id, type="run.failed", data=data)


def _revoke(run_id: str, token: str) -> None:
    try:
        run_tokens.revoke(run_id, token)
    except (BotoCoreError, ClientError):  # it expires with the run
        logger.warning("a run token could not be deleted", exc_info=True)
