"""Ending a run with RUN_ERROR from outside its worker. The transaction that writes the terminal event fences the
worker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal

from yarrow.formats import json_text
from yarrow.observability.logs import correlate, logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.problems import Code
from yarrow.protocol.run_input import tool_results
from yarrow.runs.tool_history import ToolHistory
from yarrow.store import clock, journal, runs, sessions, table
from yarrow.store.turns import Turn

_TRIES = 20
"""How often a live worker may append between the read of its journal and the write that ends it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a run is ended: its final phase, the public code and message, and the metric."""

    phase: Literal["failed", "canceled"]
    code: str
    message: str
    metric: Metric = Metric.RUNS_FAILED


FAILED: Final = Reason("failed", "RUN_FAILED", "the run failed")
TIMED_OUT: Final = Reason("failed", "RUN_TIMEOUT", "the run took too long")
LOST: Final = Reason("failed", "RUN_LOST", "the run was lost; submit it again under another runId", Metric.RUNS_LOST)
TOKENS_SPENT: Final = Reason("failed", Code.AGENT_TOKEN_LIMIT.name, "the user's model tokens of the day are used up")
CANCELED: Final = Reason("canceled", "RUN_CANCELED", "run canceled by user", Metric.RUNS_CANCELED)

_TIMEOUTS: Final = frozenset({"States.Timeout", "Sandbox.Timedout", "TimeoutError", "TIMED_OUT"})
"""The timeout causes that the state machine and EventBridge report."""


def end_with_error(run_key: str, reason: Reason, attempt: int | None = None) -> bool:
    """Close what is open and write RUN_ERROR, once (EVT-08, EVT-17). False if the run has ended, or a worker after
    `attempt` has taken over.

    Answered tool calls are stored for later runs (MSG-08).
    """
    order, at = EventOrder(), journal.Position()
    client_results: list[dict[str, Any]] | None = None
    answered: dict[str, str] = {}
    for _ in range(_TRIES):
        run = runs.must_read(run_key)
        if run.ended:
            return False
        for batch in journal.read(run_key, at):
            if attempt is not None and batch.attempt > attempt:
                return False
            for event in map(events.decode, batch.lines):
                order.admit(event)
                if isinstance(event, events.ToolCallResult):
                    answered[event.tool_call_id] = event.content
            at = batch.end
        client_results = _client_results(run_key) if client_results is None else client_results
        turn = _turn(client_results, order, answered)
        session = None if turn is None else sessions.read(run.thread_id)
        last = [*order.closing(run.ids), events.RunError(**run.ids, message=reason.message, code=reason.code)]
        try:
            runs.end_without_answer(run, session, turn, at, [events.encode(event) for event in last], reason.phase)
        except table.ConditionFailedError:
            continue
        count(run, reason.metric, at.last + len(last), reason.code)
        return True
    raise RuntimeError(f"run {run_key} could not be ended")


def _client_results(run_key: str) -> list[dict[str, Any]]:
    """The results of client tools in the run's input."""
    try:
        return tool_results.client_results_of(runs.read_input(run_key))
    except LookupError:  # expired
        return []


def _turn(client_results: Sequence[Mapping[str, Any]], order: EventOrder, answered: Mapping[str, str]) -> Turn | None:
    """The tool results of the run: those in its input, and its own answered calls, each a step. Text between them is
    not stored.
    """
    history = ToolHistory(client_results)
    for call, content in answered.items():
        try:
            arguments = json_text.loads(order.calls.text[call].encode())
        except ValueError:  # cut short, so the call was never made
            continue
        history.call(call, order.tools[call], arguments, None)
        history.answer(call, content)
    return history.turn()


def fail(run_key: str, cause: str) -> None:
    """End a run whose execution failed; no effect if it has ended.

    `cause` is the error name from the state machine; the client only sees whether it was a timeout.
    """
    correlate(run_key=run_key)
    reason = TIMED_OUT if cause in _TIMEOUTS else FAILED
    if end_with_error(run_key, reason):
        logger.warning("run failed", extra={"cause": cause})


def count(run: runs.Run, metric: Metric, events_in_all: int, code: str | None = None) -> None:
    """Count a run that the caller's own write has ended.

    Finished and failed are emitted with every end, the other as 0: their ratio needs both.
    """
    ends = {Metric.RUNS_FINISHED: 0, Metric.RUNS_FAILED: 0, metric: 1}
    values = {**ends, Metric.RUN_DURATION: age_of(run), Metric.EVENTS: events_in_all}
    code_field = {} if code is None else {"code": code}
    emit("the run has ended", values, by={"agent": run.agent}, run_key=run.key, **code_field)


def age_of(run: runs.Run) -> float:
    """Milliseconds since the run was submitted; two clocks, so never below 0."""
    return max(0.0, clock.since(run.created_at) / timedelta(milliseconds=1))
