"""The turns of a run: how long one is, and what is stored when it ends before the run does (STP-05).

A turn that ends is planned, unlike the death of a worker: the next one is an execution of its own, which begins at once
or when the runner wakes. In between, no worker has the run.
"""

import time
from datetime import UTC, datetime
from typing import Final

from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.turn import HandOver, Turn
from yarrow.settings import settings
from yarrow.store import clock, runs
from yarrow.store.runner import contexts
from yarrow.store.runs import ModelUse, ReplacedError
from yarrow.worker.runner_loop import RunnerFailedError

GRACE_SECONDS: Final = 60.0
"""How long calls under way may go on after a turn's limit. What is left until Work's timeout is to store the rest."""

MAX_WORKERS: Final = 900
"""The most workers of a run: a place in its journal has 999 empty items at most."""


def begin(deadline_at: float) -> Turn:
    """Begin a worker's turn at a run that ends at its deadline, in seconds since the epoch."""
    limit_at = time.time() + settings.turn_seconds
    stop_at = limit_at + GRACE_SECONDS
    return Turn() if deadline_at <= stop_at else Turn(limit_at, stop_at)


def hand_over(run: runs.Run, context: AgentRunContext, used: ModelUse, ended: HandOver) -> runs.Run:
    """Store the end of a worker's turn, for the next one: its context at first, and what its models have used.

    Raises RunnerFailedError after MAX_WORKERS; ReplacedError if the run has ended or another worker claimed it.
    """
    if run.attempt >= MAX_WORKERS:
        raise RunnerFailedError("runner.too_many_turns", f"the agent took more than {MAX_WORKERS} turns")
    keep_context(run, context)
    resumes_at = clock.now_iso() if ended.until is None else _iso(ended.until)
    resting = runs.hand_over(run, resumes_at, used)
    if resting is None:
        raise ReplacedError
    logger.info("a worker hands over", extra={"agent": run.agent, "until": ended.until})
    emit("a worker hands over", {Metric.HAND_OVERS: 1}, by={"agent": run.agent}, run_key=run.key)
    return resting


def keep_context(run: runs.Run, context: AgentRunContext) -> None:
    """Store the context for later turns, and for runs that continue this one, unless it is stored."""
    if not (run.turns or run.earlier):
        contexts.keep(run.key, context.model_dump_json(exclude={"config"}))


def restored(run: runs.Run, context: AgentRunContext) -> AgentRunContext:
    """Return the context that the first turn of the run, or of the one that it continues, had.

    Its configuration is this worker's, its ids and deadline are the run's.
    """
    if not (run.turns or run.earlier):
        return context
    first = AgentRunContext.model_validate_json(contexts.read(run.log_key))
    own = {"trace_id": context.runtime.trace_id, "deadline_at": context.runtime.deadline_at}
    runtime = first.runtime.model_copy(update=own)
    return first.model_copy(update={"run_id": context.run_id, "runtime": runtime, "config": context.config})


def _iso(at: float) -> str:
    return clock.iso(datetime.fromtimestamp(at, UTC))
