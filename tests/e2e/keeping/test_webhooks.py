"""Deliveries to webhooks outlive the processes of the stack (EVB-04)."""

import uuid
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.stack.app import App
from tests.support.stack.kept_stack import KeptStack
from tests.support.webhooks.http_receiver import Receiver, until


@pytest.mark.parametrize("is_killed", [False, True], ids=["stopped", "killed"])
def test_an_attempt_that_waits_is_made_after_a_restart(tmp_path: Path, *, is_killed: bool) -> None:
    """EVB-04: under the id of the one before."""
    stack = KeptStack(tmp_path / "data")
    stack.start()
    try:
        with Receiver() as receiver, closing(App(stack.url, "ops", scope="operate").http) as operator:
            body = {"url": receiver.url, "events": ["run.completed"]}
            webhook = operator.post("/api/v1/webhooks", json=body).json()
            receiver.status = 503
            with closing(App(stack.url, "alice").http) as alice:
                thread = str(uuid.uuid4())
                run = {
                    "threadId": thread,
                    "runId": "run-1",
                    "messages": [{"role": "user", "content": "hi", "id": "1"}],
                }
                assert "RUN_FINISHED" in alice.post("/send-message", json=run, timeout=60).text
            (first, _), *_ = receiver.wait(1)
            path = f"/api/v1/webhooks/{webhook['id']}"
            until(lambda: operator.get(path).json()["deliveries"][0]["attemptCount"] or None, "a result")
            made = len(receiver.requests)
            stack.stop(is_killed=is_killed)
            receiver.status = 204
            stack.start()
            last, _ = receiver.wait(made + 1)[-1]
            assert last["webhook-id"] == first["webhook-id"]
            until(lambda: operator.get(path).json()["deliveries"][0]["status"] == "delivered" or None, "the delivery")
    finally:
        stack.stop()
