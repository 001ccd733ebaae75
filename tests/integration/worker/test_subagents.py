"""Agents that a run's agent calls: events, attribution, snapshots, takeovers and questions (EVT-34)."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.agui.client import AgUiClient, read
from tests.support.divination_runs import ALICE, THREAD, execute, submit
from tests.support.journals import numbered, stored, types
from tests.support.runners.asking import Asker, answered, interrupts_of, said
from tests.support.runners.scripted import DONE, Scripted, completed, install
from yarrow.packages import event_types
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import end_run
from yarrow.runs.agui.join_snapshot import join_from_snapshot
from yarrow.runs.stream_events import stream_events
from yarrow.store import runs, sessions
from yarrow.worker import execute_run

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

Use = Callable[..., Scripted]
Result = tuple[str, dict[str, Any]]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Have every run call a runner with these results."""

    def made(*results: Any) -> Scripted:
        runner = Scripted(*results)
        install(monkeypatch, lambda: runner)
        return runner

    return made


def began(name: str, **members: Any) -> Result:
    return "subagent.started", {"subagent_run_id": name, "name": f"the {name}", **members}


def ended(name: str, **members: Any) -> Result:
    return "subagent.finished", {"subagent_run_id": name, **members}


def by(name: str, result: Result) -> Result:
    """A result as a nested agent's."""
    return result[0], {**result[1], "subagent_run_id": name}


def delta(text: str) -> Result:
    return "message.delta", {"chunk": {"role": "assistant", "content": text}}


def call(name: str) -> Result:
    return "tool.call.started", {"tool_call_id": name, "tool_name": "look", "parameters": {}}


def found(name: str) -> Result:
    return "tool.call.completed", {"tool_call_id": name, "result": "seen"}


WORK: tuple[Result, ...] = (
    completed("I ask two."),
    call("delegate"),
    began("writer", description="writes", parent_tool_call_id="delegate"),
    began("critic", parent_subagent_run_id="writer"),
    by("writer", delta("Once ")),
    by("critic", delta("No.")),
    by("writer", ("reasoning.delta", {"content": "hm"})),
    by("writer", completed("Twice.")),
    by("critic", call("look")),
    found("look"),
    by("critic", ("activity.snapshot", {"activity_id": "a", "activity_type": "PLAN", "content": {}})),
    ("subagent.failed", {"subagent_run_id": "critic", "message": "tired", "code": "acme.tired"}),
    ended("writer", result={"words": 2}),
    found("delegate"),
    completed("Done."),
    DONE,
)


def seen(run_key: str, version: str | None) -> AgUiClient:
    """What a client of a version makes of a run, by the SDK's own schemas and order rules."""
    profile = Profile(runs.must_read(run_key).ids, event_types.find, None, version)
    return read([line for _, one in numbered(run_key) if (line := profile.line(one)) is not None])


def test_nested_agents_and_what_they_say_are_told_apart(use: Use) -> None:
    """EVT-34: clients before 1.0, which know no such events, see the messages alone."""
    use(*WORK)
    run_key = submit().task_id
    execute(run_key)
    told = stored(run_key)
    writer, critic = (event for event in told if event["type"] == "SUBAGENT_STARTED")
    ids = {writer["subagentRunId"]: "writer", critic["subagentRunId"]: "critic"}
    (delegate,) = (event for event in told if event.get("toolCallName") and event["toolCallId"] == "delegate")
    assert (writer["name"], writer["description"], writer["parentToolCallId"]) == (
        "the writer",
        "writes",
        delegate["toolCallId"],
    )
    assert ids[critic["parentSubagentRunId"]] == "writer"
    texts = {event["messageId"]: "" for event in told if event["type"] == "TEXT_MESSAGE_START"}
    for event in told:
        if event["type"] == "TEXT_MESSAGE_CONTENT":
            texts[event["messageId"]] += event["delta"]
    speakers = [
        (ids.get(event.get("subagentRunId", "")), texts[event["messageId"]])
        for event in told
        if event["type"] == "TEXT_MESSAGE_START"
    ]
    assert speakers == [
        (None, "I ask two."),
        ("writer", "Once "),
        ("critic", "No."),
        ("writer", "Twice."),
        (None, "Done."),
    ]
    tagged = {event["type"] for event in told if event.get("subagentRunId") == critic["subagentRunId"]}
    assert tagged >= {"TOOL_CALL_START", "TOOL_CALL_RESULT", "ACTIVITY_SNAPSHOT", "SUBAGENT_ERROR"}
    (failed,) = (event for event in told if event["type"] == "SUBAGENT_ERROR")
    (finished,) = (event for event in told if event["type"] == "SUBAGENT_FINISHED")
    assert (failed["message"], failed["code"], finished["result"]) == ("tired", "acme.tired", {"words": 2})
    new, old = seen(run_key, "1.0"), seen(run_key, None)
    assert [ids.get(one.get("subagentRunId", "")) for one in new.messages if one["role"] == "reasoning"] == ["writer"]
    assert [one["content"] for one in old.messages if one["role"] == "assistant" and one.get("content")] == [
        text for _, text in speakers
    ]


