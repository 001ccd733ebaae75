"""What models think: told apart from their answers, and given back to the model that thought it."""

import asyncio
import base64
import json
import time
from contextlib import aclosing
from typing import Any

import pytest

from tests.support.models import responses_format
from tests.support.models.provider_formats import Bedrock, OpenAI, Wire
from tests.support.models.server import ModelServer
from yarrow.protocol.runner.api import ModelChunk, ModelMessage, ModelReasoning, ModelRequest
from yarrow.services.models.budget import TokenBudget
from yarrow.services.models.gateway import ModelGateway
from yarrow.settings import settings

USER = ModelMessage(role="user", content="Why?")
CLAUDE = "bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0"
SIGNATURE = "c2lnbmVk"


def stream(model: str, *messages: ModelMessage, **options: Any) -> list[ModelChunk]:
    """Return the chunks of an answer by a model of the deployment."""

    async def call() -> list[ModelChunk]:
        models = ModelGateway(
            deadline_at=time.time() + 60, budget=TokenBudget(), read_artifact=lambda _: (b"", "image/png")
        )
        request = ModelRequest(run_id="run", model_id=model, messages=messages or (USER,), extra_args=options or None)
        async with aclosing(models):
            return [chunk async for chunk in models.stream(request)]

    return asyncio.run(call())


def kinds(chunks: list[ModelChunk]) -> list[str]:
    """What the chunks have, without repetitions."""
    names = [next(iter(chunk.model_dump(exclude_none=True))) for chunk in chunks]
    return [name for before, name in zip(["", *names], names, strict=False) if name != before]


def answer(chunks: list[ModelChunk]) -> ModelMessage:
    assert chunks[-1].reply is not None
    return chunks[-1].reply.message


def thought(chunks: list[ModelChunk]) -> ModelReasoning:
    """The one whole of reasoning, which the reply has too."""
    (whole,) = (chunk.reasoned for chunk in chunks if chunk.reasoned)
    assert answer(chunks).reasoning == (whole,)
    assert whole.content == "".join(chunk.reasoning or "" for chunk in chunks)
    return whole


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    more = {
        "claude": CLAUDE,
        "other-claude": "bedrock:us.anthropic.claude-opus-4-5-20251101-v1:0",
        "responses": "openai-responses:gpt-5-mini",
        "open-model": "openai-chat:deepseek-v4",
    }
    for name, model in more.items():
        monkeypatch.setitem(settings.models, name, model)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_an_open_model_gets_back_what_it_thought(server: ModelServer, field: str) -> None:
    """RNR-52: in the member in which its server says it."""
    wire = OpenAI()
    server.will(wire.streamed(*wire.thinking("Hm, ", "well", field=field), *wire.begun("Yes."), *wire.ended()))
    chunks = stream("open-model")
    assert kinds(chunks) == ["reasoning", "reasoned", "content", "reply"]
    assert thought(chunks).content == "Hm, well"
    stream("open-model", USER, answer(chunks), USER)
    assert server.last_body["messages"][1] == {"role": "assistant", "content": "Yes.", field: "Hm, well"}


def test_a_signed_thought_goes_back_with_its_signature(server: ModelServer) -> None:
    """RNR-52: and before a call of a tool, as Anthropic's models require."""
    wire = Bedrock()
    thinking = wire.thinking("Let me ", "look.", signature=SIGNATURE)
    calling = wire.calling(("t1", "weather", '{"place": "Oslo"}'))
    server.will(wire.streamed(*thinking, *calling, *wire.ended("calls")))
    chunks = stream("claude", reasoning_effort="low")
    assert "additionalModelRequestFields" in server.last_body
    assert kinds(chunks) == ["reasoning", "reasoned", "reply"]
    result = ModelMessage(role="tool", tool_call_id="t1", content="rain")
    stream("claude", USER, answer(chunks), result)
    reasoning, call = server.last_body["messages"][1]["content"]
    assert reasoning == {"reasoningContent": {"reasoningText": {"text": "Let me look.", "signature": SIGNATURE}}}
    assert call["toolUse"]["toolUseId"] == "t1"
    assert thought(chunks).content == "Let me look."


