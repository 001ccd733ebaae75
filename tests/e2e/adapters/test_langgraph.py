"""AGT-02: a LangGraph graph whose worker is killed runs no node twice that had ended."""

import json
import random
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.adapters.counted_runs import answered, made, said, user_of, watched
from tests.support.stack.app import App
from tests.support.stack.runs import submit

pytest.importorskip("langgraph", reason="langgraph is not installed: make frameworks")

ROUNDS = 3
INSTANTS = 5


@pytest.fixture(scope="module")
def user() -> Iterator[App]:
    with user_of("langgraph_agent.py") as app:
        yield app


def begin(user: App, thread: str, run_id: str, ledger: Path, **request: str) -> None:
    submit(user, "langgraph_agent", thread, run_id, json.dumps({"ledger": str(ledger), **request}))


def expected(times: int = 1) -> Counter[str]:
    return Counter({f"{kind} {number}": times for kind in ("think", "act") for number in range(ROUNDS)})


def test_no_node_that_ended_runs_again_whenever_the_worker_is_killed(user: App, tmp_path: Path) -> None:
    """AGT-02, STP-01."""
    thread = str(uuid.uuid4())
    begin(user, thread, "run-1", tmp_path / "undisturbed")
    undisturbed = watched(user, thread, "run-1")
    assert undisturbed[-1]["type"] == "RUN_FINISHED"
    assert made(tmp_path / "undisturbed") == expected()
    assert "".join(said(undisturbed)) == "".join(
        f"Round {number} of run 1. notenoted {number}" for number in range(ROUNDS)
    )
    for after in random.Random(35).sample(range(2, len(undisturbed) - 2), INSTANTS):
        ledger, thread = tmp_path / str(after), str(uuid.uuid4())
        begin(user, thread, "run-1", ledger)
        events = watched(user, thread, "run-1", kill_after=after)
        assert events[-1]["type"] == "RUN_FINISHED"
        assert "".join(said(events)) == "".join(said(undisturbed))
        assert made(ledger).keys() == expected().keys()
        assert (made(ledger) - expected()).total() <= 1  # what was under way at the kill


def test_the_next_run_of_a_conversation_has_the_graphs_state(user: App, tmp_path: Path) -> None:
    thread = str(uuid.uuid4())
    for number in (1, 2):
        begin(user, thread, f"run-{number}", tmp_path / "ledger")
        events = watched(user, thread, f"run-{number}")
        assert f"Round 0 of run {number}. " in "".join(said(events))
    assert made(tmp_path / "ledger") == expected(2)


@pytest.mark.parametrize("approved", [True, False])
def test_an_interrupt_asks_the_user_and_the_answer_goes_on(user: App, tmp_path: Path, *, approved: bool) -> None:
    """ASK-01: no node that had ended runs again, though each run of the chain begins at the start."""
    thread, ledger, run_id = str(uuid.uuid4()), tmp_path / "ledger", "run-1"
    begin(user, thread, run_id, ledger, asks="yes")
    for number in range(ROUNDS if approved else 1):
        events: list[dict[str, Any]] = watched(user, thread, run_id)
        (interrupt,) = events[-1]["outcome"]["interrupts"]
        assert interrupt["message"] == f"Round {number}?"
        run_id = answered(user, interrupt["id"], {"approved": approved})
    events = watched(user, thread, run_id)
    assert events[-1]["type"] == "RUN_FINISHED"
    assert events[-1].get("outcome", {}).get("type") != "interrupt"
    assert made(ledger) == (expected() if approved else {"think 0": 1})
    assert [event["content"] for event in events if event["type"] == "TOOL_CALL_RESULT"] == [
        f"noted {ROUNDS - 1}" if approved else "refused"
    ]
