"""The double of the page, held to what the real page was seen to do with frames, and without a socket."""

import json
from typing import Any

import pytest

from tests.support.workspace.page import OFFLINE_COMMANDS, Page
from tests.support.workspace.rendering import WhitePageError

TASK = "求职AI助手"
S1, S2 = {"id": "s1", "name": "One", "updatedAt": 1}, {"id": "s2", "name": "Two", "updatedAt": 2}


def frame(kind: str, data: Any, task: str = TASK) -> str:
    return json.dumps({"type": kind, "version": "1.0", "taskName": task, "timestamp": 1, "data": data})


def message(name: str, at: Any = 1, **members: Any) -> dict[str, Any]:
    return {"id": name, "role": "assistant", "content": name, "createdAt": at, **members}


def snapshot(**members: Any) -> str:
    data = {"sessions": [S1, S2], "activeSessionId": "s1", **members}
    return frame("agent_state_snapshot", data)


@pytest.fixture
def page() -> Page:
    """With a session that has a message, a prompt, a subtask, an artifact, a log, a context and a state."""
    page = Page(TASK)
    page.receive(
        snapshot(
            conversations={"s1": [message("m1")]},
            prompts={"s1": {"text": "?", "questions": [{"id": "q1", "options": [{"id": "o1", "label": "O"}]}]}},
            subtasks={"s1": [{"key": "cast", "status": "running", "updatedAt": 1}]},
            subtaskLogs={"s1": {"cast": [{"id": "l1", "time": 1, "text": "t"}]}},
            artifacts={"s1": [{"id": "a1", "type": "file", "title": "A", "filePath": "", "relativePath": ""}]},
            runtimeLogs={"s1": [{"id": "l1", "time": 1, "text": "t"}]},
            runtimeContexts={"s1": {"mode": "env"}},
            executionStates={"s1": {"paused": False, "canceled": False, "started": True}},
        )
    )
    return page


def append(*messages: Any, session: Any = "s1", **members: Any) -> str:
    return frame("agent_conversation_update", {"sessionId": session, "append": list(messages), **members})


def contents(page: Page) -> list[Any]:
    return [message["id"] for message in page.messages()]


def test_a_snapshot_replaces_everything_and_wipes_what_it_lacks(page: Page) -> None:
    """All but runtime contexts, which are kept unless an object replaces them."""
    page.receive(snapshot(sessions=[S1]))
    state = page.state
    for kept in (state.conversations, state.prompts, state.subtasks, state.subtask_logs, state.artifacts):
        assert kept == {}
    assert state.runtime_logs == state.execution_states == {}
    assert state.sessions == [S1]
    assert state.runtime_contexts == {"s1": {"mode": "env"}}
    page.receive(snapshot(runtimeContexts={"s2": None}))
    assert state.runtime_contexts == {"s2": None}


@pytest.mark.parametrize("data", [None, {}, [], "text"])
def test_a_snapshot_without_data_empties_the_page(page: Page, data: Any) -> None:
    page.receive(frame("agent_state_snapshot", data))
    assert (page.state.sessions, page.state.active, page.state.conversations) == ([], "", {})


@pytest.mark.parametrize("task", ["another", "求职AI助手 ", None])
def test_a_frame_of_another_task_is_dropped(page: Page, task: Any) -> None:
    page.receive(frame("agent_session_list", None, task))
    assert page.state.sessions == [S1, S2]
    assert page.faults == [f"dropped a frame of {task!r}"]


def test_appends_are_not_de_duplicated(page: Page) -> None:
    """What comes twice is there twice, and React warns of its key."""
    page.receive(append(message("m2", 2)))
    page.receive(append(message("m2", 2)))
    assert contents(page) == ["m1", "m2", "m2"]
    assert page.faults == ["messages of s1: the key m2 twice"]


def test_a_prompt_is_replaced_only_by_one_that_is_there(page: Page) -> None:
    """Null and nothing leave it; only a snapshot clears it."""
    page.receive(append(prompt=None))
    page.receive(append())
    assert page.question("q1")
    page.receive(append(prompt={"text": "next", "questions": []}))
    assert page.prompt() == {"text": "next", "questions": []}
    page.receive(snapshot(prompts={}))
    assert page.prompt() == {}


def test_messages_are_shown_by_their_times(page: Page) -> None:
    """Ties as they came; a text for a time breaks the order."""
    page.receive(append(message("late", 9), message("early", 0), message("tie", 9)))
    assert contents(page) == ["early", "m1", "late", "tie"]
    page.receive(append(message("iso", "2026-11-22T00:00:00Z")))
    assert contents(page)[0:2] == ["early", "iso"]
    assert page.faults == ["createdAt '2026-11-22T00:00:00Z' breaks the order"]


