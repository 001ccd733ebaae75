"""Submits the run that goes on with the answers to an earlier one's questions (ASK-01 … ASK-04).

The answers are taken in the transaction that stores the run: each question is closed on condition that it is open, and
its answer is the result of the step that asked. The first answer wins.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from yarrow.formats import json_text
from yarrow.protocol import questions as protocol
from yarrow.protocol.interrupts import APPROVE, ResumeEntry
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.runner.questions import Answer
from yarrow.protocol.runner.vocabulary import INTERACTION_REQUESTED
from yarrow.runs.submission.door import Continuation, Door, Taken
from yarrow.store import clock, questions, runs, sessions
from yarrow.store.questions import Question
from yarrow.store.runner import steps
from yarrow.store.runner.steps import Step


@dataclass(frozen=True, slots=True)
class Given:
    question: Question
    entry: ResumeEntry

    @property
    def is_repeated(self) -> bool:
        """Whether the question has this answer already."""
        return self.question.ended is not None

    @property
    def state(self) -> tuple[str, bool]:
        """The run that asks, and whether it is repeated: what the run that goes on is made of."""
        return self.question.run_key, self.is_repeated

    @property
    def answer(self) -> Answer:
        """The answer as the runner gets it."""
        if self.entry.status == "cancelled":
            return Answer(status="expired" if self.question.is_over else "cancelled")
        return protocol.answer_of(self.question.kind, self.entry.payload)

    @property
    def submission(self) -> dict[str, Any] | None:
        """The answer as the submission of an interaction that a runner requested; None if the question is none."""
        if self.question.action != INTERACTION_REQUESTED:
            return None
        from yarrow.protocol import interactions  # few questions are
        from yarrow.protocol.runner.interactions import InteractionRequest

        request = InteractionRequest.model_validate(self.question.details["interaction"])
        now = int(clock.now().timestamp())
        return interactions.submission(request, self.answer, now).model_dump(mode="json")

    @property
    def edited_args(self) -> Any:
        """The arguments by which the user replaces those of a tool call; None without edits."""
        if isinstance(self.entry.payload, dict) and "editedArgs" in self.question.schema.get("properties", {}):
            return self.entry.payload.get("editedArgs")
        return None

    @property
    def approved_tool(self) -> str | None:
        """The tool that the answer approves for the whole session: not by other arguments than those that were shown.

        None if it approves none.
        """
        question = self.question
        is_of_session = question.action == APPROVE and question.details.get("scope") == "session"
        if self.is_repeated or not is_of_session or self.answer.status != "answered" or self.edited_args is not None:
            return None
        return question.step_name

    def step(self) -> Step:
        question, answer = self.question, self.answer
        result = answer.model_dump(mode="json")
        if (edited := self.edited_args) is not None:
            result["edited_args"] = edited
        return Step(
            id=question.step_id,
            action=question.action,
            number=question.step_number,
            attempt=1,
            started_at=question.asked_at,
            name=question.step_name,
            ms=max(0, round(clock.since(question.asked_at) / timedelta(milliseconds=1))),
            outcome=answer.status,
            result=json_text.dumps(result),
        )


class ChangedError(Exception):
    """The questions are not as they were read any more: another answer was taken meanwhile."""


def checked_answers(
    user_id: str, thread_id: str, entries: Sequence[ResumeEntry], left_open: Collection[str] | None
) -> list[Given]:
    """Check answers to questions of a thread; with `left_open`, the ids of its open ones, all must be answered.

    Raises Problem: 404 unknown, 409 answered otherwise, 410 expired, 413 and 422 for an answer that does not match, 422
    if one is missing.
    """
    found = questions.read(user_id, [entry.interrupt_id for entry in entries])
    answers = [_checked_answer(question, entry, thread_id) for question, entry in zip(found, entries, strict=True)]
    is_open = not all(one.is_repeated for one in answers)
    if is_open and left_open is not None and not {entry.interrupt_id for entry in entries} >= set(left_open):
        raise Problem(Code.AGENT_INTERRUPT_INCOMPLETE, "resume must answer or cancel every open question")
    return answers


def _checked_answer(question: Question | None, entry: ResumeEntry, thread_id: str) -> Given:
    if question is None or question.thread_id.lower() != thread_id.lower():
        raise Problem(Code.AGENT_INTERRUPT_NOT_FOUND, "there is no such question in this session")
    if question.ended is not None:
        if question.answer_digest == entry.digest:
            return Given(question, entry)
        if question.ended == "expired" and question.answer_digest is None:
            raise _expired()
        raise Problem(Code.AGENT_INTERRUPT_ANSWERED, "the question was answered or closed before")
    if entry.status == "resolved":
        if question.is_over:
            raise _expired()
        protocol.check_payload(entry.payload, question.schema)
    return Given(question, entry)


def _expired() -> Problem:
    return Problem(Code.AGENT_INTERRUPT_EXPIRED, "the question has expired")


def fingerprint_of(thread_id: str, entries: Sequence[ResumeEntry]) -> str:
    """Return the fingerprint of a run with these answers, in any order."""
    text = json_text.canonical(["resume", thread_id.lower(), sorted(entry.digest for entry in entries)])
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class AnswerDoor(Door):
    """Submits answers to questions of the run `asking`; `covers_all`: to all that are open.

    `failed` is the key of the run that took them before and failed, if they are given again; `others` are the questions
    whose answers it took besides.
    """

    asking: runs.Run
    answers: Sequence[Given]
    covers_all: bool
    interprets: bool = True
    failed: str | None = None
    others: Sequence[Question] = ()

    @property
    def entries(self) -> Sequence[ResumeEntry]:
        """The answers as they were sent."""
        return [one.entry for one in self.answers]

    def fingerprints(
        self, _body: Mapping[str, Any], run_input: RunInput, _question: sessions.StoredMessage | None
    ) -> Mapping[str, int]:
        return {fingerprint_of(run_input.thread_id, self.entries): 0}

    def taken(self, session: sessions.Session | None, user_id: str, run_key: str) -> Taken:
        """Take the answers for a run. Raises Problem as `given`, which is called again: another device may be faster;
        ChangedError if that one answered some of the questions, or its run asked them again.
        """
        lines = () if session is None else session.open_questions
        left_open = [line.id for line in lines] if self.covers_all else None
        answers = checked_answers(user_id, self.asking.thread_id, self.entries, left_open)
        if all(one.is_repeated and one.question.answered_in != self.failed for one in answers):
            raise Problem(Code.AGENT_INTERRUPT_ANSWERED, "the answer was taken by another run meanwhile")
        if [one.state for one in answers] != [one.state for one in self.answers]:
            raise ChangedError
        log_key = self.asking.log_key
        items = [questions.pass_on(user_id, question, run_key) for question in self.others]
        for one in answers:
            if one.is_repeated:
                items.append(questions.pass_on(user_id, one.question, run_key))
                continue
            items += questions.close(user_id, one.question, one.answer.status, one.entry.digest, run_key)
            if one.submission is None:
                items.append(steps.answered(log_key, one.step()))
        closed = {one.question.id for one in answers}
        left = [line for line in lines if line.id not in closed]
        if any(one.submission is not None for one in answers):  # a run of its own, as its runner expects
            return Taken(items, left, job=self.asking.job, answers=True)
        return Taken(
            items,
            left,
            (*self.asking.earlier, self.asking.key),
            self.asking.log_began_at or self.asking.created_at,
            [tool for one in answers if (tool := one.approved_tool) is not None],
            job=self.asking.job,
            fork=self.asking.fork,
            answers=True,
        )

    def continuation(
        self, _session: sessions.Session, _input: RunInput, _question: sessions.StoredMessage | None
    ) -> Continuation:
        """Continue after the question, which is the session's last message."""
        return Continuation(is_stored=False)
