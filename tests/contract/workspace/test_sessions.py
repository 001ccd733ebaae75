"""Sessions of a workspace: initialising, creating, deleting, switching, and their runtime contexts."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.support.workspace.agent import Agent, greet
from tests.support.workspace.documented import COMMANDS, command
from tests.support.workspace.door import ALICE, Door
from tests.support.workspace.page import Page

Load = Callable[..., Page]

SYNCED = ["agent_session_list", "agent_state_snapshot"]


def kinds(frames: Sequence[dict[str, Any]]) -> list[str]:
    return [frame["type"] for frame in frames]


def names(page: Page) -> list[str]:
    return [session["name"] for session in page.state.sessions]


def test_the_first_init_creates_a_session_that_the_agent_opens(door: Door, agent: Agent) -> None:
    """WSP-04, WSP-20: session list and snapshot, then what the agent says and asks."""
    page = Page("求职AI助手")
    door.connect(page)
    frames = door.send(page, command("agent_init"))
    assert kinds(frames)[:2] == SYNCED
    (session,) = page.state.sessions
    assert page.state.active == session["id"]
    assert session["name"]
    assert agent.events[0]["type"] == "workspace.init"
    assert agent.events[0]["reason"] == "session_created"
    assert [message["content"] for message in page.messages()] == ["Hello"]
    assert page.question("q_track")["selectedOptionId"] == ""
    assert agent.contexts[0].runtime.locale == "en"


def test_init_is_idempotent(door: Door, load: Load, agent: Agent) -> None:
    """WSP-04, C54: a dozen of them create nothing, and leave the active session."""
    page = load()
    page.create("Second")
    door.settle()
    first = page.state.sessions[0]["id"]
    page.switch(first)
    door.settle()
    requested, shown = len(agent.contexts), page.messages()
    for _ in range(12):
        frames = door.send(page, command("agent_init", model="gpt-4o-mini"))
        assert kinds(frames) == SYNCED
        assert frames[0]["data"]["activeSessionId"] == frames[1]["data"]["activeSessionId"] == first
    assert (len(agent.contexts), page.messages(), len(page.state.sessions)) == (requested, shown, 2)


def test_an_init_in_another_language_renders_the_prompts_again(door: Door, load: Load, agent: Agent) -> None:
    """WSP-03: and leaves what was said; a command in another language does as well."""
    page = load()
    messages = [message["content"] for message in page.messages()]
    page.init(language="zh-CN")
    door.settle()
    assert agent.events[-1] | {"reason": "language_changed"} == agent.events[-1]
    assert agent.contexts[-1].runtime.locale == "zh-CN"
    assert page.question("q_track")["text"] == "请选择你的主要方向"
    assert [message["content"] for message in page.messages()] == messages
    page.language = "en"
    page.say("hello")
    door.settle()
    assert page.question("q_track")["text"] == "Choose your primary job track"


def test_the_same_language_renders_nothing_again(door: Door, load: Load, agent: Agent) -> None:
    """WSP-03, C55: the prompt is sent only when it changed, for it erases what is being typed."""
    page = load()
    page.say("hello")
    door.settle()
    prompts = [frame for frame in page.frames if "prompt" in frame["data"]]
    assert len(prompts) <= 1
    assert [event["type"] for event in agent.events] == ["workspace.init", "workspace.input"]


def test_create_activates_a_session_with_its_name(door: Door, load: Load, agent: Agent) -> None:
    """WSP-05: the documented frame."""
    page = load()
    door.send(page, command("agent_session_create"))
    assert names(page)[-1] == "Backend Track" or names(page)[0] == "Backend Track"
    active = next(session for session in page.state.sessions if session["id"] == page.state.active)
    assert active["name"] == "Backend Track"
    assert [message["content"] for message in page.messages()] == ["Hello"]
    assert agent.events[-1]["name"] == "Backend Track"


@pytest.mark.parametrize(("language", "other"), [("en", "zh-CN"), ("zh-CN", "zh-TW"), ("zh-TW", "en")])
def test_a_blank_name_is_a_localised_default(door: Door, load: Load, language: str, other: str) -> None:
    """WSP-05."""
    page = load(language=language)
    page.create("   ")
    page.create("")
    page.language = other
    page.create("")
    door.settle()
    assert len(set(names(page))) == 4
    assert all(name.strip() for name in names(page))


@pytest.mark.parametrize("name", [None, 7, {}, "x" * 1_000])
def test_an_odd_name_is_no_obstacle(door: Door, load: Load, name: Any) -> None:
    """WSP-05: too long a name is cut."""
    page = load()
    door.send(page, command("agent_session_create", name=name))
    assert len(page.state.sessions) == 2
    assert all(0 < len(name) <= 200 for name in names(page))


def test_delete_removes_a_session_and_all_it_has(door: Door, load: Load) -> None:
    """WSP-06: the active session is then the first that remains."""
    page = load()
    first = page.state.active
    page.create("Second")
    door.settle()
    second = page.state.active
    page.say("hello")
    door.settle()
    page.bind({"mode": "env", "envIds": ["env-1"], "walletIds": []})
    door.settle()
    frames = door.send(page, command("agent_session_delete", second))
    assert kinds(frames)[:2] == SYNCED
    assert [session["id"] for session in page.state.sessions] == [first]
    assert page.state.active == first
    state = page.state
    for kept in (state.conversations, state.subtasks, state.artifacts, state.runtime_logs, state.prompts):
        assert second not in kept
    assert second not in state.runtime_contexts
    assert second not in state.execution_states


def test_deleting_the_last_session_creates_one(door: Door, load: Load, agent: Agent) -> None:
    """WSP-06, C23."""
    page = load()
    last = page.state.active
    door.send(page, command("agent_session_delete", last))
    (session,) = page.state.sessions
    assert session["id"] != last
    assert page.state.active == session["id"]
    assert [message["content"] for message in page.messages()] == ["Hello"]


def test_deleting_another_session_leaves_the_active_one(door: Door, load: Load) -> None:
    """WSP-06."""
    page = load()
    first = page.state.active
    page.create("Second")
    door.settle()
    second = page.state.active
    door.send(page, command("agent_session_delete", first))
    assert page.state.active == second


def test_switch_answers_with_list_and_snapshot(door: Door, load: Load) -> None:
    """WSP-07: an unknown session changes nothing, and the page is put right."""
    page = load()
    first = page.state.active
    page.create("Second")
    door.settle()
    frames = door.send(page, command("agent_session_switch", first))
    assert kinds(frames) == SYNCED
    assert page.state.active == first
    page.switch("session_xxx")  # of a session that is not there any more: the page shows it at once
    door.settle()
    assert page.alerts == []
    assert page.state.active == first


def test_two_quick_switches_are_answered_in_order(door: Door, load: Load) -> None:
    """WSP-07: the answer's active session wins, so the last click does."""
    page = load()
    first = page.state.active
    page.create("Second")
    door.settle()
    second = page.state.active
    page.switch(first)
    page.switch(second)
    door.settle()
    assert page.state.active == second


