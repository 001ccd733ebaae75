"""The state machines' task that executes a turn of a run; their failure task is `end_run`'s `fail`.

Conditional writes make it idempotent: it may be called again, late or concurrently.
"""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from yarrow.access import limits
from yarrow.agents import bindings
from yarrow.agents.grants import RunGrant
from yarrow.observability.logs import correlate, logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.run_input.body import parse_run_input
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import StateScope
from yarrow.runs import end_run
from yarrow.runs.earlier_output import EarlierOutput, earlier_output
from yarrow.runs.end_run import Reason
from yarrow.services.api import state as state_api
from yarrow.services.models.gateway import ModelGateway
from yarrow.services.steps.step_log import StepLog
from yarrow.settings import settings
from yarrow.store import journal, runs, sessions, table
from yarrow.store.limits import usage
from yarrow.store.runner import persistent_state
from yarrow.store.runs import ReplacedError
from yarrow.worker import client_state, continuation, outcomes, turns
from yarrow.worker.heartbeat import heartbeat
from yarrow.worker.invocation.remote_runner import RemoteRunner
from yarrow.worker.journal_writer import JournalWriter
from yarrow.worker.orchestrator import Orchestrator
from yarrow.worker.preparation import Prepared, prepare
from yarrow.worker.presence import presence_of
from yarrow.worker.run_steps import check_outcomes
from yarrow.worker.runner_loop import RunnerFailedError, TurnEndedError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

    from yarrow.store.questions import Question
    from yarrow.store.runner.added_messages import AddedMessage

_TRIES = 5
_CLOSING_SECONDS = 5
_NAMED = 10
"""The most resources of steps in one log line."""

_MAYBE_SPENT: Final = re.compile(r"runner\.error|(.+\.)?rate_limited")
"""Codes of runners that were refused a model: some report it, others crash."""


def work(run_key: str, turn: int = 0) -> runs.Run | None:
    """Run the agent and end the run with its outcome; a no-op if the run or this turn of it has ended.

    An agent's failure ends the run with a public message. Others are raised for the state machine, which retries or
    calls `fail`. Returns the run if its turn has ended and the next one is to be started.
    """
    correlate(run_key=run_key)
    run = runs.claim(run_key, turn)
    if run is None:
        latest = runs.read(run_key)
        return latest if latest is not None and latest.turns > turn and latest.rests else None
    logger.info("a worker begins", extra={"agent": run.agent, "attempt": run.attempt})
    try:
        body, batches = runs.read_work(run_key)
        earlier = earlier_output(run) if run.earlier else EarlierOutput()
        order, at, journalled = _take_over(run, batches, earlier.order)
        if not order.ended:
            binding = bindings.deployed()[run.agent]
            first = body if run.log_key == run.key else runs.read_input(run.log_key)
            prepared = prepare(run, parse_run_input(first), binding)
            writer = JournalWriter(run, order, at, partial(_count_first_event, run), presence_of(run))
            orchestrator = Orchestrator(run, binding.stages, writer, prepared.options, journalled, earlier)
            prepared.taken.shows = orchestrator.show_taken
            resting = asyncio.run(_work(run, writer, prepared, orchestrator))
            if resting is not None:
                return resting
    except RunnerFailedError as error:
        _fail(run, error)
    except (ReplacedError, table.ConditionFailedError):
        if not runs.must_read(run_key).ended:
            raise
    if run.job is not None:
        count_failure(run_key)
    return None


def count_failure(run_key: str) -> None:
    """Pause the run's job if its runs keep failing; a no-op for other runs."""
    from yarrow.automation.count_failures import count_failures  # few runs are of jobs

    count_failures(run_key)


