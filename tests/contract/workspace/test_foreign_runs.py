"""Runs that did not begin on a page, and what a workspace makes of them."""

import json
import uuid
from collections.abc import Callable

from tests.support.workspace.agent import AGENT, TASK, Agent
from tests.support.workspace.door import ALICE, Door
from tests.support.workspace.page import Page
from yarrow.runs.submit_run import submit_run
from yarrow.store.workspace import keys
from yarrow.workspace.follow_run import follow_run
from yarrow.workspace.open_workspace import Workspace

Load = Callable[..., Page]


def submit(thread: str, run: str, text: str) -> str:
    """Submit a run by `POST /runs` and return its key."""
    body = {
        "threadId": thread,
        "runId": run,
        "messages": [{"id": f"msg-{run}", "role": "user", "content": text}],
        "forwardedProps": {"runtime_mode": "chat"},
    }
    return submit_run(json.dumps(body).encode(), ALICE, AGENT).task_id


def test_a_session_that_began_elsewhere_is_named_after_its_question_or_its_number(
    door: Door, load: Load, agent: Agent
) -> None:
    """WSP-12, CMP-09."""
    page = load()
    for run, text in (("run-1", "Where is my cat?"), ("run-2", "   ")):
        submit(str(uuid.uuid4()), run, text)
        door.settle()
    assert sorted(session["name"] for session in page.state.sessions) == ["Session 1", "Session 3", "Where is my cat?"]


def test_only_runs_of_the_workspace_are_followed(door: Door, load: Load, agent: Agent) -> None:
    """WSP-39: one that is unknown changes nothing, nor does one that was followed to its end."""
    load()
    run_key = submit(str(uuid.uuid4()), "run-1", "hello")
    door.settle()
    workspace = Workspace.load(keys.key_of(ALICE.user_id, TASK))
    assert workspace is not None
    before = workspace.state.number
    assert [follow_run(workspace, text) for text in (str(uuid.uuid4()), run_key)] == [False, False]
    assert workspace.state.number == before
