"""The gateway where no model is configured: what is refused, what the script answers, and what is counted."""

import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

import pytest

from yarrow.protocol.runner.api import (
    AgentAPIException,
    ModelChunk,
    ModelMessage,
    ModelReply,
    ModelRequest,
    ModelTool,
    RerankRequest,
)
from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.services.models.budget import TokenBudget
from yarrow.services.models.call import PICTURE_BYTES, PICTURES
from yarrow.services.models.gateway import ModelGateway
from yarrow.services.tools.builtin import TOOLS
from yarrow.settings import settings

WEATHER = ModelTool(
    name="weather",
    parameters={"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
)
SCHEMA = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | None]:
    """What is configured: nothing, until a test says more."""
    configured: dict[str, str | None] = {}
    monkeypatch.setitem(settings.__dict__, "models", configured)
    return configured


def read_artifact(artifact_id: str) -> tuple[bytes, str]:
    if artifact_id == "large":
        return b"x" * (PICTURE_BYTES + 1), "image/png"
    if artifact_id == "text":
        return b"x", "text/plain"
    raise AgentAPIException("not_found", "There is no such artifact.")


def gateway(*, seconds: float = 60, budget: TokenBudget | None = None) -> ModelGateway:
    budget = budget or TokenBudget(1_000_000)
    return ModelGateway(deadline_at=time.time() + seconds, budget=budget, read_artifact=read_artifact)


def user(*content: Any) -> ModelMessage:
    return ModelMessage(
        role="user", content=content[0] if len(content) == 1 and isinstance(content[0], str) else content
    )


def invoke(*messages: ModelMessage, models: ModelGateway | None = None, **more: Any) -> ModelReply:
    request = ModelRequest(run_id="run", model_id=more.pop("model_id", "chat"), messages=messages, **more)
    return asyncio.run((models or gateway()).invoke(request))


def stream(*messages: ModelMessage, **more: Any) -> list[ModelChunk]:
    async def call() -> list[ModelChunk]:
        request = ModelRequest(run_id="run", model_id="chat", messages=messages, **more)
        async with aclosing(gateway().stream(request)) as chunks:
            return [chunk async for chunk in chunks]

    return asyncio.run(call())


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Will it rain?", "No language model is configured for “chat”, so this is a script answering."),
        ("会下雨吗？", "“chat”没有配置语言模型，这是脚本的回答。"),
    ],
)
def test_a_script_says_that_it_is_one_in_the_users_language(text: str, answer: str) -> None:
    """RNR-52."""
    reply = invoke(ModelMessage(role="system", content="你好"), user(text))
    assert reply.scripted
    assert str(reply.message.content).splitlines()[0] == answer
    assert text in str(reply.message.content)


def test_a_script_streams_what_it_says() -> None:
    """RNR-52: in pieces, which are the whole together."""
    *pieces, last = stream(user("会下雨吗？ Will it?"), tools=(WEATHER,))
    assert last.reply
    assert len(pieces) > 5
    assert "".join(piece.content or "" for piece in pieces) == last.reply.message.content


def test_a_script_calls_the_tools_it_is_told_to_and_reads_back_what_they_answer() -> None:
    """RNR-52: a tool loop works with no model, and ends."""
    question = user('/call weather {"place": "北京"}\n/call weather')
    calling = invoke(question, tools=(WEATHER,)).message
    arguments = [json.loads(call.function.arguments) for call in calling.tool_calls]
    assert arguments == [{"place": "北京"}, {"place": ""}]
    results = [ModelMessage(role="tool", tool_call_id=call.id, content=f"sun {call.id}") for call in calling.tool_calls]
    answer = invoke(question, calling, *results, tools=(WEATHER,)).message
    assert not answer.tool_calls
    assert [f"sun {call.id}" in str(answer.content) for call in calling.tool_calls] == [True, True]


@pytest.mark.parametrize("text", ["Hello?", "你好？"])
def test_the_call_that_a_script_suggests_works(text: str) -> None:
    """RNR-52: said back to it, it calls a tool of this host, which answers."""
    details = filter(None, map(TOOLS.detail, ("calendar_read", "calendar_write", "get_current_time")))
    tools = tuple(
        ModelTool(name=detail.tool_name, description=detail.description, parameters=detail.parameters)
        for detail in details
    )
    (suggested,) = re.findall("“(/call [^”]+)”", str(invoke(user(text), tools=tools).message.content))
    (call,) = invoke(user(suggested), tools=tools).message.tool_calls
    context = ToolContext(run_id="run", thread_id="thread", user_id="user", time_zones=TimeZones(None, "Asia/Shanghai"))
    answer = asyncio.run(TOOLS.call(call.function.name, json.loads(call.function.arguments), context))
    assert answer["time_zone"] == "Asia/Shanghai"


def test_a_script_suggests_no_call_of_which_it_knows_nothing() -> None:
    """RNR-52: the tools are named all the same."""
    dated = ModelTool(
        name="dated", parameters={"type": "object", "required": ["a"], "properties": {"a": {"format": "date"}}}
    )
    assert str(invoke(user("Hello?"), tools=(dated,)).message.content).endswith("These tools are at hand: dated.")


@pytest.mark.parametrize("text", ["/call moon {}", "/call weather {", "/call weather [1]"])
def test_a_script_says_what_is_wrong_with_a_command(text: str) -> None:
    """RNR-52."""
    reply = invoke(user(text), tools=(WEATHER,))
    assert not reply.message.tool_calls
    assert f"“{text.split()[1]}”" in str(reply.message.content)


