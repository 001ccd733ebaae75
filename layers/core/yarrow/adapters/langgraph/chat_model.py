"""A chat model of LangChain that asks the deployment's models, by `api.models`.

Its requests need no key, are steps of the run, and count against its user's limits. The runner of a graph passes the
run on in LangChain's config, which follows calls into nodes, tools and their threads.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import aclosing, suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Final, TypeVar

from langchain_core.language_models.chat_models import BaseChatModel, agenerate_from_stream
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, convert_to_openai_messages
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables.config import ensure_config
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from yarrow.adapters.openai_chat.requests import answer, model_messages
from yarrow.protocol.runner.api import ModelChunk, ModelUsage
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

PROVIDER: Final = "yarrow"
"""The `model_provider` of answers, whose usage the host has counted."""

_RUN: Final = "__yarrow_run"
_REASONING: Final = "yarrow_reasoning"
"""The member of `additional_kwargs` with reasoning as the host takes it back; `reasoning_content` is LangChain's."""

_OPTIONS: Final = ("temperature", "top_p", "max_tokens", "seed", "reasoning_effort")
_FORCED: Final = {"any": "required", True: "required", "required": "required", "auto": "auto", "none": "none"}

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class _Run:
    api: AgentRunAPIProxy
    loop: asyncio.AbstractEventLoop | None = None


def configurable(api: AgentRunAPIProxy) -> dict[str, Any]:
    """Return the members of a config by which the models of a graph find their run; called on its event loop."""
    return {_RUN: _Run(api, asyncio.get_running_loop())}


