"""OpenAI's chat completions by the models of a run, as OpenAI's own client asks for them."""

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

import httpx
import openai
import pytest

from tests.support.run_contexts import run_context
from tests.support.runners.asked_models import AskedModels, said
from tests.support.runners.fake_services import _Artifacts
from yarrow.adapters.openai_chat import endpoint
from yarrow.adapters.openai_chat.endpoint import Endpoint, openai_endpoint
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.worker.invocation.isolation import IsolatedRunner

pytestmark = pytest.mark.enable_socket

HELLO: Any = [{"role": "user", "content": "Hello?"}]
TOOL: Any = {
    "type": "function",
    "function": {"name": "add", "description": "Add.", "parameters": {"type": "object"}, "strict": False},
}

Use = Callable[[Endpoint, AgentRunAPIProxy], Awaitable[Any]]


class Using:
    """A runner that asks by an endpoint, in the worker's thread for runners."""

    def __init__(self, use: Use) -> None:
        self._use = use
        self.answer: Any = None

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        async with openai_endpoint(api) as served:
            self.answer = await self._use(served, api)
        yield AgentRunResult(run_id=context.run_id, type="run.completed", data={})


def asked(models: AskedModels, use: Use) -> Any:
    """What another worker's runner gets."""
    runner = Using(use)

    async def run(api: AgentRunAPIProxy) -> None:
        async with aclosing(IsolatedRunner(runner).run(run_context("run"), api)) as results:
            async for _ in results:
                pass

    asyncio.run(models.worker(run))
    return runner.answer


async def complete(served: Endpoint, **request: Any) -> Any:
    async with openai.AsyncOpenAI(base_url=served.base_url, api_key=served.key) as client:
        return await client.chat.completions.create(**{"model": "llm", "messages": HELLO, **request})


def completed(models: AskedModels, **request: Any) -> Any:
    return asked(models, lambda served, _: complete(served, **request))


async def streamed(served: Endpoint, **request: Any) -> list[Any]:
    async with openai.AsyncOpenAI(base_url=served.base_url, api_key=served.key) as client:
        chunks = await client.chat.completions.create(**{"model": "llm", "messages": HELLO, "stream": True, **request})
        return [chunk async for chunk in chunks]


def test_an_answer_has_its_text_calls_and_usage() -> None:
    models = AskedModels(lambda *_: said("Let me see.", call=("c1", "add", '{"a": 1}')))
    answer = completed(models, tools=[TOOL])
    (choice,) = answer.choices
    assert choice.message.content == "Let me see."
    assert choice.finish_reason == "tool_calls"
    (call,) = choice.message.tool_calls
    assert (call.id, call.function.name, call.function.arguments) == ("c1", "add", '{"a": 1}')
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens) == (11, 7, 18)
    assert answer.usage.prompt_tokens_details.cached_tokens == 3
    assert [tool.name for tool in models.requests[0].tools or ()] == ["add"]


def test_a_stream_has_pieces_calls_and_the_usage_that_is_asked_for() -> None:
    models = AskedModels(lambda *_: said("One ", "two.", call=("c1", "add", '{"a": 1}')))
    chunks = asked(models, lambda served, _: streamed(served, stream_options={"include_usage": True}))
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert [delta.content for delta in deltas if delta.content] == ["One ", "two."]
    assert [call.function.name for delta in deltas for call in delta.tool_calls or ()] == ["add"]
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "tool_calls"
    assert chunks[-1].usage.total_tokens == 18
    without = asked(models, lambda served, _: streamed(served))
    assert all(chunk.usage is None for chunk in without)


def test_messages_options_and_choices_are_the_hosts() -> None:
    models = AskedModels(lambda *_: said("."))
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj", "detail": "low"}}
    schema = {"type": "object", "properties": {}}
    completed(
        models,
        messages=[
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "name": "alice", "content": [{"type": "text", "text": "See."}, picture]},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "3"},
        ],
        tools=[TOOL],
        tool_choice={"type": "function", "function": {"name": "add"}},
        temperature=0.5,
        max_completion_tokens=9,
        stop="END",
        response_format={"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}},
        user="alice",
        parallel_tool_calls=True,
        n=1,
    )
    (request,) = models.requests
    assert [message.role for message in request.messages] == ["system", "user", "assistant", "tool"]
    assert request.messages[1].content == ({"type": "text", "text": "See."}, picture)
    assert request.messages[2].tool_calls[0].function.name == "add"
    assert request.extra_args == {
        "temperature": 0.5,
        "max_tokens": 9,
        "stop_sequences": ["END"],
        "response_schema": schema,
        "tool_choice": "required",
    }


