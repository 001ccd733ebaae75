"""The example of a workspace's module, run by the worker: its questions, steps, log and file."""

import base64
import importlib.util
import json
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, THREAD, execute
from tests.support.journals import stored
from tests.support.paths import ROOT
from yarrow.protocol.run_input.trigger import Trigger
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runners.discovery import checked
from yarrow.runs.submit_run import submit_run
from yarrow.store import artifacts, sessions
from yarrow.worker.invocation.registry import registry

pytestmark = [pytest.mark.usefixtures("aws", "trip"), pytest.mark.memory]


@pytest.fixture
def trip(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("trip", ROOT / "examples/workspace_module/trip.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    runner: InstalledRunner = checked(module.RUNNER)
    monkeypatch.setattr(registry, "find", lambda _: runner)


class Page:
    """The commands of one session, and what the page would show."""

    def __init__(self) -> None:
        self.prompt: dict[str, Any] | None = None
        self.runs = 0
        self.events: list[dict[str, Any]] = []

    def send(self, kind: str, text: str | None = None, **data: Any) -> list[tuple[str, Any]]:
        """Return the CUSTOM events of the command's run."""
        self.runs += 1
        messages = [] if text is None else [{"id": f"m-{self.runs}", "role": "user", "content": text}]
        body = {"threadId": THREAD, "runId": f"run-{self.runs}", "messages": messages}
        trigger = Trigger(f"workspace.{kind}", "webui", {"prompt": self.prompt, **data})
        raw = json.dumps({**body, "forwardedProps": {"runtime_mode": "chat"}}).encode()
        accepted = submit_run(raw, ALICE, "assistant", trigger=trigger)
        execute(accepted.task_id)
        self.events = stored(accepted.task_id)
        assert self.events[-1]["type"] == "RUN_FINISHED"
        shown = [(event["name"], event["value"]) for event in self.events if event["type"] == "CUSTOM"]
        self.prompt = dict(shown).get("workspace.prompt", self.prompt)
        return shown


def statuses(shown: list[tuple[str, Any]]) -> list[list[str]]:
    return [[item["status"] for item in value["items"]] for name, value in shown if name == "workspace.subtasks"]


def test_a_choice_and_a_number_lead_to_a_file() -> None:
    """WSP-10, WSP-11, WSP-24, WSP-25, WSP-27, WSP-28, WSP-29, WSP-33, CMP-09: and the history has what was said."""
    page = Page()
    opened = dict(page.send("init", reason="session_created"))
    assert [question["id"] for question in opened["workspace.prompt"]["questions"]] == ["place", "days"]
    shown = page.send("option", "To the hills", questionId="place", optionId="hills", optionLabel="To the hills")
    assert dict(shown)["workspace.prompt"]["questions"][0]["selectedOptionId"] == "hills"
    shown = page.send("answer", "3", questionId="days", answer="3")
    assert statuses(shown) == [["running", "pending"], ["done", "running"], ["done", "done"]]
    assert dict(shown)["workspace.log"]["key"] == "choose"
    file = dict(shown)["artifact.created"]
    assert (file["name"], file["mime_type"]) == ("trip.txt", "text/plain")
    kept = artifacts.read_range(file["artifact_id"], THREAD, 0, 1_000)
    assert kept is not None
    assert b"Day 3: a hut" in base64.b64decode(kept.content_base64)
    texts = [(message.role, message.content) for message in sessions.messages(THREAD)]
    assert texts == [
        ("assistant", "Let us plan a trip."),
        ("user", "To the hills"),
        ("assistant", "Thank you. Please answer both questions."),
        ("user", "3"),
        ("assistant", "3 days, planned: see trip.txt."),
    ]


def test_another_language_asks_again_and_appends_nothing() -> None:
    """WSP-03, C55: and a prompt that is the page's already is not sent again."""
    page = Page()
    page.send("init", reason="session_created")
    assert page.send("init", reason="language_changed") == []
    assert len(list(sessions.messages(THREAD))) == 1


def test_retry_starts_over() -> None:
    """WSP-18."""
    page = Page()
    page.send("init", reason="session_created")
    page.send("option", "To the sea", questionId="place", optionId="sea", optionLabel="To the sea")
    shown = dict(page.send("control", action="retry"))
    assert shown["workspace.prompt"]["questions"][0]["selectedOptionId"] == ""