def test_the_history_has_what_the_agent_itself_says(use: Use) -> None:
    """EVT-34, HIS-08: what nested agents say is in the run's events, and in snapshots as long as these are there."""
    use(*WORK)
    execute(submit().task_id)
    said_then = [message.content for message in sessions.messages(THREAD) if message.role == "assistant"]
    assert said_then == ["I ask two.", "Done."]
    use(completed("Yes."), DONE)
    execute(submit(runId="run-2", messages=[{"id": "msg-2", "role": "user", "content": "Sure?"}]).task_id)
    for run_id in ("run-1", "run-2"):
        joined = join_from_snapshot(stream_events(ALICE.user_id, THREAD, run_id, None, None), "1.0")
        (snapshot,) = (one for line in joined.opening if (one := json.loads(line))["type"] == "MESSAGES_SNAPSHOT")
        nested = [one["content"] for one in snapshot["messages"] if one.get("subagentRunId") and one.get("content")]
        assert [text for text in nested if text in ("Once ", "No.", "Twice.")] == ["Once ", "No.", "Twice."]
        read([*joined.opening, '{"type":"RUN_FINISHED","threadId":"t","runId":"r"}'][: len(joined.opening)])


def spoken(run_key: str) -> list[tuple[bool, str]]:
    """Return what was said, and whether by a nested agent, as the journal has it."""
    texts: dict[str, str] = {}
    nested: set[str] = set()
    for _, line in numbered(run_key):
        event = json.loads(line)
        if event["type"] == "TEXT_MESSAGE_START" and "subagentRunId" in event:
            nested.add(event["messageId"])
        if event["type"] == "TEXT_MESSAGE_CONTENT":
            texts[event["messageId"]] = texts.get(event["messageId"], "") + event["delta"]
    return [(message in nested, text) for message, text in texts.items()]


@pytest.mark.usefixtures("unbuffered")
@pytest.mark.parametrize("cut", range(1, len(WORK)))
def test_a_worker_that_takes_over_repeats_no_nested_agent(use: Use, cut: int) -> None:
    """EVT-34, CMP-11: wherever the first one died."""
    use(*WORK)
    whole = submit().task_id
    execute(whole)
    use(*WORK[:cut], KeyboardInterrupt())
    run_key = submit(runId="run-2").task_id
    with pytest.raises(KeyboardInterrupt):
        execute_run.work(run_key)
    use(*WORK)
    execute_run.work(run_key)
    kinds = ("SUBAGENT_STARTED", "SUBAGENT_FINISHED", "SUBAGENT_ERROR")
    assert [kind for kind in types(run_key) if kind in kinds] == [kind for kind in types(whole) if kind in kinds]
    assert spoken(run_key) == spoken(whole)
    seen(run_key, "1.0")


def test_a_viewer_who_joins_sees_the_agents_that_are_active(use: Use) -> None:
    """EVT-14, EVT-34: in an order that clients accept."""
    snapshots: list[list[str]] = []

    def join() -> None:
        stream = stream_events(ALICE.user_id, THREAD, "run-1", None, None)
        snapshots.append(list(join_from_snapshot(stream, "1.0").opening))

    use(*(item for result in WORK for item in (result, join)))
    run_key = submit().task_id
    execute(run_key)
    for opening in snapshots:
        client = AgUiClient()
        for line in opening:
            client.take(line)