def test_a_reasoning_item_goes_back_with_its_parts_and_encrypted_content(server: ModelServer) -> None:
    """RNR-52: a summary in parts is one text, with empty lines between."""
    server.will(responses_format.answered(("First.", "Second."), "ENCRYPTED", "Yes."))
    chunks = stream("responses", reasoning_effort="low", reasoning_summary=True)
    assert server.last_body["reasoning"] == {"effort": "low", "summary": "auto"}
    assert server.last_body["include"] == ["reasoning.encrypted_content"]
    assert thought(chunks).content == "First.\n\nSecond."
    stream("responses", USER, answer(chunks), USER)
    (item,) = (event for event in server.last_body["input"] if event.get("type") == "reasoning")
    summary = [{"text": text, "type": "summary_text"} for text in ("First.", "Second.")]
    assert item == {"id": "rs_1", "type": "reasoning", "encrypted_content": "ENCRYPTED", "summary": summary}


def test_a_thought_that_is_not_shown_goes_back_too(server: ModelServer) -> None:
    """RNR-52: reasoning without a summary has nothing to show."""
    server.will(responses_format.answered((), "ENCRYPTED", "Yes."))
    chunks = stream("responses")
    assert kinds(chunks) == ["reasoned", "content", "reply"]
    assert thought(chunks).content == ""
    stream("responses", USER, answer(chunks), USER)
    (item,) = (event for event in server.last_body["input"] if event.get("type") == "reasoning")
    assert (item["encrypted_content"], item["summary"]) == ("ENCRYPTED", [])


def test_thoughts_between_texts_go_back_where_they_were(server: ModelServer) -> None:
    """RNR-52: a provider may refuse them elsewhere."""
    wire = Bedrock()
    first, second = (
        wire.thinking(text, signature=SIGNATURE, index=index) for index, text in ((5, "First."), (6, "Second."))
    )
    calling = wire.calling(("t1", "weather", "{}"))
    server.will(wire.streamed(*first, *wire.begun("I look."), *second, *calling, *wire.ended("calls")))
    chunks = stream("claude")
    assert kinds(chunks) == ["reasoning", "reasoned", "content", "reasoning", "reasoned", "reply"]
    assert [message.content for message in answer(chunks).reasoning] == ["First.", "Second."]
    stream("claude", USER, answer(chunks), ModelMessage(role="tool", tool_call_id="t1", content="rain"))
    content = server.last_body["messages"][1]["content"]
    assert [next(iter(part)) for part in content] == ["reasoningContent", "text", "reasoningContent", "toolUse"]
    assert content[1] == {"text": "I look."}


@pytest.mark.parametrize(("kept", "thinks"), [(True, True), (False, False)])
def test_claude_does_not_think_after_calls_whose_thoughts_are_lost(
    server: ModelServer, kept: bool, thinks: bool
) -> None:
    """RNR-62: Anthropic would refuse the request, such as when a client repeats its results. It thinks again later."""
    wire = Bedrock()
    calling = wire.calling(("t1", "weather", "{}"))
    server.will(wire.streamed(*wire.thinking("Hm", signature=SIGNATURE), *calling, *wire.ended("calls")))
    called = answer(stream("claude", reasoning_effort="low"))
    called = called if kept else called.model_copy(update={"reasoning": ()})
    result = ModelMessage(role="tool", tool_call_id="t1", content="rain")
    stream("claude", USER, called, result, reasoning_effort="low")
    assert ("additionalModelRequestFields" in server.last_body) is thinks
    stream("claude", USER, called, result, ModelMessage(role="assistant", content="Yes."), USER, reasoning_effort="low")
    assert "additionalModelRequestFields" in server.last_body


