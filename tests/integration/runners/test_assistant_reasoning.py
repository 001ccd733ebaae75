"""What the assistant's model thinks: shown if its agent says so, and given back to it."""

import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from local.stack import Stack
from tests.support.agui.client import AgUiClient
from tests.support.functions.deployment import MEMORY, emulated
from tests.support.journals import numbered
from tests.support.models.provider_formats import SECRET, OpenAI
from tests.support.models.server import ModelServer, serving
from yarrow.agents import bindings
from yarrow.packages import event_types
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.caller import Caller
from yarrow.runs import send_message
from yarrow.runs.get_history import whole_session
from yarrow.settings import settings
from yarrow.store.limits import stream_slots
from yarrow.worker import execute_run

pytestmark = pytest.mark.memory

ALICE = Caller("alice", "en")
WIRE = OpenAI()
MODEL = "openai-chat:deepseek-v4"
CONFIRM = {"name": "confirm", "description": "Asks the user", "parameters": {"type": "object"}}

Event = dict[str, Any]
Sent = Callable[..., list[Event]]


@pytest.fixture(scope="module", autouse=True)
def deployed(stack: Stack) -> Iterator[None]:
    with emulated(stack, MEMORY, RUNS_PER_MINUTE="0"):
        yield


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Yield the provider of every model."""
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        monkeypatch.setitem(settings.models, "chat", MODEL)
        yield server


@pytest.fixture
def shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent's file says so."""
    configure(monkeypatch, show_reasoning=True)


def configure(monkeypatch: pytest.MonkeyPatch, **config: Any) -> None:
    """Configure the assistant with these members of `config`."""
    policy = bindings.deployed()["assistant"].policy.model_copy(update={"config": config})
    agents = {**bindings.deployed(), "assistant": bindings.Binding.of("assistant", policy)}
    monkeypatch.setattr(bindings, "deployed", lambda: agents)


@pytest.fixture
def sent() -> Sent:
    """Return the events of a run for a client's list."""

    def run(thread: str, *messages: dict[str, Any], **members: Any) -> list[Event]:
        body = {"threadId": thread, "runId": str(uuid.uuid4()), "messages": messages, "tools": [CONFIRM], **members}
        accepted = send_message.send_message(json.dumps(body).encode(), ALICE, "assistant").subscription
        stream_slots.release(accepted.slot)
        execute_run.work(accepted.run_key)
        return [json.loads(line) for _, line in numbered(accepted.run_key)]

    return run


def user(content: str) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "role": "user", "content": content}


def types(events: list[Event]) -> list[str]:
    """Return their types, of a message's pieces only the first, without the stages."""
    inner = [event["type"] for event in events if not event["type"].startswith("STEP_")]
    return [item for before, item in zip(["", *inner], inner, strict=False) if item != before]


THOUGHT = [
    *("REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT"),
    *("REASONING_MESSAGE_END", "REASONING_ENCRYPTED_VALUE", "REASONING_END"),
]
ANSWER = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"]


@pytest.mark.usefixtures("shows")
def test_what_the_model_thinks_is_shown_before_its_answer(server: ModelServer, sent: Sent) -> None:
    """MSG-06, HIS-19: It comes as events, and is in no history."""
    server.will(WIRE.streamed(*WIRE.thinking("Hm, ", "well"), *WIRE.begun("Yes."), *WIRE.ended()))
    thread = str(uuid.uuid4())
    events = sent(thread, user("Why?"))
    assert types(events) == ["RUN_STARTED", *THOUGHT, *ANSWER, "RUN_FINISHED"]
    thought = [event["delta"] for event in events if event["type"] == "REASONING_MESSAGE_CONTENT"]
    assert "".join(thought) == "Hm, well"
    assert [message.content for message in whole_session(thread, "alice").messages] == ["Why?", "Yes."]


def test_it_is_hidden_unless_the_agent_says_so(server: ModelServer, sent: Sent) -> None:
    """EVT-26: open models think unasked, and quote the instructions."""
    server.will(WIRE.streamed(*WIRE.thinking("My instructions say"), *WIRE.begun("Yes."), *WIRE.ended()))
    events = sent(str(uuid.uuid4()), user("Why?"))
    assert types(events) == ["RUN_STARTED", *ANSWER, "RUN_FINISHED"]
    assert "instructions" not in json.dumps(events)


