"""The tasks of a run's execution: work, and fail. The state machine calls them by name, with a run key.

Each may be called again, late or out of turn, and does its part once: conditional writes decide (`yarrow.store`).
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
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


def work(run_key: str) -> None:
    """Run the agent and end the run with what it came to. Does nothing when it has ended already.

    An agent that fails ends its run with its own public words. Raises what the agent or the table raised, for the
    state machine to try again or to call `fail`. A run that was ended meanwhile, by a cancel say, is no error.
    """
    run = runs.claim(run_key)
    if run is None:
        return
    try:
        order, at = _take_over(run)
        if not order.ended:
            asyncio.run(_work(run, order, at, _context(run, parse_run_input(runs.read_input(run_key)))))
    except RunnerFailedError as error:
        logger.warning("the agent failed", extra={"run_key": run_key, "code": error.code})
        ending.end_with_error(run_key, Reason("failed", error.code, error.message))
    except (ReplacedError, table.ConditionFailedError):
        if not runs.must_read(run_key).ended:
            raise


class _NoApi:
    """Nothing is granted to any runner yet."""

    async def call(self, action: str, _arguments: Mapping[str, Any]) -> dict[str, Any]:
        raise AgentAPIException("unauthorized", f"{action} is not granted")

    async def stream(self, action: str, _arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        raise AgentAPIException("unauthorized", f"{action} is not granted")
        yield {}


async def _work(run: runs.Run, order: EventOrder, at: journal.Place, context: AgentRunContext) -> None:
    async with JournalWriter(run, order, at) as writer:
        orchestrator = Orchestrator(run, bindings.BINDINGS[run.agent].stages, writer)
        runner = RUNNERS[run.agent]()
        try:
            async with heartbeat(run), asyncio.timeout(RUNNER_SECONDS):
                outcome = await orchestrator.run(runner, context, AgentRunAPIProxy(run.key, _NoApi()))
        except Exception:
            await writer.close()
            raise
        await writer.end(events.RunFinished(**run.ids), partial(_finish, run, outcome))


def _take_over(run: runs.Run) -> tuple[EventOrder, journal.Place]:
    """What a run's journal holds, and where it goes on. From then on no earlier worker can write.

    Raises ReplacedError when a later worker has been there.
    """
    order, at = EventOrder(), journal.Place()
    while True:
        for batch in journal.read(run.key, at):
            if batch.attempt > run.attempt:
                raise ReplacedError
            order.replay(batch.lines)
            at = batch.end
        if run.attempt == 1 or order.ended:  # nobody to shut out
            return order, at
        try:
            return order, journal.append(run.key, run.attempt, at, [])
        except table.ConditionFailedError:
            own = journal.own(run.key, run.attempt, at)
            if own is not None:
                return order, own


def _finish(run: runs.Run, outcome: runs.Outcome, at: journal.Place, lines: Sequence[str]) -> journal.Place:
    """Put the last events and end the run with its answer, in the session as it is then."""
    for _ in range(_TRIES):
        session = sessions.read(run.thread_id)
        if session is None:
            raise LookupError(f"run {run.key} has no session")
        try:
            return runs.finish(run, session, outcome, at, lines)
        except table.ConditionFailedError as error:
            ended, taken, *others = error.failed
            if ended or taken or not any(others):
                raise
    raise RuntimeError(f"run {run.key} could not be ended")


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


def fail(run_key: str, cause: str) -> None:
    """End a run that cannot go on. Does nothing when it has ended already.

    `cause` is the error's name as the state machine gives it; the client sees only whether the run took too long.
    """
    reason = ending.TOOK_TOO_LONG if cause in _TIMEOUTS else ending.FAILED
    if ending.end_with_error(run_key, reason):
        logger.warning("run failed", extra={"run_key": run_key, "cause": cause})
