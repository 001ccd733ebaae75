"""Submits a run: reads it, admits it, plans what is stored, stores it in one transaction, and starts its execution."""

from dataclasses import dataclass, field, replace
from typing import Any

from yarrow.protocol import trace_context
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.trigger import Trigger
from yarrow.runs.start_execution import start_execution
from yarrow.runs.submission.admission import Admission, admit
from yarrow.runs.submission.planning import plan
from yarrow.runs.submission.reading import Submission, read_submission
from yarrow.store import runs, table

_TRIES = 5


@dataclass(frozen=True, slots=True)
class TaskAccepted:
    """The answer to a submit (RUN-19); `created` if the run created its session."""

    task_id: str
    thread_id: str
    run_id: str
    created: bool
    run: runs.Run = field(compare=False, repr=False)
    is_repeated: bool = field(default=False, compare=False, repr=False)

    def document(self) -> dict[str, Any]:
        return {
            "taskId": self.task_id,
            "threadId": self.thread_id,
            "runId": self.run_id,
            "created": self.created,
        }


def submit_run(
    raw: bytes,
    caller: Caller,
    agent: str | None = None,
    *,
    trigger: Trigger | None = None,
    trace_parent: str | None = None,
) -> TaskAccepted:
    """Accept a run of the caller; `trigger` is its event if no client submits it, `trace_parent` the header of the
    request. Raises Problem as `submit` does, and for an invalid body.
    """
    submission = read_submission(raw, caller, agent, trigger)
    return submit(replace(submission, trace_parent=trace_context.read(trace_parent)))


def submit(submission: Submission) -> TaskAccepted:
    """Accept a run that was read. Everything is stored before the execution starts. The same runId with the same body
    gets the same answer and restarts a lost execution; with another body it is 409 (RUN-23). Raises Problem for every
    other refusal, with nothing stored.
    """
    for _ in range(_TRIES):
        admitted = admit(submission)
        if admitted is None:
            continue
        is_repeated = isinstance(admitted, runs.Run)
        run = admitted if isinstance(admitted, runs.Run) else _stored(submission, admitted)
        if run is None:
            continue
        if run.phase == "queued":
            start_execution(run)
        return replace(accepted(run), is_repeated=is_repeated)
    raise Problem(Code.SERVICE_UNAVAILABLE, "the session is busy")


def _stored(submission: Submission, admission: Admission) -> runs.Run | None:
    """Store and return the new run; None if a concurrent write won."""
    run_plan = plan(submission, admission)
    try:
        runs.create(run_plan, admission.session)
    except table.ConditionFailedError:
        return None
    return run_plan.run


def accepted(run: runs.Run) -> TaskAccepted:
    return TaskAccepted(run.key, run.thread_id, run.run_id, run.made_session, run)
