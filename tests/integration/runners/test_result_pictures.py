"""Pictures in the results of a client's tools, from an AG-UI request to the request of a model provider."""

import base64
import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import boto3
import pytest

from local.stack import Stack
from tests.support.agui.pictures import base64_of, inline
from tests.support.functions.deployment import MEMORY, emulated
from tests.support.journals import numbered
from tests.support.models import responses_format
from tests.support.models.provider_formats import SECRET, Bedrock, OpenAI, Wire
from tests.support.models.server import Answer, ModelServer, serving
from tests.support.runners.scripted import DONE, Scripted, completed
from tests.support.uploads import PNG
from yarrow.media import signed_urls
from yarrow.protocol.caller import Caller, folder_of
from yarrow.protocol.files.attachments import BUCKET
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.runner.manifest import AgentRunnerCapabilities
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runs import send_message
from yarrow.runs.agui import join_snapshot
from yarrow.runs.stream_events import Subscription
from yarrow.services.models import call as model_call
from yarrow.settings import settings
from yarrow.store import clients, objects, runs
from yarrow.store.limits import stream_slots
from yarrow.worker import execute_run
from yarrow.worker.invocation.registry import registry
from yarrow_agents.assistant import runner as assistant

pytestmark = pytest.mark.memory

LINE = "(image left out, for it cannot be opened here)"
OTHER_PNG = PNG + b"another"
SCREENSHOT = {"name": "screenshot", "description": "Shows the screen", "parameters": {"type": "object"}}
FUNCTION = {"name": "screenshot", "arguments": "{}"}
WIRES: Mapping[str, Wire] = {"bedrock": Bedrock(), "openai-chat": OpenAI()}
MODELS = {"bedrock": "bedrock:us.amazon.nova-lite-v1:0", "openai-chat": OpenAI.model, "openai": "openai:gpt-5-mini"}

Sent = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module", autouse=True)
def deployed(stack: Stack) -> Iterator[None]:
    with emulated(stack, MEMORY, RUNS_PER_MINUTE="0"):
        yield


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """The provider of every model; the assistant's is one of chat completions."""
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        bedrock = boto3.client("bedrock-runtime", endpoint_url=server.address, region_name="us-west-2")
        monkeypatch.setattr(clients, "bedrock_runtime", lambda: bedrock)
        monkeypatch.setitem(settings.models, "chat", OpenAI.model)
        yield server


@pytest.fixture
def user() -> Caller:
    return Caller(f"user-{uuid.uuid4()}", "en")


@pytest.fixture
def submit(user: Caller) -> Callable[..., Subscription]:
    def submitted(thread: str, *messages: dict[str, Any], run: str | None = None, **members: Any) -> Subscription:
        listed = {"messages": messages, "tools": [SCREENSHOT], **members}
        body = {"threadId": thread, "runId": run or str(uuid.uuid4()), **listed}
        accepted = send_message.send_message(json.dumps(body).encode(), user, "assistant").subscription
        stream_slots.release(accepted.slot)
        return accepted

    return submitted


@pytest.fixture
def sent(submit: Callable[..., Subscription]) -> Sent:
    """Return the events of a run for a client's list."""

    def run(thread: str, *messages: dict[str, Any], **members: Any) -> list[dict[str, Any]]:
        accepted = submit(thread, *messages, **members)
        execute_run.work(accepted.run_key)
        return [json.loads(line) for _, line in numbered(accepted.run_key)]

    return run


def asking(text: str = "What is on my screen?", message: str = "u-1") -> dict[str, Any]:
    return {"id": message, "role": "user", "content": text}


def image(data: bytes) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "data", "value": base64_of(data), "mimeType": "image/png"}}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def shown(*parts: dict[str, Any], call: str = "c-1", **members: Any) -> list[dict[str, Any]]:
    calls = [{"id": call, "type": "function", "function": FUNCTION}]
    result = {"id": f"t-{call}", "role": "tool", "toolCallId": call, "content": [*parts], **members}
    return [{"id": f"a-{call}", "role": "assistant", "toolCalls": calls}, result]


def answering(wire: str, words: str = "A cat.") -> Answer:
    if wire == "openai":
        return responses_format.answered(("Hm.",), "", words)
    return WIRES[wire].streamed(*WIRES[wire].begun(words), *WIRES[wire].ended())


def calling(call: str = "t1") -> Answer:
    wire = OpenAI()
    return wire.streamed(*wire.calling((call, "screenshot", "{}")), *wire.ended("calls"))


