"""What becomes of what a run's work came to: published once, whoever publishes it, and nothing half."""

import pytest

from tests.integration.ended_runs import ending_of
from tests.integration.test_execution import DONE, Use, completed, delta, execute, kept, use
from tests.integration.test_submission import THREAD, submit
from yarrow.host import execution
from yarrow.host.deletion import delete_session
from yarrow.store import runs, sessions

__all__ = ["use"]

pytestmark = pytest.mark.usefixtures("aws")

KEPT = ("state.updated", {"scope": "conversation", "key": "k", "value": 1})


def test_what_a_runner_keeps_is_kept_though_it_says_nothing(use: Use) -> None:
    """RNR-36: no message, so the history gets none."""
    use(KEPT, DONE)
    run_key = submit().task_id
    execute(run_key)
    assert kept() == {"k": 1}
    assert runs.must_read(run_key).phase == "finished"
    assert [each.role for each in sessions.messages(THREAD)] == ["user"]


def test_a_failure_is_not_published_as_an_answer(use: Use) -> None:
    """CMP-11, EVT-08, RNR-40: the answer to its task was lost, and it is called again."""
    use(delta("半"), ("run.failed", {"code": "agent.tired", "message": "try later", "retryable": True}))
    run_key = submit().task_id
    for _ in range(2):
        execution.work(run_key)
    ending = ending_of(run_key)
    assert (ending["type"], ending["code"], ending["message"]) == ("RUN_ERROR", "agent.tired", "try later")


def test_an_answer_that_comes_after_the_delete_is_not_kept(use: Use) -> None:
    """SES-04, HIS-16: the session was marked, and its run not cancelled yet, when it was about to finish."""
    run_key = submit().task_id

    def mark() -> None:
        session = sessions.read(THREAD)
        assert session is not None
        sessions.mark_deleted(session)

    use(KEPT, completed("一"), mark, DONE)
    execute(run_key)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
    assert [each.role for each in sessions.messages(THREAD)] == ["user"]
    assert kept() == {}
    delete_session("alice", THREAD)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
