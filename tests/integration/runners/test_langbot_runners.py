"""Runners as a plugin's author writes them, with the real SDK, run unmodified and apart, as the registry has them run.

The host at the other end of their API is a script that answers as `protocol.runner_api` says, and checks every call
against it.
"""

import asyncio
import base64
import contextlib
import threading
import time
import warnings
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from typing import Any

import pydantic
import pytest

from tests.support.run_contexts import run_context
from yarrow.protocol.runner import api as runner_api
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import (
    AgentInput,
    AgentResources,
    AgentRunContext,
    AgentRunResult,
    ArtifactRef,
    ContextAccess,
    ContextAPICapabilities,
    InlineContextPolicy,
)
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.resources import KnowledgeBaseResource, ModelResource, StorageResource, ToolResource
from yarrow.runners.langbot import langbot_runner, pictures
from yarrow.runners.langbot.runner import FAILED
from yarrow.worker.invocation import runner_loops
from yarrow.worker.invocation.isolation import IsolatedRunner
from yarrow.worker.runner_loop import RunnerFailedError, read_results

pytestmark = pytest.mark.memory
"""On moto alone: the table has no part of its own in this."""


with warnings.catch_warnings():
    warnings.filterwarnings(
        "ignore", "Support for class-based `config` is deprecated", pydantic.PydanticDeprecatedSince20
    )
    pytest.importorskip("langbot_plugin", reason="the SDK langbot-plugin is not installed")
    from langbot_plugin.api.definition.components.runner.runner import Runner
    from langbot_plugin.api.entities.builtin.provider.message import ContentElement, Message, MessageChunk, ToolCall
    from langbot_plugin.api.entities.builtin.resource.tool import LLMTool
    from langbot_plugin.api.entities.builtin.runner import RunnerContext, RunnerResult
    from langbot_plugin.api.entities.builtin.runner.errors import AgentAPIException as SDKException
    from langbot_plugin.api.proxies.runner.common import PermissionDeniedError

MANIFEST = {
    "kind": "Runner",
    "metadata": {"name": "default", "label": {"en_US": "Demo"}},
    "spec": {"usages": ["agent"]},
}
RUN = "run-1"
PATIENCE_SECONDS = 120
"""How long to wait for what happens at once on a machine that is not busy."""
CONVERSATION = "conversation-1"
ALLOWED = run_context(RUN, "天气如何").model_copy(
    update={
        "resources": AgentResources(
            models=(
                ModelResource(model_id="m", operations=("invoke", "stream")),
                ModelResource(model_id="r", model_type="rerank", operations=("rerank",)),
            ),
            tools=(ToolResource(tool_name="weather"), ToolResource(tool_name="confirm", tool_type="frontend")),
            knowledge_bases=(KnowledgeBaseResource(kb_id="kb"),),
            storage=StorageResource(plugin=True, workspace=True),
        ),
        "context": ContextAccess(
            conversation_id=CONVERSATION,
            inline_policy=InlineContextPolicy(mode="current_event"),
            available_apis=ContextAPICapabilities(
                history_page=True, history_search=True, event_get=True, event_page=True, state=True, storage=True
            ),
        ),
        "config": {"prompt": "be brief"},
    }
)