def result_of(wire: str, request: dict[str, Any], call: str) -> list[str | bytes]:
    """What the provider is given as a call's result: texts and pictures in order."""
    if wire == "bedrock":
        blocks = [block for message in request["messages"] for block in message["content"] if "toolResult" in block]
        (found,) = (block["toolResult"] for block in blocks if block["toolResult"]["toolUseId"] == call)
        return [
            part["text"] if "text" in part else base64.b64decode(part["image"]["source"]["bytes"])
            for part in found["content"]
        ]
    if wire == "openai":
        (found,) = (event for event in request["input"] if event.get("type") == "function_call_output")
        if isinstance(found["output"], str):
            return [found["output"]]
        return [part["text"] if "text" in part else in_url(part["image_url"]) for part in found["output"]]
    return chat_result(request, call)


def chat_result(request: dict[str, Any], call: str) -> list[str | bytes]:
    """Chat completions take text alone: a picture follows in a message of the user that names the call."""
    (content,) = (message["content"] for message in request["messages"] if message.get("tool_call_id") == call)
    try:
        texts = json.loads(content)
    except ValueError:
        return [content]
    followed = [message["content"] for message in request["messages"] if message["role"] == "user"]
    parts = [part for item in followed if isinstance(item, list) for part in item]
    pictures = {
        before["text"]: in_url(part["image_url"]["url"])
        for before, part in pairwise(parts)
        if part["type"] == "image_url" and call in before["text"]
    }
    named = {
        output: picture
        for output in texts
        for tag, picture in pictures.items()
        if output.startswith("See file ") and output[len("See file ") : -1] in tag
    }
    return [named.get(result, result) for result in texts]


def in_url(url: str) -> bytes:
    return base64.b64decode(url.removeprefix("data:image/png;base64,"))


@pytest.mark.parametrize("wire", MODELS)
def test_a_model_sees_the_picture_in_its_place(
    server: ModelServer, sent: Sent, monkeypatch: pytest.MonkeyPatch, wire: str
) -> None:
    """MSG-05, C7, EVT-21: bytes and order, in the provider's format; a voice keeps its line."""
    monkeypatch.setitem(settings.models, "chat", MODELS[wire])
    server.will(answering(wire))
    voice = {"type": "audio", "source": {"type": "data", "value": "UklGRg==", "mimeType": "audio/wav"}}
    events = sent(str(uuid.uuid4()), asking(), *shown(text("before"), image(PNG), text("after"), voice))
    assert events[-1]["type"] == "RUN_FINISHED"
    assert len(server.requests) == 1
    assert result_of(wire, server.last_body, "c-1") == ["before", PNG, "after", LINE.replace("image", "audio")]


def client_call(events: list[dict[str, Any]]) -> str:
    return next(str(event["toolCallId"]) for event in events if event["type"] == "TOOL_CALL_START")


def test_a_run_that_goes_on_with_a_call_sees_it_and_so_do_those_that_go_on_with_it(
    server: ModelServer, sent: Sent
) -> None:
    """EVT-21, MSG-05: the latest three of a turn; the run of another message gets the line."""
    server.will(calling(), calling("t2"), answering("openai-chat"))
    thread = str(uuid.uuid4())
    first = client_call(sent(thread, asking()))
    listed = shown(image(PNG), call=first)
    second = client_call(sent(thread, asking(), *listed))
    assert chat_result(server.last_body, first) == [PNG]
    listed += shown(text("scrolled"), image(OTHER_PNG), call=second)
    sent(thread, asking(), *listed)
    assert chat_result(server.last_body, first) == [PNG]
    assert chat_result(server.last_body, second) == ["scrolled", OTHER_PNG]

    message = {"id": "said", "role": "assistant", "content": "A cat."}
    sent(thread, asking(), *listed, message, asking("Sure?", "u-2"))
    assert chat_result(server.last_body, first) == [LINE]
    assert chat_result(server.last_body, second) == [f"scrolled\n{LINE}"]


def test_a_result_before_a_new_message_is_seen_with_it(server: ModelServer, sent: Sent) -> None:
    """EVT-21, C4: as clients send it that ask for no run when their tool has answered."""
    server.will(calling(), answering("openai-chat"))
    thread = str(uuid.uuid4())
    call = client_call(sent(thread, asking()))
    sent(thread, asking(), *shown(image(PNG), call=call), asking("And now?", "u-2"))
    assert chat_result(server.last_body, call) == [PNG]
    assert [message["role"] for message in server.last_body["messages"]][-1] == "user"


def test_a_failed_tool_may_show_a_picture(server: ModelServer, sent: Sent) -> None:
    """MSG-05."""
    server.will(answering("openai-chat"))
    sent(str(uuid.uuid4()), asking(), *shown(image(PNG), error="no display"))
    assert chat_result(server.last_body, "c-1") == ["error: no display", PNG]


