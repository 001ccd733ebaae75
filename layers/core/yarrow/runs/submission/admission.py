"""The second step of a submit: whether session, agent and the user's limits admit the run."""

from dataclasses import dataclass

from yarrow.access import limits
from yarrow.agents import bindings
from yarrow.agents.bindings import Binding
from yarrow.protocol.problems import Code, Problem
from yarrow.runs.lost_runs import end_if_overdue
from yarrow.runs.start_execution import start_execution
from yarrow.runs.submission.reading import Submission
from yarrow.settings import settings
from yarrow.store import runs, sessions, submit_snapshot, table
from yarrow.store.limits import buckets, reservations, run_slots, usage
from yarrow.store.sessions import Session


@dataclass(frozen=True, slots=True)
class Admission:
    """The session as it was read, None if the run creates it; the run's agent; and what it draws from limits."""

    session: Session | None
    binding: Binding
    drawn: buckets.Draw


def admit(submission: Submission) -> Admission | runs.Run | None:
    """Admit a run, or return it if it was submitted before; None if its session has just changed. Raises Problem for a
    refusal.
    """
    user_id = submission.caller.user_id
    (session, run, reservation), (slots, used) = submit_snapshot.read_with(
        submission.run_input.thread_id, submission.run_key, run_slots.key(user_id), usage.key(user_id)
    )
    binding = _binding(submission, session)
    if run is not None:
        if run.fingerprint not in submission.fingerprints:
            raise Problem(Code.AGENT_RUN_CONFLICT, "the runId was used before in this session with another body")
        return run
    if session is not None and session.active_run == submission.run_key:
        return None  # it is being submitted: this read saw part of the transaction
    _check_session(submission, session, binding, reservation)
    if session is not None and session.active_run is not None:
        _end_or_refuse(session.active_run, submission)
        return None
    return Admission(session, binding, _draw(submission, slots, used))


def _binding(submission: Submission, session: Session | None) -> Binding:
    """Choose the agent and check the input for it. Raises Problem, also if the session is not the caller's."""
    run_input = submission.run_input
    if session is not None:
        sessions.check_access(session, submission.caller.user_id)
    binding = bindings.agent_for(
        run_input,
        existing=None if session is None else session.agent,
        requested=submission.agent,
        default=settings.default_agent,
    )
    if session is None or not submission.door.interprets:
        bindings.check(binding, run_input)
    if run_input.tools:
        # Imported here: few runs have client tools.
        from yarrow.agents.permissions import check_frontend_tools
        from yarrow.services.tools.names import NAMES

        check_frontend_tools(run_input.tools, NAMES)
    return binding


def _check_session(
    submission: Submission, session: Session | None, binding: Binding, reservation: table.Item | None
) -> None:
    """Raise Problem unless the session, or a new one, may have this run."""
    question = submission.question
    if submission.has_expired:
        last_question = None if session is None else session.last_question
        if question is None or question.digest != last_question:
            raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "binary content url has expired")
    if session is None:
        reservations.check(reservation, submission.caller.user_id)
    if submission.run_input.runtime_mode == "follow_up":
        _check_follow_up(submission, session, binding)
    limits.check_session_runs(0 if session is None else session.run_count)


def _check_follow_up(submission: Submission, session: Session | None, binding: Binding) -> None:
    """Check that a follow-up has a session and, unless the door interprets it, the session's topic (C47)."""
    if session is None:
        raise Problem(Code.AGENT_SESSION_NOT_FOUND, "there is no such session")
    topic = None if submission.door.interprets else session.topic_on(session.path)
    if topic is not None:
        binding.rules.check_topic(submission.run_input, topic)


def _end_or_refuse(active_run: str, submission: Submission) -> None:
    """End the session's active run if it is overdue or abandoned; else raise Problem 409."""
    active = runs.must_read(active_run)
    if active.ended or end_if_overdue(active) or submission.door.end_if_abandoned(active):
        return
    if active.phase == "queued":
        start_execution(active)  # its start may have been lost
    raise Problem(Code.AGENT_RUN_IN_PROGRESS, "the session has an active run")


def _draw(submission: Submission, slots: table.Item | None, used: table.Item | None) -> buckets.Draw:
    """Draw the run from its user's limits. Raises Problem 429."""
    limits.check_tokens(used)
    with limits.rate_limited():
        drawn = limits.draw_run(slots, len(submission.body.encoded))
    if not run_slots.make_room(submission.caller.user_id, run_slots.stored(slots), settings.runs_per_user):
        raise limits.refusal(Code.AGENT_RUN_LIMIT, "too many active runs", params={"limit": settings.runs_per_user})
    return drawn
