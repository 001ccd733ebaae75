"""Runs of agents that write what they do into a file."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.stack.app import App
from tests.support.stack.process import running


@contextmanager
def user_of(agent: str) -> Iterator[App]:
    """A user of a stack with the agent of this file, which is beside this one."""
    with running(environment={"AGENT": str(Path(__file__).with_name(agent))}) as url:
        app = App(url, "alice")
        yield app
        app.http.close()


def watched(user: App, thread: str, run_id: str, kill_after: int | None = None) -> list[dict[str, Any]]:
    """The run's events; its worker is killed after one of them."""
    events = []
    for number, _, event in user.watch(thread, run_id):
        events.append(event)
        if number == kill_after:
            user.http.post("/local/kill", json={"function": "execute_run"}).raise_for_status()
    return events


def said(events: list[dict[str, Any]]) -> list[str]:
    """What a user reads: text, and calls with their results."""
    return [
        str(event.get("delta") or event.get("content") or event.get("toolCallName"))
        for event in events
        if event["type"] in ("TEXT_MESSAGE_CONTENT", "TOOL_CALL_START", "TOOL_CALL_RESULT")
    ]


def made(ledger: Path) -> Counter[str]:
    return Counter(ledger.read_text("utf-8").splitlines())


def answered(user: App, interrupt: str, payload: dict[str, Any]) -> str:
    """Answer a question; the id of the run that goes on."""
    answer = {"status": "resolved", "payload": payload}
    accepted = user.http.post(f"/api/v1/agent/interrupts/{interrupt}", json=answer)
    assert accepted.status_code == 202, accepted.text
    return str(accepted.json()["runId"])