def test_a_nested_agent_that_is_left_ends_with_the_run(use: Use) -> None:
    """EVT-34: as failed if the run fails or is cancelled."""
    use(began("writer"), by("writer", delta("Once")))
    run_key = submit().task_id
    execute(run_key)
    assert types(run_key)[-4:] == ["TEXT_MESSAGE_END", "SUBAGENT_FINISHED", "STEP_FINISHED", "RUN_FINISHED"]
    use(began("writer"), ("run.failed", {}))
    run_key = submit(runId="run-2").task_id
    execute(run_key)
    assert types(run_key)[-3:] == ["SUBAGENT_ERROR", "STEP_FINISHED", "RUN_ERROR"]
    assert end_run.CANCELED


def test_unknown_and_ended_agents_speak_for_the_agent_itself(use: Use) -> None:
    """EVT-34: and a second one under the same id is skipped."""
    use(
        by("nobody", completed("one")),
        began("writer"),
        ended("writer"),
        ended("writer"),
        began("writer"),
        by("writer", completed("two")),
        by("x" * 300, completed("three")),
        DONE,
    )
    run_key = submit().task_id
    execute(run_key)
    assert [kind for kind in types(run_key) if kind.startswith("SUB")] == ["SUBAGENT_STARTED", "SUBAGENT_FINISHED"]
    assert not any("subagentRunId" in event for event in stored(run_key) if event["type"].startswith("TEXT"))


def test_an_agent_that_waits_for_an_answer_is_suspended_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-34, ASK-01: one that had ended is not begun again."""

    class Nesting(Asker):
        async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> Any:
            for type_, data in (began("first"), ended("first"), began("second", parent_subagent_run_id="first")):
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
            answer = await api.ask("Shall I?")
            type_, data = by("second", completed(f"heard {answer.value}"))
            yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
            yield said(context, "Done.")

    install(monkeypatch, lambda: Nesting(lambda *_: None))  # type: ignore[arg-type]
    first = submit().task_id
    execute(first)
    one, other = (event for event in stored(first) if event["type"] == "SUBAGENT_FINISHED")
    assert ("outcome" in one, other["outcome"]) == (False, {"type": "suspended"})
    second = answered(interrupts_of(first)[0]["id"], {"approved": True}).task_id
    execute(second)
    events = [event for event in (json.loads(line) for _, line in numbered(second)) if "subagentRunId" in event]
    assert [event["type"] for event in events] == ["SUBAGENT_STARTED", "TEXT_MESSAGE_START", "SUBAGENT_FINISHED"]
    assert {event["subagentRunId"] for event in events} == {other["subagentRunId"]}
    assert "parentSubagentRunId" not in events[0]
    assert "outcome" not in events[-1]


def test_what_an_agent_said_that_has_ended_is_not_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-34, ASK-01: nor what it thought, called and showed; what it says anew, the agent itself says."""

    class Nesting(Asker):
        runs = 0

        async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> Any:
            Nesting.runs += 1
            plan = {"activity_id": "plan", "activity_type": "PLAN", "content": {"steps": 1}}
            for type_, data in (
                began("writer"),
                by("writer", ("reasoning.completed", {"content": "Hm."})),
                by("writer", completed("Once upon a time.")),
                by("writer", call("look")),
                by("writer", found("look")),
                by("writer", ("activity.snapshot", plan)),
                *([by("writer", completed("Twice."))] if Nesting.runs > 2 else []),
                ended("writer"),
            ):
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
            await api.ask("Shall I?")
            await api.ask("Sure?")
            yield said(context, "Done.")

    install(monkeypatch, lambda: Nesting(lambda *_: None))  # type: ignore[arg-type]
    run_key = submit().task_id
    execute(run_key)
    assert spoken(run_key)[0] == (True, "Once upon a time.")
    for texts in ([(False, "Sure?")], [(False, "Twice."), (False, "Done.")]):
        (question,) = interrupts_of(run_key)
        run_key = answered(question["id"], {"approved": True}).task_id
        execute(run_key)
        assert spoken(run_key) == texts
        told = [json.loads(line) for _, line in numbered(run_key)]
        assert not [one["type"] for one in told if "subagentRunId" in one]
        assert not {"TOOL_CALL_START", "TOOL_CALL_RESULT", "REASONING_START", "ACTIVITY_SNAPSHOT"} & set(types(run_key))
