"""An AG-UI agent as a runner: its events become results, and its calls of host tools are made here.

Source: the AG-UI protocol 1.0 (AGT-01). Requests and calls of host tools are steps. What a rerun repeats is the request
whose stream had not ended; it has the same `runId`, by which an agent may recognise it.
"""

import asyncio
import json
import logging
import uuid
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from typing import Any, Final

from yarrow.adapters.agui.interrupts import interrupts_of, resume
from yarrow.adapters.agui.request import MessageIds, Pictures, run_agent_input, shares_state
from yarrow.adapters.agui.results import AgentCall, Results
from yarrow.adapters.agui.sources import Source, SourceError
from yarrow.adapters.agui.steps import run_agent, until_the_end
from yarrow.adapters.agui.texts import Result
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy, ToolAnswer

logger = logging.getLogger(f"yarrow.{__name__}")

STATE_KEY: Final = "agui"
"""The key in the conversation's state: the ids of messages."""

_RUNS: Final = uuid.UUID("6d1e7d0c-3f0e-5b58-9d0f-61677569726e")

_FAILED: Final = "agui.run_error"
"""The code of a RUN_ERROR without one."""
_CANCELLED: Final = "agui.cancelled"

CALLS_AT_ONCE: Final = 8
"""Calls of host tools side by side."""

MAX_ROUNDS: Final = 20
"""Requests of a run: the first, and one after each answer of host tools or the user."""


class AguiAgent:
    """Runs one AG-UI agent. `customs` are the names of its custom events that are declared.

    If its requests are not `durable`, each worker makes them all: the source has steps of its own.
    """

    def __init__(self, source: Source, customs: Collection[str] = (), *, durable: bool = True) -> None:
        self._source = source
        self._customs = customs
        self._durable = durable

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the agent's answer, calls, state and end."""
        async with aclosing(self._results(context, api)) as results:
            async for type_, data in results:
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)

    async def _results(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[Result]:
        ids = MessageIds(context.state.conversation.get(STATE_KEY))
        pictures = Pictures(api)
        body = await run_agent_input(context, ids, pictures)
        calls: dict[str, AgentCall] = {}
        usage: list[dict[str, Any]] = []
        for _ in range(MAX_ROUNDS):
            known = [message["id"] for message in body["messages"]]
            heard = Results(known, calls, shares_state=shares_state(context), customs=self._customs)
            async with aclosing(self._heard(api, body, heard)) as results:
                async for result in results:
                    yield result
            usage += _usage(heard)
            if (failure := _failure(heard)) is not None:
                type_, data = failure
                logger.warning("an AG-UI agent failed", extra={"run_id": context.run_id, "code": data["code"]})
                yield type_, {**data, "usage": usage}
                return
            interrupts = interrupts_of((heard.outcome or {}).get("outcome"))
            made = [] if interrupts else _host_calls(heard, context)
            async with aclosing(_answers(api, heard, made, pictures)) as results:
                async for result in results:
                    yield result
            _keep(heard, ids)
            if not interrupts and not made:
                yield "state.updated", {"scope": "conversation", "key": STATE_KEY, "value": ids.to_store()}
                yield "run.completed", {"usage": usage}
                return
            body = {**body, "runId": _next(body["runId"]), "messages": [*body["messages"], *heard.messages.values()]}
            body.pop("resume", None)
            if interrupts:
                body["resume"] = await resume(api, interrupts, await api.now())
        yield _failed("agui.too_many_rounds", "the agent called tools without an end")

    async def _heard(self, api: AgentRunAPIProxy, body: dict[str, Any], heard: Results) -> AsyncGenerator[Result]:
        """Yield the results of one request, until its run has ended."""
        try:
            made = run_agent(api, self._source, body) if self._durable else until_the_end(self._source, body)
            async with aclosing(made) as events:
                async for event in events:
                    for result in heard.of(event):
                        yield result
        except SourceError as error:
            heard.broken = error
        for result in heard.end():
            yield result


def _host_calls(heard: Results, context: AgentRunContext) -> list[AgentCall]:
    """Return the pending calls, if all are of the host's tools; else the client answers them."""
    host_tools = {tool.tool_name for tool in context.resources.tools if tool.tool_type == "backend"}
    return heard.pending if all(call.name in host_tools for call in heard.pending) else []


async def _answers(
    api: AgentRunAPIProxy, heard: Results, pending: list[AgentCall], pictures: Pictures
) -> AsyncGenerator[Result]:
    """Call the host's tools for the agent, side by side: several may wait for the user's approval.

    The agent gets the bytes of a result's pictures, as of the user's; clients and later runs get their handles.
    """
    at_once = asyncio.Semaphore(CALLS_AT_ONCE)
    tasks = [asyncio.create_task(_answer(api, call, at_once)) for call in pending]
    try:
        for call, task in zip(pending, tasks, strict=True):
            answer = await task
            made = {"tool_call_id": call.id, "tool_name": call.name}
            if isinstance(answer, str):
                heard.answer(call, json.dumps({"error": answer}, ensure_ascii=False))
                yield "tool.call.completed", {**made, "error": answer}
                continue
            result, seen = answer.result, await pictures.content(answer.contents)
            heard.answer(call, seen or (result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)))
            shown = {"content": answer.shown} if answer.contents else {}
            yield "tool.call.completed", {**made, "result": result, **shown}
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _answer(api: AgentRunAPIProxy, call: AgentCall, at_once: asyncio.Semaphore) -> ToolAnswer | str:
    """Return what the host's tool has answered, or why it has not."""
    async with at_once:
        try:
            return await api.tools.answer(call.name, call.parameters or {})
        except AgentAPIException as error:
            return f"{error.error.code}: {error.error.message}"


def _next(run_id: str) -> str:
    """Return the id of the run that goes on with the answers, the same in every rerun."""
    return str(uuid.uuid5(_RUNS, run_id))


def _keep(heard: Results, ids: MessageIds) -> None:
    """Keep the ids of what the agent added, for the conversation's next run."""
    for message in heard.messages.values():
        calls = message.get("toolCalls")
        ids.keep(
            message["role"],
            message.get("toolCallId") or (calls[0]["id"] if calls else message["content"]),
            message["id"],
        )
    if heard.skipped:
        logger.info("events of an AG-UI agent were skipped", extra={"skipped": dict(heard.skipped)})


def _failed(code: str, message: str, *, retryable: bool = False) -> Result:
    return "run.failed", {"code": code, "message": message, "retryable": retryable}


def _failure(heard: Results) -> Result | None:
    """Return how a stream failed, None if its run has finished."""
    if heard.broken is not None:
        return _failed(heard.broken.code, str(heard.broken), retryable=heard.broken.retryable)
    end = heard.outcome
    if end is None:
        return _failed("agui.cut_off", "the agent's stream ended before its run did", retryable=True)
    if end["type"] == "RUN_ERROR":
        code, message = end.get("code"), end.get("message")
        return _failed(
            code[:256] if isinstance(code, str) and code else _FAILED,
            message[:4_000] if isinstance(message, str) and message else "the agent failed",
        )
    outcome = end.get("outcome")
    if isinstance(outcome, dict) and outcome.get("type") == "cancelled":
        return _failed(_CANCELLED, "the agent cancelled its run")
    return None


def _usage(heard: Results) -> list[dict[str, Any]]:
    listed = (heard.outcome or {}).get("usage")
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