@pytest.mark.parametrize("wire", ["bedrock", "openai-chat"])
def test_a_model_that_refuses_pictures_gets_the_line(
    server: ModelServer, sent: Sent, monkeypatch: pytest.MonkeyPatch, wire: str
) -> None:
    """C7, RNR-62: no client can know what a model takes, and the run goes on without asking in vain again."""
    monkeypatch.setitem(settings.models, "chat", MODELS[wire])
    format_ = WIRES[wire]
    clock_call = format_.streamed(*format_.calling(("t1", "get_current_time", "{}")), *format_.ended("calls"))
    server.will(format_.refused(400, "this model has no eyes"), clock_call, answering(wire))
    events = sent(str(uuid.uuid4()), asking(), *shown(text("here"), image(PNG)))
    assert events[-1]["type"] == "RUN_FINISHED"
    seen = [result_of(wire, request, "c-1") for _, request in server.requests]
    assert [PNG in parts for parts in seen] == [True, False, False]
    assert ["\n".join(map(str, parts)) for parts in seen[1:]] == [f"here\n{LINE}"] * 2


def test_a_request_that_is_refused_for_another_reason_fails_the_run(server: ModelServer, sent: Sent) -> None:
    """RNR-62: It fails after one more try."""
    server.will(OpenAI().refused(400, "no"))
    events = sent(str(uuid.uuid4()), asking(), *shown(image(PNG)))
    assert events[-1]["type"] == "RUN_ERROR"
    assert len(server.requests) == 2