def claude_thought(server: ModelServer) -> ModelReasoning:
    wire = Bedrock()
    thinking = wire.thinking("Secretly.", signature=SIGNATURE)
    server.will(wire.streamed(*thinking, *wire.begun("Yes."), *wire.ended()))
    return thought(stream("claude"))


@pytest.mark.parametrize("model", ["other-claude", "bedrock"])
def test_no_other_model_gets_what_one_thought(server: ModelServer, model: str) -> None:
    """RNR-52: It gets neither the signature nor the text, even if it is of the same provider."""
    own = claude_thought(server)
    stream(model, USER, ModelMessage(role="assistant", content="Yes.", reasoning=(own,)), USER)
    assert server.last_body["messages"][1]["content"] == [{"text": "Yes."}]


def resealed(own: ModelReasoning, index: int, member: Any) -> str:
    """Return a value with another member."""
    assert own.encrypted_value is not None
    members = json.loads(base64.urlsafe_b64decode(own.encrypted_value.removeprefix("yarrow1.")))
    members[index] = member
    return "yarrow1." + base64.urlsafe_b64encode(json.dumps(members).encode()).decode()


@pytest.mark.parametrize(
    "changed",
    [
        lambda own: own.model_copy(update={"content": "Otherwise."}),
        lambda own: own.model_copy(update={"encrypted_value": own.encrypted_value[:-8]}),
        lambda own: own.model_copy(update={"encrypted_value": "yarrow1."}),
        lambda own: own.model_copy(update={"encrypted_value": "yarrow1.W10="}),
        lambda own: own.model_copy(update={"encrypted_value": resealed(own, 2, -1)}),
        lambda own: own.model_copy(update={"encrypted_value": resealed(own, 3, [[9, None, 1, "bedrock", None]])}),
        lambda own: own.model_copy(update={"encrypted_value": resealed(own, 3, [[9, None, "x", "bedrock", "y"]])}),
        lambda own: own.model_copy(update={"encrypted_value": resealed(own, 3, None)}),
        lambda own: own.model_copy(update={"encrypted_value": "yarrow1.é"}),
    ],
)
def test_what_a_client_changed_is_left_out(server: ModelServer, changed: Any) -> None:
    """RNR-62: a provider would refuse the request."""
    own = changed(claude_thought(server))
    chunks = stream("claude", USER, ModelMessage(role="assistant", content="Yes.", reasoning=(own,)), USER)
    assert server.last_body["messages"][1]["content"] == [{"text": "Yes."}]
    assert answer(chunks).content == "Yes."


@pytest.mark.parametrize("value", [None, json.dumps({"signature": "x", "provider_name": "bedrock"})])
def test_of_foreign_reasoning_only_the_text_is_given(wire: Wire, server: ModelServer, value: str | None) -> None:
    """MSG-06."""
    foreign = ModelReasoning(content="They know.", encrypted_value=value)
    server.will(wire.streamed(*wire.begun("Yes."), *wire.ended()))
    stream(wire.name, USER, ModelMessage(role="assistant", content="No.", reasoning=(foreign,)), USER)
    text = json.dumps(server.last_body["messages"][1])
    assert "They know." in text
    assert "signature" not in text


def test_the_name_of_another_agent_is_said_with_its_words(wire: Wire, server: ModelServer) -> None:
    """MSG-06: providers have no place for it."""
    server.will(wire.streamed(*wire.begun("Yes."), *wire.ended()))
    stream(wire.name, USER, ModelMessage(role="assistant", content="No.", name="Bob"), USER)
    assert "Bob: No." in json.dumps(server.last_body["messages"][1])


def test_a_value_tells_clients_nothing_of_the_model(server: ModelServer) -> None:
    """EVT-26."""
    value = claude_thought(server).encrypted_value
    assert value is not None
    text = base64.urlsafe_b64decode(value.removeprefix("yarrow1.")).decode()
    assert SIGNATURE in text
    assert "claude" not in text
    assert "Secretly" not in text
