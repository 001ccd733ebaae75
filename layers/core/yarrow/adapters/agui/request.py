"""A run's context as the RunAgentInput that an AG-UI agent takes.

Agents that keep the conversation compare messages by id. So what an agent has answered is sent back under the ids that
it used, which the conversation's state keeps, and other messages have ids made of what they say.
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from yarrow.protocol.runner.api import AgentAPIException, ModelMessage
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import INPUT_AT, SHARED_STATE, UNOPENED

PROTOCOL_VERSION: Final = "1.0"

MAX_PICTURE_BYTES: Final = 5 * 1024 * 1024
"""Bytes of the pictures of a run's requests; further ones are replaced by a line."""

MAX_IDS: Final = 400
"""Messages of a conversation whose ids are kept."""

Document = dict[str, Any]


class MessageIds:
    """The ids of a conversation's messages, by digests of what they say; the oldest are dropped first."""

    def __init__(self, kept: Any) -> None:
        self._by_digest: dict[str, str] = {}
        for pair in kept if isinstance(kept, list) else ():
            if isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair):
                self._by_digest[pair[0]] = pair[1]

    def of(self, role: str, content: str, number: int) -> str:
        """Return the id of a message; `number` tells equal ones apart."""
        digest = _digest(role, content)
        if number == 0 and digest in self._by_digest:
            return self._by_digest[digest]
        return f"{digest}-{number}"

    def keep(self, role: str, content: str, message_id: str) -> None:
        digest = _digest(role, content)
        self._by_digest.pop(digest, None)
        self._by_digest[digest] = message_id

    def to_store(self) -> list[list[str]]:
        return [[digest, message_id] for digest, message_id in self._by_digest.items()][-MAX_IDS:]


def _digest(role: str, content: str) -> str:
    return hashlib.sha256(f"{role}\n{content}".encode("utf-8", "surrogatepass")).hexdigest()[:24]


def shares_state(context: AgentRunContext) -> bool:
    return context.delivery.platform_capabilities.get(SHARED_STATE) is True


async def run_agent_input(context: AgentRunContext, ids: MessageIds, pictures: "Pictures") -> Document:
    """Return the body of the request, with the conversation and this run's message."""
    extra = {} if context.adapter is None else context.adapter.extra
    thread = None if context.conversation is None else context.conversation.thread_id
    return {
        "threadId": thread or context.run_id,
        "runId": context.run_id,
        "protocolVersion": PROTOCOL_VERSION,
        "state": extra.get("state") if shares_state(context) else {},
        "messages": await _messages(context, ids, pictures),
        "tools": [
            {"name": tool.tool_name, "description": tool.description or "", "parameters": tool.parameters or {}}
            for tool in context.resources.tools
        ],
        "context": extra.get("context") or [],
        "forwardedProps": extra.get("forwardedProps") or {},
    }


async def _messages(context: AgentRunContext, ids: MessageIds, pictures: "Pictures") -> list[Document]:
    history = [] if context.bootstrap is None else [*context.bootstrap.messages]
    numbers: Counter[tuple[str, str]] = Counter()
    messages = [document for message in history for document in await _documents(message, ids, numbers, pictures)]
    if context.input.contents or context.input.text:
        own = ModelMessage(role="user", content=context.input.contents or context.input.text)
        message_id = (context.subject and context.subject.subject_id) or context.run_id
        ids.keep("user", _said(own.content), message_id)
        document = {"id": message_id, "role": "user", "content": await pictures.content(own.content)}
        messages.insert(_place(context, history, messages), document)
    return messages


def _place(context: AgentRunContext, history: Sequence[ModelMessage], messages: Sequence[Document]) -> int:
    """Return where the run's own message belongs: before what has followed it already."""
    input_at = None if context.bootstrap is None else context.bootstrap.metadata.get(INPUT_AT)
    if input_at is None:
        return len(messages)
    return len(messages) - sum(1 + len(message.reasoning) for message in history[input_at:])


async def _documents(
    message: ModelMessage, ids: MessageIds, numbers: "Counter[tuple[str, str]]", pictures: "Pictures"
) -> list[Document]:
    content_key = message.tool_call_id or (message.tool_calls[0].id if message.tool_calls else _said(message.content))
    number = numbers[message.role, content_key]
    numbers[message.role, content_key] += 1
    message_id = ids.of(message.role, content_key, number)
    document: Document = {"id": message_id, "role": message.role, "content": await pictures.content(message.content)}
    if message.name:
        document["name"] = message.name
    if message.tool_call_id:
        document["toolCallId"] = message.tool_call_id
    if message.tool_calls:
        document["toolCalls"] = [call.model_dump(mode="json") for call in message.tool_calls]
        if not document["content"]:
            del document["content"]
    reasoning = [
        {
            "id": f"{message_id}-reasoning-{index}",
            "role": "reasoning",
            "content": thought.content,
            **({"encryptedValue": thought.encrypted_value} if thought.encrypted_value else {}),
        }
        for index, thought in enumerate(message.reasoning)
    ]
    return [*reasoning, document]


def _said(content: str | Sequence[Mapping[str, Any]] | None) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(str(part["text"]) for part in content if part.get("type") == "text")


class Pictures:
    """Turns contents into AG-UI's, with the bytes of pictures that the run may read; they share one limit."""

    def __init__(self, api: AgentRunAPIProxy) -> None:
        self._api = api
        self._room = MAX_PICTURE_BYTES

    async def content(self, content: str | Sequence[Mapping[str, Any]] | None) -> str | list[Document]:
        if content is None or isinstance(content, str):
            return content or ""
        parts = [await self._part(part) for part in content]
        if all(part["type"] == "text" for part in parts):
            return "\n".join(part["text"] for part in parts)
        return parts

    async def _part(self, part: Mapping[str, Any]) -> Document:
        match part:
            case {"type": "text", "text": str(text)}:
                return {"type": "text", "text": text}
            case {"type": "artifact", "artifact_id": str(artifact_id)}:
                return await self._picture(artifact_id)
            case {"type": "image_url", "image_url": {"url": str(url)}} if url.startswith("https://"):
                return {"type": "image", "source": {"type": "url", "value": url}}
        return _left_out(str(part.get("type")))

    async def _picture(self, artifact_id: str) -> Document:
        try:
            about = await self._api.artifacts.metadata(artifact_id)
            if about.size_bytes > self._room:
                return _left_out("image")
            self._room -= about.size_bytes
            content = b"".join([part async for part in self._api.artifacts.open_stream(artifact_id, 256 * 1024)])
        except AgentAPIException:
            return _left_out("image")
        source = {"type": "data", "value": base64.b64encode(content).decode(), "mimeType": about.mime_type}
        return {"type": about.mime_type.partition("/")[0], "source": source}


def _left_out(kind: str) -> Document:
    return {"type": "text", "text": UNOPENED.format(kind=kind)}