def test_a_thinking_message_disables_the_input_until_a_snapshot_lacks_it(page: Page) -> None:
    """An append cannot take it away."""
    page.receive(append(message("t", 2, _thinking=True)))
    page.receive(append(message("answer", 3)))
    assert page.is_thinking()
    with pytest.raises(AssertionError, match="disabled"):
        page.say("more")
    page.receive(snapshot(conversations={"s1": [message("m1"), message("answer", 3)]}))
    assert not page.is_thinking()


def test_updates_replace_or_append_as_their_kind_does(page: Page) -> None:
    """Subtasks and execution states replace, artifacts and logs append."""
    page.receive(frame("agent_subtask_update", {"sessionId": "s1", "items": [{"key": "judge", "status": "odd"}]}))
    page.receive(frame("agent_execution_update", {"sessionId": "s1", "state": {"paused": True, "canceled": False}}))
    page.receive(frame("agent_artifact_update", {"sessionId": "s1", "append": [{"id": "a2"}]}))
    page.receive(frame("agent_runtime_log_update", {"sessionId": "s1", "append": [{"id": "l2"}]}))
    state = page.state
    assert [subtask["key"] for subtask in state.subtasks["s1"]] == ["judge"]
    assert [artifact["id"] for artifact in state.artifacts["s1"]] == ["a1", "a2"]
    assert [log["id"] for log in state.runtime_logs["s1"]] == ["l1", "l2"]
    assert page.label() == "Not Started"
    page.receive(frame("agent_artifact_replace", {"sessionId": "s1", "artifacts": [{"id": "a3"}]}))
    assert [artifact["id"] for artifact in state.artifacts["s1"]] == ["a3"]


@pytest.mark.parametrize("session", [None, "", 1])
def test_an_update_without_a_session_is_ignored(page: Page, session: Any) -> None:
    page.receive(append(message("m2"), session=session))
    assert contents(page) == ["m1"]


def test_a_frame_of_an_unknown_session_shows_once_it_is_listed(page: Page) -> None:
    page.receive(append(message("m9"), session="s9"))
    assert contents(page) == ["m1"]
    page.receive(frame("agent_session_list", {"sessions": [S1, {"id": "s9", "name": "9"}], "activeSessionId": "s9"}))
    assert contents(page) == ["m9"]


def test_a_session_list_without_an_active_one_shows_the_first(page: Page) -> None:
    page.receive(frame("agent_session_list", {"sessions": [S2, S1]}))
    assert page.state.active == "s2"
    page.receive(frame("agent_session_list", {"sessions": None}))
    assert (page.state.sessions, page.state.active) == ([], "")


def test_a_null_among_the_sessions_loses_the_frame(page: Page) -> None:
    page.receive(snapshot(sessions=[S1, None], conversations={}))
    assert contents(page) == ["m1"]
    assert page.faults == ["lost a frame with a null session"]


WHITE = {
    "append": append(None),
    "messages": snapshot(conversations={"s2": [None]}),
    "options": append(message("m", options=[None])),
    "attachments": append(message("m", attachments=[None])),
    "questions": append(prompt={"questions": [None]}),
    "question's options": append(prompt={"questions": [{"id": "q", "options": [None]}]}),
    "subtasks": frame("agent_subtask_update", {"sessionId": "s1", "items": [None]}),
    "artifacts": frame("agent_artifact_update", {"sessionId": "s1", "append": [None]}),
    "content": append(message("m") | {"content": {}}),
    "name": snapshot(sessions=[{"id": "s1", "name": {}}]),
    "subtask's log": snapshot(subtaskLogs={"s1": {"cast": "text"}}),
}


@pytest.mark.parametrize("name", WHITE)
def test_a_null_or_an_object_in_the_wrong_place_leaves_a_white_page(page: Page, name: str) -> None:
    """And nothing helps it but a reload."""
    with pytest.raises(WhitePageError):
        page.receive(WHITE[name])
    with pytest.raises(WhitePageError):
        page.receive(snapshot())


def test_an_append_to_what_is_no_array_leaves_a_white_page(page: Page) -> None:
    page.receive(snapshot(conversations={"s1": {"0": "?"}, "s2": None}))
    page.receive(append(message("m"), session="s2"))
    with pytest.raises(WhitePageError):
        page.receive(append(message("m")))


