"""Answers questions of a run: a new run goes on where it asked (ASK-01 … ASK-04)."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from yarrow.protocol.caller import Caller
from yarrow.protocol.interrupts import MEMBER as RESUME
from yarrow.protocol.interrupts import ResumeEntry, read_resume
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.questions import shown_answer
from yarrow.protocol.run_input.body import checked_ids, parse_run_input, read_body, rewritten
from yarrow.protocol.run_input.trigger import MEMBER as TRIGGER
from yarrow.protocol.run_input.trigger import Trigger
from yarrow.protocol.runner.vocabulary import INTERACTION_SUBMITTED
from yarrow.runs.submission.answer_door import AnswerDoor, Given, fingerprint_of, given
from yarrow.runs.submission.reading import Submission, submission_of
from yarrow.runs.submit_run import TaskAccepted, accepted, submit
from yarrow.store import questions, runs, sessions

_NAMESPACE: Final = uuid.UUID("5a0c2a7e-3c55-5f0e-9d43-79617272776f")


def answer_question(caller: Caller, entry: ResumeEntry) -> TaskAccepted:
    """Answer one open question of the user, by its id. The same answer again gets the same run.

    Raises Problem as `answer_questions`.
    """
    (question,) = questions.read(caller.user_id, [entry.interrupt_id])
    if question is None:
        raise Problem(Code.AGENT_INTERRUPT_NOT_FOUND, "there is no such question")
    return answer_questions(caller, question.thread_id, None, [entry], covers_all=False)


def resume_run(raw: bytes, caller: Caller) -> TaskAccepted | None:
    """Answer the questions that a body of `POST /runs` answers in `resume`; None if it has none.

    Raises Problem as `answer_questions`, and for an invalid body.
    """
    body = read_body(raw)
    entries = read_resume(body.get(RESUME))
    if not entries:
        return None
    thread_id, run_id = checked_ids(body)
    return answer_questions(caller, thread_id, run_id, entries)


def answer_questions(
    caller: Caller, thread_id: str, run_id: str | None, entries: Sequence[ResumeEntry], *, covers_all: bool = True
) -> TaskAccepted:
    """Answer questions of a session in a run with this id; by default, all that are open.

    The same answers again get the same run, or another one if that has failed.

    Raises Problem as `given` of the door, and as `submit`.
    """
    session = sessions.read_owned(thread_id, caller.user_id)
    left_open = [line.id for line in session.open_questions] if covers_all else None
    answers = given(caller.user_id, thread_id, entries, left_open)
    failed = None
    if all(one.is_repeated for one in answers):
        taken = _taken_before(answers)
        if not _may_go_on_again(taken.run, session):
            return taken
        run_id, failed = run_id_of(caller.user_id, thread_id, f"after {taken.run.key}", entries), taken.run.key
    return submit(_submission(caller, session, run_id, entries, answers, failed, covers_all=covers_all))


def run_id_of(user_id: str, thread_id: str, run_id: str | None, entries: Sequence[ResumeEntry]) -> str:
    """Return the id of the run that goes on: the client's, unless another run has it.

    CopilotKit resumes under the id of the run that asked (ASK-03).
    """
    if run_id is not None:
        earlier = runs.read(runs.key_of(user_id, thread_id, run_id))
        if earlier is None or earlier.fingerprint == fingerprint_of(thread_id, entries):
            return run_id
    name = "/".join([thread_id.lower(), run_id or "", *sorted(entry.digest for entry in entries)])
    return str(uuid.uuid5(_NAMESPACE, name))


def _may_go_on_again(run: runs.Run, session: sessions.Session) -> bool:
    """Return whether the run that took the answers failed, and nothing has come after it: its steps are kept."""
    return run.phase == "failed" and session.active_run is None and session.message_count == run.message_seq


def _taken_before(answers: Sequence[Given]) -> TaskAccepted:
    """Return the run that took the answers when they came first. Raises Problem 409 if they came one by one."""
    keys = {one.question.answered_in for one in answers}
    if len(keys) > 1 or None in keys:
        raise Problem(Code.AGENT_INTERRUPT_ANSWERED, "the questions were answered one by one before")
    return accepted(runs.must_read(str(keys.pop())))


def _submission(
    caller: Caller,
    session: sessions.Session,
    run_id: str | None,
    entries: Sequence[ResumeEntry],
    answers: Sequence[Given],
    failed: str | None,
    *,
    covers_all: bool,
) -> Submission:
    asking = runs.must_read(next((one for one in answers if not one.is_repeated), answers[0]).question.run_key)
    own_id = run_id_of(caller.user_id, session.thread_id, run_id, entries)
    data: dict[str, Any] = {"interrupts": [one.question.id for one in answers]}
    for one in answers:
        if (submitted := one.submission) is not None:
            data |= {"interaction": submitted, "status": one.answer.status}
    trigger = Trigger(INTERACTION_SUBMITTED, "api", data)
    body = {
        "threadId": session.thread_id,
        "runId": own_id,
        "messages": _messages(own_id, answers),
        "tools": [],
        "context": [],
        "forwardedProps": {"runtime_mode": asking.runtime_mode},
        "passedOn": {},
        TRIGGER: trigger.as_member(),
    }
    run_input = parse_run_input(body)
    door = AnswerDoor(asking, tuple(entries), covers_all, failed=failed)
    submission = submission_of(body, rewritten(body), run_input, caller, session.agent, door)
    if submission.question is None:
        return submission
    return replace(submission, question=replace(submission.question, answers=_as_stored(answers)))


def _as_stored(answers: Sequence[Given]) -> dict[str, Any]:
    return {
        one.question.id: {"status": one.answer.status, "payload": one.entry.payload}
        for one in answers
        if not one.is_repeated
    }


def _messages(run_id: str, answers: Sequence[Given]) -> list[Mapping[str, Any]]:
    """Return the answers as the user's message, if there is anything to show."""
    shown = [shown_answer(one.question.kind, one.answer, one.question.labels) for one in answers if not one.is_repeated]
    text = "\n".join(line for line in shown if line)
    return [{"id": f"msg_{run_id}_user_0", "role": "user", "content": text}] if text else []
