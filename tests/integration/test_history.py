"""Reading history against the table: whole sessions, and the list of sessions by their latest answer."""

import json
from typing import Any

import pytest

from tests.integration.test_submission import THREAD, end, submit
from yarrow.host.history import latest_by_session, whole_session
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.store import runs, sessions

pytestmark = pytest.mark.usefixtures("aws")

OUTPUT = {"status": "success", "answer": "好", "error": None}


def thread(number: int) -> str:
    return f"{number:08d}-e29b-41d4-a716-446655440000"


def answered(thread_id: str, text: str = "好", run_id: str = "run-1", user: str = "alice") -> str:
    """A finished run of a thread; returns its key."""
    accepted = submit(Caller(user), threadId=thread_id, runId=run_id)
    run, session = runs.read(accepted.task_id), sessions.read(thread_id)
    assert run is not None
    assert session is not None
    runs.finish(run, session, runs.Outcome(message_id=f"answer-{run_id}", content=text, output=OUTPUT), "{}")
    return accepted.task_id


def shown(snapshot: Any) -> dict[str, Any]:
    """The snapshot as a client reads it."""
    document: dict[str, Any] = json.loads(snapshot.model_dump_json())
    return document


def test_a_session_is_read_whole_in_order() -> None:
    """HIS-01, HIS-04, HIS-05, HIS-06, HIS-08, HIS-11, C9."""
    answered(THREAD)
    document = shown(whole_session(THREAD, "alice"))
    messages = document.pop("messages")
    assert document == {"scope": "history_session_full", "threadId": THREAD, "day": None, "hasMore": False}
    question, answer = messages
    assert question == {
        "id": "msg-1",
        "threadId": THREAD,
        "seq": 1,
        "content": "我最近换工作是否合适?",
        "timestamp": question["timestamp"],
        "role": "user",
        "attachments": [],
    }
    assert answer == {
        "id": "answer-run-1",
        "threadId": THREAD,
        "seq": 2,
        "content": "好",
        "timestamp": answer["timestamp"],
        "role": "assistant",
        "agent_output": OUTPUT,
    }


def test_timestamps_carry_their_offset() -> None:
    """HIS-06, SEC-08."""
    answered(THREAD)
    assert all(item["timestamp"].endswith("+00:00") for item in shown(whole_session(THREAD, "alice"))["messages"])


def test_the_question_of_a_failed_run_stays() -> None:
    """HIS-18."""
    end(submit().task_id)
    assert [item.role for item in whole_session(THREAD, "alice").messages] == ["user"]


def test_the_words_of_blocks_are_joined() -> None:
    """HIS-20."""
    blocks = [{"type": "text", "text": "一"}, {"type": "text", "text": "二"}]
    submit(messages=[{"id": "m", "role": "user", "content": blocks}])
    assert whole_session(THREAD, "alice").messages[0].content == "一\n二"


@pytest.mark.parametrize(("user", "code"), [("bob", Code.AGENT_FORBIDDEN), ("alice", Code.AGENT_SESSION_NOT_FOUND)])
def test_only_the_owner_reads_a_session(user: str, code: Code) -> None:
    """SEC-03, HIS-16, ERR-05."""
    answered(THREAD)
    with pytest.raises(Problem) as caught:
        whole_session(THREAD if user == "bob" else thread(9), user)
    assert caught.value.code is code


def test_the_list_holds_the_latest_answer_of_each_session_last_active_first() -> None:
    """HIS-02, HIS-03, HIS-04, HIS-05."""
    answered(thread(1))
    answered(thread(2))
    answered(thread(1), "更好", "run-2")
    submit(threadId=thread(3))  # no answer yet
    document = shown(latest_by_session("alice", None))
    messages = document.pop("messages")
    assert document == {
        "scope": "history_sessions_latest_assistant",
        "threadId": None,
        "day": None,
        "hasMore": False,
    }
    assert [(item["threadId"], item["content"], item["seq"]) for item in messages] == [
        (thread(1), "更好", 4),
        (thread(2), "好", 2),
    ]
    assert messages[0]["agent_output"] == OUTPUT


def test_nobody_is_shown_the_sessions_of_others() -> None:
    """SEC-03."""
    answered(thread(1), user="alice")
    answered(thread(2), user="bob")
    assert [item.thread_id for item in latest_by_session("bob", None).messages] == [thread(2)]
    assert latest_by_session("carol", None).messages == ()


@pytest.mark.parametrize(
    ("limit", "shown_", "more"), [("1", 1, True), ("2", 2, True), ("3", 3, False), ("4", 3, False)]
)
def test_one_row_past_the_limit_tells_of_more(limit: str, shown_: int, *, more: bool) -> None:
    """HIS-03."""
    for number in range(3):
        answered(thread(number))
    snapshot = latest_by_session("alice", limit)
    assert (len(snapshot.messages), snapshot.has_more) == (shown_, more)


@pytest.mark.parametrize("limit", ["0", "51", "-1", "ten", "", "１"])
def test_a_limit_out_of_range_is_refused(limit: str) -> None:
    """Every list is bounded."""
    with pytest.raises(Problem) as caught:
        latest_by_session("alice", limit)
    assert caught.value.code is Code.AGENT_HISTORY_QUERY_INVALID
