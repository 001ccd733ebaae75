"""Keeps what a run's models are asked and answer, and what the run is refused, for the author of its agent (STP-10).

Texts are without secrets and cut off; of pictures and artifacts there is a line, of reasoning its text, without the
values by which a provider knows it again.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.observability.logs import logger
from yarrow.observability.redaction import without_secrets
from yarrow.protocol.runner.api import AgentAPIError, AgentAPIException, ModelMessage, ModelRequest, ModelTool
from yarrow.services.steps import streamed
from yarrow.services.steps.step_log import Call
from yarrow.store import clock, sessions
from yarrow.store.runner import contents as store

MAX_TEXT: Final = 16_000
"""Characters of one text."""
MAX_BYTES: Final = 96 * 1024
"""JSON bytes of all messages, and as many of all tools: an item of the table has at most 400 KB."""
MAX_NAME: Final = 200

Document = dict[str, Any]


class RunContents:
    """What is kept of one run of a thread; `log_key` is that of its steps. A failure to keep is logged, and fails no
    call.
    """

    def __init__(self, run_key: str, thread_id: str, log_key: str, attempt: int) -> None:
        self._run_key, self._thread_id, self._log_key, self._attempt = run_key, thread_id, log_key, attempt

    def noting(
        self, call: Call, request: ModelRequest, make: Callable[[], Awaitable[Document]]
    ) -> Callable[[], Awaitable[Document]]:
        """Return `make`, after which is kept what it was asked and answered."""

        async def made() -> Document:
            try:
                document = await make()
            except AgentAPIException as failure:
                await self._keep(call, request, None, failure.error)
                raise
            await self._keep(call, request, document)
            return document

        return made

    def noting_stream(
        self, call: Call, request: ModelRequest, make: Callable[[], AsyncGenerator[Document]]
    ) -> Callable[[], AsyncGenerator[Document]]:
        """Return `make` for a streamed answer, which is kept before its last chunk is given, or as it breaks off."""

        async def made() -> AsyncGenerator[Document]:
            received = streamed.ReceivedChunks()
            async with aclosing(make()) as chunks:
                try:
                    async for chunk in chunks:
                        received.append(chunk)
                        if received.is_whole:
                            await self._keep(call, request, received.result())
                        yield chunk
                except AgentAPIException as failure:
                    await self._keep(call, request, received.result(), failure.error)
                    raise
                except GeneratorExit:
                    if not received.is_whole:
                        await self._keep(call, request, received.result())
                    raise

        return made

    async def refused(self, action: str, name: str | None, code: str, message: str) -> None:
        """Keep that a call was refused before it began."""
        shown = None if name is None else _text(name, MAX_NAME)[0]
        refusal = store.Refusal(
            place=store.place_of(action, shown, code),
            attempt=self._attempt,
            refused_at=clock.now_iso(),
            action=action,
            code=code,
            message=_text(message, MAX_NAME)[0],
            name=shown,
        )
        await self._tried(self._run_key, lambda: store.refuse(self._run_key, refusal))

    async def _keep(
        self, call: Call, request: ModelRequest, document: Document | None, failure: AgentAPIError | None = None
    ) -> None:
        def keep() -> None:
            contents = contents_of(request, document, failure)
            store.keep(self._log_key, store.CallContents(call.id, self._attempt, contents))

        await self._tried(self._log_key, keep)

    async def _tried(self, key: str, keep: Callable[[], None]) -> None:
        """Keep something with a run; what cannot be read or stored never fails the call that it is of.

        A worker goes on for a moment after its session was deleted. What it keeps then, the deletion may have missed.
        """

        def kept() -> None:
            keep()
            session = sessions.read(self._thread_id)
            if session is not None and session.deleted_at is not None:
                store.delete(key)

        try:
            await asyncio.to_thread(kept)
        except Exception:
            logger.exception("what a run's author is told could not be kept")


def contents_of(request: ModelRequest, document: Document | None, failure: AgentAPIError | None = None) -> Document:
    """Return what is kept of a call: `messages`, `tools`, `options`, and `answer`, `finish_reason` or `error`.

    Of more than fits, the first message and the latest are kept; `left_out` counts the others, `tools_left_out` tools.
    """
    messages = [_message(message) for message in request.messages]
    kept = _that_fit(messages)
    tools = list(_tools(request.tools or ()))
    found: Document = {
        "messages": kept,
        "tools": tools,
        "options": {name: _shown(value) for name, value in (request.extra_args or {}).items()},
    }
    if left := len(messages) - len(kept):
        found["left_out"] = left
    if left := len(request.tools or ()) - len(tools):
        found["tools_left_out"] = left
    if document is not None:
        found |= _answer(document)
    if failure is not None:
        found["error"] = {"code": failure.code, "message": _text(failure.message, MAX_TEXT)[0]}
    return found


def _answer(document: Mapping[str, Any]) -> Document:
    """Return the answer of a model: the whole one, or the words that came of it."""
    chunks = document.get("chunks")
    reply = document if chunks is None else next((chunk["reply"] for chunk in chunks if "reply" in chunk), None)
    if reply is None:
        words = "".join(chunk.get("content") or "" for chunk in chunks or ())
        return {"answer": _message(ModelMessage(role="assistant", content=words))} if words else {}
    message = ModelMessage.model_validate(reply["message"])
    return {"answer": _message(message), "finish_reason": reply.get("finish_reason", "stop")}


def _message(message: ModelMessage) -> Document:
    parts = [message.content] if isinstance(message.content, str) else [_part(part) for part in message.content or ()]
    text, cut = _text("\n".join(parts), MAX_TEXT)
    thoughts, cut_thoughts = _text("\n".join(thought.content for thought in message.reasoning), MAX_TEXT)
    calls = [
        {"name": _text(call.function.name, MAX_NAME)[0], "arguments": _text(call.function.arguments, MAX_TEXT)[0]}
        for call in message.tool_calls
    ]
    found: Document = {"role": message.role, "text": text}
    named = {"name": message.name and _text(message.name, MAX_NAME)[0], "reasoning": thoughts, "calls": calls}
    found |= {name: value for name, value in named.items() if value}
    return {**found, "cut": cut + cut_thoughts} if cut + cut_thoughts else found


def _part(part: Mapping[str, Any]) -> str:
    match part:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": str(kind)}:
            return f"[{kind}]"
    return "[?]"


def _tools(tools: Iterable[ModelTool]) -> Iterable[Document]:
    left = MAX_BYTES
    for tool in tools:
        description, _ = _text(tool.description or "", MAX_TEXT)
        parameters, _ = _text(json_text.dumps(tool.parameters), MAX_TEXT)
        shown = {"name": _text(tool.name, MAX_NAME)[0], "description": description, "parameters": parameters}
        left -= _size(shown)
        if left < 0:
            return
        yield shown


def _that_fit(messages: list[Document]) -> list[Document]:
    """Return the first message and the latest that fit besides."""
    first, *rest = messages
    left, latest = MAX_BYTES - _size(first), list[Document]()
    for message in reversed(rest):
        left -= _size(message)
        if left < 0:
            break
        latest.insert(0, message)
    return [first, *latest]


def _size(document: Document) -> int:
    return len(json_text.dumps(document).encode("utf-8", "surrogatepass"))


def _shown(value: Any) -> Any:
    """Return an option, or its JSON text where that is long or may have secrets."""
    return value if isinstance(value, bool | int | float | None) else _text(json_text.dumps(value), MAX_TEXT)[0]


def _text(text: str, characters: int) -> tuple[str, int]:
    """Return the text's beginning without secrets, in characters that can be stored, and how many were left out."""
    shown = without_secrets(text)
    return shown[:characters].encode(errors="replace").decode(), max(0, len(shown) - characters)