def test_a_script_answers_in_the_form_that_is_asked_for() -> None:
    """RNR-52: or says that it cannot."""
    assert invoke(user("Hi"), extra_args={"response_schema": SCHEMA}).message.content == '{"mood": ""}'
    beyond = {"type": "object", "required": ["a"], "properties": {"a": {"pattern": "^a"}}}
    with pytest.raises(AgentAPIException, match=r"^invalid_argument"):
        invoke(user("Hi"), extra_args={"response_schema": beyond})


def test_an_id_nobody_has_named_is_not_found(models: dict[str, str | None]) -> None:
    """RNR-62: one that is named without a model is scripted."""
    models["chat"] = None
    assert invoke(user("Hi")).scripted
    with pytest.raises(AgentAPIException, match=r"^not_found"):
        invoke(user("Hi"), model_id="other")


def test_a_model_that_only_ranks_is_not_asked_to_answer(models: dict[str, str | None]) -> None:
    """RNR-62."""
    models["chat"] = "bedrock-rerank:amazon.rerank-v1:0"
    with pytest.raises(AgentAPIException, match=r"^invalid_argument"):
        invoke(user("Hi"))


def test_a_model_that_nobody_provides_is_no_fault_of_the_runner(models: dict[str, str | None]) -> None:
    """RNR-62."""
    models["chat"] = "nobody:nothing"
    with pytest.raises(AgentAPIException, match=r"^runtime_error"):
        invoke(user("Hi"))


@pytest.mark.parametrize(
    "extra_args",
    [
        {"top_k": 1},
        {"temperature": "hot"},
        {"temperature": 3},
        {"max_tokens": 0},
        {"stop_sequences": ["a"] * 5},
        {"response_schema": {"type": "string"}},
    ],
)
def test_arguments_beyond_the_list_are_refused_by_name(extra_args: Mapping[str, Any]) -> None:
    """RNR-62."""
    with pytest.raises(AgentAPIException, match=rf"^invalid_argument: extra_args\.{next(iter(extra_args))}"):
        invoke(user("Hi"), extra_args=extra_args)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (user({"type": "video"}), "invalid_argument"),
        (user({"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}), "invalid_argument"),
        (user({"type": "image_url", "image_url": {"url": "data:image/png;base64,?"}}), "invalid_argument"),
        (user({"type": "artifact", "artifact_id": "text"}), "invalid_argument"),
        (user({"type": "artifact", "artifact_id": "large"}), "payload_too_large"),
        (user(*[PICTURE] * (PICTURES + 1)), "payload_too_large"),
        (user({"type": "artifact", "artifact_id": "other"}), "not_found"),
        (ModelMessage(role="assistant", content=(PICTURE,)), "invalid_argument"),
        (ModelMessage(role="tool", tool_call_id="nobody's", content="sun"), "invalid_argument"),
    ],
)
def test_what_no_model_could_be_sent_is_refused(message: ModelMessage, code: str) -> None:
    """RNR-62: no address is fetched, and what may not be read is not found."""
    with pytest.raises(AgentAPIException) as caught:
        invoke(user("Hi"), message)
    assert caught.value.error.code == code


def test_a_run_that_has_spent_its_tokens_gets_no_more() -> None:
    """RNR-52: where no provider counts them, they are estimated."""
    budget = TokenBudget(10)
    reply = invoke(user("x" * 32), models=gateway(budget=budget))
    assert reply.usage.input_tokens == 8
    assert budget.total() == reply.usage
    with pytest.raises(AgentAPIException, match=r"^rate_limited"):
        invoke(user("Hi"), models=gateway(budget=budget))


def test_after_the_deadline_nothing_is_done() -> None:
    """RNR-70."""
    request = RerankRequest(run_id="run", model_id="rank", query="a", documents=("a",))
    with pytest.raises(AgentAPIException, match=r"^deadline_exceeded"):
        invoke(user("Hi"), models=gateway(seconds=0))
    with pytest.raises(AgentAPIException, match=r"^deadline_exceeded"):
        asyncio.run(gateway(seconds=0).rerank(request))


def test_a_run_may_call_models_only_so_often() -> None:
    """RNR-52: whatever the calls cost; to rank without a model costs nothing."""
    models = gateway(budget=TokenBudget(calls=1))

    async def call() -> None:
        await models.rerank(RerankRequest(run_id="run", model_id="rank", query="a", documents=("a",)))
        for _ in range(2):
            await models.invoke(ModelRequest(run_id="run", model_id="chat", messages=(user("Hi"),)))

    with pytest.raises(AgentAPIException, match=r"^rate_limited"):
        asyncio.run(call())


def test_without_a_model_documents_are_ranked_by_their_words() -> None:
    """RNR-52."""
    request = RerankRequest(run_id="run", model_id="rank", query="rain", documents=("sun", "rain"), top_k=1)
    assert [document.index for document in asyncio.run(gateway().rerank(request))] == [1]


def test_a_cold_start_brings_no_model_library_in() -> None:
    """RNR-52: not before a configured model is asked."""
    code = "import sys, yarrow.services.models.gateway; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {name.split(".")[0] for name in loaded} & {"pydantic_ai", "openai"}
