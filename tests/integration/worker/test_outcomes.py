"""What becomes of what a run's work came to: published once, whoever publishes it, and nothing half."""

import json
from typing import Any

import pytest

from tests.support.agui.client import read
from tests.support.divination_runs import THREAD, execute, kept, submit
from tests.support.ended_runs import ending_of
from tests.support.journals import numbered
from tests.support.runners.scripted import DONE, Results, Use, completed, delta
from yarrow.packages import event_types
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.history import AssistantItem
from yarrow.protocol.response_body import to_json
from yarrow.runs.agui import join_snapshot
from yarrow.runs.delete_session import delete_session
from yarrow.runs.get_history import latest_by_session, whole_session
from yarrow.runs.stream_events import stream_events
from yarrow.store import runs, sessions, tool_use
from yarrow.store.tool_use import PlacedToolUse, Round, StoredCall, ToolUse
from yarrow.worker import execute_run
from yarrow.worker.outcomes import MAX_MESSAGES

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

CALL: dict[str, Any] = {"tool_call_id": "c", "tool_name": "t"}
USED: Results = [
    ("tool.call.started", {**CALL, "parameters": {}}),
    ("tool.call.completed", {**CALL, "result": "晴"}),
]
LONG: Results = [
    delta("我查一下"),
    *USED,
    ("message.delta", {"chunk": {"role": "assistant", "content": "今天晴", "is_final": True}}),
    delta("明天"),
    completed("明天也晴"),
    completed("带伞不必", status="success", answer="带伞不必", error=None),
    DONE,
]
"""A run that says something before it calls a tool, a segment, a whole message, and its answer."""
SAID = ["我查一下", "今天晴", "明天也晴", "带伞不必"]

KEPT = ("state.updated", {"scope": "conversation", "key": "k", "value": 1})


def test_what_a_runner_keeps_is_kept_though_it_says_nothing(use: Use) -> None:
    """RNR-36: no message, so the history gets none."""
    use(KEPT, DONE)
    run_key = submit().task_id
    execute(run_key)
    assert kept() == {"k": 1}
    assert runs.must_read(run_key).phase == "finished"
    assert [message.role for message in sessions.messages(THREAD)] == ["user"]


def test_a_failure_is_not_published_as_an_answer(use: Use) -> None:
    """CMP-11, EVT-08, RNR-40: the answer to its task was lost, and it is called again."""
    use(delta("半"), ("run.failed", {"code": "agent.tired", "message": "try later", "retryable": True}))
    run_key = submit().task_id
    for _ in range(2):
        execute_run.work(run_key)
    ending = ending_of(run_key)
    assert (ending["type"], ending["code"], ending["message"]) == ("RUN_ERROR", "agent.tired", "try later")


@pytest.mark.parametrize("messages", [[completed("一")], []], ids=["an answer", "nothing"])
def test_what_comes_after_the_delete_is_not_kept(use: Use, messages: Results) -> None:
    """SES-04, HIS-16: the session was marked, and its run not cancelled yet, when it was about to finish."""
    run_key = submit().task_id

    def mark() -> None:
        session = sessions.read(THREAD)
        assert session is not None
        sessions.mark_deleted(session)

    use(KEPT, *USED, *messages, mark, DONE)
    execute(run_key)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
    assert [message.role for message in sessions.messages(THREAD)] == ["user"]
    assert kept() == {}
    assert tool_use.since(THREAD, 0, 10**6) == []
    delete_session("alice", THREAD)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"


def messages_of(run_key: str) -> list[dict[str, Any]]:
    """What a client that knows nothing but the events of a run has on its screen: id and text."""
    profile = Profile(runs.must_read(run_key).ids, event_types.find)
    client = read(line for _, stored in numbered(run_key) if (line := profile.line(stored)) is not None)
    return [
        {"id": message["id"], "content": message["content"]}
        for message in client.messages
        if message["role"] == "assistant"
    ]


def check_history(run_keys: list[str]) -> None:
    """Check that the history of the thread is what clients were shown: each question, and what its run said."""
    items = json.loads(to_json(whole_session(THREAD, "alice")))["messages"]
    assert [item["seq"] for item in items] == list(range(1, len(items) + 1))
    shown = [{"id": item["id"], "content": item["content"]} for item in items if item["role"] == "assistant"]
    assert shown == [message for run_key in run_keys for message in messages_of(run_key) if message["content"]]
    assert [item["role"] for item in items].count("user") == len(run_keys)


def test_the_history_alone_is_what_the_events_showed(use: Use) -> None:
    """HIS-01, HIS-08, HIS-17, HIS-19: Two runs match message by message, each with its own output."""
    use(*LONG)
    run_keys = []
    for run_id in ("run-1", "run-2"):
        run_keys.append(submit(runId=run_id).task_id)
        execute(run_keys[-1])
    check_history(run_keys)
    messages = [item for item in whole_session(THREAD, "alice").messages if isinstance(item, AssistantItem)]
    assert [item.content for item in messages] == SAID * 2
    assert [item.agent_output is not None for item in messages] == [False, False, True, True] * 2