def test_a_picture_of_the_run_is_named_and_not_sent() -> None:
    models = AskedModels(lambda *_: said("Bytes."))

    async def use(served: Endpoint, api: AgentRunAPIProxy) -> None:
        content = b"".join([part async for part in api.artifacts.open_stream("file")])
        assert content == _Artifacts.CONTENT
        url = f"data:image/png;base64,{base64.b64encode(content).decode()}"
        shown = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}
        await complete(served, messages=[shown])

    asked(models, use)
    assert models.requests[0].messages[0].content == ({"type": "artifact", "artifact_id": "file"},)


def test_a_client_that_blocks_the_runners_thread_is_answered() -> None:
    models = AskedModels(lambda *_: said("Yes."))

    async def use(served: Endpoint, _: AgentRunAPIProxy) -> Any:
        with openai.OpenAI(base_url=served.base_url, api_key=served.key) as client:
            return client.chat.completions.create(model="llm", messages=HELLO)

    assert asked(models, use).choices[0].message.content == "Yes."


async def by_strands(served: Endpoint) -> str:
    from strands import Agent
    from strands.models.openai import OpenAIModel

    client = {"base_url": served.base_url, "api_key": served.key}
    agent = Agent(model=OpenAIModel(client_args=client, model_id="llm"), callback_handler=None)
    return str(await agent.invoke_async("Hello?")).strip()


async def by_langchain(served: Endpoint) -> str:
    from langchain_openai import ChatOpenAI

    async with httpx.AsyncClient() as client:
        model = ChatOpenAI(model="llm", base_url=served.base_url, api_key=served.key, http_async_client=client)
        return "".join([str(chunk.text) async for chunk in model.astream("Hello?")])


@pytest.mark.parametrize(("package", "client"), [("strands", by_strands), ("langchain_openai", by_langchain)])
def test_clients_of_frameworks_are_answered(package: str, client: Callable[[Endpoint], Awaitable[str]]) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed: make frameworks")
    models = AskedModels(lambda *_: said("Hello ", "yourself."))
    assert asked(models, lambda served, _: client(served)) == "Hello yourself."
    assert len(models.requests) == 1


def test_a_worker_that_takes_over_gets_the_answers_that_ended() -> None:
    """STP-01: equal requests by their order."""
    models = AskedModels(lambda _, number: said(f"{number}"))

    async def use(served: Endpoint, _: AgentRunAPIProxy) -> list[str]:
        answers = [await complete(served), await complete(served)]
        streams = await streamed(served, model="llm", messages=[{"role": "user", "content": "Another?"}])
        return [answer.choices[0].message.content for answer in answers] + [
            "".join(chunk.choices[0].delta.content or "" for chunk in streams)
        ]

    assert asked(models, use) == ["1", "2", "3"]
    assert asked(models, use) == ["1", "2", "3"]
    assert len(models.requests) == 3
    assert models.unused == []


@pytest.mark.parametrize(
    ("raised", "kind", "code"),
    [
        (AgentAPIException("rate_limited", "used up"), openai.RateLimitError, "insufficient_quota"),
        (AgentAPIException("rate_limited", "busy", retryable=True), openai.RateLimitError, "rate_limited"),
        (AgentAPIException("invalid_argument", "no such option"), openai.BadRequestError, "invalid_argument"),
        (AgentAPIException("runtime_error", "The model failed."), openai.InternalServerError, "runtime_error"),
    ],
)
def test_an_error_of_the_host_is_one_of_openais_and_not_tried_again(
    raised: AgentAPIException, kind: type[openai.APIStatusError], code: str
) -> None:
    models = AskedModels(lambda *_: raised)

    async def use(served: Endpoint, _: AgentRunAPIProxy) -> Any:
        for ask in (complete, streamed):
            with pytest.raises(kind, match=raised.message) as error:
                await ask(served)
            assert error.value.code == code

    asked(models, use)
    assert len(models.requests) == 2


def test_a_stream_that_breaks_off_ends_with_an_error() -> None:
    class Broken(list[Any]):
        def __iter__(self) -> Any:
            yield said("One ", "two.")[0]
            raise AgentAPIException("runtime_error", "The model's answer was cut off.")

    async def use(served: Endpoint, _: AgentRunAPIProxy) -> None:
        with pytest.raises(openai.APIError, match="cut off"):
            await streamed(served)

    asked(AskedModels(lambda *_: Broken()), use)