@pytest.mark.parametrize("is_shown", [True, False])
def test_the_model_gets_it_back_after_its_tools(
    server: ModelServer, sent: Sent, monkeypatch: pytest.MonkeyPatch, is_shown: bool
) -> None:
    """EVT-21: Tools of the service, and of the client with the next run, return it, shown or not."""
    configure(monkeypatch, show_reasoning=is_shown)
    calling = [*WIRE.calling(("t1", "get_current_time", "{}")), *WIRE.ended("calls")]
    confirming = [*WIRE.calling(("t2", "confirm", "{}")), *WIRE.ended("calls")]
    server.will(
        WIRE.streamed(*WIRE.thinking("First."), *calling),
        WIRE.streamed(*WIRE.thinking("Second."), *confirming),
        WIRE.streamed(*WIRE.begun("Done."), *WIRE.ended()),
    )
    thread, question = str(uuid.uuid4()), user("When?")
    events = sent(thread, question)
    call = next(event["toolCallId"] for event in events if event.get("toolCallName") == "confirm")
    function = {"name": "confirm", "arguments": "{}"}
    calls = {"id": call, "role": "assistant", "toolCalls": [{"id": call, "type": "function", "function": function}]}
    result = {"id": "r", "role": "tool", "toolCallId": call, "content": "yes"}
    sent(thread, question, calls, result)
    requests = [message for message in server.last_body["messages"] if message["role"] == "assistant"]
    assert [request["reasoning_content"] for request in requests] == ["First.", "Second."]


def test_a_run_that_only_thinks_has_no_answer(server: ModelServer, sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-40."""
    configure(monkeypatch, show_reasoning=True)
    server.will(WIRE.streamed(*WIRE.thinking("Hm"), *WIRE.ended()))
    last = sent(str(uuid.uuid4()), user("Why?"))[-1]
    assert (last["type"], last["code"]) == ("RUN_ERROR", "model.no_answer")


def test_an_agent_has_its_model_reason(server: ModelServer, sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-52: the effort goes to models that know one."""
    configure(monkeypatch, show_reasoning=True, reasoning_effort="low")
    monkeypatch.setitem(settings.models, "chat", "openai-chat:o4-mini")
    server.will(WIRE.streamed(*WIRE.begun("Yes."), *WIRE.ended()))
    sent(str(uuid.uuid4()), user("Why?"))
    assert server.last_body["reasoning_effort"] == "low"


def screen(events: list[Event]) -> list[dict[str, Any]]:
    """The messages that an AG-UI client makes of a run."""
    client = AgUiClient()
    profile = Profile({"thread_id": events[0]["threadId"], "run_id": events[0]["runId"]}, event_types.find)
    for event in events:
        if line := profile.line(json.dumps(event, separators=(",", ":"), ensure_ascii=False)):
            client.take(line)
    return client.messages


@pytest.mark.usefixtures("shows")
@pytest.mark.parametrize(("model", "expected"), [(MODEL, "Hm, well"), ("openai-chat:qwen-max", None)])
def test_the_model_gets_back_what_a_client_kept(
    server: ModelServer, sent: Sent, monkeypatch: pytest.MonkeyPatch, model: str, expected: str | None
) -> None:
    """MSG-06: in a later run; a model that took its place gets nothing of it."""
    server.will(WIRE.streamed(*WIRE.thinking("Hm, ", "well"), *WIRE.begun("Yes."), *WIRE.ended()))
    thread, question = str(uuid.uuid4()), user("Why?")
    messages = [question, *screen(sent(thread, question))]
    monkeypatch.setitem(settings.models, "chat", model)
    sent(thread, *messages, user("Really?"))
    (answer,) = (message for message in server.last_body["messages"] if message["role"] == "assistant")
    assert (answer["content"], answer.get("reasoning_content")) == ("Yes.", expected)


@pytest.mark.usefixtures("shows")
def test_a_client_that_sends_no_reasoning_back_is_answered(server: ModelServer, sent: Sent) -> None:
    """MSG-06: nor is one that keeps it without its value, whose text the model need not have."""
    server.will(WIRE.streamed(*WIRE.thinking("Hm"), *WIRE.begun("Yes."), *WIRE.ended()))
    thread, question = str(uuid.uuid4()), user("Why?")
    _, answer = screen(sent(thread, question))
    assert sent(thread, question, answer, user("Really?"))[-1]["type"] == "RUN_FINISHED"
    assert "Hm" not in json.dumps(server.last_body)


def test_reasoning_that_is_too_much_fails_no_run(server: ModelServer, sent: Sent) -> None:
    """RUN-03: the latest of it goes to the model."""
    server.will(WIRE.streamed(*WIRE.begun("Yes."), *WIRE.ended()))
    earlier: list[dict[str, Any]] = []
    for number in range(20):
        earlier.append(user("Why?"))
        earlier.append({"id": f"r{number}", "role": "reasoning", "content": f"<{number}>" + "x" * 10_000})
        earlier.append({"id": f"a{number}", "role": "assistant", "content": f"No {number}."})
    assert sent(str(uuid.uuid4()), *earlier, user("Really?"))[-1]["type"] == "RUN_FINISHED"
    question = json.dumps(server.last_body)
    assert [f"<{number}>" in question for number in range(20)] == [False] * 14 + [True] * 6