def test_the_list_shows_what_was_said_last(use: Use) -> None:
    """HIS-02."""
    use(*LONG)
    execute(submit().task_id)
    (latest,) = json.loads(to_json(latest_by_session("alice")))["messages"]
    assert (latest["seq"], latest["content"]) == (5, "带伞不必")
    assert latest["agent_output"]["answer"] == "带伞不必"


def test_a_client_that_joins_is_told_all_that_was_said(use: Use) -> None:
    """EVT-14, HIS-19: It gets the runs before, too."""
    use(*LONG)
    for run_id in ("run-1", "run-2"):
        requests = [{"id": f"msg-{run_id}", "role": "user", "content": "?"}]
        execute(submit(runId=run_id, messages=requests).task_id)
    joined = join_snapshot.join_from_snapshot(stream_events("alice", THREAD, "run-2", None, None))
    (snapshot,) = (event for line in joined.opening if (event := json.loads(line))["type"] == "MESSAGES_SNAPSHOT")
    assert [message["content"] for message in snapshot["messages"] if message["role"] == "assistant"] == SAID * 2


def test_the_next_run_is_told_all_that_was_said(use: Use) -> None:
    """RNR-21, RNR-57."""
    use(*LONG)
    execute(submit().task_id)
    runner = use(completed("好"), DONE)
    execute(submit(runId="run-2").task_id)
    assert runner.contexts[0].context.transcript_seq == 1 + len(SAID) + 1


@pytest.mark.usefixtures("unbuffered")
@pytest.mark.parametrize("cut", range(len(LONG) + 1))
def test_a_worker_that_takes_over_loses_and_repeats_no_message(use: Use, cut: int) -> None:
    """CMP-11, HIS-19: wherever the first one died."""
    use(*LONG[:cut], KeyboardInterrupt())
    run_key = submit().task_id
    if cut < len(LONG):
        with pytest.raises(KeyboardInterrupt):
            execute_run.work(run_key)
    use(*LONG)
    execute_run.work(run_key)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
    messages = list(sessions.messages(THREAD))[1:]
    assert [message.content for message in messages] == SAID
    check_history([run_key])
    call = StoredCall("c", "t", "{}", "晴")
    assert tool_use.since(THREAD, 0, 10**6) == [PlacedToolUse(1, ToolUse((Round(messages[0].id, (call,)),)))]


@pytest.mark.usefixtures("unbuffered")
def test_what_a_dead_worker_said_in_other_words_is_in_the_history_as_well(use: Use) -> None:
    """CMP-11, HIS-19: the client was shown it."""
    use(completed("我查一下"), delta("今天"), KeyboardInterrupt())
    run_key = submit().task_id
    with pytest.raises(KeyboardInterrupt):
        execute_run.work(run_key)
    use(completed("我查一下"), completed("明天"), DONE)
    execute_run.work(run_key)
    assert [message["content"] for message in messages_of(run_key)] == ["我查一下", "今天", "明天"]
    check_history([run_key])


def test_of_a_run_that_fails_midway_the_question_is_kept_and_what_tools_did(use: Use) -> None:
    """HIS-18, DIV-34, MSG-08: none of its words, whatever it had said; but what was done is done."""
    use(*LONG[:-1], ("run.failed", {"message": "no more"}))
    execute(submit().task_id)
    assert [item.role for item in whole_session(THREAD, "alice").messages] == ["user"]
    assert tool_use.since(THREAD, 0, 10**6) == [
        PlacedToolUse(1, ToolUse((Round(None, (StoredCall("c", "t", "{}", "晴"),)),)))
    ]


def test_as_much_as_a_run_may_say_and_keep_goes_into_one_transaction(use: Use) -> None:
    """HIS-01, RNR-36, RNR-42: The run has the most messages with the most values of state, and the most bytes of
    all."""
    values = [("state.updated", {"scope": "conversation", "key": f"k{n}", "value": n}) for n in range(50)]
    use(*values, *USED, *[completed(f"第{n}句") for n in range(MAX_MESSAGES)], DONE)
    run_key = submit().task_id
    execute(run_key)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
    most: Results = [
        (f"tool.call.{part}", {"tool_call_id": f"c{n}", "tool_name": "t", **members})
        for n in range(6)
        for part, members in (("started", {"parameters": {}}), ("completed", {"result": "卦" * 20_000}))
    ]
    large = [("state.updated", {"scope": "conversation", "key": f"k{n}", "value": "x" * 250_000}) for n in range(4)]
    use(*large, *most, *[completed("x" * 300_000) for _ in range(3)], DONE)
    run_key = submit(runId="run-2").task_id
    execute(run_key)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
    assert len(list(sessions.messages(THREAD))) == 2 + MAX_MESSAGES + 3
