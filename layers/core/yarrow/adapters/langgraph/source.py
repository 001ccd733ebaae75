"""One run of a graph as AG-UI events.

Source: LangGraph's stream modes `messages`, `updates` and `custom`. Text comes as its model streams it; calls, results
and what was not streamed come with the update of their node, which is also all that a node of the cache has.
"""

from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping
from contextlib import aclosing
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Interrupt
from pydantic_core import to_jsonable_python

from yarrow.adapters.langgraph.chat_model import PROVIDER, configurable
from yarrow.adapters.langgraph.messages import arguments_of, from_agui, shown_content
from yarrow.adapters.langgraph.node_cache import POLICY, NodeCache
from yarrow.formats.growing_text import GrowingText
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

Document = Mapping[str, Any]


class GraphSource:
    """The runs of a graph for one run of the agent: the first, and one after each answer of the user.

    `values` are the channels, besides `messages`, that the conversation's last run left. Only `shown` nodes' text is
    streamed; None for that of all. Models of the deployment are asked by `api`.
    """

    def __init__(
        self,
        graph: CompiledStateGraph[Any, Any, Any, Any],
        cache: NodeCache,
        values: Document,
        shown: Collection[str] | None,
        api: AgentRunAPIProxy | None = None,
    ) -> None:
        saver = InMemorySaver()
        self._graph = graph.copy({"checkpointer": saver, "cache": cache, "cache_policy": POLICY})
        self._cache = cache
        self._channels = frozenset(self._graph.get_input_jsonschema().get("properties", {}))
        self._values = values
        self._shown = shown
        self._api = api
        self._config: dict[str, dict[str, Any]] = {"configurable": {"thread_id": "run"}}

    async def __call__(self, body: dict[str, Any]) -> AsyncGenerator[Document]:
        ids = {"threadId": body["threadId"], "runId": body["runId"]}
        yield {"type": "RUN_STARTED", **ids}
        run = _Events(self._shown)
        modes = ["messages", "updates", "custom"]
        if self._api is not None:
            self._config["configurable"] |= configurable(self._api)
        try:
            async with aclosing(self._graph.astream(self._input(body), self._config, stream_mode=modes)) as stream:
                async for mode, chunk in stream:
                    for event in run.of(mode, chunk):
                        yield event
        finally:
            self._cache.leave()
        snapshot = to_jsonable_python(await self.values(), fallback=str)
        if snapshot:
            yield {"type": "STATE_SNAPSHOT", "snapshot": snapshot}
        outcome = {"outcome": {"type": "interrupt", "interrupts": run.interrupts}} if run.interrupts else {}
        yield {"type": "RUN_FINISHED", **ids, "usage": run.usage, **outcome}

    def _input(self, body: Mapping[str, Any]) -> Any:
        if body.get("resume"):
            return Command(resume={entry["interruptId"]: _answer(entry) for entry in body["resume"]})
        state = body.get("state")
        sent = {**self._values, **(state if isinstance(state, dict) else {})}
        return {
            **{name: value for name, value in sent.items() if name in self._channels},
            "messages": from_agui(body["messages"]),
        }

    async def values(self) -> dict[str, Any]:
        """Return the graph's channels that a next run begins with, besides its messages."""
        state = await self._graph.aget_state(self._config)
        return {name: value for name, value in state.values.items() if name in self._channels and name != "messages"}


