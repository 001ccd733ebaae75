"""Runs of the divination agent, submitted and worked on in this process."""

import json
from typing import Any

import pytest

from tests.support.example_cast import EXAMPLE
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Problem, ProblemCode
from yarrow.runs import end_run
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.store.runner import persistent_state
from yarrow.store.runner.persistent_state import StateSpace
from yarrow.worker import execute_run
from yarrow_agents.divination import runner as divination

THREAD = "550e8400-e29b-41d4-a716-446655440000"


ALICE = Caller("alice", "zh-CN", "Asia/Shanghai")


BOB = Caller("bob")


def body(**changes: Any) -> dict[str, Any]:
    """Return the request of divination-run.md, with other members."""
    return {
        "threadId": THREAD,
        "runId": "run-1",
        "state": {},
        "messages": [{"id": "msg-1", "role": "user", "content": "我最近换工作是否合适?"}],
        "tools": [],
        "context": [],
        "forwardedProps": {"runtime_mode": "chat", "divinationPayload": EXAMPLE},
    } | changes


def submit(caller: Caller = ALICE, **changes: Any) -> TaskAccepted:
    """Submit `body(**changes)`."""
    return submit_run(json.dumps(body(**changes)).encode(), caller)


def refusal(caller: Caller = ALICE, **changes: Any) -> ProblemCode:
    """The code with which `body(**changes)` is refused."""
    with pytest.raises(Problem) as caught:
        submit(caller, **changes)
    return caught.value.code


def end(run_key: str) -> None:
    """End a run, so that its session takes another."""
    end_run.end_with_error(run_key, end_run.FAILED)


def execute(run_key: str) -> None:
    """Run the state machine's path without failures."""
    execute_run.work(run_key)


def kept() -> dict[str, Any]:
    """What the divination agent keeps of the conversation."""
    return persistent_state.read_all(StateSpace(divination.RUNNER.manifest.id, "divination", "conversation", THREAD))