class ChatYarrow(BaseChatModel):
    """The model of this name in the deployment's `Models`. Raises AgentAPIException, as `api.models` does.

    In a graph behind `runner` it finds its run itself; elsewhere it needs the run's `api`, and is awaited.
    """

    model: str = "chat"
    api: AgentRunAPIProxy | None = Field(default=None, exclude=True, repr=False)
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    reasoning_effort: str | None = None

    def __init__(self, model: str = "chat", **fields: Any) -> None:
        super().__init__(model=model, **fields)

    @property
    def _llm_type(self) -> str:
        return PROVIDER

    @property
    def _identifying_params(self) -> Mapping[str, Any]:
        return {"model": self.model, **self._options}

    @property
    def _options(self) -> dict[str, Any]:
        return {name: value for name in _OPTIONS if (value := getattr(self, name)) is not None}

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: Any = None, **more: Any) -> Any:
        """Offer tools. `tool_choice` is `auto`, `none`, `any` (or `required`), or the name of the one to call."""
        offered = [convert_to_openai_tool(tool)["function"] for tool in tools]
        if isinstance(tool_choice, Mapping):
            tool_choice = tool_choice["function"]["name"]
        if tool_choice and tool_choice not in _FORCED:
            offered = [tool for tool in offered if tool["name"] == tool_choice]
        choice = {"tool_choice": _FORCED.get(tool_choice, "required")} if tool_choice else {}
        more.pop("strict", None)  # the host decides by the schema
        return self.bind(tools=offered, **choice, **more)

    # ---- Requests ----------------------------------------------------------------------------------------------------
    async def _astream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, **more: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        api = self._run().api
        async with aclosing(answer(api, **self._request(api, messages, stop, more))) as chunks:
            async for chunk in chunks:
                if (message := self._message(chunk)) is not None:
                    yield ChatGenerationChunk(message=message)

    async def _agenerate(self, *arguments: Any, **more: Any) -> ChatResult:
        return await agenerate_from_stream(self._astream(*arguments, **more))

    def _generate(self, *arguments: Any, **more: Any) -> ChatResult:
        return self._from_thread(self._agenerate(*arguments, **more)).result()

    def _stream(self, *arguments: Any, **more: Any) -> Iterator[ChatGenerationChunk]:
        received: SimpleQueue[ChatGenerationChunk | None] = SimpleQueue()

        async def receive() -> None:
            try:
                async for chunk in self._astream(*arguments, **more):
                    received.put(chunk)
            finally:
                received.put(None)

        receiving = self._from_thread(receive())
        try:
            while (chunk := received.get()) is not None:
                yield chunk
            receiving.result()
        finally:
            receiving.cancel()

    def _run(self) -> _Run:
        run = ensure_config().get("configurable", {}).get(_RUN)
        if self.api is not None:
            return _Run(self.api, None if run is None else run.loop)
        if isinstance(run, _Run):
            return run
        raise RuntimeError("ChatYarrow is for graphs behind yarrow.adapters.langgraph.runner; elsewhere pass api=")

    def _from_thread(self, request: Coroutine[Any, Any, _Value]) -> "Future[_Value]":
        """Make a request on the run's event loop, from the thread of a node that is no coroutine."""
        loop = self._run().loop
        with suppress(RuntimeError):
            asyncio.get_running_loop()
            loop = None  # which would wait for itself
        if loop is None:
            request.close()
            raise RuntimeError("await ChatYarrow here: by ainvoke or astream")
        return asyncio.run_coroutine_threadsafe(request, loop)

    def _request(
        self, api: AgentRunAPIProxy, messages: Sequence[BaseMessage], stop: list[str] | None, more: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the arguments of `api.models.stream`; options that the host does not know are refused there."""
        tools = more.pop("tools", None)
        for of_langchain in ("run_manager", "stream"):
            more.pop(of_langchain, None)
        return {
            "model_id": self.model,
            "messages": model_messages((_openai(message) for message in messages), api.artifacts),
            "tools": tools,
            "extra_args": {**self._options, **({"stop_sequences": stop} if stop else {}), **more},
            "part": _part(),
        }

    def _message(self, chunk: ModelChunk) -> AIMessageChunk | None:
        """Return a chunk as LangChain's; None for one without text."""
        reply = chunk.reply
        if reply is None and not (chunk.content or chunk.reasoning):
            return None
        if reply is None:
            thought = {"reasoning_content": chunk.reasoning} if chunk.reasoning else {}
            return AIMessageChunk(content=chunk.content or "", additional_kwargs=thought)
        reasoning = [thought.model_dump(mode="json") for thought in reply.message.reasoning]
        finish = "tool_calls" if reply.finish_reason == "tool_call" else reply.finish_reason
        return AIMessageChunk(
            content="",
            additional_kwargs={_REASONING: reasoning} if reasoning else {},
            tool_call_chunks=[
                tool_call_chunk(name=call.function.name, args=call.function.arguments, id=call.id, index=index)
                for index, call in enumerate(reply.message.tool_calls)
            ],
            usage_metadata=_usage(reply.usage),
            response_metadata={"model_provider": PROVIDER, "model_name": self.model, "finish_reason": finish},
            chunk_position="last",
        )


def _openai(message: BaseMessage) -> dict[str, Any]:
    """Return a message as OpenAI's; of an answer the text, the calls and the reasoning that the host made."""
    if not isinstance(message, AIMessage):
        converted: dict[str, Any] = convert_to_openai_messages(message)
        return converted
    bare = AIMessage(str(message.text), tool_calls=message.tool_calls)
    return {**convert_to_openai_messages(bare), "reasoning": message.additional_kwargs.get(_REASONING)}


def _part() -> str | None:
    """Return the node that asks, by its step and place in it: a rerun does not run the nodes again that ended."""
    about = ensure_config().get("metadata") or {}
    if "langgraph_step" not in about:
        return None
    nodes = [node.partition(":")[0] for node in str(about.get("langgraph_checkpoint_ns")).split("|")]
    place = json.dumps([nodes, about["langgraph_step"], about.get("langgraph_path")], default=str)
    return hashlib.sha256(place.encode()).hexdigest()[:32]


def _usage(used: ModelUsage) -> dict[str, Any]:
    details = {"cache_read": used.cached_input_tokens, "cache_creation": used.cache_write_tokens}
    known = {name: count for name, count in details.items() if count is not None}
    thought = {} if used.reasoning_tokens is None else {"reasoning": used.reasoning_tokens}
    return {
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "total_tokens": used.input_tokens + used.output_tokens,
        **({"input_token_details": known} if known else {}),
        **({"output_token_details": thought} if thought else {}),
    }
