"""Every frame of the protocol document, as sent and as answered."""

import base64
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.uploads import PNG
from tests.support.workspace import documented, frame_shapes
from tests.support.workspace.agent import TASK, Agent, Result, say
from tests.support.workspace.documented import COMMANDS, command
from tests.support.workspace.door import Door
from tests.support.workspace.page import Page
from yarrow.protocol.workspace import commands
from yarrow.protocol.workspace.errors import CommandError
from yarrow.workspace.advance import THINKING_MS

Load = Callable[..., Page]
Json = dict[str, Any]


def data(page: Page, kind: str) -> list[Json]:
    return [frame["data"] for frame in page.frames if frame["type"] == kind]


def replies(agent: Agent, *results: Result) -> None:
    """What the agent says to the next input."""

    def reply(_: Any) -> Iterator[Result]:
        yield from results

    agent.replies["workspace.input"] = reply


def ask(door: Door, load: Load, agent: Agent, *results: Result) -> Page:
    """A page whose agent has answered an input with these results, pushed one by one."""
    replies(agent, *results)
    page = load()
    agent.before_each = door.push
    page.say("go")
    door.settle()
    return page


def without(value: Any, *names: str) -> Any:
    if isinstance(value, dict):
        return {name: without(member, *names) for name, member in value.items() if name not in names}
    return [without(item, *names) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("kind", COMMANDS)
def test_every_documented_command_is_read(kind: str) -> None:
    """WSP-01: word for word; the base64 of the document is cut short, and strict base64 refuses it."""
    envelope = commands.read_envelope(json.dumps(COMMANDS[kind], ensure_ascii=False))
    assert (envelope.type, envelope.task_name) == (kind, TASK)
    if kind == "agent_user_attachment":
        with pytest.raises(CommandError):
            commands.command_of(envelope)
    else:
        assert commands.command_of(envelope) is not None


@pytest.mark.parametrize("kind", COMMANDS)
def test_every_documented_command_is_answered_in_shape(door: Door, load: Load, kind: str) -> None:
    """WSP-01, WSP-02, WSP-34: A frame has type, version, the exact taskName, a time in milliseconds, and data."""
    page = load()
    frames = door.send(page, command(kind, page.state.active))
    assert frames
    for frame in frames:
        assert frame_shapes.faults(json.dumps(frame, ensure_ascii=False).encode()) == []
        assert (frame["taskName"], frame["version"]) == (TASK, "1.0")
    assert [frame["timestamp"] for frame in frames] == sorted(frame["timestamp"] for frame in frames)


def test_a_command_without_its_task_goes_to_the_connections_own(door: Door, load: Load) -> None:
    """WSP-01, WSP-02, C34: the answers name the task all the same."""
    page = load()
    frames = door.send(page, '{"type":"agent_init","payload":{"language":"en"}}')
    assert {frame["taskName"] for frame in frames} == {TASK}


def test_a_snapshot_has_all_its_keys(door: Door, load: Load, agent: Agent) -> None:
    """WSP-19: from the very first, for a page wipes what one lacks."""
    page = load()
    for snapshot in data(page, "agent_state_snapshot"):
        assert {*documented.SNAPSHOT, "executionStates", "subtaskLogs"} == snapshot.keys()
    page.say("go")
    door.settle()
    session = page.state.active
    fresh = door.fresh()
    (snapshot,) = data(fresh, "agent_state_snapshot")
    assert [session["id"] for session in snapshot["sessions"]] == [session]
    for name in ("conversations", "subtasks", "artifacts", "runtimeLogs", "prompts", "executionStates"):
        assert snapshot[name][session], name


def test_a_snapshot_is_what_the_page_already_shows(door: Door, load: Load, agent: Agent) -> None:
    """WSP-19, WSP-21: appends and the snapshot tell the same."""
    page = load()
    page.say("go")
    page.answer("q_salary", "30")
    door.settle()
    fresh = door.fresh()
    assert fresh.messages(page.state.active) == page.messages()
    assert fresh.state.prompts == page.state.prompts
    assert fresh.state.subtasks == page.state.subtasks
    assert fresh.state.runtime_logs == page.state.runtime_logs


def test_the_session_list_says_what_the_page_lists(door: Door, load: Load) -> None:
    """WSP-20."""
    page = load()
    listed = data(page, "agent_session_list")[-1]
    assert listed.keys() == {"sessions", "activeSessionId"}
    assert listed["sessions"][0].keys() == {"id", "name", "updatedAt"}
    assert listed["activeSessionId"] == listed["sessions"][0]["id"]


def test_the_documented_message_and_prompt_reach_the_page(door: Door, load: Load, agent: Agent) -> None:
    """WSP-21, WSP-22, WSP-24, WSP-25: all of the document's conversation update that a host does not assign."""
    update = documented.CONVERSATION_UPDATE["data"]
    (message,), prompt = update["append"], update["prompt"]
    options = {name: message[name] for name in ("questionId", "questionText", "options")}
    request = without(prompt, "selectedOptionId", "answerValue")
    page = ask(door, load, agent, ("workspace.prompt", request), say(message["content"], **options))
    got = page.messages()[-1]
    assert got.keys() >= {"id", "role", "content", "createdAt"}
    assert without(got, "id", "createdAt", "selectedOptionId") == without(
        message, "id", "createdAt", "selectedOptionId", "attachments"
    )
    assert got.get("selectedOptionId", "") == ""
    assert page.prompt() == prompt


def test_an_attachment_is_shown_as_documented(door: Door, load: Load, agent: Agent) -> None:
    """WSP-22: Small pictures have their content."""
    page = load()
    page.attach(
        {
            "id": "att_001",
            "name": "dot.png",
            "mimeType": "image/png",
            "size": len(PNG),
            "source": "paste",
            "contentBase64": base64.b64encode(PNG).decode(),
        }
    )
    door.settle()
    (shown,) = [message["attachments"][0] for message in page.messages() if message.get("attachments")]
    assert (shown["name"], shown["mimeType"], shown["size"]) == ("dot.png", "image/png", len(PNG))
    assert base64.b64decode(shown["contentBase64"]) == PNG


def test_a_request_for_files_in_the_conversation(door: Door, load: Load, agent: Agent) -> None:
    """WSP-23: It has all its members, in either mode."""
    asks = {
        "questionType": "upload",
        "questionId": "q_upload_inline",
        "questionText": "Upload resume or portfolio (optional)",
        "buttonLabel": "Upload",
        "allowMultiple": True,
        "acceptKinds": ["pdf", "image", "text"],
        "maxSizeMB": 4,
    }
    modes = [{}, {"uploadMode": "upload"}, {"uploadMode": "paste"}]
    page = ask(door, load, agent, *[say("Please", **asks, **mode) for mode in modes])
    got = [without(message, "id", "createdAt", "role", "content") for message in page.messages()[-3:]]
    assert got == [{**asks, **mode} for mode in modes]
    page.attach(
        {"id": "a", "name": "a.txt", "mimeType": "text/plain", "size": 3, "source": "upload-inline"}
        | {"contentBase64": "YWJj"},
        question="q_upload_inline",
        text="Upload resume or portfolio (optional)",
    )
    door.settle()
    assert agent.events[-1]["questionId"] == "q_upload_inline"
    assert agent.events[-1]["attachments"][0]["name"] == "a.txt"


def test_the_documented_prompt_has_its_policy(door: Door, load: Load, agent: Agent) -> None:
    """WSP-24."""
    page = ask(door, load, agent, ("workspace.prompt", documented.PROMPT))
    assert page.prompt() == documented.PROMPT


def test_a_prompt_is_cleared_by_a_snapshot(door: Door, load: Load, agent: Agent) -> None:
    """WSP-24, WSP-19: nothing else could."""
    page = ask(door, load, agent, ("workspace.prompt", {}))
    assert page.prompt() == {}
    assert door.fresh().prompt(page.state.active) == {}


UPLOAD_QUESTION: Json = {
    "id": "q_upload",
    "type": "upload",
    "text": "Files?",
    "buttonLabel": "Choose",
    "allowMultiple": True,
    "acceptKinds": ["image", "pdf", "doc", "sheet", "text", "file"],
    "maxSizeMB": 2,
    "uploadMode": "paste",
}


def test_every_kind_of_question_reaches_the_page(door: Door, load: Load, agent: Agent) -> None:
    """WSP-25: The questions are a choice, an input and an upload with all their members."""
    questions: list[Json] = [
        {"id": "q_choice", "text": "Which?", "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]},
        {"id": "q_input", "type": "input", "inputType": "date", "text": "When?", "placeholder": "2026-04-03"},
        UPLOAD_QUESTION,
    ]
    page = ask(door, load, agent, ("workspace.prompt", {"text": "?", "questions": questions}))
    arguments: Json = {"q_choice": {"selectedOptionId": ""}, "q_input": {"answerValue": ""}, "q_upload": {}}
    assert page.prompt()["questions"] == [question | arguments[question["id"]] for question in questions]


def test_subtasks_are_always_the_whole_list(door: Door, load: Load, agent: Agent) -> None:
    """WSP-27: Every status of the document occurs, each with the time of its change."""
    whole = [{"key": status, "status": status} for status in documented.STATUSES]
    changed = [{"key": status, "status": "done"} for status in documented.STATUSES]
    results = [("workspace.subtasks", {"items": item}) for item in (whole, changed)]
    page = ask(door, load, agent, *results, say("ready"))
    updates = data(page, "agent_subtask_update")
    assert [without(update["items"], "updatedAt") for update in updates[-1:]] == [changed]
    for update in updates:
        assert len(update["items"]) == len(documented.STATUSES)
        for item in update["items"]:
            assert item.keys() >= set(documented.UPDATES["agent_subtask_update"])
    assert without(page.state.subtasks[page.state.active], "updatedAt") == changed


def test_artifacts_are_appended_with_a_link(door: Door, load: Load, agent: Agent) -> None:
    """WSP-28: and a page elsewhere can open them."""
    page = load()
    agent.before_each = door.push
    page.say("go")
    door.settle()
    (update,) = data(page, "agent_artifact_update")
    (artifact,) = update["append"]
    assert artifact.keys() >= set(documented.UPDATES["agent_artifact_update"])
    assert artifact["title"] == "found.txt"
    assert artifact["url"].startswith("http")


def test_logs_are_appended_and_stand_beside_the_conversation(door: Door, load: Load, agent: Agent) -> None:
    """WSP-29: with level and source, of every level."""
    lines = [{"text": level, "level": level, "source": "context"} for level in ("info", "warn", "error", "debug")]
    page = ask(door, load, agent, *[("workspace.log", line) for line in lines], say("ready"))
    got = [item for update in data(page, "agent_runtime_log_update") for item in update["append"]]
    for line in got:
        assert line.keys() >= set(documented.UPDATES["agent_runtime_log_update"])
    assert [without(item, "id", "time") for item in got if item.get("source") == "context"] == lines
    assert {"info", "warn", "error", "debug"}.isdisjoint(message["content"] for message in page.messages())


def test_execution_states_have_at_least_what_is_documented(door: Door, load: Load) -> None:
    """WSP-30, C55: and `started`."""
    page = load()
    door.send(page, command("agent_execution_control", page.state.active))
    (update,) = data(page, "agent_execution_update")[-1:]
    assert update["state"].keys() - {"started"} == documented.EXECUTION_UPDATE["data"]["state"].keys()


def test_times_strictly_increase(door: Door, load: Load, agent: Agent) -> None:
    """WSP-22: over a whole workspace, however fast its messages come; ids are unique."""
    page = ask(door, load, agent, *[say(str(number)) for number in range(30)])
    for number in range(5):
        page.say(str(number))
    door.settle()
    appended = [item for update in data(page, "agent_conversation_update") for item in update["append"]]
    times = [message["createdAt"] for message in page.messages()]
    assert len(times) > 40
    assert all(one < other for one, other in itertools.pairwise(times))
    ids = [item["id"] for item in appended]
    assert len(set(ids)) == len(ids)


def test_a_text_that_streams_is_one_message(door: Door, load: Load, agent: Agent) -> None:
    """WSP-21, C55: the page thinks while it grows for long, then has the message, and thinks no more."""
    page = load()
    seen: list[bool] = []
    pieces = [
        ("message.delta", {"chunk": {"role": "assistant", "content": text}}) for text in ("one ", "two ", "three")
    ]
    replies(agent, *pieces)

    def look() -> None:
        door.push()
        seen.append(page.is_thinking())
        door.clock.pass_seconds(THINKING_MS / 1000 + 1)
        page.beat()
        door.handle(door.line_of(page))
        seen.append(page.is_thinking())

    agent.during = look
    page.say("go")
    door.settle()
    assert seen == [False, True]
    assert not page.is_thinking()
    assert [message["content"] for message in page.messages()][-2:] == ["go", "one two three"]


def test_the_adapter_says_nothing_of_its_own(door: Door, load: Load, agent: Agent) -> None:
    """WSP-33: of an agent that asks nothing there is no question, and it says what the agent says."""
    agent.replies["workspace.init"] = lambda _: iter([("workspace.log", {"text": "ready"})])
    page = load()
    assert (page.messages(), page.prompt()) == ([], {})
    replies(agent, say("hello"))
    page.say("go")
    door.settle()
    assert [message["content"] for message in page.messages()] == ["go", "hello"]
    assert page.prompt() == {}