CALL = {"id": "call-1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "杭州"}'}}
REPLY = {
    "message": {"role": "assistant", "content": "晴", "tool_calls": [CALL]},
    "usage": {"input_tokens": 7, "output_tokens": 2},
}
ITEM = {
    "item_id": "i-1",
    "seq": 1,
    "cursor": "c-1",
    "role": "user",
    "content": "hi",
    "event_id": "e-1",
    "created_at": "2026-04-03T20:30:00+08:00",
    "artifacts": [{"artifact_id": "a-1", "artifact_type": "image", "mime_type": "image/png", "name": "a.png"}],
}
EVENT = {
    "event_id": "e-1",
    "event_type": "message.received",
    "source": "api",
    "summary": "hi",
    "cursor": "c-1",
    "conversation_id": CONVERSATION,
    "raw_ref": {"ref_id": "raw-1"},
}
DONE = ("run.completed", {"finish_reason": "stop"})


class Host:
    """A transport that answers by a table, and records what it was asked."""

    def __init__(self, answers: Mapping[str, Any] | None = None) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.closed_streams = 0
        self._answers = answers or {}

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        answer = self._admit(action, arguments)
        assert isinstance(answer, dict), action
        return answer

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        try:
            for chunk in self._admit(action, arguments):
                yield chunk
        finally:
            self.closed_streams += 1

    def _admit(self, action: str, arguments: Mapping[str, Any]) -> Any:
        runner_api.ACTIONS[action].model_validate(arguments)
        assert arguments["run_id"] == RUN
        self.calls.append((action, {name: value for name, value in arguments.items() if name != "run_id"}))
        answer = self._answers[action]
        if isinstance(answer, Exception):
            raise answer
        return answer


Body = Callable[[Any, Any], AsyncGenerator[Any]]


def runner_of(body: Body) -> type[Any]:
    """A class as a plugin has it, with this `run`."""
    return type("Demo", (Runner,), {"run": body})


def run_of(
    cls: type[Any], host: Host | None = None, context: AgentRunContext = ALLOWED, **options: Any
) -> AsyncGenerator[AgentRunResult]:
    installed = langbot_runner(cls, manifest=MANIFEST, plugin="acme/demo", **options)
    return IsolatedRunner(installed.create()).run(context, AgentRunAPIProxy(RUN, host or Host()))


async def results_of(
    body: Body, host: Host | None = None, context: AgentRunContext = ALLOWED, **options: Any
) -> list[AgentRunResult]:
    return [result async for result in run_of(runner_of(body), host, context, **options)]


def yielded(
    body: Body, host: Host | None = None, context: AgentRunContext = ALLOWED, **options: Any
) -> list[tuple[str, dict[str, Any]]]:
    """Return the types and data of what the runner yields here."""
    results = asyncio.run(results_of(body, host, context, **options))
    assert {result.run_id for result in results} == {RUN}
    return [(result.type, result.data) for result in results]


def text_of(yielded: Sequence[tuple[str, dict[str, Any]]]) -> str:
    return "".join(data["chunk"]["content"] for type_, data in yielded if type_ == "message.delta")


def result_of(call: Callable[[Any], Any], host: Host | None = None, context: AgentRunContext = ALLOWED) -> Any:
    """What one call of its API gives the runner; what it raises is raised here."""
    outcome: list[Any] = []

    async def run(self: Any, ctx: Any) -> AsyncGenerator[Any]:
        try:
            outcome.append(await call(ctx.api))
        except Exception as error:  # noqa: BLE001  # raised below
            outcome.append(error)
        yield RunnerResult.run_completed(ctx.run_id)

    assert yielded(run, host, context)[-1] == DONE
    if isinstance(outcome[0], Exception):
        raise outcome[0]
    return outcome[0]


def chunk(content: Any, *, role: str = "assistant", **more: Any) -> Any:
    return RunnerResult.message_delta(RUN, MessageChunk(role=role, content=content, **more))


def script(*results: Any) -> Body:
    async def run(self: Any, ctx: Any) -> AsyncGenerator[Any]:
        for result in results:
            yield result

    return run


# ---- The whole of it -------------------------------------------------------------------------------------------------
class WeatherRunner(Runner):
    """As an author writes it: a model, a tool, the model again, streamed in snapshots across the tool call."""

    async def run(self, ctx: RunnerContext) -> AsyncGenerator[RunnerResult, None]:
        model = ctx.resources.models[0].model_id
        messages = [
            Message(role="system", content=ctx.config["prompt"]),
            Message(role="user", content=ctx.input.contents),
        ]
        page = await ctx.history_page(limit=10)
        messages[1:1] = [Message(role=item.role, content=item.content) for item in page.items]
        tools = []
        for tool in await ctx.get_available_tools():
            detail = await ctx.api.get_tool_detail(tool["name"])
            tools.append(
                LLMTool(
                    human_desc="", func=print, **{name: detail[name] for name in ("name", "description", "parameters")}
                )
            )
        assert await ctx.api.count_tokens(model, messages, tools) > 0
        visible, usage = "", None
        for _turn in range(2):
            answer: str = ""
            calls: list[Any] = []
            async for event in ctx.api.invoke_llm_stream_events(model, messages, tools):
                usage = event.usage or usage
                if event.chunk is not None:
                    answer += event.chunk.content or ""
                    calls += event.chunk.tool_calls or []
                    yield RunnerResult.message_delta(
                        ctx.run_id,
                        MessageChunk(
                            role="assistant",
                            content=visible + answer,
                            tool_calls=calls or None,
                            is_final=event.chunk.is_final,
                        ),
                    )
            visible += answer
            for call in calls:
                result = await ctx.call_tool(call.function.name, {"city": "杭州"})
                messages.append(Message(role="tool", content=str(result), tool_call_id=call.id))
        known = (await ctx.state_get("conversation", "external.turns"))["value"] or 0
        await ctx.state_set("conversation", "external.turns", known + 1)
        yield RunnerResult.run_completed(ctx.run_id, usage=usage)


def test_a_runner_streams_calls_a_tool_and_keeps_state() -> None:
    """CMP-02, RNR-34, RNR-29: the class is the plugin's own; its text is told once, its tool calls too."""
    turns = iter(
        (
            [{"content": "让我"}, {"content": "查一下"}, {"reasoning": "…"}, {"content": None, "reply": REPLY}],
            [
                {"content": "晴"},
                {"content": "天", "reply": {**REPLY, "message": {"role": "assistant", "content": "晴天"}}},
            ],
        )
    )

    class TwoTurns(Host):
        def _admit(self, action: str, arguments: Mapping[str, Any]) -> Any:
            return next(turns) if super()._admit(action, arguments) is None else self._answers[action]

    host = TwoTurns(
        {
            "models.stream": None,
            "tools.get_detail": {
                "tool_name": "weather",
                "description": "the weather",
                "parameters": {"type": "object"},
            },
            "tools.call": {"result": "晴"},
            "history.page": {"items": [ITEM], "next_cursor": None, "prev_cursor": "c-1", "has_more": True},
            "state.get": {"value": None},
            "state.set": {"success": True},
        }
    )

    async def run() -> list[AgentRunResult]:
        return [result async for result in run_of(WeatherRunner, host)]

    results = [(event.type, event.data) for event in asyncio.run(run())]
    assert text_of(results) == "让我查一下晴天"
    assert [type_ for type_, _ in results if type_ != "message.delta"] == [
        "tool.call.started",
        "tool.call.completed",
        "run.completed",
    ]
    started, completed = (data for type_, data in results if type_.startswith("tool.call"))
    assert started["tool_name"] == "weather"
    assert started["parameters"] == {"city": "杭州"}
    assert completed["tool_call_id"] == started["tool_call_id"]
    assert completed["result"] == {"result": "晴"}
    assert "usage" not in results[-1][1]  # the host has counted it
    finals = [
        data["chunk"]["content"] for type_, data in results if type_ == "message.delta" and data["chunk"]["is_final"]
    ]
    assert finals == ["", "天"]
    assert [action for action, _ in host.calls] == [
        "history.page",
        "tools.get_detail",
        "models.stream",
        "tools.call",
        "models.stream",
        "state.get",
        "state.set",
    ]
    asked_of_model = host.calls[2][1]
    assert [message["role"] for message in asked_of_model["messages"]] == ["system", "user", "user"]
    assert asked_of_model["messages"][2]["content"] == [{"type": "text", "text": "天气如何"}]
    assert asked_of_model["tools"] == [
        {"name": "weather", "description": "the weather", "parameters": {"type": "object"}}
    ]
    assert host.closed_streams == 2


# ---- Actions ---------------------------------------------------------------------------------------------------------
def test_a_model_answers_with_a_message_and_what_it_counted() -> None:
    """CMP-02."""
    host = Host({"models.invoke": REPLY})
    message = Message(role="user", content=[ContentElement.from_image_url("artifact:a-1")])
    answer = result_of(lambda api: api.invoke_llm_with_usage("m", [message], extra_args={"temperature": 0}), host)
    assert answer.message.content == "晴"
    assert answer.message.tool_calls == [ToolCall.model_validate(CALL)]
    assert answer.usage.total_tokens == 9
    assert host.calls == [
        (
            "models.invoke",
            {
                "model_id": "m",
                "messages": [{"role": "user", "content": [{"type": "artifact", "artifact_id": "a-1"}]}],
                "tools": None,
                "extra_args": {"temperature": 0},
            },
        )
    ]


@pytest.mark.parametrize(
    ("call", "action", "arguments", "answer", "value"),
    [
        (
            lambda api: api.retrieve_knowledge("kb", "q", top_k=3),
            "knowledge.retrieve",
            {"kb_id": "kb", "query_text": "q", "top_k": 3, "filters": None},
            {"results": [{"document_id": "d", "content": "text", "score": 0.75, "metadata": {"page": 1}}]},
            [
                {
                    "id": "d",
                    "content": [{"type": "text", "text": "text"}],
                    "metadata": {"page": 1},
                    "score": 0.75,
                    "distance": 0.25,
                }
            ],
        ),
        (
            lambda api: api.invoke_rerank("r", "q", ["a", "b"], top_k=1, extra_args={"x": 1}),
            "models.rerank",
            {"model_id": "r", "query": "q", "documents": ["a", "b"], "top_k": 1},
            {"results": [{"index": 1, "relevance_score": 0.9}]},
            [{"index": 1, "relevance_score": 0.9}],
        ),
        (
            lambda api: api.call_tool("weather", {"city": "x"}),
            "tools.call",
            {"tool_name": "weather", "parameters": {"city": "x"}},
            {"result": {"sky": "clear"}},
            {"sky": "clear"},
        ),
        (
            lambda api: api.state_get("actor", "k"),
            "state.get",
            {"scope": "actor", "key": "k"},
            {"value": [1]},
            {"value": [1]},
        ),
        (
            lambda api: api.state_set("runner", "k", {"a": 1}),
            "state.set",
            {"scope": "runner", "key": "k", "value": {"a": 1}},
            {"success": True},
            {"success": True},
        ),
        (
            lambda api: api.state_delete("subject", "k"),
            "state.delete",
            {"scope": "subject", "key": "k"},
            {"success": True},
            {"success": True},
        ),
        (
            lambda api: api.state_list("conversation"),
            "state.list",
            {"scope": "conversation", "prefix": "", "limit": 100},
            {"keys": ["k"], "has_more": False},
            {"keys": ["k"], "has_more": False},
        ),
        (
            lambda api: api.get_plugin_storage("k"),
            "storage.get",
            {"area": "plugin", "key": "k"},
            {"value": base64.b64encode(b"blob").decode()},
            b"blob",
        ),
        (
            lambda api: api.set_workspace_storage("k", b"blob"),
            "storage.set",
            {"area": "workspace", "key": "k", "value": base64.b64encode(b"blob").decode()},
            {"success": True},
            None,
        ),
        (
            lambda api: api.delete_plugin_storage("k"),
            "storage.delete",
            {"area": "plugin", "key": "k"},
            {"success": True},
            None,
        ),
        (
            lambda api: api.get_workspace_storage_keys(),
            "storage.list",
            {"area": "workspace"},
            {"keys": ["k"], "has_more": False},
            ["k"],
        ),
    ],
)
def test_an_action_is_one_of_ours_and_its_answer_one_of_the_sdks(
    call: Callable[[Any], Any], action: str, arguments: dict[str, Any], answer: dict[str, Any], value: Any
) -> None:
    """CMP-02, C18."""
    host = Host({action: answer})

    async def untraced(api: Any) -> Any:
        return await call(api._api)

    assert result_of(untraced, host) == value
    assert host.calls == [(action, arguments)]


def test_history_is_read_page_by_page() -> None:
    """CMP-02, RNR-55."""
    host = Host({"history.page": {"items": [ITEM], "next_cursor": "c-2", "prev_cursor": "c-0", "has_more": True}})
    page = result_of(lambda api: api.history_page(before_cursor="c-2", include_attachments=True), host)
    assert (page.prev_cursor, page.next_cursor, page.has_more) == ("c-0", "c-2", True)
    item = page.items[0]
    assert (item.transcript_id, item.role, item.content, item.cursor, item.seq) == ("i-1", "user", "hi", "c-1", 1)
    assert item.created_at == 1775219400
    assert item.event_id == "e-1"
    assert item.attachment_refs[0]["id"] == "a-1"
    assert host.calls[0][1]["include_artifacts"] is True


def test_history_is_searched() -> None:
    """CMP-02, RNR-56."""
    host = Host({"history.search": {"items": [ITEM], "query": "hi", "total_count": 1}})
    found = result_of(lambda api: api.history_search("hi", top_k=5), host)
    assert (found.query, found.total_count, found.items[0].content) == ("hi", 1, "hi")
    assert host.calls == [("history.search", {"query": "hi", "top_k": 5, "filters": None})]


def test_all_keys_are_listed_however_many_pages_they_take() -> None:
    """CMP-02, RNR-60."""
    pages = {None: {"keys": ["b", "c"], "next_cursor": "2", "has_more": True}, "2": {"keys": ["a"], "has_more": False}}

    class Paged(Host):
        def _admit(self, action: str, arguments: Mapping[str, Any]) -> Any:
            super()._admit(action, arguments)
            return pages[arguments.get("cursor")]

    assert result_of(lambda api: api.get_plugin_storage_keys(), Paged({"storage.list": None})) == ["a", "b", "c"]


def test_a_key_that_is_not_there_was_not_deleted() -> None:
    """CMP-02, RNR-60: as the SDK says it."""
    host = Host({"state.delete": {"success": False}})
    assert result_of(lambda api: api.state_delete("actor", "last seen"), host) == {"success": False}


def test_events_are_read_and_filtered() -> None:
    """CMP-02, RNR-58."""
    other = {**EVENT, "event_id": "e-2", "event_type": "schedule.triggered"}
    host = Host({"events.get": EVENT, "events.page": {"items": [EVENT, other], "next_cursor": "n", "has_more": True}})
    event = result_of(lambda api: api.event_get("e-1"), host)
    assert (event.event_id, event.input_summary, event.raw_ref) == ("e-1", "hi", "raw-1")
    page = result_of(lambda api: api.event_page(CONVERSATION, ["schedule.triggered"], limit=9), host)
    assert ([item.event_id for item in page.items], page.next_cursor, page.has_more) == (["e-2"], "n", True)
    assert host.calls[1] == ("events.page", {"before_cursor": None, "limit": 9})


@pytest.mark.parametrize(
    ("asked", "limit"),
    [
        ({}, 16),
        ({"limit": 3}, 3),
        ({"limit": 99}, 16),
        ({"mode": "one"}, 1),
        ({"mode": "one-at-a-time", "limit": 3}, 1),
    ],
)
def test_messages_that_the_user_adds_are_events_with_an_input(asked: dict[str, Any], limit: int) -> None:
    """CMP-02, RNR-87: of the run's conversation, in order; the SDK asks only a host whose context allows it."""
    sent = "2026-04-03T12:30:00+00:00"
    messages = [{"id": f"m-{place}", "content": f"text {place}", "place": place, "sent_at": sent} for place in (1, 2)]
    host = Host({"steering.pull": {"messages": messages}})
    apis = ALLOWED.context.available_apis.model_copy(update={"steering_pull": True})
    context = ALLOWED.model_copy(update={"context": ALLOWED.context.model_copy(update={"available_apis": apis})})
    items = result_of(lambda api: api.steering_pull(**asked), host, context).items
    assert host.calls == [("steering.pull", {"limit": limit})]
    assert [(item.event.event_id, item.input.text, item.input.contents[0].text) for item in items] == [
        ("m-1", "text 1", "text 1"),
        ("m-2", "text 2", "text 2"),
    ]
    first = items[0]
    assert (first.claimed_run_id, first.runner_id) == (RUN, "plugin:acme/demo/default")
    assert (first.event.event_type, first.event.event_time, first.claimed_at) == (
        "message.received",
        1775219400,
        1775219400,
    )


def test_a_host_that_is_not_the_sdks_own_claims_no_version_and_no_feature() -> None:
    """CMP-02."""
    assert result_of(lambda api: api.get_langbot_version()) == "0"
    with pytest.raises(RuntimeError, match="does not support reasoning_level"):
        result_of(lambda api: api.invoke_llm("m", [], reasoning_level="high"))


# ---- Pictures --------------------------------------------------------------------------------------------------------
def with_pictures(*sizes: int) -> AgentRunContext:
    """A run whose input is pictures `a-0`, `a-1` …"""
    refs = tuple(
        ArtifactRef(artifact_id=f"a-{number}", artifact_type="image", mime_type="image/png")
        for number, _ in enumerate(sizes)
    )
    contents = tuple({"type": "artifact", "artifact_id": ref.artifact_id} for ref in refs)
    return ALLOWED.model_copy(update={"input": AgentInput(contents=contents, attachments=refs)})


class Pictures(Host):
    """Has pictures of these sizes; one of a negative size is not there."""

    def __init__(self, *sizes: int) -> None:
        super().__init__({"models.invoke": REPLY})
        self._sizes = sizes

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if not action.startswith("artifacts."):
            return await super().call(action, arguments)
        artifact_id = arguments["artifact_id"]
        size = self._sizes[int(artifact_id.removeprefix("a-"))]
        if size < 0:
            raise AgentAPIException("not_found", "gone")
        if action == "artifacts.metadata":
            return {
                "artifact_id": artifact_id,
                "artifact_type": "image",
                "mime_type": "image/png",
                "size_bytes": size,
                "created_at": "",
            }
        offset, length = arguments["offset"], min(arguments["length"], size - arguments["offset"])
        return {
            "artifact_id": artifact_id,
            "content_base64": base64.b64encode(bytes(length)).decode(),
            "offset": offset,
            "length": length,
            "has_more": offset + length < size,
        }


def test_pictures_are_inline_as_far_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """C50: the rest stays a reference, and so does one that is gone; the run goes on."""
    sizes = (1_000_001, 2_000_000, -1, 400_000)
    monkeypatch.setattr(pictures, "INLINE_BYTES", 1_500_000)
    seen: list[Any] = []

    async def run(self: Any, ctx: Any) -> AsyncGenerator[Any]:
        seen.append(ctx.input)
        yield RunnerResult.run_completed(ctx.run_id)

    assert yielded(run, Pictures(*sizes), with_pictures(*sizes)) == [DONE]
    types = [element.type for element in seen[0].contents]
    assert types == ["image_base64", "image_url", "image_url", "image_base64"]
    lengths = [
        attachment.content and len(base64.b64decode(attachment.content.partition(",")[2]))
        for attachment in seen[0].attachments
    ]
    assert lengths == [1_000_001, None, None, 400_000]


def test_a_picture_of_the_input_goes_to_a_model_by_reference() -> None:
    """C50: however it was passed on; another picture goes as it is."""
    host = Pictures(10)

    async def run(self: Any, ctx: Any) -> AsyncGenerator[Any]:
        (element,) = ctx.input.contents
        raw = ContentElement.from_image_base64(element.image_base64.partition(",")[2])
        other = ContentElement.from_image_base64("b3RoZXI=")
        await ctx.api.invoke_llm("m", [Message(role="user", content=[element, raw, other])])
        yield RunnerResult.run_completed(ctx.run_id)

    assert yielded(run, host, with_pictures(10)) == [DONE]
    own = {"type": "artifact", "artifact_id": "a-0"}
    [(_, asked_of_model)] = host.calls
    assert asked_of_model["messages"][0]["content"] == [
        own,
        own,
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,b3RoZXI="}},
    ]


@pytest.mark.parametrize(
    ("reported", "own"),
    [
        ({"prompt_tokens": 17, "completion_tokens": 2}, [{"inputTokens": 10, "outputTokens": 0}]),
        ({"total_tokens": 19}, [{"totalTokens": 10}]),
        ({"prompt_tokens": 7, "completion_tokens": 2}, None),
        ({"prompt_tokens": 1}, None),
        (None, None),
    ],
)
def test_tokens_beyond_those_that_the_host_has_counted_are_the_runners_own(reported: Any, own: Any) -> None:
    """EVT-31: a runner reports the sum of all that it knows."""

    async def run(self: Any, ctx: Any) -> AsyncGenerator[Any]:
        await ctx.api.invoke_llm("m", [Message(role="user", content="hi")])
        yield RunnerResult.run_completed(ctx.run_id, usage=reported)

    (_, data) = yielded(run, Host({"models.invoke": REPLY}))[-1]
    assert data.get("usage") == own


@pytest.mark.parametrize(
    ("configured", "prompt"),
    [
        ("Be brief.", [{"role": "system", "content": "Be brief."}]),
        ([{"role": "system", "content": "Be brief."}, 1], [{"role": "system", "content": "Be brief."}]),
        ("", []),
        (None, []),
        (7, []),
    ],
)
def test_the_prompt_is_that_of_the_agents_block(configured: Any, prompt: list[Any]) -> None:
    """CMP-02: the host is not asked."""
    host = Host()
    context = ALLOWED.model_copy(update={"config": {"prompt": configured}})
    assert result_of(lambda api: api.get_prompt(), host, context) == prompt
    assert not host.calls


# ---- Refusals and failures -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "call",
    [
        lambda api: api.invoke_llm("another", []),
        lambda api: api.call_tool("confirm", {}),
        lambda api: api.retrieve_knowledge("another", "q"),
        lambda api: api.steering_pull(),
        lambda api: api.run_get(),
    ],
)
def test_the_sdk_refuses_what_the_context_does_not_grant(call: Callable[[Any], Any]) -> None:
    """RNR-25, RNR-53: before the host is asked."""
    host = Host()
    with pytest.raises(PermissionDeniedError):
        result_of(call, host)
    assert not host.calls


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda api: api.state_get("binding", "k"), "unauthorized"),
        (lambda api: api.history_page("another"), "unauthorized"),
        (lambda api: api.event_page("another"), "unauthorized"),
        (lambda api: api.invoke_embedding("m", ["text"]), "unauthorized"),
        (lambda api: api.call_platform_api("bot", "kick", {}), "unauthorized"),
        (lambda api: api.list_boxes(), "unauthorized"),
        (
            lambda api: api.invoke_llm("m", [Message(role="user", content=[ContentElement(type="image_url")])]),
            "invalid_argument",
        ),
        (
            lambda api: api.invoke_llm("m", [Message(role="user", content=[ContentElement(type="file_url")])]),
            "invalid_argument",
        ),
    ],
)
def test_what_this_host_does_not_offer_is_refused_by_its_code(call: Callable[[Any], Any], code: str) -> None:
    """C19, RNR-55, RNR-62: and never reaches the host's API."""
    host = Host()
    with pytest.raises(SDKException) as refused:
        result_of(call, host)
    assert refused.value.error.code == code
    assert not host.calls


