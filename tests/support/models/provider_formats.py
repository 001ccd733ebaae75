"""The wire formats of two providers: Bedrock's Converse (JSON, and the binary frames of an AWS event stream) and
OpenAI's chat completions (JSON, and server-sent events). Each builds the same answers.
"""

import json
import struct
from abc import ABC, abstractmethod
from binascii import crc32
from collections.abc import Mapping
from typing import Any, ClassVar

from tests.support.models.server import Answer

SECRET = "hunter2"
"""What no log and no error may show."""

USAGE = (11, 7)
"""Tokens in and out of every answer."""


class Wire(ABC):
    """How a provider says it. A call is (id, name, arguments)."""

    name: str
    model: str

    @abstractmethod
    def whole(self, text: str, *calls: tuple[str, str, str]) -> Answer:
        """An answer that is not streamed."""

    @abstractmethod
    def begun(self, *texts: str) -> tuple[bytes, ...]:
        """Return the beginning of a streamed answer: pieces of text."""

    @abstractmethod
    def calling(self, *calls: tuple[str, str, str]) -> tuple[bytes, ...]:
        """Return the calls in a streamed answer, each one's arguments in two pieces."""

    @abstractmethod
    def ended(self, reason: str = "stop") -> tuple[bytes, ...]:
        """Return the end of a streamed answer."""

    @abstractmethod
    def failing(self) -> tuple[bytes, ...]:
        """The provider fails within a stream, and quotes SECRET."""

    @abstractmethod
    def refused(self, status: int, text: str) -> Answer:
        """The provider refuses a request with a text of its own."""

    @abstractmethod
    def streamed(self, *pieces: bytes, then: str = "end") -> Answer:
        """Return a streamed answer of these pieces."""

    def cut(self, reason: str) -> tuple[bytes, ...]:
        """Return the end of an answer at its `length`, or by a `content_filter`."""
        return self.ended(self.reasons[reason])

    reasons: ClassVar[Mapping[str, str]]
    """Finish reasons as the provider words them."""

    def throttled(self) -> Answer:
        return self.refused(429, "Too many requests")


class Bedrock(Wire):
    name = "bedrock"
    model = "bedrock:us.amazon.nova-lite-v1:0"
    reasons: ClassVar[Mapping[str, str]] = {"length": "max_tokens", "content_filter": "guardrail_intervened"}
    _codes: ClassVar = {400: "ValidationException", 403: "AccessDeniedException", 429: "ThrottlingException"}

    def whole(self, text: str, *calls: tuple[str, str, str], reason: str = "end_turn") -> Answer:
        content: list[dict[str, Any]] = [{"text": text}] if text else []
        content += [
            {"toolUse": {"toolUseId": id_, "name": name, "input": json.loads(arguments)}}
            for id_, name, arguments in calls
        ]
        body = {
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": "tool_use" if calls else reason,
            "usage": self._usage(),
            "metrics": {"latencyMs": 1},
        }
        return Answer((json.dumps(body).encode(),), headers=(("Content-Type", "application/json"),))

    def begun(self, *texts: str) -> tuple[bytes, ...]:
        start = _event("messageStart", {"role": "assistant"})
        return (start, *(self._delta(0, {"text": text}) for text in texts), self._stop(0))

    def calling(self, *calls: tuple[str, str, str]) -> tuple[bytes, ...]:
        frames = []
        for index, (id_, name, arguments) in enumerate(calls, 1):
            start = {"contentBlockIndex": index, "start": {"toolUse": {"toolUseId": id_, "name": name}}}
            frames += [_event("contentBlockStart", start)]
            frames += [self._delta(index, {"toolUse": {"input": half}}) for half in _halves(arguments)]
            frames += [self._stop(index)]
        return tuple(frames)

    def ended(self, reason: str = "stop") -> tuple[bytes, ...]:
        stop = _event("messageStop", {"stopReason": {"stop": "end_turn", "calls": "tool_use"}.get(reason, reason)})
        return (stop, _event("metadata", {"usage": self._usage(), "metrics": {"latencyMs": 1}}))

    def failing(self) -> tuple[bytes, ...]:
        return (_frame({"message": f"It fell over {SECRET}"}, exception="modelStreamErrorException"),)

    def refused(self, status: int, text: str) -> Answer:
        headers = (("Content-Type", "application/json"), ("x-amzn-ErrorType", self._codes.get(status, "Broken")))
        return Answer((json.dumps({"message": text}).encode(),), status, headers)

    def streamed(self, *pieces: bytes, then: str = "end") -> Answer:
        return Answer(pieces, headers=(("Content-Type", "application/vnd.amazon.eventstream"),), then=then)

    def thinking(self, *texts: str, signature: str = "", index: int = 5) -> tuple[bytes, ...]:
        """What a model thinks before it answers."""
        signed = (self._delta(index, {"reasoningContent": {"signature": signature}}),) if signature else ()
        pieces = (self._delta(index, {"reasoningContent": {"text": text}}) for text in texts)
        return (*pieces, *signed, self._stop(index))

    @staticmethod
    def _usage() -> dict[str, int]:
        return {"inputTokens": USAGE[0], "outputTokens": USAGE[1], "totalTokens": sum(USAGE)}

    @staticmethod
    def _delta(index: int, delta: Mapping[str, Any]) -> bytes:
        return _event("contentBlockDelta", {"contentBlockIndex": index, "delta": delta})

    @staticmethod
    def _stop(index: int) -> bytes:
        return _event("contentBlockStop", {"contentBlockIndex": index})


