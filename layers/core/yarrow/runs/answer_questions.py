"""Answers questions of a run: a new run goes on where it asked (ASK-01 … ASK-04)."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from yarrow.protocol import trace_context
from yarrow.protocol.caller import Caller
from yarrow.protocol.interrupts import MEMBER as RESUME
from yarrow.protocol.interrupts import ResumeEntry, read_resume
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.questions import shown_answer
from yarrow.protocol.run_input.body import RunBody, checked_ids, parse_run_input, read_body
from yarrow.protocol.run_input.trigger import MEMBER as TRIGGER
from yarrow.protocol.run_input.trigger import Trigger
from yarrow.protocol.runner.vocabulary import INTERACTION_SUBMITTED
from yarrow.runs.submission.answer_door import AnswerDoor, ChangedError, Given, checked_answers, fingerprint_of
from yarrow.runs.submission.reading import Submission, submission_of
from yarrow.runs.submit_run import TaskAccepted, accepted, submit
from yarrow.store import questions, runs, sessions

_TRIES: Final = 5
_ANSWERED: Final = "interrupts"
"""The member of the trigger's data with the ids of the questions that are answered."""

_NAMESPACE: Final = uuid.UUID("5a0c2a7e-3c55-5f0e-9d43-79617272776f")


def answer_question(caller: Caller, entry: ResumeEntry, *, trace_parent: str | None = None) -> TaskAccepted:
    """Answer one open question of the user, by its id. The same answer again gets the same run.

    Raises Problem as `answer_questions`.
    """
    (question,) = questions.read(caller.user_id, [entry.interrupt_id])
    if question is None:
        raise Problem(Code.AGENT_INTERRUPT_NOT_FOUND, "there is no such question")
    return answer_questions(caller, question.thread_id, None, [entry], covers_all=False, trace_parent=trace_parent)


def resume_run(raw: bytes, caller: Caller, *, trace_parent: str | None = None) -> TaskAccepted | None:
    """Answer the questions that a body of `POST /runs` answers in `resume`; None if it has none.

    Raises Problem as `answer_questions`, and for an invalid body.
    """
    body = read_body(raw)
    entries = read_resume(body.get(RESUME))
    if not entries:
        return None
    thread_id, run_id = checked_ids(body)
    return answer_questions(caller, thread_id, run_id, entries, trace_parent=trace_parent)


def answer_questions(
    caller: Caller,
    thread_id: str,
    run_id: str | None,
    entries: Sequence[ResumeEntry],
    *,
    covers_all: bool = True,
    trace_parent: str | None = None,
) -> TaskAccepted:
    """Answer questions of a session in a run with this id; by default, all that are open.

    The same answers again get the same run, or another one if that has failed. `trace_parent` is the header of the
    request.

    Raises Problem as `given` of the door, and as `submit`.
    """
    for _ in range(_TRIES):
        try:
            found = _submission_or_run(caller, thread_id, run_id, entries, covers_all=covers_all)
            if isinstance(found, TaskAccepted):
                return found
            return submit(replace(found, trace_parent=trace_context.read(trace_parent)))
        except ChangedError:
            continue
    raise Problem(Code.SERVICE_UNAVAILABLE, "the session is busy")


def _submission_or_run(
    caller: Caller, thread_id: str, run_id: str | None, entries: Sequence[ResumeEntry], *, covers_all: bool
) -> Submission | TaskAccepted:
    """Return the run to submit, or the one that took the answers before."""
    session = sessions.read_owned(thread_id, caller.user_id)
    left_open = [line.id for line in session.open_questions] if covers_all else None
    answers = checked_answers(caller.user_id, thread_id, entries, left_open)
    if not all(one.is_repeated for one in answers):
        asking = runs.must_read(next(one for one in answers if not one.is_repeated).question.run_key)
        door = AnswerDoor(asking, answers, covers_all)
        return _submission(caller, session, run_id, door, _data(answers))
    taken = _taken_before(answers)
    if not _may_go_on_again(taken.run, session):
        return taken
    run_id = run_id_of(caller.user_id, thread_id, f"after {taken.run.key}", entries)
    asking = runs.must_read(taken.run.earlier[-1] if taken.run.earlier else answers[0].question.run_key)
    door = _retaken(asking, taken.run, answers, covers_all=covers_all)
    return _submission(caller, session, run_id, door, _trigger_data(taken.run))


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


def _retaken(asking: runs.Run, failed: runs.Run, answers: Sequence[Given], *, covers_all: bool) -> AnswerDoor:
    """Return the door by which all answers that a failed run took are taken again."""
    known = {one.question.id for one in answers}
    others = [name for name in _trigger_data(failed)[_ANSWERED] if name not in known]
    found = [question for question in questions.read(failed.user_id, others) if question is not None]
    return AnswerDoor(
        asking,
        answers,
        covers_all,
        failed=failed.key,
        others=[question for question in found if question.answered_in == failed.key],
    )


def _trigger_data(run: runs.Run) -> Mapping[str, Any]:
    trigger = Trigger.of_body(runs.read_input(run.key))
    return {_ANSWERED: []} if trigger is None else trigger.data


def _data(answers: Sequence[Given]) -> Mapping[str, Any]:
    """Return the data of the trigger of a run that goes on."""
    data: dict[str, Any] = {_ANSWERED: [one.question.id for one in answers]}
    for one in answers:
        if (submitted := one.submission) is not None:
            data |= {"interaction": submitted, "status": one.answer.status}
    return data


def _submission(
    caller: Caller, session: sessions.Session, run_id: str | None, door: AnswerDoor, data: Mapping[str, Any]
) -> Submission:
    asking, answers = door.asking, door.answers
    own_id = run_id_of(caller.user_id, session.thread_id, run_id, door.entries)
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
    submission = submission_of(RunBody.of(body), run_input, caller, session.agent, door)
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
