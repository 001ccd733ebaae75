"""Questions of a run to a user, as its worker stores them."""

from datetime import timedelta

from tests.support.notifications.deployment import BEGINNING, THREAD
from yarrow.store import clock, questions, table


def ask(
    user: str = "alice", message: str = "Shall I send it?", question: str = "0" * 32, closes_at: str = ""
) -> questions.Question:
    asked = questions.Question(
        id=question,
        thread_id=THREAD,
        run_key="key-of-run-1",
        run_id="run-1",
        agent="assistant",
        step_id="1" * 32 + ".0001",
        action="steps.ask",
        step_number=1,
        asked_at=clock.iso(BEGINNING),
        kind="confirmation",
        message=message,
        schema={"type": "object"},
        closes_at=closes_at or clock.iso(BEGINNING + timedelta(hours=2)),
        created_at=clock.iso(BEGINNING),
    )
    table.transact(questions.ask(user, asked))
    return asked
