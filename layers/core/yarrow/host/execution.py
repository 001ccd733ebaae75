"""The tasks of a run's execution: prepare, work, complete, fail. The state machine calls them by name, with a run key.

Each may be called again, late or out of turn, and does its part once: conditional writes in `yarrow.store.runs` decide.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any, Final

from aws_lambda_powertools import Logger

from yarrow.host import bindings, ending
from yarrow.host.ending import Reason
from yarrow.host.heartbeat import ReplacedError, heartbeat
from yarrow.host.journal_writer import JournalWriter
from yarrow.host.orchestrator import Orchestrator, RunnerFailedError
from yarrow.protocol import events
from yarrow.protocol.event_order import EventOrder
from yarrow.protocol.run_input import RunInput, parse_run_input
from yarrow.protocol.runner import (
    AgentEventContext,
    AgentInput,
    AgentResources,
    AgentRunContext,
    AgentRunner,
    AgentRunState,
    AgentRuntimeContext,
    AgentTrigger,
    ContextAccess,
    ContextAPICapabilities,
    ConversationContext,
    DeliveryContext,
    InlineContextPolicy,
)
from yarrow.protocol.runner_api import AgentAPIException
from yarrow.protocol.runner_proxy import AgentRunAPIProxy
from yarrow.runners.divination import DivinationRunner
from yarrow.store import journal, runs, sessions, state, table

logger = Logger()

RUNNER_SECONDS = 300
"""How long a runner may take."""

_TRIES = 5

RUNNERS: Final[dict[str, Callable[[], AgentRunner]]] = {"divination": DivinationRunner}
"""The runner of each agent."""

_TIMEOUTS: Final = frozenset({"States.Timeout", "Sandbox.Timedout", "TimeoutError", "TIMED_OUT"})


class JournalNotReadableYetError(Exception):
    """The query did not show what the claim counted, as no query is a snapshot; the state machine tries again."""


def prepare(run_key: str) -> bool:
    """Take the run up. False when it has ended already and there is nothing to do."""
    return runs.start(run_key)


def work(run_key: str) -> None:
    """Run the agent and keep what it came to. Does nothing more when that is done, or the run has ended.

    Raises RunnerFailedError when the agent says so, TimeoutError when it takes too long, or what it raised; the state
    machine then calls `fail`. A run that was ended meanwhile, by a cancel say, or worked by another, is no error.
    """
    run = runs.claim(run_key)
    # Looked up after the claim: from here on no earlier worker can come to an outcome.
    if run is None or runs.read_outcome(run_key) is not None:
        return
    try:
        asyncio.run(_work(run))
    except (ReplacedError, table.ConditionFailedError):
        if not runs.must_read(run_key).ended and runs.read_outcome(run_key) is None:
            raise


class _NoApi:
    """Nothing is granted to any runner yet."""

    async def call(self, action: str, _arguments: Mapping[str, Any]) -> dict[str, Any]:
        raise AgentAPIException("unauthorized", f"{action} is not granted")

    async def stream(self, action: str, _arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        raise AgentAPIException("unauthorized", f"{action} is not granted")
        yield {}


async def _work(run: runs.Run) -> None:
    run_input = parse_run_input(runs.read_input(run.key))
    order = EventOrder()
    lines = [line for _, line in journal.read(run.key, 0)]
    if len(lines) < run.last_sequence:
        raise JournalNotReadableYetError(run.key)
    order.replay(lines)
    if order.ended:
        return
    async with JournalWriter(run, order) as writer:
        orchestrator = Orchestrator(run, bindings.BINDINGS[run.agent].stages, writer)
        runner = RUNNERS[run.agent]()
        try:
            async with heartbeat(run), asyncio.timeout(RUNNER_SECONDS):
                outcome = await orchestrator.run(runner, _context(run, run_input), AgentRunAPIProxy(run.key, _NoApi()))
        except RunnerFailedError as error:
            failed = runs.Outcome(error_code=error.code, error_message=error.message)
            await writer.close([runs.keep_outcome(run.key, failed)])
            raise
        except Exception:
            await writer.close()
            raise
        await writer.close([runs.keep_outcome(run.key, outcome)])


def _context(run: runs.Run, run_input: RunInput) -> AgentRunContext:
    data: dict[str, Any] = {"runtime_mode": run.runtime_mode}
    if run.agent == "divination":
        data["divinationPayload"] = bindings.divination_payload(run_input.extensions).model_dump(mode="json")
    return AgentRunContext(
        run_id=run.key,
        trigger=AgentTrigger(type="message.received", source="api"),
        event=AgentEventContext(
            event_id=run_input.user_message.id, event_type="message.received", source="api", data=data
        ),
        conversation=ConversationContext(conversation_id=run.thread_id, thread_id=run.thread_id),
        input=AgentInput(text=run_input.user_message.text()),
        delivery=DeliveryContext(surface="agui", supports_streaming=True),
        resources=AgentResources(),
        context=ContextAccess(
            conversation_id=run.thread_id,
            thread_id=run.thread_id,
            inline_policy=InlineContextPolicy(mode="current_event", delivered_count=1),
            available_apis=ContextAPICapabilities(),
        ),
        state=AgentRunState(conversation=state.conversation(run.thread_id, run.agent)),
        runtime=AgentRuntimeContext(
            trace_id=run.key,
            deadline_at=time.time() + RUNNER_SECONDS,
            locale=run.locale,
            timezone=_time_zone(run, run_input),
        ),
    )


def _time_zone(run: runs.Run, run_input: RunInput) -> str:
    """The time zone of the user's words: the device's, else the profile's, else UTC (FWD-07, FWD-08)."""
    if run_input.client_time is not None:
        return run_input.client_time.device_timezone
    return run.zoneinfo or "UTC"


def complete(run_key: str) -> None:
    """End a run with what its work came to, be it an error. Does nothing when it has ended already."""
    for _ in range(_TRIES):
        run = runs.must_read(run_key)
        if run.ended:
            return
        outcome = runs.read_outcome(run_key)
        session = sessions.read(run.thread_id)
        if outcome is None or session is None:
            raise LookupError(f"run {run_key} has no outcome or no session")
        if outcome.error_code is not None:
            fail(run_key, outcome.error_code)
            return
        finished = events.RunFinished(**run.ids)
        try:
            runs.finish(run, session, outcome, events.encode(finished))
        except table.ConditionFailedError:
            continue
        return
    raise RuntimeError(f"run {run_key} could not be ended")


def fail(run_key: str, cause: str) -> None:
    """End a run that cannot go on. Does nothing when it has ended already.

    `cause` is the error's name as the state machine gives it. The client sees the agent's own public message if there
    is one, and otherwise only whether the run took too long.
    """
    if ending.end_with_error(run_key, _reason(runs.read_outcome(run_key), cause)):
        logger.warning("run failed", extra={"run_key": run_key, "cause": cause})


def _reason(outcome: runs.Outcome | None, cause: str) -> Reason:
    if outcome is not None and outcome.error_code is not None and outcome.error_message is not None:
        return Reason("failed", outcome.error_code, outcome.error_message)
    return ending.TOOK_TOO_LONG if cause in _TIMEOUTS else ending.FAILED
