"""What is refused, what is ignored, and that a connection outlives both."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.workspace.agent import Agent
from tests.support.workspace.comparison import comparable
from tests.support.workspace.documented import COMMANDS, command
from tests.support.workspace.door import ALICE, BOB, Door
from tests.support.workspace.page import Page
from yarrow.protocol.workspace.errors import ErrorCode
from yarrow.store import sessions
from yarrow.workspace.disconnect_workspace import disconnect_workspace

Load = Callable[..., Page]

OF_SESSIONS = [kind for kind, frame in COMMANDS.items() if "sessionId" in frame["payload"]]
SILENT = ("agent_session_switch", "agent_session_delete")
"""Of a session that is not there, a switch is ignored, and a delete has nothing to do."""


def errors(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [frame for frame in frames if frame["type"] == "agent_error"]


def table_of(door: Door) -> list[Any]:
    """What is stored, but for what a connection itself costs."""
    return [
        item for item in door.aws.table.items if not item["sk"]["S"].startswith(("CONNECTION", "RATES", "WORKSPACE"))
    ]


@pytest.mark.parametrize("kind", [session for session in OF_SESSIONS if session not in SILENT])
def test_an_unknown_session_is_an_error(door: Door, load: Load, agent: Agent, kind: str) -> None:
    """WSP-31: with the request's id, though this page never sends one."""
    page = load()
    before = table_of(door)
    arguments = {"attachments": [], "rejected": [{"name": "a", "reason": "size"}]} if "attach" in kind else {}
    (error,) = errors(door.send(page, command(kind, "session_xxx", requestId="request-1", **arguments)))
    assert error["data"] == {"code": "session_not_found", "message": "session not found"}
    assert error["requestId"] == "request-1"
    assert table_of(door) == before
    page.say("hello")
    door.settle()
    assert page.messages()[-1]["content"] == "found hello"


@pytest.mark.parametrize("kind", OF_SESSIONS)
def test_another_users_session_is_as_unknown(door: Door, load: Load, kind: str) -> None:
    """SEC-04, WSP-39: nothing of it is told, nothing of it changes."""
    alice = load("renderer-1", ALICE)
    bob = load("renderer-2", BOB)
    alice.say("my secret plan")
    door.settle()
    seen, before = len(alice.frames), table_of(door)
    frames = door.send(bob, command(kind, alice.state.active))
    assert [error["data"]["code"] for error in errors(frames)] in (
        [["session_not_found"]] if kind not in SILENT else [[], ["session_not_found"]]
    ) or kind == "agent_user_attachment"
    assert "secret" not in json.dumps(bob.frames)
    assert alice.state.active not in json.dumps(frames)
    assert len(alice.frames) == seen
    assert table_of(door) == before
    session = sessions.read(alice.state.active)
    assert session is not None
    assert session.deleted_at is None


@pytest.mark.parametrize("request_id", ["r-1", 7, "", "x" * 4_000, None, {}, [], True, 1.5])
def test_the_requests_id_is_echoed_where_it_is_one(door: Door, load: Load, request_id: Any) -> None:
    """WSP-31: It is at the top level of the frame."""
    page = load()
    (error,) = errors(door.send(page, command("agent_user_input", "session_xxx", requestId=request_id)))
    if isinstance(request_id, str) and 0 < len(request_id) < 100:
        assert error["requestId"] == request_id
    else:
        assert len(json.dumps(error)) < 1_000


def test_every_code_is_a_word_with_a_meaning() -> None:
    """WSP-31, C30: Codes are strings, and unique."""
    codes = [error_code.code for error_code in ErrorCode]
    assert len(set(codes)) == len(codes)
    for error_code in ErrorCode:
        assert error_code.code == error_code.code.lower()
        assert error_code.meaning.endswith(".")


def test_a_heart_beat_is_not_answered(door: Door, load: Load) -> None:
    """WSP-35: of a connection that is in step."""
    page = load()
    count = len(page.frames)
    for _ in range(5):
        page.beat()
    door.settle()
    assert len(page.frames) == count


UNKNOWN = {
    "unknown type": {"type": "agent_later", "taskName": "求职AI助手", "payload": {"sessionId": "x"}},
    "another screen's": {"type": "terminate_process", "taskName": "求职AI助手"},
    "no payload": {"type": "agent_later"},
    "one of ours": {"type": "agent_state_snapshot", "taskName": "求职AI助手", "data": {}},
    "save path": {"type": "agent_update_save_path", "taskName": "求职AI助手", "payload": {"savePath": "C:/jobs"}},
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_type_is_ignored(door: Door, load: Load, name: str) -> None:
    """WSP-35."""
    page = load()
    before = table_of(door)
    assert door.send(page, json.dumps(UNKNOWN[name], ensure_ascii=False)) == []
    assert table_of(door) == before


@pytest.mark.parametrize(
    "text", ["", "{", "nul", "[]", "7", '"x"', "null", "{}", '{"type":7}', '{"type":null}', "\x00"]
)
def test_malformed_json_is_an_error_and_no_end(door: Door, load: Load, text: str) -> None:
    """WSP-35."""
    page = load()
    (error,) = errors(door.send(page, text))
    assert error["data"]["code"] == "frame_invalid"
    page.say("hello")
    door.settle()
    assert page.messages()[-1]["content"] == "found hello"


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("agent_subtask_action", {"subtaskKey": "search", "action": "start"}),
        ("agent_subtask_action", {"subtaskKey": "search", "action": "finish"}),
        ("agent_subtask_action", {"subtaskKey": "search", "action": "restart"}),
        ("agent_reset_memory", {}),
    ],
)
def test_the_pages_undocumented_commands_are_tolerated(
    door: Door, load: Load, kind: str, payload: dict[str, Any]
) -> None:
    """WSP-36: they are unsupported, and said to be so."""
    page = load()
    before = page.state.conversations, page.state.subtasks
    payload = {"sessionId": page.state.active, **payload}
    frames = door.send(page, json.dumps({"type": kind, "taskName": page.task, "payload": payload}))
    assert [error["data"]["code"] for error in errors(frames)] == ["command_unsupported"]
    assert (page.state.conversations, page.state.subtasks) == before


