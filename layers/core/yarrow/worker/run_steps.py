"""The step log of a run, and what becomes of it where the outcome of a step is unknown (STP-03)."""

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from yarrow.agents.bindings import Binding
from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import OutcomeUnknownError, StepLog
from yarrow.store import runs
from yarrow.store.runner import grants, steps
from yarrow.store.runner.grants import StoredGrant
from yarrow.store.runner.steps import Step
from yarrow.worker.runner_loop import RunnerFailedError

if TYPE_CHECKING:
    from yarrow.services.steps.unknown_outcomes import UnknownOutcomes


def step_log_of(run: runs.Run, installed: InstalledRunner) -> StepLog:
    """Return the step log, with earlier workers' steps.

    Raises RunnerFailedError if the outcome of one is unknown and the user cannot be asked about it, or has said to
    stop. A remote runner cannot be stopped at a step to wait for its user.
    """
    earlier = list(steps.read_all(run.log_key)) if run.attempt > 1 or run.earlier else []
    if any(step.retry == "never" for step in earlier):
        from yarrow.services.steps.unknown_outcomes import settled  # few runs are taken over in such steps

        try:
            earlier = settled(run.log_key, earlier)
        except OutcomeUnknownError as error:
            raise _unknown(error) from error
    if run.fork is None:
        log = StepLog(run.log_key, run.attempt, earlier, run_key=run.key)
    else:
        log = _forked(run, run.fork, installed, earlier)
    if log.in_doubt and installed.is_remote:
        raise _unknown(OutcomeUnknownError(log.in_doubt[0]))
    return log


def _forked(run: runs.Run, fork: runs.Fork, installed: InstalledRunner, earlier: Sequence[Step]) -> StepLog:
    """Return the log of a run in which steps of another one answer (STP-09)."""
    if installed.is_remote:  # each of its calls looks into the run's own log alone
        raise RunnerFailedError("not_supported", "a run of a remote runner cannot be repeated from a step")
    from yarrow.services.steps.forked import ForkedSteps  # few runs are forked

    try:
        store = ForkedSteps(fork, earlier)
    except LookupError as error:
        raise RunnerFailedError("not_found", "the steps of the run that is repeated have expired") from error
    return StepLog(run.log_key, run.attempt, store.recorded, store, run_key=run.key, given=store.given)


def unknown_outcomes(log: StepLog, asking: RunQuestions, locale: str | None) -> "UnknownOutcomes | None":
    """Return what asks the user about steps whose outcome is unknown; None without any."""
    if not log.in_doubt:
        return None
    from yarrow.services.steps.unknown_outcomes import UnknownOutcomes

    return UnknownOutcomes(log, asking, locale)


def begun_by(run: runs.Run, stored: StoredGrant | None, binding: Binding, installed: InstalledRunner) -> str:
    """Return the version of the agent that the run was begun by: a digest of its block, and its runner's distribution.

    A rerun by another version goes on and is reported (STP-06); `stored` is the grant of an earlier worker.
    """
    block = digest_of(binding)
    version = block if installed.version is None else f"{block} {installed.version}"
    first = stored or (grants.read(run.log_key) if run.earlier else None)
    if first is None or first.version is None:
        return version
    if first.version != version:
        extra = {"agent": run.agent, "version": version, "begun_by": first.version}
        logger.warning("a rerun is by another version of the agent", extra=extra)
        emit("a rerun is by another version of the agent", {Metric.VERSIONS_CHANGED: 1}, by={"agent": run.agent})
    return first.version


def digest_of(binding: Binding) -> str:
    """Return a digest of an agent's block: the same in each process, and for members in any order."""
    text = json.dumps(binding.policy.model_dump(), sort_keys=True, default=sorted)  # only sets are not JSON
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def check_outcomes(log: StepLog, asking: RunQuestions) -> None:
    """Raise RunnerFailedError if a runner ended without coming to a step whose outcome is unknown."""
    if log.in_doubt and not asking.is_waiting:
        raise _unknown(OutcomeUnknownError(log.in_doubt[0]))


def _unknown(error: OutcomeUnknownError) -> RunnerFailedError:
    return RunnerFailedError("runner.outcome_unknown", str(error))
