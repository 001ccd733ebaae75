"""Effects of runs whose workers are killed on the local stack (STP-01, STP-02)."""

import json
import random
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.stack.app import App
from tests.support.stack.process import running
from tests.support.stack.runs import submit

AGENT = Path(__file__).with_name("steps_agent.py")
STEPS = 8
INSTANTS = 6


@pytest.fixture(scope="module")
def stack() -> Iterator[str]:
    with running(environment={"AGENT": str(AGENT)}) as url:
        yield url


def run(user: App, ledger: Path, kill_after: int | None = None) -> tuple[str, str, int]:
    """A run of the agent; its thread, its words, and how often its worker was killed."""
    thread, text, killed = str(uuid.uuid4()), "", 0
    submit(user, "steps_agent", thread, "run-1", json.dumps({"steps": STEPS, "ledger": str(ledger)}))
    for number, kind, data in user.watch(thread, "run-1"):
        if kind == "TEXT_MESSAGE_CONTENT":
            text += data["delta"]
        if number == kill_after:
            killed = user.http.post("/local/kill", json={"function": "execute_run"}).json()["killed"]
    return thread, text, killed


def listed(user: App, thread: str) -> list[dict[str, Any]]:
    answer = user.http.get(f"/api/v1/agent/runs/{thread}/steps", params={"runId": "run-1"})
    assert answer.status_code == 200, answer.text
    steps: list[dict[str, Any]] = answer.json()["steps"]
    return steps


def test_every_effect_is_there_once_whenever_the_worker_is_killed(user: App, tmp_path: Path) -> None:
    """STP-01, STP-02: Effects are told apart by key; only those of the moment of the kill may be tried again."""
    _, undisturbed, _ = run(user, tmp_path / "undisturbed")
    assert undisturbed == "".join(f"{number} " for number in range(STEPS))
    kills = 0
    for after in random.Random(32).sample(range(1, STEPS), INSTANTS):
        ledger = tmp_path / str(after)
        thread, text, killed = run(user, ledger, after)
        made = Counter(ledger.read_text("utf-8").split())
        assert text == undisturbed
        assert len(made) == len(listed(user, thread)) == STEPS
        assert sum(made.values()) - STEPS <= 2 * killed  # two side by side
        kills += killed
    assert kills > 0


def test_steps_are_listed_for_their_user_alone(stack: str, user: App, tmp_path: Path) -> None:
    """STP-07."""
    thread, _, _ = run(user, tmp_path / "ledger")
    steps = listed(user, thread)
    assert {(step["kind"], step["action"], step["name"], step["outcome"]) for step in steps} == {
        ("step", "steps.begin", "act", "ok")
    }
    assert all(step["ms"] >= 10 and step["attempt"] == 1 for step in steps)
    assert [step["startedAt"] for step in steps] == sorted(step["startedAt"] for step in steps)
    path = f"/api/v1/agent/runs/{thread}/steps"
    other = App(stack, "bob")
    assert other.http.get(path, params={"runId": "run-1"}).json()["code"] == "AGENT_FORBIDDEN"
    other.http.close()
    assert user.http.get(path, params={"runId": "run-2"}).json()["code"] == "AGENT_RUN_NOT_FOUND"
    assert user.http.get(path).json()["code"] == "AGENT_INVALID_RUN_ID"
