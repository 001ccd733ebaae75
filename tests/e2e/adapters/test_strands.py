"""AGT-02: a Strands agent whose worker is killed makes no request to its model and no call of a tool twice."""

import json
import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.adapters.counted_runs import answered, made, said, user_of, watched
from tests.support.stack.app import App
from tests.support.stack.runs import submit

pytest.importorskip("strands", reason="strands-agents is not installed: make frameworks")

ROUNDS = 4
INSTANTS = 5


@pytest.fixture(scope="module")
def user() -> Iterator[App]:
    with user_of("strands_agent.py") as app:
        yield app


def run(user: App, ledger: Path, kill_after: int | None = None) -> list[dict[str, Any]]:
    thread = str(uuid.uuid4())
    submit(user, "strands_agent", thread, "run-1", json.dumps({"ledger": str(ledger)}))
    return watched(user, thread, "run-1", kill_after)


def test_nothing_that_ended_is_made_again_whenever_the_worker_is_killed(user: App, tmp_path: Path) -> None:
    """AGT-02, STP-01."""
    undisturbed = run(user, tmp_path / "undisturbed")
    assert undisturbed[-1]["type"] == "RUN_FINISHED"
    once = made(tmp_path / "undisturbed")
    assert once == {
        **{f"model {number}": 1 for number in range(ROUNDS + 1)},
        **{f"note {number}": 1 for number in range(ROUNDS)},
    }
    for after in random.Random(34).sample(range(2, len(undisturbed) - 2), INSTANTS):
        ledger = tmp_path / str(after)
        events = run(user, ledger, kill_after=after)
        assert events[-1]["type"] == "RUN_FINISHED"
        assert "".join(said(events)) == "".join(said(undisturbed))
        repeated = made(ledger) - once
        assert made(ledger).keys() == once.keys()
        assert repeated.total() <= 1, repeated  # what was under way at the kill


def test_an_approval_is_asked_of_the_user_and_the_run_goes_on_without_repeating(user: App, tmp_path: Path) -> None:
    """The tool acts once, after its approval, though every run of the chain runs the agent from the start."""
    thread, ledger = str(uuid.uuid4()), tmp_path / "ledger"
    submit(user, "strands_agent", thread, "run-1", json.dumps({"ledger": str(ledger), "tool": "erase"}))
    events = watched(user, thread, "run-1")
    for _ in range(ROUNDS):
        (interrupt,) = events[-1]["outcome"]["interrupts"]
        run_id = answered(user, interrupt["id"], {"approved": True})
        events = watched(user, thread, run_id, kill_after=3)
    assert events[-1]["type"] == "RUN_FINISHED"
    assert events[-1].get("outcome", {}).get("type") != "interrupt"
    counts = made(ledger)
    assert counts.keys() == {f"{kind} {number}" for kind in ("model", "erase") for number in range(ROUNDS)} | {
        f"model {ROUNDS}"
    }
    assert all(counts[f"erase {number}"] == 1 for number in range(ROUNDS)), counts


def test_the_next_run_of_a_conversation_has_the_agents_state(user: App, tmp_path: Path) -> None:
    """Although every run begins with the agent as its module made it."""
    thread, ledger = str(uuid.uuid4()), tmp_path / "ledger"
    noted: list[list[int]] = []
    for number in (1, 2):
        submit(user, "strands_agent", thread, f"run-{number}", json.dumps({"ledger": str(ledger)}))
        events = watched(user, thread, f"run-{number}")
        noted += [json.loads(event["content"])["noted"] for event in events if event["type"] == "TOOL_CALL_RESULT"]
    assert noted == [[*range(ROUNDS), *range(ROUNDS)][: count + 1] for count in range(2 * ROUNDS)]
    assert set(made(ledger).values()) == {2}