async def _work(
    run: runs.Run, writer: JournalWriter, prepared: Prepared, orchestrator: Orchestrator
) -> runs.Run | None:
    async with writer:
        try:
            async with heartbeat(run, lambda: writer.stored_at, prepared.api.close):
                api = AgentRunAPIProxy(run.key, prepared.api)
                outcome = await orchestrator.run(prepared.runner, prepared.context, api, prepared.turn, prepared.asking)
                check_outcomes(prepared.steps, prepared.asking)
        except TurnEndedError as ended:
            await writer.close()
            used = prepared.budget.used()
            return await asyncio.to_thread(turns.hand_over, run, prepared.context, used, ended.hand_over)
        except RunnerFailedError as error:
            await writer.close()
            await asyncio.to_thread(_fail, run, error, orchestrator.reported_usage)
        except Exception:
            await writer.close()
            raise
        else:
            if not prepared.asking.is_waiting:
                _report_unused(prepared.steps)
            asked, told = await asyncio.to_thread(
                continuation.posed, run, prepared.asking, prepared.context, writer.order, orchestrator.interaction
            )
            if asked:
                await writer.close()  # what is stored is restated
                for snapshot in await asyncio.to_thread(continuation.snapshots, run):
                    await writer.write(snapshot)
                await writer.close()  # they may be large
            usage = await _usage(run, prepared, orchestrator.reported_usage)
            of_client = {tool.tool_name for tool in prepared.context.resources.tools if tool.tool_type == "frontend"}
            told = told or outcomes.success(orchestrator.pending_calls(of_client))
            finished = events.RunFinished(**run.ids, outcome=told, usage=usage)
            outcome = replace(outcome, usage=usage or ())
            await writer.end(
                finished, partial(_finish, run, prepared, outcome, asked, orchestrator.reported_usage, writer)
            )
            end_run.count(run, Metric.RUNS_FINISHED, writer.last)
            if outcome.declined:
                by = {"agent": run.agent, "kind": outcome.declined}
                emit("a reading was declined", {Metric.READINGS_DECLINED: 1}, by=by)
        finally:
            prepared.api.close()
            await _close(prepared.models)
    return None


def _report_unused(steps: StepLog) -> None:
    """Log steps of earlier workers that the runner did not repeat (STP-06)."""
    if unused := steps.unused:
        names = sorted({step.name or step.action for step in unused})[:_NAMED]
        logger.warning(
            "a rerun did not repeat the steps of an earlier worker", extra={"steps": len(unused), "of": names}
        )
        emit("a rerun yielded different results", {Metric.STEPS_NOT_REPEATED: len(unused)})


async def _usage(
    run: runs.Run, prepared: Prepared, reported: Sequence[dict[str, Any]]
) -> tuple[dict[str, Any], ...] | None:
    """Return what the run's models have used; a remote runner's calls are in the store alone."""
    is_remote = isinstance(prepared.runner, RemoteRunner)
    if not (is_remote or prepared.steps.answered or reported):
        return None
    from yarrow.runs.token_usage import token_usage_of  # not at the start: readings need no model

    if is_remote:
        return await asyncio.to_thread(token_usage_of, run, None, reported)
    return token_usage_of(run, prepared.steps.answered, reported)


def _fail(run: runs.Run, error: RunnerFailedError, reported: Sequence[dict[str, Any]] = ()) -> None:
    logger.warning("the agent failed", extra={"code": error.code, "retryable": error.retryable})
    is_spent = _MAYBE_SPENT.fullmatch(error.code) is not None and limits.are_tokens_spent(run.user_id)
    reason = end_run.TOKENS_SPENT if is_spent else Reason("failed", error.code, error.message)
    kept = [*_counted(run, reported), *_keep_raised(run, error)]
    if end_run.end_with_error(run.key, reason, run.attempt, reported, kept) and is_spent:
        emit("a limit was reached", {Metric.LIMITS_REACHED: 1}, by={"code": reason.code})


def _keep_raised(run: runs.Run, error: RunnerFailedError) -> list["WriteItem"]:
    """Make the item that keeps what the runner raised for its author (STP-08), with the run's end."""
    if error.code != "runner.error" or error.__cause__ is None:
        return []
    from yarrow.store.runner import raised as store  # few runs end so
    from yarrow.worker.raised import raised

    return [store.keep(run.key, raised(run.attempt, error.__cause__))]


async def _close(models: ModelGateway) -> None:
    try:
        async with asyncio.timeout(_CLOSING_SECONDS):
            await models.aclose()
    except Exception:
        logger.exception("closing the models failed")


def _count_first_event(run: runs.Run) -> None:
    emit("the first event is stored", {Metric.TIME_TO_FIRST_EVENT: end_run.age_of(run)}, by={"agent": run.agent})


_Journalled = tuple[EventOrder, journal.Position, list[events.Event]]


