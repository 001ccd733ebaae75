"""AGT-02: the agents with which frameworks' documentations begin, behind Yarrow by two lines."""

import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.e2e.adapters.counted_runs import said, watched
from tests.support.agui.pictures import base64_of, inline
from tests.support.frameworks.quick_starts import QUICK_STARTS, QuickStart, served
from tests.support.models.server import ModelServer
from tests.support.stack import send_message
from tests.support.stack.app import App, cancel
from tests.support.stack.runs import first_words, submit
from tests.support.uploads import PNG

PIECES = ("A ", "short ", "answer ", "of ", "the ", "model.")
PAUSE_SECONDS = 0.08  # between two pieces, so that something can happen there

Served = tuple[QuickStart, ModelServer, App]


@pytest.fixture(scope="module", params=QUICK_STARTS, ids=lambda start: start.framework)
def shared(request: pytest.FixtureRequest) -> Iterator[Served]:
    start: QuickStart = request.param
    if not start.is_installed:
        pytest.skip(f"{start.package} is not installed: make frameworks")
    with served(start) as (provider, url):
        user = App(url, "alice")
        yield start, provider, user
        user.http.close()


@pytest.fixture
def begun(shared: Served) -> Served:
    start, provider, _ = shared
    provider.answers.clear()
    provider.requests.clear()
    provider.left.clear()
    provider.will(*start.answers(*PIECES, pause=PAUSE_SECONDS))
    return shared


def begin(user: App, start: QuickStart) -> str:
    thread = str(uuid.uuid4())
    submit(user, start.agent, thread, "run-1", start.question)
    return thread


def expected(start: QuickStart) -> str:
    shown = "" if start.call is None else f"{start.call[1]}{start.result}"
    return shown + "".join(PIECES)


def sent(user: App, start: QuickStart, messages: list[dict[str, Any]], run: str = "run-1", **changes: Any) -> list[Any]:
    """The events of a run that an AG-UI client asks for."""
    body = send_message.body(run, messages=messages, **changes)
    lines = user.http.post("/send-message", params={"agent": start.agent}, json=body).text.splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def test_its_answer_is_streamed_with_its_call_and_usage(begun: Served) -> None:
    start, provider, user = begun
    events = watched(user, begin(user, start), "run-1")
    assert events[-1]["type"] == "RUN_FINISHED"
    assert "".join(said(events)) == expected(start)
    assert sum(event["type"] == "TEXT_MESSAGE_CONTENT" for event in events) > 1
    assert len(provider.requests) == (1 if start.call is None else 2)
    (usage,) = events[-1]["usage"]
    assert usage["inputTokens"] > 0
    assert usage["outputTokens"] > 0


def test_a_stream_that_was_cut_goes_on_after_the_last_event(begun: Served) -> None:
    start, _, user = begun
    thread = begin(user, start)
    seen = []
    for number, kind, _ in user.watch(thread, "run-1"):
        seen.append(number)
        if kind == "TEXT_MESSAGE_CONTENT":
            break
    rest = [number for number, _, _ in user.watch(thread, "run-1", after=seen[-1])]
    assert [*seen, *rest] == list(range(1, rest[-1] + 1))
    assert "".join(said(watched(user, thread, "run-1"))) == expected(start)


def test_a_cancel_in_mid_stream_closes_the_request_to_the_model(begun: Served) -> None:
    start, provider, user = begun
    if "cancel" not in start.lacks:
        provider.answers[-1] = replace(provider.answers[-1], pieces=start.answers(*PIECES * 200)[-1].pieces)
    thread = begin(user, start)
    first_words(user, thread, "run-1")
    cancel(user, thread)
    assert "cancel" in start.lacks or provider.left.wait(20)
    *_, last = watched(user, thread, "run-1")
    assert (last["type"], last["code"]) == ("RUN_ERROR", "RUN_CANCELED")


def test_a_worker_that_takes_over_asks_the_model_only_what_had_not_ended(begun: Served) -> None:
    """STP-01: the request that the kill cut is made again; that for the call is not."""
    start, provider, user = begun
    thread = begin(user, start)
    events = []
    for _, kind, event in user.watch(thread, "run-1"):
        events.append(event)
        if kind == "TEXT_MESSAGE_CONTENT" and sum(event["type"] == kind for event in events) == 1:
            user.http.post("/local/kill", json={"function": "execute_run"}).raise_for_status()
    assert events[-1]["type"] == "RUN_FINISHED"
    assert "".join(said(events)) == expected(start)
    assert len(provider.requests) == (2 if start.call is None else 3)


def test_pictures_reach_the_model(begun: Served) -> None:
    start, provider, user = begun
    content = [{"type": "text", "text": start.question}, inline(PNG)]
    events = sent(user, start, [{"id": "m1", "role": "user", "content": content}], threadId=str(uuid.uuid4()))
    assert events[-1]["type"] == "RUN_FINISHED"
    assert base64_of(PNG) in json.dumps(provider.last_body)


def test_a_call_of_the_clients_tool_is_answered_by_the_client(begun: Served) -> None:
    """The agent goes on with what the client has found; of a tool that is not offered its model knows nothing."""
    start, provider, user = begun
    schema = {"type": "object", "properties": {}}
    tool = {"name": "locate", "description": "", "parameters": schema}
    thread: dict[str, Any] = {"threadId": str(uuid.uuid4()), "tools": [tool]}
    question: dict[str, Any] = {"id": "m1", "role": "user", "content": start.question}
    if "client tools" in start.lacks:
        assert sent(user, start, [question], **thread)[-1]["type"] == "RUN_FINISHED"
        assert '"locate"' not in json.dumps(provider.requests)
        return
    provider.answers.clear()
    provider.will(start.called(("call_9", "locate", "{}")), start.said(*PIECES))
    events = sent(user, start, [question], **thread)
    assert [event["toolCallName"] for event in events if event["type"] == "TOOL_CALL_START"] == ["locate"]
    assert events[-1]["outcome"]["pendingToolCallIds"] == ["call_9"]
    call = {"id": "call_9", "type": "function", "function": {"name": "locate", "arguments": "{}"}}
    found = [
        question,
        {"id": "m2", "role": "assistant", "toolCalls": [call]},
        {"id": "m3", "role": "tool", "toolCallId": "call_9", "content": "in Hamburg"},
    ]
    assert "".join(said(sent(user, start, found, "run-2", **thread))) == "".join(PIECES)
    assert "in Hamburg" in json.dumps(provider.last_body)


def test_a_call_of_the_hosts_tool_is_made_by_the_host(begun: Served) -> None:
    """The agent goes on with what the host has found."""
    start, provider, user = begun
    if "host tools" in start.lacks:
        watched(user, begin(user, start), "run-1")
        assert '"get_current_time"' not in json.dumps(provider.requests)
        return
    provider.answers.clear()
    provider.will(start.called(("call_9", "get_current_time", "{}")), start.said(*PIECES))
    events = watched(user, begin(user, start), "run-1")
    (result,) = [event["content"] for event in events if event["type"] == "TOOL_CALL_RESULT"]
    now = json.loads(result)["now"]
    assert "".join(said(events)) == f"get_current_time{result}{''.join(PIECES)}"
    assert now in json.dumps(provider.last_body)


def test_a_failure_of_the_model_fails_the_run(begun: Served) -> None:
    start, provider, user = begun
    provider.answers.clear()
    provider.will(start.refused)
    events = watched(user, begin(user, start), "run-1")
    assert [event["type"] for event in events if event["type"].startswith("RUN_")] == ["RUN_STARTED", "RUN_ERROR"]
