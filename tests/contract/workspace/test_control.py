"""Pausing, resuming, retrying and cancelling."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.workspace.agent import Agent
from tests.support.workspace.documented import command
from tests.support.workspace.door import ALICE, Door
from tests.support.workspace.page import Page
from yarrow.store import runs

Load = Callable[..., Page]


def contents(page: Page, role: str = "assistant") -> list[str]:
    return [message["content"] for message in page.messages() if message["role"] == role]


def control(door: Door, page: Page, action: str) -> list[dict[str, Any]]:
    return door.send(page, command("agent_execution_control", page.state.active, action=action))


def execution(page: Page) -> Any:
    return page.state.execution_states.get(page.state.active)


def raw(door: Door, page: Page, text: str) -> None:
    """Say something that the page itself would not let the user say."""
    door.send(page, command("agent_user_input", page.state.active, text=text))


def test_pause_holds_what_is_said(door: Door, load: Load, agent: Agent) -> None:
    """WSP-16, WSP-30: the documented frame; a notice, and nothing is processed."""
    page = load()
    frames = control(door, page, "pause")
    (update,) = [frame for frame in frames if frame["type"] == "agent_execution_update"]
    assert update["data"]["state"] == execution(page)
    assert (execution(page)["paused"], execution(page)["canceled"]) == (True, False)
    requested, shown = len(agent.contexts), len(contents(page))
    raw(door, page, "hello")
    assert len(agent.contexts) == requested
    assert len(contents(page)) > shown
    assert page.label() == "Paused"
    assert page.alerts == []


def test_resume_clears_both_flags(door: Door, load: Load, agent: Agent) -> None:
    """WSP-16: and the agent goes on."""
    page = load()
    control(door, page, "pause")
    control(door, page, "resume")
    assert (execution(page)["paused"], execution(page)["canceled"]) == (False, False)
    control(door, page, "cancel")
    control(door, page, "resume")
    assert (execution(page)["paused"], execution(page)["canceled"]) == (False, False)
    assert agent.events[-1] | {"type": "workspace.control", "action": "resume"} == agent.events[-1]
    page.say("hello")
    door.settle()
    assert contents(page)[-1] == "found hello"


def two_steps(_: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    statuses = ("pending", "running", "review", "done", "failed")
    yield "workspace.subtasks", {"items": [{"key": status, "status": status} for status in statuses]}
    yield "workspace.message", {"content": "first"}
    yield "workspace.message", {"content": "second"}


def test_cancel_ends_the_run_and_its_subtasks(door: Door, load: Load, agent: Agent) -> None:
    """WSP-17, WSP-27: what had not ended has failed; the run under it is cancelled."""
    page = load()
    agent.replies["workspace.input"] = two_steps
    stopped = []

    def cancel() -> None:
        agent.during = None
        door.push()
        stopped.extend(page.state.subtasks[page.state.active])
        line = door.line_of(page)
        door.receive(line, command("agent_execution_control", page.state.active, action="cancel"))

    agent.during = cancel
    page.say("hello")
    door.settle()
    assert [item["status"] for item in stopped] == ["pending", "running", "review", "done", "failed"]
    statuses = {subtask["key"]: subtask["status"] for subtask in page.state.subtasks[page.state.active]}
    assert statuses == {
        "pending": "failed",
        "running": "failed",
        "review": "failed",
        "done": "done",
        "failed": "failed",
    }
    assert (execution(page)["paused"], execution(page)["canceled"]) == (False, True)
    assert page.label() == "Canceled"
    assert "second" not in contents(page)
    assert not page.is_thinking()
    phases = [runs.must_read(text).phase for text in door.aws.executions.started]
    assert phases[-1] == "canceled"


def test_a_cancelled_session_answers_with_a_notice(door: Door, load: Load, agent: Agent) -> None:
    """WSP-17."""
    page = load()
    control(door, page, "pause")
    control(door, page, "cancel")
    assert (execution(page)["paused"], execution(page)["canceled"]) == (False, True)
    requested, shown = len(agent.contexts), len(contents(page))
    raw(door, page, "hello")
    assert len(agent.contexts) == requested
    assert len(contents(page)) > shown


def test_retry_begins_anew(door: Door, load: Load, agent: Agent) -> None:
    """WSP-18: subtasks, answers, prompt and flags are reset; messages and artifacts stay; a run of its own."""
    page = load()
    page.answer("q_salary", "30")
    page.say("hello")
    door.settle()
    texts, made = contents(page), [artifact["id"] for artifact in page.state.artifacts[page.state.active]]
    control(door, page, "cancel")
    before = set(door.aws.executions.started)
    control(door, page, "retry")
    assert agent.events[-1] | {"type": "workspace.control", "action": "retry"} == agent.events[-1]
    assert len(set(door.aws.executions.started) - before) == 1
    assert page.question("q_salary")["answerValue"] == ""
    assert all(subtask["status"] == "pending" for subtask in page.state.subtasks.get(page.state.active, []))
    assert (execution(page)["paused"], execution(page)["canceled"]) == (False, False)
    assert contents(page)[: len(texts)] == texts
    assert [
        artifact["id"] for artifact in page.state.artifacts[page.state.active]
    ] == made  # their URLs are signed anew
    assert contents(page)[-1] == "goes on after retry"


@pytest.mark.parametrize("action", ["stop", "", None, 7, "PAUSE", ["pause"], {}])
def test_another_action_is_an_error(door: Door, load: Load, action: Any) -> None:
    """WSP-15."""
    page = load()
    before = execution(page)
    control(door, page, action)
    assert [frame["data"]["code"] for frame in page.frames if frame["type"] == "agent_error"] == ["action_unknown"]
    assert execution(page) == before


def test_the_state_of_execution_is_always_whole(door: Door, load: Load) -> None:
    """WSP-15, WSP-30: `started` once anything ran, else a paused session reads Not Started."""
    page = load()
    for action in ("pause", "resume", "cancel", "retry", "pause", "cancel", "resume"):
        for frame in control(door, page, action):
            if frame["type"] == "agent_execution_update":
                assert frame["data"]["state"].keys() == {"paused", "canceled", "started"}
        assert execution(page)["started"] is True


def test_a_paused_run_stops_where_a_result_ends(door: Door, load: Load, agent: Agent) -> None:
    """WSP-16, C29: what it has said stays, and it says no more; resume goes on in a run of its own."""
    page = load()
    agent.replies["workspace.input"] = two_steps

    def pause() -> None:
        agent.during = None
        line = door.line_of(page)
        door.receive(line, command("agent_execution_control", page.state.active, action="pause"))

    agent.during = pause
    page.say("hello")
    door.settle()
    assert "second" not in contents(page)
    assert not page.is_thinking()
    started = len(door.aws.executions.started)
    control(door, page, "resume")
    assert len(door.aws.executions.started) == started + 1


def test_control_without_the_agents_interest_holds_the_input_itself(door: Door, load: Load, agent: Agent) -> None:
    """WSP-33, WSP-16: pause and cancel are the host's; what was held is sent on with resume."""
    page = load()
    control(door, page, "pause")
    raw(door, page, "held")
    control(door, page, "resume")
    assert page.label() == "Running"
    assert ALICE.user_id == runs.must_read(door.aws.executions.started[-1]).user_id


