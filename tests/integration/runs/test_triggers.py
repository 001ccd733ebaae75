"""Runs with a trigger: the host's alone, stored with the run, and the event that the runner gets."""

import json
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, THREAD, execute
from tests.support.runners.scripted import DONE, Scripted, Use, completed
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.trigger import Trigger
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.store import artifacts, event_log, runs, sessions
from yarrow.worker.invocation.registry import registry
from yarrow_agents.assistant import runner as assistant

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

OPTION = Trigger("workspace.option", "webui", {"questionId": "q", "optionId": "a", "runtime_mode": "automation"})


def body(**members: Any) -> bytes:
    plain = {"threadId": THREAD, "runId": "run-1", "messages": [], "forwardedProps": {"runtime_mode": "chat"}}
    return json.dumps({**plain, **members}).encode()


def message(text: str) -> dict[str, Any]:
    return {"id": "msg-1", "role": "user", "content": text}


def submit(trigger: Trigger = OPTION, **members: Any) -> TaskAccepted:
    return submit_run(body(**members), ALICE, "assistant", trigger=trigger)


def worked(runner: Scripted, accepted: TaskAccepted) -> Any:
    execute(accepted.task_id)
    return runner.contexts[-1]


def test_the_runner_gets_the_trigger_as_its_event(use: Use) -> None:
    """RNR-15, RNR-16, RNR-17, CMP-01: the same submit and the same worker; the host's facts stand above its data."""
    runner = use(completed("好"), DONE)
    context = worked(runner, submit(messages=[message("甲")]))
    assert (context.trigger.type, context.trigger.source) == ("workspace.option", "webui")
    assert (context.event.event_type, context.event.source) == ("workspace.option", "webui")
    assert context.event.data == {"questionId": "q", "optionId": "a", "runtime_mode": "chat"}
    assert context.input.text == "甲"
    (logged,) = event_log.page(THREAD, limit=10).items
    assert (logged.event_id, logged.event_type, logged.source) == (
        context.event.event_id,
        "workspace.option",
        "webui",
    )


def test_a_run_with_a_trigger_and_no_message_begins_a_session(use: Use) -> None:
    """C45, WSP-04: the agent speaks first, about the conversation."""
    runner = use(completed("你好"), DONE)
    accepted = submit(Trigger("workspace.init", "webui", {"reason": "session_created"}))
    context = worked(runner, accepted)
    assert accepted.created
    assert (context.subject.subject_type, context.input.contents) == ("conversation", ())
    assert [(message.role, message.content) for message in sessions.messages(THREAD)] == [("assistant", "你好")]


def test_no_client_can_set_a_trigger(use: Use) -> None:
    """SEC-05, CMP-01: it is removed from every body, whatever it is."""
    runner = use(completed("好"), DONE)
    for number, forged in enumerate((OPTION.as_member(), {"type": "?"}, "x")):
        sent = body(runId=f"run-{number}", messages=[message("甲")], trigger=forged)
        accepted = submit_run(sent, ALICE, "assistant")
        context = worked(runner, accepted)
        assert (context.event.event_type, context.event.source) == ("message.received", "api")
        assert context.event.data == {"runtime_mode": "chat"}
    with pytest.raises(Problem) as caught:
        submit_run(body(runId="run-silent", trigger=OPTION.as_member()), ALICE, "assistant")
    assert caught.value.code is Code.AGENT_RUN_MESSAGES_INVALID


def test_the_same_run_with_another_trigger_is_a_conflict() -> None:
    """RUN-23: the trigger is part of what was submitted."""
    first = submit()
    assert submit() == first
    with pytest.raises(Problem) as caught:
        submit(Trigger("workspace.option", "webui", {"questionId": "q", "optionId": "b"}))
    assert caught.value.code is Code.AGENT_RUN_CONFLICT
    assert (stored := runs.must_read(first.task_id)).event_type == "workspace.option"
    assert stored.event_source == "webui"


def test_the_runner_may_read_the_files_of_its_trigger(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-19, RNR-59, WSP-12: as the pictures of a message; models see those that are pictures."""
    runner = Scripted(completed("好"), DONE)
    installed = InstalledRunner(assistant.RUNNER.manifest, lambda: runner)
    monkeypatch.setattr(registry, "find", lambda _: installed)
    files = [
        {"artifactId": artifacts.id_from(name), "name": name, "mimeType": mime_type, "size": 3}
        for name, mime_type in (("plan.pdf", "application/pdf"), ("plan.png", "image/png"))
    ]
    trigger = Trigger("workspace.attachment", "webui", {"attachments": files})
    context = worked(runner, submit_run(body(messages=[message("plan.pdf")]), ALICE, "assistant", trigger=trigger))
    pdf, png = (file["artifactId"] for file in files)
    assert [artifact.artifact_id for artifact in context.resources.artifacts] == [pdf, png]
    assert [(attachment.name, attachment.artifact_type) for attachment in context.input.attachments] == [
        ("plan.pdf", "file"),
        ("plan.png", "image"),
    ]
    assert context.input.contents == (
        {"type": "text", "text": "plan.pdf"},
        {"type": "artifact", "artifact_id": png},
    )