class OpenAI(Wire):
    name = "openai"
    model = "openai-chat:gpt-4o-mini"
    reasons: ClassVar[Mapping[str, str]] = {"length": "length", "content_filter": "content_filter"}

    def whole(self, text: str, *calls: tuple[str, str, str]) -> Answer:
        message = {
            "role": "assistant",
            "content": text or None,
            "tool_calls": [
                {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}
                for id_, name, arguments in calls
            ]
            or None,
        }
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
        body = self._completion("chat.completion", [choice], usage=self._usage())
        return Answer((json.dumps(body).encode(),), headers=(("Content-Type", "application/json"),))

    def begun(self, *texts: str) -> tuple[bytes, ...]:
        return tuple(self._chunk({"role": "assistant", "content": text}) for text in texts)

    def calling(self, *calls: tuple[str, str, str]) -> tuple[bytes, ...]:
        chunks = []
        for index, (id_, name, arguments) in enumerate(calls):
            first, second = _halves(arguments)
            start = {"index": index, "id": id_, "type": "function", "function": {"name": name, "arguments": first}}
            chunks += [self._chunk({"tool_calls": [start]})]
            chunks += [self._chunk({"tool_calls": [{"index": index, "function": {"arguments": second}}]})]
        return tuple(chunks)

    def ended(self, reason: str = "stop") -> tuple[bytes, ...]:
        usage = self._completion("chat.completion.chunk", [], usage=self._usage())
        finish = self._chunk({}, {"calls": "tool_calls"}.get(reason, reason))
        return (finish, _sse(usage), b"data: [DONE]\n\n")

    def thinking(self, *texts: str, field: str = "reasoning_content") -> tuple[bytes, ...]:
        """What a model thinks before it answers, as servers of open models say it."""
        return tuple(self._chunk({"role": "assistant", field: text}) for text in texts)

    def refusing(self, *texts: str) -> tuple[bytes, ...]:
        """A refusal in pieces, which come in the place of content."""
        return tuple(self._chunk({"role": "assistant", "refusal": text}) for text in texts)

    def failing(self) -> tuple[bytes, ...]:
        return (_sse({"error": {"message": f"It fell over {SECRET}", "type": "server_error", "code": None}}),)

    def refused(self, status: int, text: str) -> Answer:
        error = {"error": {"message": text, "type": "refused", "param": None, "code": None}}
        return Answer((json.dumps(error).encode(),), status, (("Content-Type", "application/json"),))

    def streamed(self, *pieces: bytes, then: str = "end") -> Answer:
        return Answer(pieces, headers=(("Content-Type", "text/event-stream"),), then=then)

    def _chunk(self, delta: Mapping[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _sse(self._completion("chat.completion.chunk", [choice]))

    @staticmethod
    def _completion(kind: str, choices: list[Any], **more: Any) -> dict[str, Any]:
        return {"id": "c1", "object": kind, "created": 1, "model": "gpt-4o-mini", "choices": choices, **more}

    @staticmethod
    def _usage() -> dict[str, int]:
        return {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1], "total_tokens": sum(USAGE)}


WIRES: Mapping[str, Wire] = {wire.name: wire for wire in (Bedrock(), OpenAI())}


def _event(kind: str, payload: Mapping[str, Any]) -> bytes:
    return _frame(payload, event=kind)


def _frame(payload: Mapping[str, Any], **kind: str) -> bytes:
    """Return a frame of `application/vnd.amazon.eventstream`: lengths, checksum, headers, payload, checksum."""
    ((message_type, name),) = kind.items()
    headers = {":message-type": message_type, f":{message_type}-type": name, ":content-type": "application/json"}
    head = b"".join(
        struct.pack("!B", len(key)) + key.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
        for key, value in headers.items()
    )
    body = json.dumps(payload).encode()
    lengths = struct.pack("!II", 16 + len(head) + len(body), len(head))
    message = lengths + struct.pack("!I", crc32(lengths)) + head + body
    return message + struct.pack("!I", crc32(message))


def _sse(payload: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(payload).encode() + b"\n\n"


def _halves(text: str) -> tuple[str, str]:
    middle = len(text) // 2
    return text[:middle], text[middle:]
