"""Translates the results of an SDK runner to ours.

Source: `agent-runner.md` §6 and the SDK's `RunnerResult`. Shared and unknown types pass unchanged; the host judges them
(RNR-32, RNR-33). Sequence numbers and tool calls in chunks are dropped: the SDK renumbers, and calls have their own
results (RNR-29).
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from yarrow.protocol.runner.models import AgentRunResult
from yarrow.runners.langbot.deltas import DeltaReader
from yarrow.runners.langbot.messages import text_of
from yarrow.runners.langbot.usage import Usage

logger = logging.getLogger(__name__)

_TERMINAL: Final = frozenset({"run.completed", "run.failed"})

Results = Iterator[tuple[str, dict[str, Any]]]


class ResultReader:
    def __init__(self, run_id: str, deltas: DeltaReader, usage: Usage) -> None:
        self._run_id = run_id
        self._deltas = deltas
        self._usage = usage
        self._completed: str | None = None
        """The last complete message: a terminal result may repeat it."""
        self._files: set[str] = set()
        """The digests of emitted non-text parts, which senders may repeat with the text."""
        self._readers: Mapping[str, Callable[[dict[str, Any]], Results]] = {
            "message.delta": self._delta,
            "message.completed": self._message,
            "tool.call.started": self._tool_call,
            "action.requested": self._action,
            "processor.log": self._log,
            "run.completed": self._end,
            "run.failed": self._failure,
        }

    def read(self, result: Any) -> Iterator[AgentRunResult]:
        """Translate a RunnerResult to at most two of ours; the last has the run's token usage."""
        type_ = str(getattr(result.type, "value", result.type))
        if type_ not in _TERMINAL:
            self._usage.report(result.usage)
        translated = list(self._readers[type_](result.data)) if type_ in self._readers else [(type_, result.data)]
        for new_type, data in translated:
            if new_type in _TERMINAL and (own := self._usage.own(result.usage)):
                data = {**data, "usage": own}
            yield AgentRunResult(run_id=self._run_id, type=new_type, data=data, timestamp=result.timestamp)

    def _delta(self, data: dict[str, Any]) -> Results:
        chunk = data.get("chunk")
        if not isinstance(chunk, dict) or chunk.get("role") != "assistant":
            yield "message.delta", data
            return
        is_final = bool(chunk.get("is_final"))
        new = self._with_files(self._deltas.read(text_of(chunk.get("content")), is_final=is_final), chunk)
        if new or is_final:
            yield "message.delta", {"chunk": {"role": "assistant", "content": new, "is_final": is_final}}

    def _message(self, data: dict[str, Any]) -> Results:
        message = data.get("message")
        if not isinstance(message, dict) or message.get("role") != "assistant":
            yield "message.completed", data
            return
        self._completed = text_of(message.get("content"))
        content = self._with_files(self._deltas.complete(self._completed), message)
        files = {"output": {"file_ids": data["file_ids"]}} if data.get("file_ids") else {}
        yield "message.completed", {"message": {"role": "assistant", "content": content}, **files}

    def _with_files(self, text: str, message: Mapping[str, Any]) -> str | list[dict[str, Any]]:
        """Add the message's new non-text parts."""
        new = list(self._new_files(message))
        self._files.update(_digest(part) for part in new)
        return [{"type": "text", "text": text}, *new] if new else text

    def _new_files(self, message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        content = message.get("content")
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and part.get("type") != "text" and _digest(part) not in self._files:
                yield part

    def _tool_call(self, data: dict[str, Any]) -> Results:
        self._deltas.pause()
        yield "tool.call.started", data

    def _action(self, data: dict[str, Any]) -> Results:
        yield "action.requested", {**data, "target": data.get("target") or {}, "payload": data.get("payload") or {}}

    def _log(self, data: dict[str, Any]) -> Results:
        logger.debug("a runner's own log", extra={"run_id": self._run_id, "runner_log": data})
        yield from ()

    def _end(self, data: dict[str, Any]) -> Results:
        message = data.get("message")
        if isinstance(message, dict):
            text = text_of(message.get("content"))
            if text and text != self._completed:
                yield from self._message(data)
            elif any(self._new_files(message)):
                yield "message.completed", {"message": {"role": "assistant", "content": self._with_files("", message)}}
        yield "run.completed", {name: value for name, value in data.items() if name != "message"}

    def _failure(self, data: dict[str, Any]) -> Results:
        text = data.get("error") or data.get("message")
        yield "run.failed", {**data, "message": text, "error": text}


def _digest(part: Mapping[str, Any]) -> str:
    members = {name: value for name, value in part.items() if value is not None}
    return hashlib.sha256(json.dumps(members, sort_keys=True, default=str).encode()).hexdigest()
