"""Ends a run with RUN_ERROR from outside its worker, which it fences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Literal

from yarrow.formats import json_text
from yarrow.observability.logs import correlate, logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.events.events import Custom, Event, RunError, ToolCallResult, encode
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.problems import Code
from yarrow.protocol.run_input import tool_results
from yarrow.runs.tool_history import ToolHistory
from yarrow.store import clock, journal, runs, sessions, table
from yarrow.store.tool_use import ToolUse

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

_TRIES = 20
"""How often ending is tried: a live worker may append to the journal meanwhile."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a run ends; code and message are public."""

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
"""Timeouts as the state machine and EventBridge report them."""


def end_with_error(
    run_key: str,
    reason: Reason,
    attempt: int | None = None,
    reported: Sequence[dict[str, Any]] = (),
    counted: Sequence["WriteItem"] = (),
) -> bool:
    """Close what is open and write RUN_ERROR, once (EVT-08, EVT-17).

    `reported` is the usage that its runner reports, `counted` are the items that count it.

    Returns False if the run has ended, or a worker after `attempt` has taken over. Stores answered tool calls (MSG-08).
    """
    order: EventOrder | None = None
    at = journal.Position()
    client_results: list[dict[str, Any]] | None = None
    answered: dict[str, str] = {}
    customs: list[Custom] = []
    for _ in range(_TRIES):
        run = runs.must_read(run_key)
        if run.ended:
            return False
        order = order or _order_before(run)
        for batch in journal.read(run_key, at):
            if attempt is not None and batch.attempt > attempt:
                return False
            for event in order.replay(batch.lines):
                if isinstance(event, ToolCallResult):
                    answered[event.tool_call_id] = event.content
                elif isinstance(event, Custom):
                    customs.append(event)
            at = batch.end
        client_results = _client_results(run_key) if client_results is None else client_results
        tool_use = _tool_use(client_results, order, answered)
        keeps = tool_use is not None or run.earlier or run.added
        session = sessions.read(run.thread_id) if keeps else None
        left = [] if session is None else _left_open(run, session)
        left += counted
        added, unread = _added(run, customs)
        error = RunError(**run.ids, message=reason.message, code=reason.code, usage=_usage(run, reported))
        last = [*order.closing(run.ids), *unread, error]
        lines = [encode(event) for event in last]
        try:
            runs.end_without_answer(run, session, tool_use, at, lines, reason.phase, left, added)
        except table.ConditionFailedError:
            continue
        count(run, reason.metric, at.last + len(last), reason.code)
        return True
    raise RuntimeError(f"run {run_key} could not be ended")


def _usage(run: runs.Run, reported: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...] | None:
    """Return what the run's models have used; None if no worker began it."""
    if not run.attempt:
        return None
    from yarrow.runs.token_usage import token_usage_of  # few runs end with an error

    return token_usage_of(run, reported=reported)


def _order_before(run: runs.Run) -> EventOrder:
    """Return the order of events that earlier runs leave to one that continues them."""
    if not run.earlier:
        return EventOrder()
    from yarrow.runs.earlier_output import earlier_output  # few runs continue others

    return earlier_output(run).order


def _left_open(run: runs.Run, session: sessions.Session) -> list["WriteItem"]:
    """Close the questions that earlier runs of the log left open: none outlives the run that goes on."""
    if not (run.earlier and session.open_questions):
        return []
    from yarrow.store import questions

    return questions.abandon(run.user_id, [line.id for line in session.open_questions])


def _added(run: runs.Run, customs: Iterable[Custom]) -> tuple[Sequence[runs.OutputMessage], Sequence[Event]]:
    """Return the messages that the user has added to a run, and what tells of those that no event shows as taken."""
    if not run.added:
        return (), ()
    from yarrow.runs.added_messages import is_taken, unread_event  # few runs are steered
    from yarrow.store.runner import added_messages

    stored = added_messages.read_all(run.key)
    taken = {event.value["id"] for event in customs if is_taken(event)}
    unread = unread_event(run.ids, [message for message in stored if message.id not in taken])
    kept = [runs.OutputMessage(message.id, message.content, added_at=message.sent_at) for message in stored]
    return kept, unread


def _client_results(run_key: str) -> list[dict[str, Any]]:
    try:
        return tool_results.client_results_of(runs.read_input(run_key))
    except LookupError:  # expired
        return []


def _tool_use(
    client_results: Sequence[Mapping[str, Any]], order: EventOrder, answered: Mapping[str, str]
) -> ToolUse | None:
    """Return the input's tool results and the run's answered calls, one round each, without text."""
    history = ToolHistory(client_results)
    for call, content in answered.items():
        try:
            arguments = json_text.loads(str(order.calls.text[call]).encode())
        except ValueError:  # the arguments are cut off, so the call was never made
            continue
        history.call(call, order.tools[call], arguments, None)
        history.answer(call, content)
    return history.tool_use()


def fail(run_key: str, cause: str, turn: int = 0) -> runs.Run | None:
    """Fail a run whose execution of this turn failed; a no-op if it has ended.

    `cause` is the state machine's error name; clients only see whether it was a timeout. A run that had been handed
    over goes on: it is returned if its next turn has not begun, for that turn to be started.
    """
    correlate(run_key=run_key)
    run = runs.must_read(run_key)
    if run.turns > turn:
        return run if run.rests else None
    reason = TIMED_OUT if cause in _TIMEOUTS else FAILED
    if end_with_error(run_key, reason):
        logger.warning("run failed", extra={"cause": cause})
    return None


def count(run: runs.Run, metric: Metric, events_in_all: int, code: str | None = None) -> None:
    """Emit the metrics of a run's end. Finished and failed are always emitted, the other as 0, for their ratio."""
    ends = {Metric.RUNS_FINISHED: 0, Metric.RUNS_FAILED: 0, metric: 1}
    values = {**ends, Metric.RUN_DURATION: age_of(run), Metric.EVENTS: events_in_all}
    code_field = {} if code is None else {"code": code}
    emit("the run has ended", values, by={"agent": run.agent}, run_key=run.key, **code_field)


def age_of(run: runs.Run) -> float:
    """Return a run's age in milliseconds, at least 0 since two clocks differ."""
    return max(0.0, clock.since(run.created_at) / timedelta(milliseconds=1))
