"""Tells whether a run can be repeated from a step on, and what stands in its way (STP-09).

It is told with the run's steps, before a fork is asked for, and in the refusal of a fork.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from yarrow.agents import bindings
from yarrow.protocol.problems import Problem
from yarrow.protocol.run_input.body import RunInput, parse_run_input
from yarrow.protocol.steps import ForkObstacle
from yarrow.runs.stream_events import check_kept
from yarrow.store import runs
from yarrow.store.runner import grants
from yarrow.store.runner.steps import Step

MEANING: Final[Mapping[ForkObstacle, str]] = {
    "active": "it has not ended",
    "expired": "its events or its input have expired",
    "continues": "it goes on with another run's steps",
    "job": "it belongs to a job",
    "pictures": "it has pictures",
    "no_message": "no message of its user began it",
    "follow_up": "it follows up on another run",
    "agent_gone": "its agent is not there any more",
    "remote": "its runner is in a function of its own, whose calls look into the log of their own run alone",
    "input_invalid": "its input is not accepted any more",
    "outcome_unknown": "the outcome of an earlier step is unknown",
}
"""What a refusal says, after "the run cannot be repeated from a step"."""


def obstacle(run: runs.Run) -> ForkObstacle | None:
    """Return what keeps any step of a run from being one to repeat it from; None if nothing does."""
    if not run.ended:
        return "active"
    try:
        check_kept(run)
    except Problem:
        return "expired"
    if (early := of_run(run)) is not None:
        return early
    try:
        run_input = parse_run_input(runs.read_input(run.key))
    except LookupError:
        return "expired"
    except Problem:
        return "input_invalid"
    return of_input(run_input)


def of_run(run: runs.Run) -> ForkObstacle | None:
    """Return what of a run that has ended is in the way, besides its input; None if nothing is."""
    if run.earlier or run.fork is not None:
        return "continues"
    if run.job is not None:
        return "job"
    if run.agent not in bindings.deployed():
        return "agent_gone"
    grant = grants.read(run.key)
    return "remote" if grant is not None and grant.is_remote else None


def of_input(run_input: RunInput) -> ForkObstacle | None:
    """Return what of a run's input is in the way; None if nothing is."""
    if run_input.pictures or run_input.result_pictures:
        return "pictures"
    if run_input.user_message is None or run_input.trigger is not None:
        return "no_message"
    return "follow_up" if run_input.runtime_mode == "follow_up" else None


def is_doubted(before: Iterable[Step]) -> bool:
    """Return whether the steps before one keep it from being that: nobody knows whether one of them was made."""
    return any(step.is_in_doubt for step in before)