def test_a_client_that_leaves_closes_the_request_to_the_model() -> None:
    models = AskedModels(lambda *_: said("One ", "two."), hangs_at=1)

    async def use(served: Endpoint, api: AgentRunAPIProxy) -> None:
        async with openai.AsyncOpenAI(base_url=served.base_url, api_key=served.key) as client:
            chunks = await client.chat.completions.create(model="llm", messages=HELLO, stream=True)
            assert (await anext(aiter(chunks))).choices[0].delta.content == "One "
            await chunks.close()
        async with asyncio.timeout(10):
            while not models.left:
                await api.now()

    asked(models, use)
    assert len(models.left) == 1


def test_only_the_runs_own_key_and_path_are_served_and_only_during_the_run() -> None:
    models = AskedModels(lambda *_: said("."))

    async def use(served: Endpoint, _: AgentRunAPIProxy) -> Endpoint:
        assert served.base_url.startswith("http://127.0.0.1:")
        own = {"Authorization": f"Bearer {served.key}"}
        url = f"{served.base_url}/chat/completions"
        body = {"model": "llm", "messages": HELLO}
        async with httpx.AsyncClient() as client:
            for headers in ({}, {"Authorization": "Bearer sk-run-other"}):
                answer = await client.post(url, headers=headers, json=body)
                assert (answer.status_code, answer.json()["error"]["code"]) == (401, "invalid_api_key")
            assert (await client.post(f"{served.base_url}/models", headers=own, json=body)).status_code == 404
            assert (await client.get(url, headers=own)).status_code == 405
        return served

    first, second = asked(models, use), asked(models, use)
    assert first.key != second.key
    assert models.requests == []
    with pytest.raises(httpx.ConnectError):
        httpx.post(f"{second.base_url}/chat/completions")


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"{", None),
        (b"[]", None),
        (json.dumps({"messages": HELLO}).encode(), "model"),
        (json.dumps({"model": "llm", "messages": "hi"}).encode(), "messages"),
        (json.dumps({"model": "llm", "messages": HELLO, "n": 2}).encode(), "n"),
        (json.dumps({"model": "llm", "messages": HELLO, "logprobs": True}).encode(), "logprobs"),
        (json.dumps({"model": "llm", "messages": HELLO, "tools": [{"type": "custom"}]}).encode(), "tools"),
        (json.dumps({"model": "llm", "messages": HELLO, "tools": 7}).encode(), "tools"),
        (json.dumps({"model": "llm", "messages": HELLO, "tool_choice": "maybe"}).encode(), "tool_choice"),
        (json.dumps({"model": "llm", "messages": HELLO, "stream_options": 7}).encode(), "stream_options"),
        (
            json.dumps({"model": "llm", "messages": HELLO, "response_format": {"type": "json_object"}}).encode(),
            "response_format",
        ),
    ],
)
def test_a_body_that_cannot_be_answered_is_refused(body: bytes, param: str | None) -> None:
    models = AskedModels(lambda *_: said("."))

    async def use(served: Endpoint, _: AgentRunAPIProxy) -> httpx.Response:
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {served.key}"}) as client:
            return await client.post(f"{served.base_url}/chat/completions", content=body)

    answer = asked(models, use)
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "invalid_request_error"
    assert answer.json()["error"]["param"] == param
    assert models.requests == []


def test_a_body_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "MAX_BODY_BYTES", 1_000)
    models = AskedModels(lambda *_: said("."))

    async def use(served: Endpoint, _: AgentRunAPIProxy) -> None:
        with pytest.raises(openai.APIStatusError) as raised:
            await complete(served, messages=[{"role": "user", "content": "x" * 1_000_000}])
        assert raised.value.status_code == 413

    asked(models, use)
    assert models.requests == []


def test_a_connection_that_sends_no_http_is_closed() -> None:
    async def use(served: Endpoint, _: AgentRunAPIProxy) -> bytes:
        port = int(served.base_url.removesuffix("/v1").rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"\x16\x03\x01\r\n\r\n")
        try:
            return await asyncio.wait_for(reader.read(), 10)
        finally:
            writer.close()

    assert asked(AskedModels(lambda *_: said(".")), use) == b""


def test_a_run_that_ends_closes_what_is_under_way() -> None:
    models = AskedModels(lambda *_: said("One ", "two."), hangs_at=1)

    async def use(served: Endpoint, _: AgentRunAPIProxy) -> Any:
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(streamed(served))
            while not models.requests:
                await asyncio.to_thread(lambda: None)
            asking.cancel()

    asked(models, use)
    assert len(models.left) == 1