def test_a_call_for_another_run_is_refused() -> None:
    """RNR-50: as one without a run is."""

    async def call(api: Any) -> Any:
        handler = api._api._api.plugin_runtime_handler
        action = type("Action", (), {"value": "state_get"})
        for run_id in ({"run_id": "run-2"}, {}):
            with pytest.raises(SDKException) as refused:
                await handler.call_action(action, {**run_id, "scope": "actor", "key": "k"})
            assert refused.value.error.code == "unauthorized"

    host = Host()
    result_of(call, host)
    assert not host.calls


@pytest.mark.parametrize(
    "code", ["unauthorized", "not_found", "rate_limited", "payload_too_large", "invalid_argument", "runtime_error"]
)
def test_a_refusal_of_the_host_reaches_the_runner_with_its_code(code: Any) -> None:
    """RNR-62."""
    host = Host({"tools.call": AgentAPIException(code, "no", retryable=True, limit=3)})
    with pytest.raises(SDKException) as refused:
        result_of(lambda api: api.call_tool("weather", {}), host)
    error = refused.value.error
    assert (error.code, error.message, error.retryable, error.details) == (code, "no", True, {"limit": 3})


def test_a_refusal_reaches_a_runner_that_streams() -> None:
    """RNR-62."""

    async def stream(api: Any) -> Any:
        return [item async for item in api.invoke_llm_stream("m", [Message(role="user", content="hi")])]

    with pytest.raises(SDKException) as refused:
        result_of(stream, Host({"models.stream": AgentAPIException("rate_limited", "slow down")}))
    assert refused.value.error.code == "rate_limited"


