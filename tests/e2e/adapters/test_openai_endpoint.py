"""AGT-05: an agent with OpenAI's client, whose requests the deployment's model answers, by a provider on loopback."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.adapters.counted_runs import said, watched
from tests.support.models.provider_formats import USAGE, WIRES
from tests.support.models.server import ModelServer, serving
from tests.support.stack.app import App, cancel
from tests.support.stack.process import running
from tests.support.stack.runs import first_words, submit

pytest.importorskip("agents", reason="openai-agents is not installed: make frameworks")

AGENT = "openai_endpoint_agent"
OPENAI = WIRES["openai"]
CALLED = OPENAI.streamed(*OPENAI.calling(("call_1", "history_fun_fact", "{}")), *OPENAI.ended("calls"))
PIECES = ("Sharks ", "came ", "first.")
ANSWERED = OPENAI.streamed(*OPENAI.begun(*PIECES), *OPENAI.ended())
BEGUN = OPENAI.streamed(*OPENAI.begun(*PIECES[:2]), then="silent")
PATIENCE_SECONDS = 60

Stack = tuple[ModelServer, App]


@pytest.fixture(scope="module")
def shared() -> Iterator[Stack]:
    with serving() as provider:
        environment = {
            "AGENT": str(Path(__file__).with_name(f"{AGENT}.py")),
            "MODELS": json.dumps({"chat": OPENAI.model}),
            "OPENAI_BASE_URL": f"{provider.address}/v1",
            "OPENAI_API_KEY": "key",
        }
        with running(environment=environment) as url:
            app = App(url, "alice")
            app.http.timeout = PATIENCE_SECONDS
            yield provider, app
            app.http.close()


@pytest.fixture
def stack(shared: Stack) -> Stack:
    provider, _ = shared
    provider.answers.clear()
    provider.requests.clear()
    provider.left.clear()
    return shared


def begin(user: App) -> str:
    thread = str(uuid.uuid4())
    submit(user, AGENT, thread, "run-1", "Tell me something surprising.")
    return thread


def test_its_tool_is_called_and_its_usage_counted_once(stack: Stack) -> None:
    provider, user = stack
    provider.will(CALLED, ANSWERED)
    events = watched(user, begin(user), "run-1")
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    assert "".join(said(events)) == "".join(PIECES)
    assert "Sharks are older than trees." in json.dumps(provider.last_body)
    (usage,) = events[-1]["usage"]
    assert (usage["model"], usage["inputTokens"], usage["outputTokens"]) == ("chat", 2 * USAGE[0], 2 * USAGE[1])


def test_a_worker_that_takes_over_repeats_no_request_that_ended(stack: Stack) -> None:
    """STP-01: its text is shown as it comes, and goes on."""
    provider, user = stack
    provider.will(CALLED, BEGUN, ANSWERED)
    events: list[dict[str, Any]] = []
    is_killed = False
    for _, kind, event in user.watch(begin(user), "run-1"):
        events.append(event)
        if kind == "TEXT_MESSAGE_CONTENT" and not is_killed:
            is_killed = True
            user.http.post("/local/kill", json={"function": "execute_run"}).raise_for_status()
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    assert "".join(said(events)) == "".join(PIECES)
    assert len(provider.requests) == 3


def test_a_cancel_in_mid_stream_closes_the_request(stack: Stack) -> None:
    provider, user = stack
    provider.will(CALLED, BEGUN)
    thread = begin(user)
    first_words(user, thread, "run-1")
    cancel(user, thread)
    assert provider.left.wait(20)
    *_, last = watched(user, thread, "run-1")
    assert (last["type"], last["code"]) == ("RUN_ERROR", "RUN_CANCELED")
