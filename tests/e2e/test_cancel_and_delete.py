"""Cancelling runs and deleting sessions over HTTP, as a mobile app does."""

import uuid

import httpx
import pytest

from tests.support.stack.app import App, SignIn, cancel


def delete(app: App, thread: str) -> httpx.Response:
    return app.http.delete(f"/api/v1/agent/sessions/{thread}")


@pytest.fixture
def thread(alice: App) -> str:
    """A session of Alice with one run, which has finished."""
    thread = str(uuid.uuid4())
    assert alice.submit(thread, "run-1").status_code == 202
    assert list(alice.watch(thread, "run-1"))[-1][1] == "RUN_FINISHED"
    return thread


def problem(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, response.json()["code"]


def test_a_cancel_changes_nothing_about_a_run_that_has_finished(alice: App, thread: str) -> None:
    """CAN-01, CAN-05: the answer says so, once and again."""
    events, output = list(alice.watch(thread, "run-1")), alice.history(threadId=thread)
    for _ in range(2):
        answer = cancel(alice, thread)
        assert answer.status_code == 200
        assert answer.json() == {"threadId": thread, "runId": "run-1", "accepted": False}
    assert list(alice.watch(thread, "run-1")) == events
    assert alice.history(threadId=thread) == output


def test_a_cancel_at_once_ends_the_run_once(alice: App) -> None:
    """CAN-04, CAN-05, CAN-06, EVT-28: before, during or after its work; events and history agree, the next is taken."""
    thread = str(uuid.uuid4())
    for number in range(5):
        run = f"run-{number}"
        assert alice.submit(thread, run).status_code == 202
        assert cancel(alice, thread, run).status_code == 200
        events = [(kind, event.get("code"), event.get("message")) for _, kind, event in alice.watch(thread, run)]
        canceled = ("RUN_ERROR", "RUN_CANCELED", "run canceled by user")
        assert events[-1] in {canceled, ("RUN_FINISHED", None, None)}
        assert [kind for kind, _, _ in events if kind in {"RUN_ERROR", "RUN_FINISHED"}] == [events[-1][0]]
        *_, last = alice.history(threadId=thread)["messages"]
        assert last["role"] == ("user" if events[-1] == canceled else "assistant")


def test_a_cancel_that_names_no_run_of_ones_own_is_refused(alice: App, sign_in: SignIn, thread: str) -> None:
    """CAN-02, CAN-03, SEC-03."""
    assert problem(cancel(alice, thread, None)) == (422, "AGENT_INVALID_RUN_ID")
    assert problem(cancel(alice, thread, "run-2")) == (404, "AGENT_RUN_NOT_FOUND")
    assert problem(cancel(alice, str(uuid.uuid4()))) == (404, "AGENT_SESSION_NOT_FOUND")
    assert problem(cancel(alice, "thread_001")) == (422, "AGENT_SESSION_ID_INVALID")
    assert problem(cancel(sign_in("bob"), thread)) == (403, "AGENT_FORBIDDEN")


def test_of_a_deleted_session_nothing_is_left_to_see(alice: App, thread: str) -> None:
    """SES-01, SES-02, HIS-16, RUN-24, FUP-02: and it may be deleted again."""
    for _ in range(2):
        answer = delete(alice, thread)
        assert (answer.status_code, answer.content) == (204, b"")
    assert alice.history()["messages"] == []
    gone = [
        alice.http.get("/api/v1/agent/history", params={"threadId": thread}),
        alice.http.get(f"/api/v1/agent/runs/{thread}/events", params={"runId": "run-1"}),
        alice.submit(thread, "run-1"),
        alice.submit(thread, "run-2"),
        alice.submit(thread, "run-2", "follow_up", "什么时候会有结果？"),
        cancel(alice, thread),
    ]
    assert [problem(answer) for answer in gone] == [(404, "AGENT_SESSION_NOT_FOUND")] * len(gone)


def test_the_run_of_a_deleted_session_leaves_nothing(alice: App) -> None:
    """SES-04: whatever it had come to."""
    thread = str(uuid.uuid4())
    alice.submit(thread, "run-1")
    assert delete(alice, thread).status_code == 204
    assert problem(alice.submit(thread, "run-1")) == (404, "AGENT_SESSION_NOT_FOUND")
    assert alice.history()["messages"] == []


def test_only_the_owner_deletes_a_session(alice: App, sign_in: SignIn, thread: str) -> None:
    """SES-02, SES-03, SES-05, C24."""
    bob = sign_in("bob")
    assert problem(delete(bob, thread)) == (403, "AGENT_FORBIDDEN")
    assert len(alice.history(threadId=thread)["messages"]) == 2
    assert delete(alice, thread).status_code == 204
    assert problem(delete(bob, thread)) == (403, "AGENT_FORBIDDEN")
    assert problem(delete(alice, "thread_001")) == (422, "AGENT_SESSION_ID_INVALID")
    assert delete(bob, str(uuid.uuid4())).status_code == 204