def test_a_host_that_breaks_tells_nothing_of_it() -> None:
    """RNR-62."""
    with pytest.raises(SDKException) as refused:
        result_of(lambda api: api.call_tool("weather", {}), Host({"tools.call": RuntimeError("password")}))
    assert refused.value.error.code == "runtime_error"
    assert "password" not in refused.value.error.model_dump_json()


def test_nothing_stored_is_told_as_such() -> None:
    """RNR-62, RNR-60."""
    with pytest.raises(SDKException) as refused:
        result_of(lambda api: api.get_plugin_storage("k"), Host({"storage.get": {"value": None}}))
    assert refused.value.error.code == "not_found"


@pytest.mark.parametrize(
    "call",
    [
        lambda api: api.invoke_llm("m", [Message(role="user", content="hi")], timeout=0.05),
        lambda api: api.invoke_rerank("r", "q", ["a"], timeout=0.05),
    ],
)
def test_a_call_that_takes_too_long_is_given_up(call: Callable[[Any], Any]) -> None:
    """RNR-70."""

    class Slow(Host):
        async def call(self, *_: Any) -> dict[str, Any]:
            self.calls.append(("begun", {}))
            try:
                await asyncio.Event().wait()
            finally:
                self.calls.append(("cancelled", {}))
            return {}

    host = Slow()
    with pytest.raises(SDKException) as refused:
        result_of(call, host)
    assert refused.value.error.code == "deadline_exceeded"
    # On a busy machine the time may be over before the host begins.
    assert host.calls in ([], [("begun", {}), ("cancelled", {})])