def test_the_active_session_is_each_connections_own(door: Door, load: Load) -> None:
    """C53: and the workspace remembers the last one for the next connection."""
    one = load("renderer-1")
    first = one.state.active
    one.create("Second")
    door.settle()
    second = one.state.active
    other = load("renderer-2")
    assert other.state.active == second
    other.switch(first)
    door.settle()
    assert (one.state.active, other.state.active) == (second, first)
    one.init()
    door.settle()
    assert one.state.active == second
    assert load("renderer-3").state.active == first


def test_a_context_is_bound_to_its_session_alone(door: Door, load: Load, agent: Agent) -> None:
    """WSP-08: the documented frame; the agent gets it with what is said there."""
    page = load()
    first = page.state.active
    page.create("Second")
    door.settle()
    second = page.state.active
    door.send(page, command("agent_session_context_update", first))
    bound = COMMANDS["agent_session_context_update"]["payload"]["runtimeContext"]
    fresh = door.fresh()
    assert fresh.state.runtime_contexts[first] == bound
    assert not fresh.state.runtime_contexts.get(second)
    page.state.active = first
    page.say("hello", first)
    page.say("hello", second)
    door.settle()
    by_text = [
        (event["runtimeContext"] or {}).get("envIds") for event in agent.events if event["type"] == "workspace.input"
    ]
    assert by_text == [["env-1"], None]


def test_a_context_survives_a_command_that_repeats_it(door: Door, load: Load) -> None:
    """WSP-08, WSP-09: a page that lost it sends null, which forgets nothing."""
    page = load()
    session = page.state.active
    door.send(page, command("agent_session_context_update", session))
    door.send(page, command("agent_user_input", session, runtimeContext=None))
    door.send(page, command("agent_user_input", session, runtimeContext={}))
    assert door.fresh().state.runtime_contexts[session]["envIds"] == ["env-1"]


def test_a_missing_session_id_means_the_active_one(door: Door, load: Load, agent: Agent) -> None:
    """WSP-09: as the module has it."""
    page = load()
    door.send(page, '{"type":"agent_user_input","taskName":"求职AI助手","payload":{"text":"hello"}}')
    assert agent.contexts[-1].conversation is not None
    assert agent.contexts[-1].conversation.thread_id == page.state.active
    assert agent.events[-1]["text"] == "hello"


def test_a_page_gets_its_sessions_back(door: Door, load: Load) -> None:
    """WSP-38, C54: what a user had is there on the next day, on another page."""
    page = load()
    page.create("Second")
    door.settle()
    page.say("hello")
    door.settle()
    door.disconnect(door.line_of(page))
    later = load("renderer-9", ALICE)
    assert later.state.sessions == page.state.sessions
    assert later.state.conversations == page.state.conversations


def test_a_change_of_language_does_not_lock_the_input(door: Door, load: Load, agent: Agent) -> None:
    """WSP-03: however long the agent takes for it. What is said meanwhile is answered after it."""
    page = load()

    def look() -> None:
        agent.during = None
        door.clock.pass_seconds(3)
        door.push()
        door.receive(door.line_of(page), '{"type": "heart_beat"}')
        assert not page.is_thinking()
        page.say("hello")

    agent.replies["workspace.init"] = lambda context: iter([*greet(context), ("workspace.log", {"text": "done"})])
    agent.during = look
    page.init(language="zh-CN")
    door.settle()
    assert page.messages()[-1]["content"] == "found hello"


def test_an_event_has_a_model_or_null(door: Door, load: Load, agent: Agent) -> None:
    """WSP-32: a model that the agent may not use is no model."""
    page = load()
    page.model = "unknown"
    page.say("hello")
    door.settle()
    assert agent.events[-1]["model"] is None