HARMLESS = {
    "not JSON": "{",
    "a list": "[]",
    "unknown type": frame("agent_later", {"sessionId": "s1"}),
    "no array": frame("agent_conversation_update", {"sessionId": "s1", "append": "text"}),
    "log null": frame("agent_runtime_log_update", {"sessionId": "s1", "append": [None]}),
    "state null": frame("agent_execution_update", {"sessionId": "s1", "state": None}),
    "options no array": append(message("m") | {"options": "text", "content": 7}),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_other_oddities_do_no_harm(page: Page, name: str) -> None:
    page.receive(HARMLESS[name])
    assert contents(page)[0] == "m1"
    assert not page.white


def test_an_error_is_an_alert_and_an_ending_leaves_the_page(page: Page) -> None:
    page.receive(frame("agent_error", {"code": "session_not_found", "message": "session not found"}))
    page.receive(frame("agent_error", {}))
    assert (page.alerts, page.left) == (["session not found", "Agent Error"], False)
    page.receive(frame("task_completed", {}))
    assert page.left


class Socket:
    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def __call__(self, text: str) -> None:
        self.sent.append(json.loads(text))

    @property
    def types(self) -> list[str]:
        return [event["type"] for event in self.sent]


def test_a_page_initialises_twice_and_after_a_reconnect_never(page: Page) -> None:
    """And the second time it knows its model."""
    first, second = Socket(), Socket()
    page.opened(first)
    page.start()
    assert [item["payload"]["model"] for item in first.sent] == ["", "gpt-4o-mini"]
    assert first.types == ["agent_init", "agent_init"]
    page.closed()
    page.opened(second)
    page.beat()
    assert second.sent == [{"type": "heart_beat"}]


def test_commands_of_an_offline_page_are_sent_when_it_opens_the_newest_hundred(page: Page) -> None:
    for number in range(OFFLINE_COMMANDS + 5):
        page.say(str(number))
    page.beat()
    socket = Socket()
    page.opened(socket)
    assert [item["payload"]["text"] for item in socket.sent] == [str(index) for index in range(5, OFFLINE_COMMANDS + 5)]


def test_only_one_reason_stops_a_page_from_reconnecting(page: Page) -> None:
    page.closed("policy violation")
    assert not page.stopped
    page.closed("Duplicate: duplicate frontend connection")
    assert page.stopped


def test_every_payload_has_the_pages_settings_and_the_sessions_context(page: Page) -> None:
    """No request id and no version, an empty text where nothing is known, null where no context is."""
    socket = Socket()
    page.opened(socket)
    page.say("hello")
    settings = {"language": "en", "apiKeyConfigured": False, "model": "", "provider": "", "subProvider": ""}
    payload = {"sessionId": "s1", "text": "hello", "runtimeContext": {"mode": "env"}} | settings
    assert socket.sent == [{"type": "agent_user_input", "taskName": TASK, "payload": payload}]
    page.say("hello", "s2")
    assert socket.sent[1]["payload"]["runtimeContext"] is None


def test_a_chosen_option_of_a_message_is_marked_until_a_snapshot(page: Page) -> None:
    """An option of the prompt is not."""
    socket = Socket()
    page.opened(socket)
    request = message("m2", 2, questionId="q9", questionText="Now?", options=[{"id": "yes", "label": "Yes"}])
    page.receive(append(request))
    page.choose("yes", "q9")
    page.choose("o1", "q1")
    assert [item["payload"]["optionLabel"] for item in socket.sent] == ["Yes", "O"]
    assert page.messages()[1]["selectedOptionId"] == "yes"
    assert "selectedOptionId" not in page.question("q1")
    page.receive(snapshot(conversations={"s1": [request]}))
    assert "selectedOptionId" not in page.messages()[0]


def test_rejected_files_of_a_question_are_sent_again_with_the_next_send(page: Page) -> None:
    socket = Socket()
    page.opened(socket)
    page.reject({"name": "large.mov", "reason": "size", "size": 1, "source": "upload-question"})
    page.attach(question="q1", text="?")
    page.attach()
    page.attach()
    assert [len(item["payload"]["rejected"]) for item in socket.sent] == [1, 1, 0]


def test_a_new_prompt_erases_what_was_typed_while_the_dialog_is_open(page: Page) -> None:
    """So it is sent only when it changed."""
    page.drafts["s1"] = {"q1": "half"}
    page.receive(append(prompt={"text": "?", "questions": []}))
    assert page.drafts["s1"] == {"q1": "half"}
    page.dialog_open = True
    page.receive(append(prompt={"text": "?", "questions": []}))
    assert page.drafts == {}


def test_a_prompt_with_options_and_no_questions_draws_itself_for_ever(page: Page) -> None:
    page.receive(append(prompt={"text": "?", "options": [{"id": "o"}]}))
    assert page.faults == ["the dialog of s1 would draw itself for ever"]