def test_after_its_deadline_a_runner_calls_in_vain() -> None:
    """RNR-70."""
    runtime = ALLOWED.runtime.model_copy(update={"deadline_at": time.time() - 1})
    host = Host()
    with pytest.raises(SDKException) as refused:
        result_of(lambda api: api.call_tool("weather", {}), host, ALLOWED.model_copy(update={"runtime": runtime}))
    assert refused.value.error.code == "deadline_exceeded"
    assert not host.calls


# ---- Results ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("results", "text"),
    [
        ([chunk("It"), chunk("It is"), chunk("It is sunny")], "It is sunny"),
        ([chunk("QA_"), chunk("AGENT_"), chunk("DONE")], "QA_AGENT_DONE"),
        ([chunk("哈"), chunk("哈"), chunk("！", is_final=True)], "哈哈！"),
        ([chunk("The answer"), chunk("The answer", is_final=True)], "The answer"),
        ([chunk([ContentElement.from_text("a"), ContentElement.from_text("b")])], "ab"),
        ([chunk("Checking. ", is_final=True), chunk("It"), chunk("It is", is_final=True)], "Checking. It is"),
    ],
)
def test_deltas_are_told_once_however_they_are_sent(results: list[Any], text: str) -> None:
    """RNR-34, RNR-29, C17."""
    heard = yielded(script(*results))
    assert text_of(heard) == text
    assert heard[-1] == DONE