def test_a_picture_too_large_for_models_keeps_the_line(
    server: ModelServer, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RNR-52: it may have been uploaded."""
    monkeypatch.setattr(model_call, "PICTURE_BYTES", len(PNG))
    server.will(answering("openai-chat"))
    sent(str(uuid.uuid4()), asking(), *shown(image(PNG), image(OTHER_PNG)))
    assert chat_result(server.last_body, "c-1") == [PNG, LINE]


def stored(user: Caller) -> list[str]:
    return objects.keys(f"{BUCKET}/{folder_of(user.user_id)}/")[0]


def test_the_same_request_again_is_the_same_run(
    server: ModelServer, submit: Callable[..., Subscription], user: Caller
) -> None:
    """RUN-23, C39: whole, by a URL of the same picture, and with what the run has answered; another picture is 409."""
    thread, run = str(uuid.uuid4()), "run-1"
    first = submit(thread, asking(), *shown(image(PNG)), run=run)
    (path,) = stored(user)
    by_url = {"type": "image", "source": {"type": "url", "value": signed_urls.sign(path)}}
    message = {"id": "said", "role": "assistant", "content": "A c"}
    for again in (shown(image(PNG)), shown(inline(PNG)), shown(by_url), [*shown(image(PNG)), message]):
        assert submit(thread, asking(), *again, run=run).run_key == first.run_key
    for other in (shown(image(OTHER_PNG)), shown(text(LINE))):
        with pytest.raises(Problem) as caught:
            submit(thread, asking(), *other, run=run)
        assert caught.value.code is Code.AGENT_RUN_CONFLICT
    assert stored(user) == [path]
    kept = json.dumps(runs.read_input(first.run_key))
    assert base64_of(PNG) not in kept
    assert path in kept


FOREIGN = {"type": "image", "source": {"type": "url", "value": "http://169.254.169.254/latest/meta-data/a.png"}}
LEFT_OUT = {
    "another's URL": FOREIGN,
    "no base64": {**inline(PNG), "data": "%%%"},
    "too large": inline(PNG + bytes(2 * 1024 * 1024)),
    "no picture": inline(b"%PDF-1.7"),
    "an unknown id": {"type": "binary", "mimeType": "image/png", "id": str(uuid.uuid4())},
    "another's path": {"type": "binary", "mimeType": "image/png", "id": f"{BUCKET}/bob/{'0' * 64}.png"},
    "a file of another service": {"type": "image", "source": {"type": "file", "value": "file-1"}},
    "no picture any more": {"type": "binary", "mimeType": "image/png", "id": "gone"},
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_cannot_be_shown_keeps_the_line(server: ModelServer, sent: Sent, user: Caller, name: str) -> None:
    """C7, MSG-05: it refuses no run, for its user cannot change what a tool answered; nothing is fetched or stored."""
    part = LEFT_OUT[name]
    if part.get("id") == "gone":
        part = {**part, "id": f"{BUCKET}/{folder_of(user.user_id)}/{'0' * 64}.png"}
    server.will(answering("openai-chat"))
    sent(str(uuid.uuid4()), asking(), *shown(text("here"), part))
    assert chat_result(server.last_body, "c-1") == [f"here\n{LINE}"]
    assert stored(user) == []


def test_the_latest_pictures_are_shown(server: ModelServer, sent: Sent, user: Caller) -> None:
    """RUN-17: as many as a message may have."""
    server.will(answering("openai-chat"))
    pictures = [PNG + bytes([number]) for number in range(5)]
    listed = [item for number, data in enumerate(pictures) for item in shown(image(data), call=f"c-{number}")]
    sent(str(uuid.uuid4()), asking(), *listed)
    seen = [chat_result(server.last_body, f"c-{number}") for number in range(5)]
    assert seen == [[LINE], [LINE], *([data] for data in pictures[2:])]
    assert len(stored(user)) == 3


@pytest.mark.parametrize(
    ("limit", "value", "code"),
    [
        ("attachment_bytes_per_user", 65_536, Code.AGENT_STORAGE_LIMIT),
        ("uploads_per_minute", 1, Code.AGENT_RATE_LIMIT),
    ],
)
def test_they_count_as_uploads(
    submit: Callable[..., Subscription],
    user: Caller,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    value: int,
    code: Code,
) -> None:
    """C7, ATT-07, CMP-12: Both their number and their bytes count."""
    monkeypatch.setitem(settings.__dict__, limit, value)
    submit(str(uuid.uuid4()), asking(), *shown(image(PNG)))
    with pytest.raises(Problem) as caught:
        submit(str(uuid.uuid4()), asking(), *shown(image(OTHER_PNG), image(PNG + b"third")))
    assert caught.value.code is code
    assert len(stored(user)) == 1


def test_a_picture_that_comes_again_counts_once(
    submit: Callable[..., Subscription], monkeypatch: pytest.MonkeyPatch
) -> None:
    """ATT-07, CMP-12: clients send it with every run of the turn."""
    monkeypatch.setitem(settings.__dict__, "uploads_per_minute", 1)  # two in a burst
    for _ in range(4):
        submit(str(uuid.uuid4()), asking(), *shown(image(PNG)))
    submit(str(uuid.uuid4()), asking(), *shown(image(PNG), image(OTHER_PNG)))
    with pytest.raises(Problem) as caught:
        submit(str(uuid.uuid4()), asking(), *shown(image(PNG + b"third")))
    assert caught.value.code is Code.AGENT_RATE_LIMIT


def test_a_snapshot_has_the_text_of_the_result(server: ModelServer, submit: Callable[..., Subscription]) -> None:
    """EVT-14, MSG-05: clients cannot open the paths of pictures."""
    thread = str(uuid.uuid4())
    accepted = submit(thread, asking(), *shown(text("here"), image(PNG)))
    joined = join_snapshot.join_from_snapshot(accepted)
    (snapshot,) = (event for line in joined.opening if (event := json.loads(line))["type"] == "MESSAGES_SNAPSHOT")
    assert [message.get("content") for message in snapshot["messages"]][-1] == f"here\n{LINE}"


@pytest.mark.parametrize("sees", [True, False])
def test_another_runner_gets_them_if_it_can_see(
    server: ModelServer, sent: Sent, monkeypatch: pytest.MonkeyPatch, *, sees: bool
) -> None:
    """RNR-06, C50: in its event, and it may read them."""
    runner = Scripted(completed("A cat."), DONE)
    capabilities = AgentRunnerCapabilities(multimodal_input=sees)
    manifest = assistant.RUNNER.manifest.model_copy(update={"capabilities": capabilities})
    monkeypatch.setattr(registry, "find", lambda _: InstalledRunner(manifest, lambda: runner))
    sent(str(uuid.uuid4()), asking(), *shown(text("here"), image(PNG)))
    (context,) = runner.contexts
    (result,) = context.event.data["tool_results"]
    assert result["content"] == f"here\n{LINE}"
    (granted,) = (artifact.artifact_id for artifact in context.resources.artifacts)
    assert result.get("contents") == ([text("here"), {"type": "artifact", "artifact_id": granted}] if sees else None)
    assert context.input.attachments == ()


def test_pictures_of_message_and_result_may_be_the_same(server: ModelServer, sent: Sent) -> None:
    """RUN-17: They are stored as one artifact."""
    server.will(answering("openai-chat"))
    question = {"id": "u-1", "role": "user", "content": [text("Is it this?"), image(PNG)]}
    events = sent(str(uuid.uuid4()), question, *shown(image(PNG), image(PNG)))
    assert events[-1]["type"] == "RUN_FINISHED"
    assert chat_result(server.last_body, "c-1") == [PNG, PNG]
