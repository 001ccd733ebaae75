"""Ends a question that nobody has answered in its time (ASK-07): its run goes on, or nobody can answer it any more.

Either writes the question's item, and the table's stream makes `interrupt.expired` of that.
"""

from datetime import timedelta
from typing import Final

from yarrow.domain_events import question_timers
from yarrow.observability.logs import logger
from yarrow.protocol.caller import Caller
from yarrow.protocol.interrupts import ResumeEntry
from yarrow.protocol.problems import Problem
from yarrow.runs.answer_questions import answer_question
from yarrow.store import clock, questions

AGAIN: Final = timedelta(minutes=5)
ATTEMPTS: Final = 12
"""A run that cannot go on, as its user has too many, is tried for an hour; after it, the question can be cancelled."""

_BUSY: Final = (409, 429)
_SERVER_ERROR: Final = 500


class EarlyError(Exception):
    """The question is not over yet by this function's clock. Lambda calls it again."""


def expire_question(user_id: str, question_id: str, attempt: int) -> None:
    """End an open question at its time; idempotent. Raises EarlyError, Problem 503, or what the store raises."""
    (question,) = questions.read(user_id, [question_id])
    if question is None or question.ended is not None:
        return
    if not question.is_over:
        raise EarlyError(question_id)
    if question.on_expiry == "stop" or attempt > ATTEMPTS:
        questions.lapse(user_id, question_id)
        return
    try:
        answer_question(Caller(user_id), ResumeEntry(question_id, "cancelled"))
    except Problem as problem:
        if problem.status >= _SERVER_ERROR:
            raise
        logger.info("a run does not go on yet", extra={"code": problem.code.name})
        if problem.status in _BUSY:
            question_timers.put(user_id, question_id, clock.now() + AGAIN, attempt + 1)
        questions.lapse(user_id, question_id)