def test_a_task_that_nobody_serves_is_an_error(door: Door) -> None:
    """WSP-31, WSP-02: and the page it was sent from drops it or not, the connection stays."""
    page = Page("unknown task")
    line = door.connect(page)
    page.start()
    door.settle()
    assert [json.loads(data)["data"]["code"] for data in line.got] == ["task_unknown", "task_unknown"]
    assert page.alerts


def test_a_connection_stays_with_its_task(door: Door, load: Load) -> None:
    """WSP-02, SEC-04."""
    page = load()
    line = door.line_of(page)
    line.inbox.append(json.dumps({"type": "agent_init", "taskName": "another", "payload": {}}))
    count = len(line.got)
    door.settle()
    codes = [json.loads(data)["data"].get("code") for data in line.got[count:]]
    assert codes in (["task_mismatch"], ["task_unknown"])
    page.faults.clear()  # it drops what names another task


def test_too_large_a_frame_is_an_error(door: Door, load: Load, agent: Agent) -> None:
    """WSP-37, C26: API Gateway lets 128 KB through."""
    page = load()
    (error,) = errors(door.send(page, command("agent_user_input", page.state.active, text="x" * 131_072)))
    assert error["data"]["code"] == "payload_too_large"
    (error,) = errors(door.send(page, command("agent_user_input", page.state.active, text="x" * 20_000)))
    assert error["data"]["code"] == "input_too_long"
    assert len(agent.contexts) == 1


def test_at_most_twenty_commands_wait(door: Door, load: Load, agent: Agent) -> None:
    """WSP-31, WSP-09: one more is told so, and the others are answered in order. Each has a context of its own."""
    page = load()
    line = door.line_of(page)
    for number in range(25):
        context = {"mode": "env", "envIds": [str(number)]}
        door.receive(line, command("agent_user_input", page.state.active, text=str(number), runtimeContext=context))
    refused = [error["data"]["code"] for error in errors(page.frames)]
    assert refused == ["too_many_waiting"] * len(refused)
    assert 4 <= len(refused) <= 5
    door.settle()
    answered = [message["content"] for message in page.messages() if message["content"].startswith("found")]
    assert answered == [f"found {number}" for number in range(25 - len(refused))]


def test_a_queue_of_a_hundred_texts_loses_none(door: Door, load: Load, agent: Agent) -> None:
    """WSP-09: what a page queued while it was offline. Texts that wait are one run; the page shows each."""
    page = load()
    line, runs = door.line_of(page), len(agent.contexts)
    texts = [f"text {number}" for number in range(100)]
    for text in texts:
        page.say(text)
    while line.inbox:
        door.handle(line)
    door.settle()
    assert errors(page.frames) == []
    heard = [context.event.data["text"] for context in agent.contexts[runs:]]
    assert "\n\n".join(heard).split("\n\n") == texts
    assert len(heard) <= 3
    assert [message["content"] for message in page.messages() if message["role"] == "user"] == texts
    assert comparable(page) == comparable(door.fresh())


def test_a_failed_run_is_told_and_can_be_followed(door: Door, load: Load, agent: Agent) -> None:
    """WSP-31: its public message, in the conversation and the log; the page does not think on."""

    def fail(_: Any) -> Any:
        yield "run.failed", {"code": "acme.broken", "message": "the search is down", "retryable": False}

    works = agent.replies["workspace.input"]
    agent.replies["workspace.input"] = fail
    page = load()
    page.say("hello")
    door.settle()
    assert "the search is down" in page.messages()[-1]["content"]
    assert any(log.get("level") == "error" for log in page.state.runtime_logs[page.state.active])
    assert not page.is_thinking()
    agent.replies["workspace.input"] = works
    page.say("again")
    door.settle()
    assert page.messages()[-1]["content"] == "found again"


def test_what_api_gateway_did_not_take_is_told_in_its_session(door: Door, load: Load, agent: Agent) -> None:
    """WSP-37: only the 1009 of `$disconnect` says so. Every page shows it once."""
    page, other = load(), load("renderer-2")
    line = door.line_of(page)
    door.disconnect(line, status=1009)
    disconnect_workspace(line.id, line.caller, line.task, 1009)  # told again
    door.connect(page)
    door.settle()
    for tab in (page, other):
        lost = [message["content"] for message in tab.messages() if "too large" in message["content"]]
        assert len(lost) == 1
        (logged,) = [log for log in tab.state.runtime_logs[tab.state.active] if log["level"] == "error"]
        assert logged["text"].startswith("payload_too_large: ")
    assert comparable(page) == comparable(door.fresh())


@pytest.mark.parametrize("status", [1000, 1001, 1006])
def test_another_close_says_nothing(door: Door, load: Load, agent: Agent, status: int) -> None:
    """WSP-38."""
    page = load()
    shown = len(page.messages())
    door.disconnect(door.line_of(page), status=status)
    door.connect(page)
    door.settle()
    assert len(page.messages()) == shown