def _take_over(run: runs.Run, batches: Iterable[journal.Batch], order: EventOrder | None = None) -> _Journalled:
    """Claim the journal's end, which stops earlier workers from appending; `order` is that of earlier runs.

    Raises ReplacedError if a later worker has claimed it.
    """
    order, at = order or EventOrder(), journal.Position()
    journalled: list[events.Event] = []
    while True:
        for batch in batches:
            if batch.attempt > run.attempt:
                raise ReplacedError
            journalled += order.replay(batch.lines)
            at = batch.end
        if run.attempt == 1 or order.ended:  # no earlier worker
            return order, at, journalled
        try:
            return order, journal.append(run.key, run.attempt, at, []), journalled
        except table.ConditionFailedError:
            own = journal.own(run.key, run.attempt, at)
            if own is not None:
                return order, own, journalled
        batches = journal.read(run.key, at)


def _finish(
    run: runs.Run,
    prepared: Prepared,
    outcome: runs.RunOutcome,
    asked: Sequence["Question"],
    reported: Sequence[dict[str, Any]],
    writer: JournalWriter,
    at: journal.Position,
    lines: Sequence[str],
) -> journal.Position:
    """Append the last events and end the run. The questions that it asks are open then, and no others."""
    outcome = continuation.with_questions(run, outcome, asked)
    kept = [item for scope, values in outcome.state.items() for item in _keep(prepared.grant, scope, values)]
    if prepared.keeps_state and outcome.shared_state is not None:
        kept += client_state.keep(run, outcome.shared_state)
    kept += continuation.asked_items(run, prepared.session, asked)
    counted = _counted(run, reported)
    added = _added(run) if prepared.grant.steering else None
    # The session of an active run can only be deleted; the conditional write detects that.
    session: sessions.Session | None = prepared.session
    for _ in range(_TRIES):
        session = session or sessions.must_read(run.thread_id)
        whole, last_lines, count = outcome, lines, None
        if added is not None:
            whole, last_lines, count = _with_unread(run, outcome, lines, added)
        waited = round(writer.waited * 1000)
        try:
            return runs.finish(run, session, whole, kept, at, last_lines, waited, counted, count)
        except table.ConditionFailedError as error:
            ended, taken, *others = error.failed
            if added is not None and ended and not taken:
                before, added = len(added), _added(run)  # one may have come since they were read
                if len(added) > before:
                    continue
            if ended or taken or not any(others):
                raise
            session = None
    raise RuntimeError(f"run {run.key} could not be ended")


def _added(run: runs.Run) -> "list[AddedMessage]":
    from yarrow.store.runner import added_messages  # few runs are steered

    return added_messages.read_all(run.key)


def _with_unread(
    run: runs.Run, outcome: runs.RunOutcome, lines: Sequence[str], added: "Sequence[AddedMessage]"
) -> tuple[runs.RunOutcome, Sequence[str], int]:
    """Put the messages that the runner has not taken after its own, and tell of them before the last event (RNR-87).

    Returns the number of all messages that the user has added as well.
    """
    from yarrow.runs.added_messages import unread_event

    taken = {message.message_id for message in outcome.messages if message.added_at is not None}
    # So is one that was taken by a runner of another process that died then: nobody has seen it taken.
    rest = [message for message in added if message.id not in taken]
    unread = unread_event(run.ids, rest)
    more = [runs.OutputMessage(message.id, message.content, added_at=message.sent_at) for message in rest]
    last = [*lines[:-1], *map(events.encode, unread), lines[-1]]
    return replace(outcome, messages=(*outcome.messages, *more)), last, len(added)


def _counted(run: runs.Run, reported: Sequence[dict[str, Any]]) -> list["WriteItem"]:
    """Make the items that count what the runner reported against its user's tokens of the day, with the run's end.

    So they count once. What `api.models` used is counted by each call (RNR-52).
    """
    if not (reported and settings.tokens_per_user_per_day):
        return []
    from yarrow.protocol.token_usage import tokens_of  # few runners call models themselves

    tokens = tokens_of(reported)
    return [usage.add_tokens(run.user_id, tokens)] if tokens else []


def _keep(grant: RunGrant, scope: StateScope, values: dict[str, Any]) -> list["WriteItem"]:
    """Return the items that store a scope's values; none if its key limit would be exceeded (RNR-36)."""
    space = state_api.space(grant, scope)
    if persistent_state.has_room(space, set(values)):
        return persistent_state.keep(space, values)
    logger.warning("the state exceeds its limit of keys", extra={"scope": scope})
    return []
