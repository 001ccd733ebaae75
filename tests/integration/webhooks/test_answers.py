"""Answers of runs in the bodies of webhooks that ask for them (EVB-04)."""

import pytest

from tests.support.divination_runs import THREAD, execute, submit
from tests.support.runners.scripted import DONE, Use, completed
from tests.support.webhooks.deployment import URL, WebhookDeployment, event
from yarrow.outbound.posting import PostResult
from yarrow.runs.delete_session import delete_session
from yarrow.store import runs
from yarrow.webhooks.bodies import MAX_BYTES


def ended(use: Use, text: str, kind: str = "run.completed") -> dict[str, object]:
    """Have a run answer; returns the event of its end."""
    use(completed(text), DONE)
    run = runs.must_read(submit().task_id)
    execute(run.key)
    ids = {"threadId": THREAD, "runKey": run.key, "runId": run.run_id, "createdAt": run.created_at}
    return event(1, kind, user="alice", **ids)


def test_an_answer_is_sent_to_those_that_ask_for_it(deployment: WebhookDeployment, use: Use) -> None:
    """EVB-04: and stored for none."""
    deployment.create(url=f"{URL}/whole", include=["answer"])
    deployment.create(url=f"{URL}/thin")
    deployment.publish(ended(use, "合适"))
    before = len(deployment.aws.table.changes)
    deployment.run()
    (whole,), (thin,) = deployment.receivers.to(f"{URL}/whole"), deployment.receivers.to(f"{URL}/thin")
    assert "合适" in whole.body["data"]["answer"]
    assert whole.body["data"] == thin.body["data"] | {"answer": whole.body["data"]["answer"]}
    assert "合适" not in str([change.item for change in deployment.aws.table.changes[before:]])


@pytest.mark.parametrize("sign", ["a", "合", "😀", '"', "\n"])
def test_an_answer_that_is_too_long_is_cut(deployment: WebhookDeployment, use: Use, sign: str) -> None:
    """EVB-04: where a character ends."""
    deployment.create(include=["answer"])
    deployment.publish(ended(use, f"x{sign * 30_000}y"))
    deployment.run()
    (request,) = deployment.receivers.requests
    assert MAX_BYTES - 200 < len(request.raw) <= MAX_BYTES
    data = request.body["data"]
    assert data["answerTruncated"] is True
    assert data["answer"].strip(sign) in ("x", "x\n")


def test_the_answer_of_a_deleted_session_is_not_sent_any_more(deployment: WebhookDeployment, use: Use) -> None:
    """EVB-04, SES-04: at the next attempt."""
    deployment.create(include=["answer"])
    deployment.receivers.answer = lambda _: PostResult(1, 503)
    deployment.publish(ended(use, "合适"))
    deployment.wait(seconds=1)
    delete_session("alice", THREAD)
    deployment.wait(seconds=10)
    first, second = deployment.receivers.requests
    assert "answer" in first.body["data"]
    assert "answer" not in second.body["data"]


def test_only_what_completes_has_an_answer(deployment: WebhookDeployment, use: Use) -> None:
    """EVB-04."""
    deployment.create(include=["answer"])
    deployment.publish(ended(use, "合适", "run.failed"))
    deployment.run()
    (request,) = deployment.receivers.requests
    assert "answer" not in request.body["data"]
