"""Submits a run of a job. Idempotent: a run's input is stored before the run is submitted."""

import uuid
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from yarrow.automation.apply_schedule import apply_schedule
from yarrow.automation.failures import pause_if_failing
from yarrow.automation.input_template import fields_at, render
from yarrow.automation.latest_result import latest_result
from yarrow.formats import json_text
from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.automation.trigger import JobTrigger
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Problem
from yarrow.protocol.run_input.trigger import TriggerSource
from yarrow.runs.start_execution import start_execution
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.store import clock, runs, session_list
from yarrow.store.automation import job_runs, jobs
from yarrow.store.automation.job_runs import StoredJobRun
from yarrow.store.automation.jobs import StoredJob

_CONFLICT: Final = 409
_TOO_MANY: Final = 429
_SERVER_ERROR: Final = 500

_SESSION_OVER: Final = frozenset({"AGENT_SESSION_NOT_FOUND", "AGENT_SESSION_RUN_LIMIT_EXCEEDED"})
"""The session was deleted or has reached its limit."""


def planned(job: StoredJob, run_id: str, due: datetime, slot: str | None) -> StoredJobRun:
    """Return the job's run for a time, adding it if this is the first try."""
    return job_runs.add(_starting(job, run_id, due, slot))


def begun(job: StoredJob, run: StoredJobRun) -> StoredJobRun:
    """Return the run of a slot that has waited, with its text, rendering that if this is the first try."""
    if run.state == "waiting":
        run = _starting(job, run.run_id, datetime.fromisoformat(run.due_at), run.slot)
        job_runs.begin(run)
        run = job_runs.read(job.id, job_runs.place(run)) or run
    return run


def _starting(job: StoredJob, run_id: str, due: datetime, slot: str | None) -> StoredJobRun:
    due_at = clock.iso(due)
    fields = fields_at(due, job.fields.timezone, lambda: latest_result(job))
    window = job.fields.context
    trigger = JobTrigger(
        job_id=job.id,
        slot=slot,
        enabled_tools=job.fields.enabled_tools,
        context=None if window is None else window.model_dump(mode="json"),
        context_thread=None if window is None else session_list.latest_chat(job.user_id),
    )
    return StoredJobRun(
        job_id=job.id,
        run_id=run_id,
        thread_id=job.thread_id,
        due_at=due_at,
        slot=slot,
        started_at=clock.now_iso(),
        state="starting",
        text=render(job.fields.input_template, fields),
        trigger=trigger.as_trigger("scheduler").data,
    )


def submit_slot(job: StoredJob, run: StoredJobRun) -> bool:
    """Submit the run of a slot, or note that it is refused; False if the session is busy or the user at a limit.

    A job whose runs keep failing is paused. Raises Problem 503.
    """
    try:
        submit(job, run, "scheduler")
    except Problem as problem:
        if problem.status >= _SERVER_ERROR:
            raise
        if problem.status in (_CONFLICT, _TOO_MANY):
            logger.info("a slot is to be tried again", extra={"job_id": job.id, "code": problem.code.name})
            return False
        logger.warning("a slot was refused", extra={"job_id": job.id, "code": problem.code.name})
        job_runs.settle(run, "refused", problem.code.name)
        emit("a slot was refused", {Metric.JOB_SLOTS_REFUSED: 1})
        pause_and_unschedule(job)
        return True
    emit("a job's run is started", {Metric.JOB_RUNS_STARTED: 1})
    return True


def pause_and_unschedule(job: StoredJob) -> bool:
    """Pause a job whose runs keep failing, with its schedule; return whether they do."""
    is_failing = pause_if_failing(job)
    if is_failing:
        apply_schedule(job.id)
    return is_failing


def submit(job: StoredJob, run: StoredJobRun, source: TriggerSource) -> TaskAccepted:
    """Submit a planned run, in a new session if the job's takes no more. Raises Problem as `submit_run`."""
    try:
        accepted = _submit(job, run, source)
    except Problem as problem:
        if problem.code.name not in _SESSION_OVER:
            raise
        thread = str(uuid.uuid5(uuid.UUID(job.id), run.thread_id))
        if run.thread_id == job.thread_id:
            thread = jobs.change_thread(job, thread)
        run = replace(run, thread_id=thread)
        job_runs.move(run, thread)
        accepted = _submit(job, run, source)
    _note(job, run)
    return accepted


def go_on(job: StoredJob, run: StoredJobRun, begun: runs.Run) -> None:
    """Finish the submit of a stored run after the process that began it died."""
    if begun.phase == "queued":
        start_execution(begun)
    _note(job, run)


def _note(job: StoredJob, run: StoredJobRun) -> None:
    jobs.ran(job.id, run.due_at)
    job_runs.settle(run, "started")


def _submit(job: StoredJob, run: StoredJobRun, source: TriggerSource) -> TaskAccepted:
    trigger = JobTrigger.of_data(run.trigger or {}).as_trigger(source)
    caller = Caller(job.user_id, job.locale, job.fields.timezone)
    return submit_run(json_text.dumps(_body(run)).encode(), caller, trigger=trigger)


def _body(run: StoredJobRun) -> dict[str, Any]:
    return {
        "threadId": run.thread_id,
        "runId": run.run_id,
        "messages": [{"id": f"message-{run.run_id}", "role": "user", "content": run.text}],
        "state": {},
        "tools": [],
        "context": [],
        "forwardedProps": {"runtime_mode": "automation"},
    }
