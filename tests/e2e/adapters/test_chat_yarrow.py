"""AGT-05: a LangGraph graph that asks the deployment's models, by a provider on loopback."""

import json
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.adapters.counted_runs import said, watched
from tests.support.models.provider_formats import USAGE, WIRES
from tests.support.models.server import Answer, ModelServer, serving
from tests.support.stack.app import App, cancel, problem
from tests.support.stack.process import running
from tests.support.stack.runs import first_words, submit

pytest.importorskip("langgraph", reason="langgraph is not installed: make frameworks")

AGENT = "chat_yarrow_agent"
OPENAI = WIRES["openai"]
PIECES = ("It ", "is ", "told ", "in ", "five.")
PATIENCE_SECONDS = 60


def answer(*pieces: str) -> Answer:
    return OPENAI.streamed(*OPENAI.begun(*pieces), *OPENAI.ended())


def begun(*pieces: str) -> Answer:
    """An answer that does not go on."""
    return OPENAI.streamed(*OPENAI.begun(*pieces), then="silent")


@contextmanager
def served(**environment: str) -> Iterator[tuple[ModelServer, App]]:
    with serving() as provider:
        model: Mapping[str, str] = {
            "AGENT": str(Path(__file__).with_name(f"{AGENT}.py")),
            "MODELS": json.dumps({"chat": OPENAI.model}),
            "OPENAI_BASE_URL": f"{provider.address}/v1",
            "OPENAI_API_KEY": "key",
        }
        with running(environment={**model, **environment}) as url:
            app = App(url, "alice")
            app.http.timeout = PATIENCE_SECONDS
            yield provider, app
            app.http.close()


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[ModelServer, App]]:
    with served() as both:
        yield both


@pytest.fixture
def stack(shared: tuple[ModelServer, App]) -> tuple[ModelServer, App]:
    provider, _ = shared
    provider.answers.clear()
    provider.requests.clear()
    provider.left.clear()
    return shared


def begin(user: App, text: str = "all") -> str:
    thread = str(uuid.uuid4())
    submit(user, AGENT, thread, "run-1", text)
    return thread


def asked(provider: ModelServer) -> Counter[str]:
    """How often the provider was asked each thing."""
    return Counter(body["messages"][-1]["content"] for _, body in provider.requests)


def test_its_answer_is_told_and_its_usage_counted_once(stack: tuple[ModelServer, App]) -> None:
    provider, user = stack
    provider.will(answer("1"), answer("2"), answer("one, two"), answer(*PIECES))
    events = watched(user, begin(user), "run-1")
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    assert "".join(said(events)) == "one, two" + "".join(PIECES)
    assert asked(provider) == {"Draw a number.": 2, "Outline it.": 1, "Tell it by: one, two": 1}
    (usage,) = events[-1]["usage"]
    assert (usage["model"], usage["inputTokens"], usage["outputTokens"]) == ("chat", 4 * USAGE[0], 4 * USAGE[1])


def test_a_worker_that_takes_over_repeats_no_request_that_ended(stack: tuple[ModelServer, App]) -> None:
    """AGT-05, STP-01: not even the one of the node that the kill cut. Its text is shown as it comes."""
    provider, user = stack
    provider.will(answer("1"), answer("2"), answer("one, two"), begun(*PIECES[:2]), answer(*PIECES))
    thread = begin(user)
    events: list[dict[str, Any]] = []
    is_killed = False
    for _, kind, event in user.watch(thread, "run-1"):
        events.append(event)
        if kind == "TEXT_MESSAGE_CONTENT" and PIECES[0] in "".join(said(events)) and not is_killed:
            is_killed = True
            user.http.post("/local/kill", json={"function": "execute_run"}).raise_for_status()
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    assert asked(provider) == {"Draw a number.": 2, "Outline it.": 1, "Tell it by: one, two": 2}
    assert "".join(said(events)) == "one, two" + "".join(PIECES)
    steps = user.http.get(f"/api/v1/agent/runs/{thread}/steps", params={"runId": "run-1"}).json()
    assert sum(step["kind"] == "model" for step in steps["steps"]) == 4


def test_a_busy_model_is_asked_again(stack: tuple[ModelServer, App]) -> None:
    provider, user = stack
    provider.will(OPENAI.throttled(), answer("an outline"), answer(*PIECES))
    events = watched(user, begin(user, "alone"), "run-1")
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    assert asked(provider) == {"Outline it.": 2, "Tell it by: an outline": 1}


def test_a_cancel_in_mid_stream_closes_the_request_of_a_node_that_blocks(stack: tuple[ModelServer, App]) -> None:
    provider, user = stack
    provider.will(answer("an outline"), begun(*PIECES))
    thread = begin(user, "alone")
    first_words(user, thread, "run-1")
    cancel(user, thread)
    assert provider.left.wait(20)
    *_, last = watched(user, thread, "run-1")
    assert (last["type"], last["code"]) == ("RUN_ERROR", "RUN_CANCELED")


def test_a_failure_of_the_model_fails_the_run(stack: tuple[ModelServer, App]) -> None:
    provider, user = stack
    provider.will(OPENAI.refused(400, "no such model"))
    events = watched(user, begin(user, "alone"), "run-1")
    assert [event["type"] for event in events if event["type"].startswith("RUN_")] == ["RUN_STARTED", "RUN_ERROR"]
    assert asked(provider) == {"Outline it.": 1}


def test_a_user_whose_tokens_are_used_up_is_refused() -> None:
    """In the run whose first request used them, and then before a run."""
    with served(TOKENS_PER_USER_PER_DAY=str(sum(USAGE) - 1)) as (provider, user):
        provider.will(answer("an outline"), answer(*PIECES))
        *_, last = watched(user, begin(user, "alone"), "run-1")
        assert (last["type"], last["code"]) == ("RUN_ERROR", "AGENT_TOKEN_LIMIT")
        assert asked(provider) == {"Outline it.": 1}
        refused = user.http.post(
            "/api/v1/agent/runs",
            params={"agent": AGENT},
            json={
                "threadId": str(uuid.uuid4()),
                "runId": "run-2",
                "messages": [{"id": "m", "role": "user", "content": "alone"}],
                "forwardedProps": {"runtime_mode": "chat"},
            },
        )
        assert problem(refused) == (429, "AGENT_TOKEN_LIMIT")
