"""What a mobile app does: sign in, submit the documents' request, watch it to the end, read it back, list sessions."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.support.example_cast import EXAMPLE
from tests.support.stack.app import App, SignIn


def test_a_divination_goes_from_submit_to_history(alice: App) -> None:
    """RUN-01, RUN-20, EVT-02 … EVT-09, EVT-15, DIV-11, DIV-28, DIV-31, DIV-33, HIS-01, HIS-02, HIS-09, HIS-19."""
    thread, run = str(uuid.uuid4()), "run_20260403_xxx"
    accepted = alice.submit(thread, run)
    assert accepted.status_code == 202
    assert accepted.json() == {
        "taskId": accepted.json()["taskId"],
        "threadId": thread,
        "runId": run,
        "created": True,
    }

    emitted = list(alice.watch(thread, run))
    assert [number for number, _, _ in emitted] == list(range(1, len(emitted) + 1))
    assert all(kind == event["type"] for _, kind, event in emitted)
    kinds = [kind for _, kind, _ in emitted if kind != "TEXT_MESSAGE_CONTENT"]
    assert kinds == [
        "RUN_STARTED",
        "STEP_STARTED",
        "DIVINATION_DERIVED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_END",
        "STEP_FINISHED",
        "RUN_FINISHED",
    ]
    events = {kind: event for _, kind, event in emitted}
    derived, end = events["DIVINATION_DERIVED"]["divination"], events["TEXT_MESSAGE_END"]
    assert (derived["guaName"], derived["targetGuaName"]) == ("水火既济", "风雷益")
    assert end["divination_derived"] == derived
    text = "".join(event["delta"] for _, kind, event in emitted if kind == "TEXT_MESSAGE_CONTENT")
    assert text == end["answer"]

    session = alice.history(threadId=thread)
    question, answer = session["messages"]
    assert (question["id"], question["content"]) == (f"msg_{run}_user_0", EXAMPLE["question"])
    assert (answer["id"], answer["content"]) == (end["messageId"], text)
    framing = {"type", "threadId", "runId", "messageId"}
    assert answer["agent_output"] == {name: value for name, value in end.items() if name not in framing}

    listed = alice.history()
    assert listed["scope"] == "history_sessions_latest_assistant"
    assert listed["messages"] == [answer | {"agent": "divination"}]


def test_a_follow_up_is_answered_from_the_stored_derivation(alice: App) -> None:
    """FUP-01, FUP-03, FUP-04, FUP-05, FUP-06, DIV-11, HIS-10."""
    thread = str(uuid.uuid4())
    assert alice.submit(thread, "run-1").status_code == 202
    assert list(alice.watch(thread, "run-1"))[-1][1] == "RUN_FINISHED"
    accepted = alice.submit(thread, "run-2", "follow_up", "什么时候会有结果？")
    assert (accepted.status_code, accepted.json()["created"]) == (202, False)
    events = list(alice.watch(thread, "run-2"))
    assert events[-1][1] == "RUN_FINISHED"
    assert "DIVINATION_DERIVED" not in [kind for _, kind, _ in events]
    (end,) = (event for _, kind, event in events if kind == "TEXT_MESSAGE_END")
    assert set(end) == {"type", "threadId", "runId", "messageId", "status", "answer", "error"}
    messages = alice.history(threadId=thread)["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant"]
    assert messages[3]["agent_output"] == {"status": "success", "answer": end["answer"], "error": None}


def test_a_viewer_goes_on_after_any_event(alice: App) -> None:
    """EVT-04, EVT-05."""
    thread = str(uuid.uuid4())
    alice.submit(thread, "run-1")
    whole = list(alice.watch(thread, "run-1"))
    for cut in range(1, len(whole)):
        assert list(alice.watch(thread, "run-1", after=cut)) == whole[cut:]


def test_ten_viewers_see_the_same(alice: App) -> None:
    """EVT-05, EVT-06: from as many connections, opened while the run goes on."""
    thread = str(uuid.uuid4())
    alice.submit(thread, "run-1")
    with ThreadPoolExecutor(10) as pool:
        seen = list(pool.map(lambda _: list(alice.watch(thread, "run-1")), range(10)))
    assert seen == [seen[0]] * 10
    assert [number for number, _, _ in seen[0]] == list(range(1, len(seen[0]) + 1))
    assert seen[0][-1][1] == "RUN_FINISHED"


@pytest.mark.parametrize(("locale", "word"), [("zh-CN", "官鬼"), ("zh-TW", "官鬼"), ("en-GB", "the")])
def test_the_answer_is_in_the_users_language(sign_in: SignIn, locale: str, word: str) -> None:
    """DIV-32, C37."""
    app = sign_in("user", locale=locale)
    thread = str(uuid.uuid4())
    app.submit(thread, "run-1")
    (end,) = (event for _, kind, event in app.watch(thread, "run-1") if kind == "TEXT_MESSAGE_END")
    assert word in end["answer"]


def test_the_thread_of_another_is_closed(stack: str, sign_in: SignIn, alice: App) -> None:
    """SEC-01, SEC-03, ERR-01."""
    thread = str(uuid.uuid4())
    alice.submit(thread, "run-1")
    bob = sign_in("bob")
    events = f"/api/v1/agent/runs/{thread}/events"
    answers = [
        bob.submit(thread, "run-1"),
        bob.http.get(events, params={"runId": "run-1"}),
        bob.http.get("/api/v1/agent/history", params={"threadId": thread}),
    ]
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (403, "AGENT_FORBIDDEN")
        assert answer.headers["content-type"] == "application/problem+json"
    assert bob.history()["messages"] == []
    for authorization in ("", "Bearer nonsense"):
        refused = httpx.get(stack + events, params={"runId": "run-1"}, headers={"Authorization": authorization})
        assert (refused.status_code, refused.json()["code"]) == (401, "AUTH_UNAUTHORIZED")
