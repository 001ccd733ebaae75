"""Frames for the page (WSP-01, WSP-02): the envelope, and what is done when something does not fit in one (C27).

Every frame names its task exactly, since the page drops others. A frame has at most MAX_FRAME_BYTES; appends are split,
and a snapshot is trimmed, but always has all its keys: the page wipes what one lacks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.workspace.errors import CommandError

VERSION: Final = "1.0"
MAX_FRAME_BYTES: Final = 127 * 1024
"""API Gateway takes 128 KB."""

SNAPSHOT: Final = "agent_state_snapshot"
SESSION_LIST: Final = "agent_session_list"
CONVERSATION: Final = "agent_conversation_update"
SUBTASKS: Final = "agent_subtask_update"
ARTIFACTS: Final = "agent_artifact_update"
LOGS: Final = "agent_runtime_log_update"
EXECUTION: Final = "agent_execution_update"
ERROR: Final = "agent_error"

_BY_SESSION: Final = ("conversations", "subtasks", "artifacts", "runtimeLogs")


@dataclass(frozen=True, slots=True)
class Frames:
    """Makes the frames of one task at one moment, in milliseconds."""

    task_name: str
    at_ms: int

    def error(self, error: CommandError, request_id: str | int | None = None) -> bytes:
        """An error the page can go on after (WSP-31)."""
        top = {} if request_id is None else {"requestId": request_id}
        return self._frame(ERROR, {"code": error.code.code, "message": error.message}, top)

    def session_list(self, sessions: Sequence[Mapping[str, Any]], active: str) -> bytes:
        """The sessions, and the one that this connection shows (WSP-20)."""
        return self._frame(SESSION_LIST, {"sessions": list(sessions), "activeSessionId": active})

    def conversation(
        self, session_id: str, messages: Sequence[Mapping[str, Any]], prompt: Mapping[str, Any] | None = None
    ) -> Iterator[bytes]:
        """New messages, and the prompt if it changed (WSP-21): sent again, it costs the user's drafts."""
        asked = {} if prompt is None else {"prompt": prompt}
        chunks = list(self._chunks(CONVERSATION, session_id, messages)) or [[]]
        *others, last = chunks
        for chunk in others:
            yield self._append(CONVERSATION, session_id, chunk)
        whole = self._append(CONVERSATION, session_id, last, asked)
        if len(whole) <= MAX_FRAME_BYTES:
            yield whole
        else:
            yield self._append(CONVERSATION, session_id, last)
            yield self._append(CONVERSATION, session_id, [], asked)

    def artifacts(self, session_id: str, artifacts: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
        """New artifacts (WSP-28)."""
        return (self._append(ARTIFACTS, session_id, each) for each in self._chunks(ARTIFACTS, session_id, artifacts))

    def logs(self, session_id: str, lines: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
        """New lines of the log (WSP-29)."""
        return (self._append(LOGS, session_id, each) for each in self._chunks(LOGS, session_id, lines))

    def subtasks(self, session_id: str, items: Sequence[Mapping[str, Any]]) -> bytes:
        """All subtasks (WSP-27)."""
        return self._frame(SUBTASKS, {"sessionId": session_id, "items": list(items)})

    def execution(self, session_id: str, state: Mapping[str, Any]) -> bytes:
        """The whole state of the work (WSP-30)."""
        return self._frame(EXECUTION, {"sessionId": session_id, "state": dict(state)})

    def snapshot(self, data: Mapping[str, Any]) -> list[bytes]:
        """A snapshot (WSP-19), with all that does not fit as updates after it.

        Pictures go first, then the oldest messages: the page sorts messages, so those may come later. The active
        session is the last to be cut.
        """
        whole = self._frame(SNAPSHOT, data)
        if len(whole) <= MAX_FRAME_BYTES:
            return [whole]
        conversations = {each: list(map(_without_previews, of)) for each, of in data["conversations"].items()}
        data = {**data, "conversations": conversations}
        whole = self._frame(SNAPSHOT, data)
        if len(whole) <= MAX_FRAME_BYTES:
            return [whole]
        return self._trimmed(data)

    def _trimmed(self, data: Mapping[str, Any]) -> list[bytes]:
        ids = [session["id"] for session in sorted(data["sessions"], key=lambda each: -each["updatedAt"])]
        ids.sort(key=lambda each: each != data["activeSessionId"])
        kept: dict[str, Any] = {**data, "prompts": {}, **{name: {each: [] for each in ids} for name in _BY_SESSION}}
        room = MAX_FRAME_BYTES - len(self._frame(SNAPSHOT, kept))
        later: list[bytes] = []
        for each in ids:
            prompt = data["prompts"].get(each)
            if prompt is not None:
                if (room := room - _size({each: prompt})) >= 0:
                    kept["prompts"][each] = prompt
                else:
                    later += self.conversation(each, [], prompt)
                    room = max(room + _size({each: prompt}), 0)
            for name in ("subtasks", "artifacts", "runtimeLogs"):
                items = data[name].get(each, [])
                if (size := _size(items)) <= room:
                    kept[name][each], room = items, room - size
                else:
                    later += self._update(name, each, items)
            messages = data["conversations"].get(each, [])
            first = len(messages)
            while first and (size := _size(messages[first - 1])) <= room:
                first, room = first - 1, room - size
            kept["conversations"][each] = messages[first:]
            if first:
                later += self.conversation(each, messages[:first])
        return [self._frame(SNAPSHOT, kept), *later]

    def _update(self, name: str, session_id: str, items: Sequence[Mapping[str, Any]]) -> Iterable[bytes]:
        if name == "subtasks":
            return [self.subtasks(session_id, items)]
        return self.artifacts(session_id, items) if name == "artifacts" else self.logs(session_id, items)

    def _chunks(
        self, type_: str, session_id: str, items: Sequence[Mapping[str, Any]]
    ) -> Iterator[list[Mapping[str, Any]]]:
        most = MAX_FRAME_BYTES - len(self._append(type_, session_id, []))
        chunk: list[Mapping[str, Any]] = []
        room = most
        for item in items:
            size = _size(item)
            if chunk and size > room:
                yield chunk
                chunk, room = [], most
            chunk.append(item)
            room -= size
        if chunk:
            yield chunk

    def _append(
        self, type_: str, session_id: str, items: Sequence[Mapping[str, Any]], more: Mapping[str, Any] | None = None
    ) -> bytes:
        return self._frame(type_, {"sessionId": session_id, "append": list(items), **(more or {})})

    def _frame(self, type_: str, data: Mapping[str, Any], top: Mapping[str, Any] | None = None) -> bytes:
        envelope = {
            "type": type_,
            "version": VERSION,
            "taskName": self.task_name,
            "timestamp": self.at_ms,
            **(top or {}),
            "data": data,
        }
        return json_text.dumps(envelope).encode()


def _without_previews(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message without the contents of its files."""
    if "attachments" not in message:
        return message
    files = [
        {name: value for name, value in each.items() if name != "contentBase64"} for each in message["attachments"]
    ]
    return {**message, "attachments": files}


def _size(part: Any) -> int:
    """The bytes of a part and the comma after it."""
    return len(json_text.dumps(part).encode()) + 1