class _Events:
    """Translates the chunks of a stream; `interrupts` and `usage` are as RUN_FINISHED has them."""

    def __init__(self, shown: Collection[str] | None) -> None:
        self.interrupts: list[dict[str, Any]] = []
        self._shown = shown
        self._streamed: dict[str, GrowingText] = defaultdict(GrowingText)
        """Texts by the ids under which they came."""
        self._names: dict[str, str] = {}
        """The same ids, by those of the messages that nodes wrote."""
        self._counted: dict[str, Counter[str]] = defaultdict(Counter)

    @property
    def usage(self) -> list[dict[str, Any]]:
        return [{"model": model, **counts} for model, counts in self._counted.items()]

    def of(self, mode: str, chunk: Any) -> Iterator[Document]:
        if mode == "messages":
            yield from self._piece(*chunk)
        elif mode == "updates":
            for node, update in chunk.items():
                if node == "__interrupt__":
                    self.interrupts += [_interrupt(interrupt) for interrupt in update]
                elif node != "__metadata__":
                    yield from self._update(node, update)
        elif isinstance(chunk, dict) and isinstance(chunk.get("name"), str):
            yield {"type": "CUSTOM", "name": chunk["name"], "value": chunk.get("value")}

    def _piece(self, message: BaseMessage, metadata: Mapping[str, Any]) -> Iterator[Document]:
        node = metadata.get("langgraph_node")
        if not isinstance(message, AIMessageChunk) or not message.id or not self._shows(node):
            return
        if message.text:
            self._streamed[message.id].append(str(message.text))
            yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": message.id, "delta": str(message.text)}
        if message.chunk_position == "last":  # the node may go on to stream another, or leave this one out
            yield {"type": "TEXT_MESSAGE_END", "messageId": message.id}

    def _shows(self, node: Any) -> bool:
        return self._shown is None or node in self._shown

    def _update(self, node: str, update: Any) -> Iterator[Document]:
        for message in _messages(update):
            if isinstance(message, AIMessage):
                yield from self._answer(node, message)
            elif isinstance(message, ToolMessage):
                result = {"messageId": message.id or "", "toolCallId": message.tool_call_id}
                yield {"type": "TOOL_CALL_RESULT", "role": "tool", **result, "content": shown_content(message)}

    def _answer(self, node: str, message: AIMessage) -> Iterator[Document]:
        self._count(message)
        message_id = self._streamed_as(message)
        if message.text and self._shows(node) and message_id not in self._streamed:
            yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": str(message.text)}
        yield {"type": "TEXT_MESSAGE_END", "messageId": message_id}
        for call in message.tool_calls:
            named = {"toolCallId": call["id"], "toolCallName": call["name"], "parentMessageId": message_id}
            yield {"type": "TOOL_CALL_START", **named}
            yield {"type": "TOOL_CALL_ARGS", "toolCallId": call["id"], "delta": arguments_of(call["args"])}
            yield {"type": "TOOL_CALL_END", "toolCallId": call["id"]}

    def _streamed_as(self, message: AIMessage) -> str:
        """Return the id under which a message was streamed, else its own: models by Responses stream under another."""
        own, text, taken = message.id or "", str(message.text), {*self._names.values()}
        if text and own not in self._names:
            streamed = (name for name, said in self._streamed.items() if str(said) == text and name not in taken)
            self._names[own] = own if own in self._streamed else next(streamed, own)
        return self._names.get(own, own)

    def _count(self, message: AIMessage) -> None:
        usage = message.usage_metadata
        if usage is not None and message.response_metadata.get("model_provider") != PROVIDER:
            model = str(message.response_metadata.get("model_name") or "unknown")
            self._counted[model].update(
                inputTokens=usage["input_tokens"],
                outputTokens=usage["output_tokens"],
            )


def _messages(update: Any) -> list[BaseMessage]:
    """Return the messages of an update, or of each of several."""
    if isinstance(update, list):
        return [message for one in update for message in _messages(one)]
    listed = update.get("messages") if isinstance(update, dict) else None
    return [
        message for message in (listed if isinstance(listed, list) else [listed]) if isinstance(message, BaseMessage)
    ]


def _interrupt(interrupt: Interrupt[Any]) -> dict[str, Any]:
    """Return an interrupt as AG-UI has it: its value is a text, or an object with AG-UI's members of it."""
    value = to_jsonable_python(interrupt.value, fallback=str)
    named = value if isinstance(value, dict) else {}
    message = value if isinstance(value, str) else named.get("message") or named.get("question")
    schema = interrupt.response_schema or named.get("responseSchema")
    return {
        "id": interrupt.id,
        "reason": str(named.get("reason") or "input"),
        "message": message if isinstance(message, str) else arguments_of(value),
        **({"responseSchema": schema} if isinstance(schema, dict) else {}),
    }


def _answer(entry: Mapping[str, Any]) -> Any:
    """Return what `interrupt` returns: the payload, or that there is none."""
    return {"status": "cancelled"} if entry["status"] == "cancelled" else entry.get("payload")