def test_an_operator_may_say_how_a_runner_streams() -> None:
    """C17: where nobody can tell."""
    results = [chunk("ha"), chunk("haha")]
    assert text_of(yielded(script(*results))) == "haha"
    assert text_of(yielded(script(*results), delta_semantics="incremental")) == "hahaha"


def test_tool_calls_in_a_chunk_are_not_told_again() -> None:
    """RNR-29."""
    started = RunnerResult.tool_call_started(RUN, "call-1", "weather", {})
    completed = RunnerResult.tool_call_completed(RUN, "call-1", "weather", error="no")
    heard = yielded(script(chunk("", tool_calls=[CALL], is_final=True), started, completed))
    assert heard == [
        ("message.delta", {"chunk": {"role": "assistant", "content": "", "is_final": True}}),
        ("tool.call.started", {"tool_call_id": "call-1", "tool_name": "weather", "parameters": {}}),
        ("tool.call.completed", {"tool_call_id": "call-1", "tool_name": "weather", "result": None, "error": "no"}),
        DONE,
    ]


MESSAGE = Message(role="assistant", content="晴")
COMPLETED = ("message.completed", {"message": {"role": "assistant", "content": "晴"}})


@pytest.mark.parametrize(
    ("results", "heard"),
    [
        ([RunnerResult.message_completed(RUN, MESSAGE)], [COMPLETED, DONE]),
        (
            [RunnerResult.message_completed(RUN, MESSAGE, file_ids=["file-1"])],
            [("message.completed", COMPLETED[1] | {"output": {"file_ids": ["file-1"]}}), DONE],
        ),
        ([RunnerResult.run_completed(RUN, MESSAGE)], [COMPLETED, DONE]),
        ([RunnerResult.message_completed(RUN, MESSAGE), RunnerResult.run_completed(RUN, MESSAGE)], [COMPLETED, DONE]),
        ([RunnerResult.run_completed(RUN), chunk("late")], [DONE]),
        ([], [DONE]),
        (
            [RunnerResult.state_updated(RUN, "k", None, "conversation")],
            [("state.updated", {"scope": "conversation", "key": "k", "value": None}), DONE],
        ),
        (
            [RunnerResult.action_requested(RUN, "message.edit")],
            [("action.requested", {"action": "message.edit", "target": {}, "payload": {}}), DONE],
        ),
        (
            [RunnerResult(run_id=RUN, type="artifact.created", data={"artifact_type": "file"})],
            [("artifact.created", {"artifact_type": "file"}), DONE],
        ),
        ([RunnerResult(run_id=RUN, type="message.delta", data={"chunk": 1})], [("message.delta", {"chunk": 1}), DONE]),
        (
            [RunnerResult.run_failed(RUN, "no model", code="runner.no_model", usage={"total_tokens": 3})],
            [
                (
                    "run.failed",
                    {
                        "error": "no model",
                        "message": "no model",
                        "code": "runner.no_model",
                        "retryable": False,
                        "usage": [{"totalTokens": 3}],
                    },
                )
            ],
        ),
        (
            [
                RunnerResult(run_id=RUN, type="artifact.created", data={}, usage={"prompt_tokens": 2}),
                RunnerResult(run_id=RUN, type="artifact.created", data={}, usage={"prompt_tokens": 3, "cached": 1}),
                RunnerResult.run_completed(RUN),
            ],
            [("artifact.created", {}), ("artifact.created", {}), (DONE[0], {**DONE[1], "usage": [{"inputTokens": 5}]})],
        ),
        (
            [RunnerResult(run_id=RUN, type="run.failed", data={"message": "no", "code": "cancelled"})],
            [("run.failed", {"error": "no", "message": "no", "code": "cancelled"})],
        ),
    ],
)
def test_results_are_passed_on(results: list[Any], heard: list[Any]) -> None:
    """CMP-02, C16, RNR-35, RNR-39, RNR-40."""
    assert yielded(script(*results)) == heard


