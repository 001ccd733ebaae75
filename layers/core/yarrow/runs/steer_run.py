"""Adds a message of the user to a run that goes on, for its agent to take at its next step (RNR-87)."""

from typing import Literal

from yarrow.access import limits, ownership
from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_message import RunMessage, RunMessageAccepted
from yarrow.protocol.runner.vocabulary import MAX_ADDED
from yarrow.runs.lost_runs import end_if_overdue
from yarrow.store import runs, sessions
from yarrow.store.runner import added_messages, grants

SOON: int = 1
"""Seconds after which a run that was just submitted is likely to have begun."""

_WHY = {
    "ended": "it has ended",
    "not_begun": "no worker has begun it yet",
    "agent": "its agent takes no messages while it works",
}


def steer_run(user_id: str, thread_id: str, run_id: str | None, message: RunMessage) -> RunMessageAccepted:
    """Accept a message; the same one again gets the same answer.

    Raises Problem as `ownership.run_of`; 409 if the run has ended, has not begun, has an agent that takes none, or has
    too many, and if another message has the id; 429 at the user's rate.
    """
    limits.count(user_id, "run_messages")
    run = ownership.run_of(user_id, thread_id, run_id)
    if run.ended or end_if_overdue(run):
        return _accepted_before(run, message, _refused("ended"))
    _check_agent(run)
    if sessions.must_read(run.thread_id).last_asked == message.id:  # the run's own, if it has ended since
        return _accepted_before(run, message, _conflict())
    try:
        added = added_messages.add(run, message.id, message.content)
    except added_messages.ConflictError as error:
        raise _conflict() from error
    except added_messages.EndedError:
        return _accepted_before(run, message, _refused("ended"))
    except added_messages.FullError as error:
        raise Problem(
            Code.AGENT_RUN_MESSAGE_LIMIT, "too many messages were added to the run", params={"limit": MAX_ADDED}
        ) from error
    return _accepted(run, added)


def _accepted_before(run: runs.Run, message: RunMessage, otherwise: Problem) -> RunMessageAccepted:
    """Answer what was accepted before, as it was then; refuse another content of its id, and anything else."""
    same = next((added for added in added_messages.read_all(run.key) if added.id == message.id), None)
    if same is None:
        raise otherwise
    if same.content != message.content:
        raise _conflict()
    return _accepted(run, same)


def _check_agent(run: runs.Run) -> None:
    """Raise Problem unless a worker has begun the run and its runner takes messages: its grant says so."""
    grant = grants.read(run.key)
    if grant is None:
        raise _refused("not_begun")
    if not json_text.loads(grant.grant_json.encode()).get("steering"):
        raise _refused("agent")


def _accepted(run: runs.Run, added: added_messages.AddedMessage) -> RunMessageAccepted:
    return RunMessageAccepted(thread_id=run.thread_id, run_id=run.run_id, id=added.id, place=added.place)


def _conflict() -> Problem:
    return Problem(Code.AGENT_RUN_MESSAGE_CONFLICT, "another message has this id")


def _refused(reason: Literal["ended", "not_begun", "agent"]) -> Problem:
    wait = SOON if reason == "not_begun" else None
    detail = f"the run takes no message: {_WHY[reason]}"
    return Problem(Code.AGENT_RUN_NOT_STEERABLE, detail, params={"reason": reason}, retry_after=wait)
