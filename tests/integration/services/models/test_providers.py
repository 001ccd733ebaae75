"""The gateway asks real provider clients, which speak to a provider on this machine over each wire."""

import asyncio
import base64
import json
import logging
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import pytest

from tests.support.models.provider_formats import SECRET, USAGE, Bedrock, OpenAI, Wire
from tests.support.models.server import Answer, ModelServer
from yarrow.protocol.runner.api import (
    AgentAPIException,
    FunctionCall,
    ModelChunk,
    ModelMessage,
    ModelReply,
    ModelRequest,
    ModelTool,
    ModelToolCall,
    ModelUsage,
)
from yarrow.services.models import attempts, provider_model
from yarrow.services.models.budget import TokenBudget
from yarrow.services.models.gateway import ModelGateway
from yarrow.settings import settings

WEATHER = ModelTool(
    name="weather",
    description="The weather of a place",
    parameters={"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
)
CALLS = (("t1", "weather", '{"place": "北京"}'), ("t2", "weather", '{"place": "Oslo"}'))
SCHEMA = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}
PICTURE = b"\x89PNG\r\n\x1a\n"
PICTURE_BASE64 = base64.b64encode(PICTURE).decode()
PICTURE_URL = f"data:image/png;base64,{PICTURE_BASE64}"
USED = ModelUsage(input_tokens=USAGE[0], output_tokens=USAGE[1])


def gateway(*, seconds: float = 60, tokens: int = 1_000_000) -> ModelGateway:
    return ModelGateway(
        deadline_at=time.time() + seconds, budget=TokenBudget(tokens), read_artifact=lambda _: (PICTURE, "image/png")
    )


def request(wire: Wire, *messages: ModelMessage, **more: Any) -> ModelRequest:
    requests = messages or (ModelMessage(role="user", content=f"What is {SECRET}?"),)
    return ModelRequest(run_id="run", model_id=wire.name, messages=requests, **more)


def invoke(wire: Wire, *messages: ModelMessage, models: ModelGateway | None = None, **more: Any) -> ModelReply:
    async def call() -> ModelReply:
        async with aclosing(models or gateway()) as opened:
            return await opened.invoke(request(wire, *messages, **more))

    return asyncio.run(call())


def stream(wire: Wire, *messages: ModelMessage, models: ModelGateway | None = None, **more: Any) -> list[ModelChunk]:
    async def call() -> list[ModelChunk]:
        async with aclosing(models or gateway()) as opened:
            return [chunk async for chunk in opened.stream(request(wire, *messages, **more))]

    return asyncio.run(call())


def text_of(chunks: list[ModelChunk]) -> str:
    return "".join(chunk.content or "" for chunk in chunks)


def functions(reply: ModelReply | None) -> list[tuple[str, str, Any]]:
    assert reply
    calls = reply.message.tool_calls
    return [(call.id, call.function.name, json.loads(call.function.arguments)) for call in calls]


WANTED = [(id_, name, json.loads(arguments)) for id_, name, arguments in CALLS]


def test_a_whole_answer_comes_with_its_usage(wire: Wire, server: ModelServer) -> None:
    """RNR-52."""
    server.will(wire.whole("坤, the receptive"))
    reply = invoke(wire)
    assert reply == ModelReply(message=ModelMessage(role="assistant", content="坤, the receptive"), usage=USED)


def test_an_answer_streams_piece_by_piece_and_ends_with_the_whole(wire: Wire, server: ModelServer) -> None:
    """RNR-52."""
    server.will(wire.streamed(*wire.begun("坤", ", the ", "receptive"), *wire.ended()))
    *pieces, last = stream(wire)
    assert [piece.content for piece in pieces] == ["坤", ", the ", "receptive"]
    message = ModelMessage(role="assistant", content="坤, the receptive")
    assert last == ModelChunk(reply=ModelReply(message=message, usage=USED))


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_an_answer_that_ended_early_says_why(wire: Wire, server: ModelServer, reason: str) -> None:
    """RNR-52."""
    server.will(wire.streamed(*wire.begun("Once"), *wire.cut(reason)))
    last = stream(wire)[-1].reply
    assert last is not None
    assert (last.message.content, last.finish_reason) == ("Once", reason)


