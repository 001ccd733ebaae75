"""Runs on the local stack that outlive their workers, watched and cancelled (STP-04, STP-05)."""

import json
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.stack.app import App, Event, cancel
from tests.support.stack.process import running
from tests.support.stack.runs import submit
from yarrow.protocol.runner.turn import SETTLE_SECONDS

AGENT = Path(__file__).with_name("turns_agent.py")
TURN_SECONDS = 1.0
PIECES = 15
PATIENCE_SECONDS = 60
CANCEL_SECONDS = 5


@pytest.fixture(scope="module")
def stack() -> Iterator[str]:
    with running(environment={"AGENT": str(AGENT), "TURN_SECONDS": str(TURN_SECONDS)}) as url:
        yield url


def begin(user: App, asked: dict[str, Any]) -> str:
    thread = str(uuid.uuid4())
    submit(user, "turns_agent", thread, "run-1", json.dumps(asked))
    return thread


def steps(user: App, thread: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = user.http.get(f"/api/v1/agent/runs/{thread}/steps", params={"runId": "run-1"}).json()[
        "steps"
    ]
    return found


def test_a_run_of_several_turns_is_watched_as_one(user: App, tmp_path: Path) -> None:
    """STP-05: live, and by who comes back; nothing is lost or repeated, and it has one end."""
    ledger = tmp_path / "ledger"
    thread = begin(user, {"pieces": PIECES, "ledger": str(ledger)})
    live: list[Event] = []
    for event in user.watch(thread, "run-1"):
        live.append(event)
        if len(live) == PIECES // 2:
            break
    live += user.watch(thread, "run-1", after=live[-1][0])
    assert [number for number, _, _ in live] == [*range(1, len(live) + 1)]
    assert [kind for _, kind, _ in live if kind in ("RUN_FINISHED", "RUN_ERROR")] == ["RUN_FINISHED"]
    words = "".join(f"{number} " for number in range(PIECES))
    assert "".join(data["delta"] for _, kind, data in live if kind == "TEXT_MESSAGE_CONTENT") == words
    assert len({data["messageId"] for _, kind, data in live if kind == "TEXT_MESSAGE_START"}) == 1
    assert [*user.watch(thread, "run-1")] == live
    assert [
        message["content"] for message in user.history(threadId=thread)["messages"] if message["role"] != "user"
    ] == [words]
    assert ledger.read_text("utf-8").split() == [str(number) for number in range(PIECES)]
    assert len({step["attempt"] for step in steps(user, thread)}) >= 3


def test_a_run_that_sleeps_has_no_worker_and_ends_at_once_when_it_is_cancelled(user: App, tmp_path: Path) -> None:
    """STP-04: who watches it hears of it."""
    thread = begin(user, {"pieces": 1, "ledger": str(tmp_path / "ledger"), "sleep": 3_600})
    heard: list[str] = []
    watching = threading.Thread(target=lambda: heard.extend(kind for _, kind, _ in user.watch(thread, "run-1")))
    watching.start()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while "steps.sleep" not in {step["action"] for step in steps(user, thread)} or killed_workers(user):
        assert time.monotonic() < deadline
        time.sleep(2 * SETTLE_SECONDS)  # a worker that was killed too early is replaced
    began = time.monotonic()
    answer = cancel(user, thread)
    assert answer.status_code == 200, answer.text
    watching.join(PATIENCE_SECONDS)
    assert time.monotonic() - began < CANCEL_SECONDS
    assert heard[-1] == "RUN_ERROR"
    assert killed_workers(user) == 0


def killed_workers(user: App) -> int:
    answer = user.http.post("/local/kill", json={"function": "execute_run"})
    return int(answer.json()["killed"])
