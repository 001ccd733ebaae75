"""Ending a run with RUN_ERROR, whoever finds that it cannot or must not go on.

The worker is not asked: the transaction that writes the terminal event shuts it out.
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
"""How often a live worker may append between reading its journal and ending it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a run is ended: the phase it ends in, what the client is told, and what it counts as."""

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
"""The causes that the state machine and EventBridge give for that."""


def end_with_error(run_key: str, reason: Reason, attempt: int | None = None) -> bool:
    """Close what is open and write RUN_ERROR, once (EVT-08, EVT-17). False when the run has ended already.

    What tools have told and done by then is kept for the runs that come after it, as of any other run (MSG-08).
    A worker gives its attempt: a run that a later one has taken over is not its to end, and False is returned.
    """
    order, at = EventOrder(), journal.Place()
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
    """What tools of the client answered, as the run client_results it."""
    try:
        return tool_results.client_results_of(runs.read_input(run_key))
    except LookupError:  # long ago
        return []


def _turn(client_results: Sequence[Mapping[str, Any]], order: EventOrder, answered: Mapping[str, str]) -> Turn | None:
    """What was done with tools: what the run client_results, and the calls that were answered, each by itself.

    What was said between them is not kept of such a run.
    """
    history = ToolHistory(client_results)
    for call, content in answered.items():
        try:
            arguments = json_text.loads(order.calls.text[call].encode())
        except ValueError:  # cut short, and so it was not made
            continue
        history.call(call, order.tools[call], arguments, None)
        history.answer(call, content)
    return history.turn()


def fail(run_key: str, cause: str) -> None:
    """End a run whose execution cannot go on. Does nothing when it has ended already.

    `cause` is the error's name as the state machine gives it; the client sees only whether the run took too long.
    """
    correlate(run_key=run_key)
    reason = TIMED_OUT if cause in _TIMEOUTS else FAILED
    if end_with_error(run_key, reason):
        logger.warning("run failed", extra={"cause": cause})


def count(run: runs.Run, metric: Metric, events_in_all: int, code: str | None = None) -> None:
    """Count a run that the caller's own write has ended, so that each is counted once.

    Those that finished and those that failed are told with every end, the other as 0: a rate of the two needs both.
    """
    ends = {Metric.RUNS_FINISHED: 0, Metric.RUNS_FAILED: 0, metric: 1}
    values = {**ends, Metric.RUN_DURATION: age_of(run), Metric.EVENTS: events_in_all}
    told = {} if code is None else {"code": code}
    emit("the run has ended", values, by={"agent": run.agent}, run_key=run.key, **told)


def age_of(run: runs.Run) -> float:
    """The milliseconds since a run was submitted, by two clocks."""
    return max(0.0, clock.since(run.created_at) / timedelta(milliseconds=1))