def test_the_text_of_a_refusal_is_the_answer(server: ModelServer) -> None:
    """RNR-52: though the provider does not send it as content; what asked for an object is told that there is none."""
    wire = OpenAI()
    refused = wire.streamed(*wire.refusing("I can't ", "help with that."), *wire.ended())
    server.will(refused, refused)
    *pieces, last = stream(wire)
    assert [piece.content for piece in pieces] == ["I can't help with that."]
    assert last.reply is not None
    assert (last.reply.message.content, last.reply.finish_reason) == ("I can't help with that.", "refusal")
    with pytest.raises(AgentAPIException, match="The model refused to answer"):
        stream(wire, extra_args={"response_schema": {"type": "object", "properties": {"a": {"type": "string"}}}})


def test_a_model_calls_tools_in_parallel(wire: Wire, server: ModelServer) -> None:
    """RNR-52: whole or streamed, with what it says beside them."""
    server.will(
        wire.whole("I look.", *CALLS),
        wire.streamed(*wire.begun("I look."), *wire.calling(*CALLS), *wire.ended("calls")),
    )
    reply = invoke(wire, tools=(WEATHER,))
    chunks = stream(wire, tools=(WEATHER,))
    assert (reply.message.content, functions(reply)) == ("I look.", WANTED)
    assert (text_of(chunks), functions(chunks[-1].reply)) == ("I look.", WANTED)


def test_a_tool_of_any_name_is_called_by_one_that_the_provider_takes(wire: Wire, server: ModelServer) -> None:
    """C44: in the tools, in earlier calls and in the answer; the runner knows it by its own."""
    weather = WEATHER.model_copy(update={"name": "天气.查询 now"})
    call = ModelToolCall(id="t0", function=FunctionCall(name=weather.name, arguments="{}"))
    before = [
        ModelMessage(role="user", content="?"),
        ModelMessage(role="assistant", tool_calls=(call,)),
        ModelMessage(role="tool", tool_call_id="t0", content="rain"),
    ]
    server.will(wire.whole("rain"))
    invoke(wire, *before, tools=(weather,))
    outputs = {json.loads(f'"{match}"') for match in re.findall(r'"name": ?"([^"]*)"', json.dumps(server.last_body))}
    (name,) = (output for output in outputs if output != wire.model)
    assert re.fullmatch(r"now_[0-9a-f]{8}", name)
    server.answers.clear()
    server.will(
        wire.whole("", ("t1", name, "{}")), wire.streamed(*wire.calling(("t1", name, "{}")), *wire.ended("calls"))
    )
    wanted: list[tuple[str, str, Any]] = [("t1", weather.name, {})]
    assert functions(invoke(wire, *before, tools=(weather,))) == wanted
    assert functions(stream(wire, *before, tools=(weather,))[-1].reply) == wanted


@pytest.mark.parametrize(
    ("wire", "ask", "written"),
    [(OpenAI(), item, text) for item in (invoke, stream) for text in ("{bad", "[1]", "7")]
    + [(Bedrock(), stream, text) for text in ("{bad", "[1]")],
)
def test_arguments_that_are_no_object_are_told_as_they_were_written(
    wire: Wire, ask: Callable[..., Any], written: str, server: ModelServer
) -> None:
    """RNR-52, RNR-53: for the runner to refuse, rather than as arguments that no model gave."""
    call = ("t1", "weather", written)
    if ask is invoke:
        server.will(wire.whole("", call))
    else:
        server.will(wire.streamed(*wire.calling(call), *wire.ended("calls")))
    output = ask(wire)
    reply = output if ask is invoke else output[-1].reply
    assert [call.function.arguments for call in reply.message.tool_calls] == [written]


def test_what_a_model_thinks_is_told_apart_from_its_answer(server: ModelServer) -> None:
    """RNR-52."""
    wire = Bedrock()
    server.will(wire.streamed(*wire.thinking("Hm, ", "well"), *wire.begun("Yes."), *wire.ended()))
    chunks = stream(wire)
    assert "".join(chunk.reasoning or "" for chunk in chunks) == "Hm, well"
    assert text_of(chunks) == "Yes."
    assert chunks[-1].reply
    assert chunks[-1].reply.message.content == "Yes."