PICTURE_PART = {"type": "image_base64", "image_base64": "data:image/png;base64,eA=="}


def parts(*content: Any) -> list[Any]:
    return [
        ContentElement.from_text(text) if isinstance(text, str) else ContentElement.model_validate(text)
        for text in content
    ]


def shown(content: Any) -> Any:
    """A content without the members that an element does not have."""
    if isinstance(content, str):
        return content
    return [{name: value for name, value in part.items() if value is not None} for part in content]


@pytest.mark.parametrize(
    ("results", "contents"),
    [
        (
            [RunnerResult.message_completed(RUN, Message(role="assistant", content=parts("晴", PICTURE_PART)))],
            [[{"type": "text", "text": "晴"}, PICTURE_PART]],
        ),
        (
            [RunnerResult.message_completed(RUN, Message(role="assistant", content=parts(PICTURE_PART)))],
            [[{"type": "text", "text": ""}, PICTURE_PART]],
        ),
        (
            [RunnerResult.run_completed(RUN, Message(role="assistant", content=parts(PICTURE_PART)))],
            [[{"type": "text", "text": ""}, PICTURE_PART]],
        ),
        (
            [
                RunnerResult.message_completed(RUN, Message(role="assistant", content=parts("晴", PICTURE_PART))),
                RunnerResult.run_completed(RUN, Message(role="assistant", content=parts("晴", PICTURE_PART))),
            ],
            [[{"type": "text", "text": "晴"}, PICTURE_PART]],
        ),
        (
            [
                RunnerResult.message_completed(RUN, MESSAGE),
                RunnerResult.run_completed(RUN, Message(role="assistant", content=parts("晴", PICTURE_PART))),
            ],
            ["晴", [{"type": "text", "text": ""}, PICTURE_PART]],
        ),
        (
            [chunk(parts("晴")), chunk(parts("晴天", PICTURE_PART)), chunk(parts("晴天。", PICTURE_PART))],
            ["晴", [{"type": "text", "text": "天"}, PICTURE_PART], "。"],
        ),
    ],
)
def test_pictures_of_an_answer_are_told_once(results: list[Any], contents: list[Any]) -> None:
    """RNR-34, RNR-35, C17: with whatever text is new, or without any."""
    heard = yielded(script(*results))
    assert heard[-1][0] == "run.completed"
    said_ = [data.get("chunk") or data["message"] for type_, data in heard if type_.startswith("message.")]
    assert [shown(message["content"]) for message in said_] == contents


def test_pieces_are_followed_by_their_whole() -> None:
    """RNR-35: the host says of it what was not said."""
    heard = yielded(script(chunk("晴"), RunnerResult.run_completed(RUN, MESSAGE)))
    assert heard == [
        ("message.delta", {"chunk": {"role": "assistant", "content": "晴", "is_final": False}}),
        COMPLETED,
        DONE,
    ]


def test_a_runners_log_is_no_result() -> None:
    """CMP-02."""

    async def run(self: Any, ctx: Any) -> AsyncGenerator[Any]:
        await ctx.log("thinking")
        yield RunnerResult.run_completed(ctx.run_id)

    assert yielded(run) == [DONE]


def test_numbers_of_results_are_the_hosts() -> None:
    """RNR-41: the SDK's own runtime numbers anew, whatever the runner says."""
    result = RunnerResult.run_completed(RUN, sequence=7, timestamp=5)
    assert [(item.sequence, item.timestamp) for item in asyncio.run(results_of(script(result)))] == [(None, 5)]


async def raises(self: Any, ctx: Any) -> AsyncGenerator[Any]:
    yield chunk("so")
    raise RuntimeError("password")


async def cancels_itself(self: Any, ctx: Any) -> AsyncGenerator[Any]:
    yield chunk("so")
    raise asyncio.CancelledError


async def exits(self: Any, ctx: Any) -> AsyncGenerator[Any]:
    yield chunk("so")
    raise SystemExit


def test_a_runner_that_breaks_fails_its_run_and_tells_nothing_of_it() -> None:
    """RNR-40."""
    assert yielded(raises)[1:] == [("run.failed", dict(FAILED))]


