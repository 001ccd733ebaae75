"""Starts a run that repeats another one of the user from a step on, in a session of its own (STP-09).

The steps that began before the chosen one answer from the other run's log; that one, and whatever the agent does from
there on, is made again, and paid for again. Nothing of the other run changes.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from yarrow.access import ownership
from yarrow.protocol import trace_context
from yarrow.protocol.caller import Caller
from yarrow.protocol.fork_request import ForkRequest
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import MAX_PAYLOAD_BYTES, RunBody, RunInput, parse_run_input
from yarrow.protocol.steps import ForkObstacle
from yarrow.runs import forkable
from yarrow.runs.earlier_messages import MAX_BYTES, MAX_MESSAGES, that_fit
from yarrow.runs.lost_runs import end_if_overdue
from yarrow.runs.stream_events import check_kept
from yarrow.runs.submission.fork_door import ForkDoor
from yarrow.runs.submission.reading import submission_of
from yarrow.runs.submit_run import TaskAccepted, submit
from yarrow.store import branches, runs, sessions, tool_use
from yarrow.store.runner import steps

_OWN: Final = frozenset({"threadId", "thread_id", "runId", "run_id", "parentRunId", "parent_run_id"})
"""Members of a body that a fork has of its own."""


def fork_run(
    caller: Caller, thread_id: str, run_id: str | None, request: ForkRequest, *, trace_parent: str | None = None
) -> TaskAccepted:
    """Accept the run. The same request gets the same answer.

    Raises Problem as `ownership.run_of` and `submit`; 404 for an unknown step, 409 if the run is active or cannot be
    repeated in parts, 410 if its steps have expired.
    """
    run = ownership.run_of(caller.user_id, thread_id, run_id)
    if not run.ended and not end_if_overdue(run):
        raise Problem(Code.AGENT_RUN_IN_PROGRESS, "the run has not ended")
    check_kept(run)
    _check_steps(run, request.step)
    document, run_input = _input(run, request)
    fork = runs.Fork(run.key, run.thread_id, run.run_id, run.created_at, request.step)
    teller = replace(caller, locale=run.locale, zoneinfo=run.zoneinfo, name=run.user_name)  # as the agent was told
    door = _door(run, fork)
    submission = submission_of(RunBody.of(document, MAX_PAYLOAD_BYTES), run_input, teller, run.agent, door)
    return submit(replace(submission, trace_parent=trace_context.read(trace_parent)))


def _check_steps(run: runs.Run, step_id: str) -> None:
    before = steps.before(steps.read_all(run.log_key), step_id)
    if before is None:
        raise Problem(Code.AGENT_STEP_NOT_FOUND, "the run has no such step")
    if forkable.is_doubted(before):
        raise _not_forkable("outcome_unknown")


def _input(run: runs.Run, request: ForkRequest) -> tuple[Mapping[str, Any], RunInput]:
    """Return the run's body under the new ids. Raises Problem for a run that cannot be repeated."""
    if (obstacle := forkable.of_run(run)) is not None:
        raise _not_forkable(obstacle)
    try:
        body = runs.read_input(run.key)
    except LookupError as error:
        raise Problem(Code.AGENT_RUN_EVENTS_EXPIRED, "the run's input has expired") from error
    document = {name: value for name, value in body.items() if name not in _OWN}
    document |= {"threadId": request.thread_id, "runId": request.run_id}
    document["messages"] = [_renamed(message, run.run_id, request.run_id) for message in body["messages"]]
    run_input = parse_run_input(document)
    if (obstacle := forkable.of_input(run_input)) is not None:
        raise _not_forkable(obstacle)
    return document, run_input


def _renamed(message: Any, earlier: str, new: str) -> Any:
    """Give the message that began the run the id by which clients find the new run, if it had such an id."""
    if isinstance(message, dict) and message.get("id") == f"msg_{earlier}_user_0":
        return {**message, "id": f"msg_{new}_user_0"}
    return message


def _door(run: runs.Run, fork: runs.Fork) -> ForkDoor:
    """Read the conversation before the run: what fits, its latest messages first."""
    session = sessions.must_read(run.thread_id)
    last = run.message_seq or 0
    path = branches.path(session.branches, last, run.branch).before(last)
    kept = that_fit(sessions.messages_on(path, run.thread_id, MAX_MESSAGES), lambda message: message.content)
    uses = tool_use.since(run.thread_id, kept[0].seq, MAX_BYTES, path) if kept else []
    return ForkDoor(fork, kept, uses)


def _not_forkable(obstacle: ForkObstacle) -> Problem:
    detail = f"the run cannot be repeated from a step: {forkable.MEANING[obstacle]}"
    return Problem(Code.AGENT_RUN_NOT_FORKABLE, detail, params={"reason": obstacle})