def test_a_model_without_stop_sequences_refuses_them(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-62: rather than say what it was told not to."""
    monkeypatch.setitem(settings.models, "openai", "openai:gpt-5-mini")
    with pytest.raises(AgentAPIException, match=r"^invalid_argument: extra_args\.stop_sequences"):
        invoke(OpenAI(), extra_args={"stop_sequences": ["END"]})
    assert not server.requests


OF_ACCOUNT = "arn:aws:bedrock:us-west-2:123456789012:"


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("bedrock:us.amazon.nova-lite-v1:0", "us.amazon.nova-lite-v1:0"),
        (f"bedrock:{OF_ACCOUNT}imported-model/a1b2", f"{OF_ACCOUNT}imported-model/a1b2"),
        (f"bedrock:amazon.nova-lite-v1:0@{OF_ACCOUNT}provisioned-model/a1b2", f"{OF_ACCOUNT}provisioned-model/a1b2"),
        (
            f"bedrock:amazon.nova-lite-v1:0@{OF_ACCOUNT}application-inference-profile/a1b2",
            f"{OF_ACCOUNT}application-inference-profile/a1b2",
        ),
    ],
)
@pytest.mark.parametrize("ask", [invoke, stream])
def test_bedrocks_models_are_called_by_their_ids_or_arns(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, ask: Callable[..., Any], name: str, called: str
) -> None:
    """RNR-52: profiles, provisioned and imported models are called by ARN, alone or behind the model's id."""
    wire = Bedrock()
    monkeypatch.setitem(settings.models, "bedrock", name)
    server.will(wire.whole("Yes.") if ask is invoke else wire.streamed(*wire.begun("Yes."), *wire.ended()))
    ask(wire)
    path, _ = server.requests[0]
    assert unquote(path).rpartition("/")[0] == f"/model/{called}"


def test_behind_an_arn_a_model_is_asked_as_its_family_is(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-52: of which an ARN alone tells nothing."""
    wire = Bedrock()
    requests = []
    server.will(wire.streamed(*wire.begun('{"mood": "good"}'), *wire.ended()))
    profile = f"{OF_ACCOUNT}application-inference-profile/a1b2"
    claude = "anthropic.claude-sonnet-4-5-20250929-v1:0"
    for name in (claude, f"{claude}@{profile}", profile):
        monkeypatch.setitem(settings.models, "bedrock", f"bedrock:{name}")
        stream(wire, extra_args={"response_schema": SCHEMA})
        requests.append(server.last_body)
    assert requests[0] == requests[1] != requests[2]


SENT = {
    "bedrock": {
        "system": [{"text": "Be brief."}],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"text": "Look:"},
                    {"image": {"format": "png", "source": {"bytes": PICTURE_BASE64}}},
                    {"image": {"format": "png", "source": {"bytes": PICTURE_BASE64}}},
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"text": "I ask."},
                    {"toolUse": {"toolUseId": "t1", "name": "weather", "input": {"place": "北京"}}},
                ],
            },
            {
                "role": "user",
                "content": [{"toolResult": {"toolUseId": "t1", "content": [{"text": "sun"}], "status": "success"}}],
            },
        ],
        "inferenceConfig": {"maxTokens": 50, "temperature": 0.5, "topP": 0.9, "stopSequences": ["END"]},
    },
    "openai": {
        "messages": [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "content": [
                    {"text": "Look:", "type": "text"},
                    {"image_url": {"url": PICTURE_URL}, "type": "image_url"},
                    {"image_url": {"url": PICTURE_URL}, "type": "image_url"},
                ],
            },
            {
                "role": "assistant",
                "content": "I ask.",
                "tool_calls": [
                    {"id": "t1", "type": "function", "function": {"name": "weather", "arguments": '{"place":"北京"}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "t1", "content": "sun"},
        ],
        "max_completion_tokens": 50,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 7,
        "stop": ["END"],
    },
}
"""What each provider is to receive of the conversation below."""


WITH_PICTURE = ({"type": "text", "text": "here"}, {"type": "artifact", "artifact_id": "art-1"})
LINE = "(image left out, for it cannot be opened here)"


def answered_by(content: Any) -> list[ModelMessage]:
    """Return a call of the weather and its result."""
    id_, name, arguments = CALLS[0]
    calls = (ModelToolCall(id=id_, function=FunctionCall(name=name, arguments=arguments)),)
    return [
        ModelMessage(role="user", content="weather?"),
        ModelMessage(role="assistant", tool_calls=calls),
        ModelMessage(role="tool", tool_call_id=id_, content=content),
    ]


@pytest.mark.parametrize("ask", [invoke, stream])
def test_a_model_that_refuses_the_picture_of_a_tool_gets_a_line(
    wire: Wire, server: ModelServer, ask: Callable[..., Any]
) -> None:
    """RNR-52, RNR-62: at once, for no wait would help."""
    whole = wire.whole("Dry.") if ask is invoke else wire.streamed(*wire.begun("Dry."), *wire.ended())
    server.will(wire.refused(400, "no pictures"), whole)
    ask(wire, *answered_by(WITH_PICTURE), tools=(WEATHER,))
    requests = [json.dumps(body) for _, body in server.requests]
    assert [PICTURE_BASE64 in request for request in requests] == [True, False]
    assert [LINE in request for request in requests] == [False, True]


def test_a_model_that_is_known_to_see_nothing_is_not_asked_to(
    wire: Wire, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RNR-52."""
    blind = {**provider_model._STRICT, "supports_image_input": False}
    monkeypatch.setattr(provider_model, "_STRICT", blind)
    server.will(wire.whole("Dry."))
    invoke(wire, *answered_by(WITH_PICTURE), tools=(WEATHER,))
    assert LINE in json.dumps(server.last_body)
    assert PICTURE_BASE64 not in json.dumps(server.last_body)
    assert len(server.requests) == 1


def test_a_refused_picture_of_the_user_fails_the_call(wire: Wire, server: ModelServer) -> None:
    """RNR-62: the user can send another message."""
    server.will(wire.refused(400, "no pictures"))
    with pytest.raises(AgentAPIException) as caught:
        invoke(wire, ModelMessage(role="user", content=WITH_PICTURE))
    assert caught.value.error.code == "invalid_argument"
    assert len(server.requests) == 1


def test_messages_pictures_and_options_reach_the_model(wire: Wire, server: ModelServer) -> None:
    """RNR-52."""
    server.will(wire.whole("Sunny."))
    invoke(
        wire,
        ModelMessage(role="system", content="Be brief."),
        ModelMessage(
            role="user",
            content=(
                {"type": "text", "text": "Look:"},
                {"type": "image_url", "image_url": {"url": PICTURE_URL}},
                {"type": "artifact", "artifact_id": "a1"},
            ),
        ),
        ModelMessage.model_validate(
            {
                "role": "assistant",
                "content": "I ask.",
                "tool_calls": [{"id": "t1", "function": {"name": "weather", "arguments": '{"place": "北京"}'}}],
            }
        ),
        ModelMessage(role="tool", tool_call_id="t1", content="sun"),
        tools=(WEATHER,),
        extra_args={"temperature": 0.5, "top_p": 0.9, "max_tokens": 50, "seed": 7, "stop_sequences": ["END"]},
    )
    assert {name: server.last_body.get(name) for name in SENT[wire.name]} == SENT[wire.name]


OPEN: dict[str, Any] = {
    "type": "object",
    "properties": {"props": {"type": "object"}, "tags": {"type": "array", "items": {"type": ["object", "null"]}}},
    "required": ["props"],
}
CLOSED: dict[str, Any] = {
    "type": "object",
    "properties": {"place": {"type": "string"}},
    "required": ["place"],
    "additionalProperties": False,
}


def test_an_object_that_takes_any_member_stays_open(wire: Wire, server: ModelServer) -> None:
    """TOOL-02: strict mode is used only where it forbids nothing that the schema allows."""
    server.will(wire.whole("ok"))
    tools = [ModelTool(name=f"tool{number}", parameters=item) for number, item in enumerate((OPEN, CLOSED, {}))]
    invoke(wire, tools=tuple(tools))
    request = json.loads(json.dumps(server.last_body))
    sent = [tool.get("function") or tool["toolSpec"] for tool in request.get("tools") or request["toolConfig"]["tools"]]
    schemas = [item.get("parameters") or item["inputSchema"]["json"] for item in sent]
    assert {**schemas[0]["properties"]["props"]} in ({"type": "object"}, {"type": "object", "properties": {}})
    assert "additionalProperties" not in json.dumps(schemas[0])
    assert not sent[0].get("strict")
    assert schemas[1] == CLOSED
    if wire.name == "openai":
        assert sent[1]["strict"] is True


def test_an_answer_has_the_form_of_the_response_schema(wire: Wire, server: ModelServer) -> None:
    """RNR-52: the model is held to the schema, and its answer is the JSON of an instance."""
    instance = ("a1", "__answer__", '{"mood": "calm"}')
    server.will(wire.whole("", instance), wire.streamed(*wire.calling(instance), *wire.ended("calls")))
    reply = invoke(wire, extra_args={"response_schema": SCHEMA})
    chunks = stream(wire, extra_args={"response_schema": SCHEMA})
    assert "mood" in json.dumps(server.last_body)
    assert [json.loads(str(reply.message.content)), json.loads(text_of(chunks))] == [{"mood": "calm"}] * 2
    assert not reply.message.tool_calls


@pytest.mark.parametrize("text", ["I would rather chat.", '"calm"', ""])
def test_an_answer_of_another_form_is_a_failure(wire: Wire, server: ModelServer, text: str) -> None:
    """RNR-52."""
    server.will(wire.whole(text))
    with pytest.raises(AgentAPIException, match=r"^runtime_error"):
        invoke(wire, extra_args={"response_schema": SCHEMA})


def test_throttling_is_waited_out(wire: Wire, server: ModelServer) -> None:
    """RNR-52: as long as nothing of the answer was delivered."""
    answer = wire.streamed(*wire.begun("Well."), *wire.ended())
    server.will(wire.throttled(), wire.refused(503, "busy"), answer)
    assert text_of(stream(wire)) == "Well."
    server.answers.clear()
    server.will(wire.throttled(), wire.whole("Well."))
    assert invoke(wire).message.content == "Well."


def test_throttling_for_ever_is_told(wire: Wire, server: ModelServer) -> None:
    """RNR-62: the runner may try again later."""
    server.will(wire.throttled())
    with pytest.raises(AgentAPIException) as caught:
        stream(wire)
    assert (caught.value.error.code, caught.value.error.retryable) == ("rate_limited", True)
    assert len(server.requests) == 4


def test_a_wait_that_the_provider_names_is_kept_within_the_deadline(server: ModelServer) -> None:
    """RNR-70: a wait beyond it is not begun."""
    busy = OpenAI().throttled()
    server.will(Answer(busy.pieces, busy.status, (*busy.headers, ("Retry-After", "30"))))
    with pytest.raises(AgentAPIException) as caught:
        invoke(OpenAI(), models=gateway(seconds=10))
    assert caught.value.error.details == {"retry_after_seconds": 30}
    assert len(server.requests) == 1


def test_a_failure_within_the_answer_is_not_tried_again(wire: Wire, server: ModelServer) -> None:
    """RNR-62: what was delivered stays delivered."""
    server.will(wire.streamed(*wire.begun("Once upon"), *wire.failing()))
    delivered: list[str | None] = []

    async def call() -> None:
        async with aclosing(gateway()) as models:
            async for chunk in models.stream(request(wire)):
                delivered.append(chunk.content)  # noqa: PERF401 - the list outlives the failure

    with pytest.raises(AgentAPIException, match=r"^runtime_error"):
        asyncio.run(call())
    assert (delivered, len(server.requests)) == (["Once upon"], 1)


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, "invalid_argument"), (403, "runtime_error"), (404, "runtime_error"), (500, "runtime_error")],
)
def test_a_refusal_is_told_without_the_providers_words(
    wire: Wire, server: ModelServer, status: int, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    """RNR-62: nor does a log have them, the keys or the messages."""
    caplog.set_level(logging.DEBUG)
    server.will(wire.refused(status, f"You said {SECRET}"))
    with pytest.raises(AgentAPIException) as caught:
        invoke(wire)
    assert caught.value.error.code == code
    assert SECRET not in repr(caught.value) + caught.value.error.model_dump_json()
    ours = [record for record in caplog.records if record.levelno >= logging.INFO]
    assert any(record.getMessage() == "a model failed" for record in ours)
    assert SECRET not in str([vars(record) for record in ours])


@pytest.mark.parametrize("then", ["cut", "end"])
def test_a_stream_that_breaks_off_is_a_failure_that_may_be_tried_again(
    wire: Wire, server: ModelServer, then: str
) -> None:
    """RNR-52, RNR-62: cut off in the middle, or ended without a word that this is the end."""
    server.will(wire.streamed(*wire.begun("Once upon"), then=then))
    with pytest.raises(AgentAPIException, match=r"^runtime_error") as caught:
        stream(wire)
    assert caught.value.error.retryable


def test_an_answer_that_the_provider_could_not_read_is_a_failure_that_may_be_tried_again(server: ModelServer) -> None:
    """RNR-52, RNR-62: whole or streamed, it is not passed on as if it had ended well."""
    wire = Bedrock()
    server.will(wire.whole("Half", reason="malformed_model_output"), wire.whole("Whole."))
    assert invoke(wire).message.content == "Whole."
    server.answers.clear()
    server.will(wire.streamed(*wire.begun("Half"), *wire.ended("malformed_tool_use")))
    with pytest.raises(AgentAPIException, match=r"^runtime_error") as caught:
        stream(wire)
    assert caught.value.error.retryable


def _corrupt(wire: Wire) -> bytes:
    frame = wire.begun("Hello")[-1]
    return frame[:-1] + bytes([frame[-1] ^ 1]) if isinstance(wire, Bedrock) else b"data: {broken\n\n"


def test_a_malformed_stream_is_a_failure(wire: Wire, server: ModelServer) -> None:
    """RNR-62: a frame whose checksum is wrong, an event that is no JSON."""
    server.will(wire.streamed(*wire.begun("Once"), _corrupt(wire)))
    with pytest.raises(AgentAPIException, match=r"^runtime_error"):
        stream(wire)


@pytest.mark.parametrize("ask", [invoke, stream])
def test_a_slow_model_ends_with_the_runs_deadline(wire: Wire, server: ModelServer, ask: Callable[..., object]) -> None:
    """RNR-70."""
    server.will(wire.streamed(*wire.begun("Once"), then="silent"))
    begun = time.monotonic()
    with pytest.raises(AgentAPIException, match=r"^deadline_exceeded"):
        ask(wire, models=gateway(seconds=0.5))
    assert time.monotonic() - begun < server.patience


def test_a_long_answer_may_take_longer_than_a_request(
    wire: Wire, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RNR-52: only silence ends it, for as long as the run lasts."""
    monkeypatch.setattr(attempts, "REQUEST_SECONDS", 3.0)
    pieces = [f"{number} " for number in range(12)]
    server.will(replace(wire.streamed(*wire.begun(*pieces), *wire.ended()), pause=0.3))
    assert text_of(stream(wire)) == "".join(pieces)


def test_a_silent_model_ends_before_the_run(wire: Wire, server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-70: whether it has begun or not."""
    monkeypatch.setattr(attempts, "REQUEST_SECONDS", 0.5)
    for begun in ((), wire.begun("Once")):
        server.answers.clear()
        server.will(wire.streamed(*begun, then="silent"))
        with pytest.raises(AgentAPIException, match=r"^deadline_exceeded"):
            stream(wire)


def test_after_the_deadline_no_model_is_asked(wire: Wire, server: ModelServer) -> None:
    """RNR-70."""
    server.will(wire.whole("Late."))
    with pytest.raises(AgentAPIException, match=r"^deadline_exceeded"):
        invoke(wire, models=gateway(seconds=0))
    assert not server.requests


async def _cancelled(chunks: AsyncGenerator[ModelChunk]) -> None:
    await anext(chunks)
    waiting = asyncio.ensure_future(anext(chunks))
    await asyncio.sleep(0.05)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def _closed(chunks: AsyncGenerator[ModelChunk]) -> None:
    await anext(chunks)
    await chunks.aclose()


@pytest.mark.parametrize("leave", [_cancelled, _closed])
def test_a_stream_that_is_left_is_closed_at_once(
    wire: Wire, server: ModelServer, leave: Callable[[AsyncGenerator[ModelChunk]], Awaitable[None]]
) -> None:
    """RNR-52: the provider sees the connection closed, and the run has spent what it heard."""
    server.will(wire.streamed(*wire.begun("Once upon a time"), then="silent"))
    budget = TokenBudget(1000)

    async def left() -> bool:
        async with aclosing(ModelGateway(deadline_at=time.time() + 60, budget=budget, read_artifact=_none)) as models:
            await leave(models.stream(request(wire)))
            return await asyncio.to_thread(server.left.wait, 5)

    assert asyncio.run(left())
    assert budget.total().output_tokens == 4


def _none(artifact_id: str) -> tuple[bytes, str]:
    raise AgentAPIException("not_found", "There is no such artifact.")


def test_a_spent_budget_refuses_the_next_request(wire: Wire, server: ModelServer) -> None:
    """RNR-52: it counts what the providers count, in and out."""
    server.will(wire.whole("One."))
    models = gateway(tokens=2 * sum(USAGE))

    async def call() -> None:
        async with aclosing(models):
            for _ in range(3):
                await models.invoke(request(wire))

    with pytest.raises(AgentAPIException, match=r"^rate_limited"):
        asyncio.run(call())
    assert len(server.requests) == 2