@pytest.mark.parametrize(("body", "code"), [(cancels_itself, "cancelled"), (exits, "runner.error")])
def test_a_runner_that_would_take_its_host_with_it_fails_its_run(body: Body, code: str) -> None:
    """RNR-40, RNR-71, RNR-72."""

    async def take(_: object) -> bool:
        return False

    installed = langbot_runner(runner_of(body), manifest=MANIFEST, plugin="acme/demo")
    api = AgentRunAPIProxy(RUN, Host())
    with pytest.raises(RunnerFailedError) as failed:
        asyncio.run(read_results(IsolatedRunner(installed.create()), ALLOWED, api, take))
    assert failed.value.code == code


def test_a_result_for_another_run_fails_the_run() -> None:
    """RNR-30."""
    assert yielded(script(RunnerResult.run_completed("run-2"))) == [("run.failed", dict(FAILED))]


# ---- Its life --------------------------------------------------------------------------------------------------------
def test_a_runner_is_set_up_as_in_its_plugin() -> None:
    """CMP-02: it knows its plugin, its configuration and its input, and is made anew for each run."""
    seen: list[Any] = []

    class Careful(Runner):
        async def initialize(self) -> None:
            self.ready = True

        async def run(self, ctx: Any) -> AsyncGenerator[Any]:
            seen.append(self)
            assert self.ready
            assert self.plugin_identity == "acme/demo"
            assert self.get_plugin_config() == self.plugin.get_config() == {"key": "value"}
            assert await self.plugin.get_langbot_version() == "0"
            assert ctx.input.to_text() == "look"
            assert ctx.input.attachments[0].id == "a-1"
            yield RunnerResult.run_completed(ctx.run_id)

    context = ALLOWED.model_copy(
        update={"input": AgentInput(text="look", attachments=(ArtifactRef(artifact_id="a-1"),))}
    )

    async def run() -> list[str]:
        return [event.type async for event in run_of(Careful, context=context, plugin_config={"key": "value"})]

    assert asyncio.run(run()) == asyncio.run(run()) == ["run.completed"]
    assert seen[0] is not seen[1]


def test_a_class_is_imported_by_its_name_when_it_runs() -> None:
    """CMP-02."""
    installed = langbot_runner(f"{__name__}:WeatherRunner", manifest=MANIFEST, plugin="acme/demo")

    async def run() -> list[str]:
        api = AgentRunAPIProxy(RUN, Host())
        return [event.type async for event in installed.create().run(run_context(RUN), api)]

    assert asyncio.run(run()) == ["run.failed"]  # nothing is granted to it


@pytest.fixture
def little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_loops, "GRACE_SECONDS", 0.2)


def all_runs_end() -> bool:
    """Whether what runners left behind ends in time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while runner_loops._closing or not runner_loops.are_free():
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.01)
    return True


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """What a runner that does not stop waits for; it is let go when the test is over."""
    event = threading.Event()
    yield event
    event.set()
    assert all_runs_end()


async def cut_short(body: Body, host: Host | None = None) -> None:
    """Hear the first result, and then no more."""
    results = run_of(runner_of(body), host)
    assert (await anext(results)).type == "message.delta"
    await results.aclose()


def test_a_runner_is_cancelled_when_nobody_hears_it() -> None:
    """RNR-71: and so are its tasks."""
    ended: list[str] = []

    async def waits(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    async def run(self: Any, ctx: Any) -> AsyncGenerator[Any]:
        self.task = asyncio.create_task(waits("task"))
        yield chunk("so")
        await waits("run")

    asyncio.run(cut_short(run))
    assert all_runs_end()
    assert sorted(ended) == ["run", "task"]


def test_a_runner_is_cancelled_with_the_run_that_waits_for_it() -> None:
    """RNR-71, RNR-70: its host's deadline is a cancellation."""
    waits, cancelled = threading.Event(), threading.Event()

    async def run(self: Any, ctx: Any) -> AsyncGenerator[Any]:
        waits.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        cancelled.set()
        yield chunk("late")

    async def main() -> None:
        hearing = asyncio.create_task(results_of(run))
        assert await asyncio.to_thread(waits.wait, PATIENCE_SECONDS)
        hearing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hearing

    asyncio.run(main())
    assert all_runs_end()
    assert cancelled.is_set()


@pytest.mark.usefixtures("little_grace")
def test_a_runner_that_ignores_its_cancellation_is_left_alone(released: threading.Event) -> None:
    """RNR-72, RNR-64: its results are not heard, and its calls are in vain."""
    refused: list[str] = []

    async def run(self: Any, ctx: Any) -> AsyncGenerator[Any]:
        yield chunk("so")
        while not released.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.to_thread(released.wait, PATIENCE_SECONDS)
        try:
            await ctx.api.call_tool("weather", {})
        except SDKException as error:
            refused.append(error.error.code)
        yield chunk("late")

    host = Host()
    asyncio.run(cut_short(run, host))
    assert not released.is_set()
    released.set()
    assert all_runs_end()
    assert refused == ["unauthorized"]
    assert not host.calls


@pytest.mark.usefixtures("little_grace")
def test_a_runner_that_blocks_holds_nobody_up(released: threading.Event) -> None:
    """RNR-72: the host's own loop goes on, is told to stop, and leaves it behind."""
    blocks = threading.Event()

    async def run(self: Any, ctx: Any) -> AsyncGenerator[Any]:
        blocks.set()
        released.wait(PATIENCE_SECONDS)
        yield chunk("late")

    async def main() -> None:
        hearing = asyncio.create_task(results_of(run))
        assert await asyncio.to_thread(blocks.wait, PATIENCE_SECONDS)
        hearing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hearing

    asyncio.run(main())
    assert not released.is_set()