def statuses(page: Page) -> dict[str, str]:
    return {subtask["key"]: subtask["status"] for subtask in page.state.subtasks.get(page.state.active, [])}


@pytest.mark.parametrize("results", [0, 1, 2])
def test_a_cancel_at_any_moment_leaves_no_subtask_running(door: Door, load: Load, agent: Agent, results: int) -> None:
    """WSP-17: also if the run reports its subtasks after the cancel."""
    page = load()
    agent.replies["workspace.input"] = two_steps
    calls = iter(range(results + 1))

    def cancel() -> None:
        if next(calls, None) == results:
            door.receive(door.line_of(page), command("agent_execution_control", page.state.active, action="cancel"))

    agent.before_each = cancel
    page.say("hello")
    door.settle()
    assert page.label() == "Canceled"
    assert not {"running", "pending", "review"} & set(statuses(page).values())


def test_a_run_that_was_retried_changes_no_subtask(door: Door, load: Load, agent: Agent) -> None:
    """WSP-18: what the stopped run still reports is not the new run's."""
    page = load()
    agent.replies["workspace.input"] = two_steps

    def retry() -> None:
        agent.during = None
        door.receive(door.line_of(page), command("agent_execution_control", page.state.active, action="retry"))

    agent.during = retry
    page.say("hello")
    door.settle()
    assert set(statuses(page).values()) <= {"pending"}


def failing(_: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "workspace.subtasks", {"items": [{"key": name, "status": name} for name in ("running", "pending", "review")]}
    yield "run.failed", {"code": "runner.error", "message": "the agent failed", "error": "the agent failed"}


def test_a_run_that_fails_leaves_no_subtask_running(door: Door, load: Load, agent: Agent) -> None:
    """Those that wait may belong to a later run. A failure without a reason is one sentence."""
    page = load()
    agent.replies["workspace.input"] = failing
    page.say("hello")
    door.settle()
    assert statuses(page) == {"running": "failed", "pending": "pending", "review": "review"}
    assert contents(page)[-1] == "The agent failed."


@pytest.mark.parametrize("action", ["cancel", "retry"])
def test_control_of_a_slow_run_sends_the_execution_update(door: Door, load: Load, agent: Agent, action: str) -> None:
    """WSP-30: whatever else it is answered with."""
    page = load()

    def control_it() -> None:
        agent.during = None
        door.clock.pass_seconds(3)
        door.push()
        line = door.line_of(page)
        door.receive(line, json.dumps({"type": "heart_beat"}))
        assert page.is_thinking()
        page.frames.clear()
        door.receive(line, command("agent_execution_control", page.state.active, action=action))

    agent.during = control_it
    page.say("hello")
    door.settle()
    updates = [frame["data"]["state"] for frame in page.frames if frame["type"] == "agent_execution_update"]
    assert updates
    assert updates[0]["canceled"] is (action == "cancel")
