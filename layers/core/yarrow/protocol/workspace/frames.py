"""Makes frames for the page (WSP-01, WSP-02): the envelope, and the division of what does not fit in one (C27).

Every frame names its task exactly, since the page drops others. A frame has at most MAX_FRAME_BYTES; appends are split,
and a snapshot is trimmed, but always has all its keys: the page deletes what one lacks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec import Struct, structs

from yarrow.formats import json_text
from yarrow.protocol.workspace.errors import CommandError
from yarrow.protocol.workspace.models import (
    Artifact,
    Attachment,
    Execution,
    Log,
    Message,
    Prompt,
    SessionEntry,
    Subtask,
)

VERSION: Final = "1.0"
MAX_FRAME_BYTES: Final = 127 * 1024
"""The most bytes of a frame: API Gateway takes 128 KB."""

SNAPSHOT: Final = "agent_state_snapshot"
SESSION_LIST: Final = "agent_session_list"
CONVERSATION: Final = "agent_conversation_update"
SUBTASKS: Final = "agent_subtask_update"
ARTIFACTS: Final = "agent_artifact_update"
LOGS: Final = "agent_runtime_log_update"
EXECUTION: Final = "agent_execution_update"
ERROR: Final = "agent_error"

_Item = TypeVar("_Item", Message, Artifact, Log)


class _Data(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The data of a frame. A member that is None is left out."""


class _Error(_Data, frozen=True, kw_only=True):
    code: str
    message: str


class _SessionList(_Data, frozen=True, kw_only=True):
    sessions: Sequence[SessionEntry]
    active_session_id: str


class _Append(_Data, frozen=True, kw_only=True):
    """New messages, artifacts or lines of the log; with messages, the prompt if it changed."""

    session_id: str
    append: Sequence[Message | Artifact | Log]
    prompt: Prompt | None = None


class _Subtasks(_Data, frozen=True, kw_only=True):
    session_id: str
    items: Sequence[Subtask]


class _Execution(_Data, frozen=True, kw_only=True):
    session_id: str
    state: Execution


class PageSnapshot(_Data, frozen=True, kw_only=True):
    """All state of the page (WSP-19), by session."""

    sessions: Sequence[SessionEntry]
    active_session_id: str
    conversations: Mapping[str, Sequence[Message]]
    subtasks: Mapping[str, Sequence[Subtask]]
    subtask_logs: Mapping[str, Mapping[str, Any]]
    artifacts: Mapping[str, Sequence[Artifact]]
    runtime_logs: Mapping[str, Sequence[Log]]
    prompts: Mapping[str, Prompt]
    runtime_contexts: Mapping[str, Mapping[str, Any]]
    execution_states: Mapping[str, Execution]


class _Frame(_Data, frozen=True, kw_only=True):
    """The envelope."""

    type: str
    version: str
    task_name: str
    timestamp: int
    request_id: str | int | None = None
    data: _Data


@dataclass(frozen=True, slots=True)
class Frames:
    """Makes the frames of one task at one moment, in milliseconds."""

    task_name: str
    at_ms: int

    def error(self, error: CommandError, request_id: str | int | None = None) -> bytes:
        """Make an error after which the page can continue (WSP-31)."""
        return self._frame(ERROR, _Error(code=error.code.code, message=error.message), request_id)

    def session_list(self, sessions: Sequence[SessionEntry], active: str) -> bytes:
        """Make the list of sessions, with the one that this connection shows (WSP-20)."""
        return self._frame(SESSION_LIST, _SessionList(sessions=sessions, active_session_id=active))

    def conversation(
        self, session_id: str, messages: Sequence[Message], prompt: Prompt | None = None
    ) -> Iterator[bytes]:
        """Make frames of new messages, with the prompt if it changed (WSP-21): to send it again deletes drafts."""
        chunks = list(self._chunks(CONVERSATION, session_id, messages)) or [[]]
        *others, last = chunks
        for chunk in others:
            yield self._append(CONVERSATION, session_id, chunk)
        frame = self._append(CONVERSATION, session_id, last, prompt)
        if len(frame) <= MAX_FRAME_BYTES:
            yield frame
        else:
            yield self._append(CONVERSATION, session_id, last)
            yield self._append(CONVERSATION, session_id, [], prompt)

    def artifacts(self, session_id: str, artifacts: Sequence[Artifact]) -> Iterator[bytes]:
        """Make frames of new artifacts (WSP-28)."""
        return (self._append(ARTIFACTS, session_id, chunk) for chunk in self._chunks(ARTIFACTS, session_id, artifacts))

    def logs(self, session_id: str, lines: Sequence[Log]) -> Iterator[bytes]:
        """Make frames of new lines of the log (WSP-29)."""
        return (self._append(LOGS, session_id, chunk) for chunk in self._chunks(LOGS, session_id, lines))

    def subtasks(self, session_id: str, items: Sequence[Subtask]) -> bytes:
        """Make a frame of all subtasks (WSP-27)."""
        return self._frame(SUBTASKS, _Subtasks(session_id=session_id, items=items))

    def execution(self, session_id: str, state: Execution) -> bytes:
        """Make a frame of the complete state of the work (WSP-30)."""
        return self._frame(EXECUTION, _Execution(session_id=session_id, state=state))

    def snapshot(self, data: PageSnapshot) -> list[bytes]:
        """Make a snapshot (WSP-19), followed by updates with all that does not fit.

        Pictures go first, then the oldest messages: the page sorts messages, so those may come later. The active
        session is the last to be cut.
        """
        frame = self._frame(SNAPSHOT, data)
        if len(frame) <= MAX_FRAME_BYTES:
            return [frame]
        conversations = {
            session_id: list(map(_without_previews, messages)) for session_id, messages in data.conversations.items()
        }
        data = structs.replace(data, conversations=conversations)
        frame = self._frame(SNAPSHOT, data)
        if len(frame) <= MAX_FRAME_BYTES:
            return [frame]
        return self._trimmed(data)

    def _trimmed(self, data: PageSnapshot) -> list[bytes]:
        ids = [session["id"] for session in sorted(data.sessions, key=lambda session: -session["updatedAt"])]
        ids.sort(key=lambda session_id: session_id != data.active_session_id)
        prompts: dict[str, Prompt] = {}
        conversations: dict[str, Sequence[Message]] = {session_id: [] for session_id in ids}
        subtasks: dict[str, Sequence[Subtask]] = {session_id: [] for session_id in ids}
        artifacts: dict[str, Sequence[Artifact]] = {session_id: [] for session_id in ids}
        logs: dict[str, Sequence[Log]] = {session_id: [] for session_id in ids}
        kept = structs.replace(
            data,
            prompts=prompts,
            conversations=conversations,
            subtasks=subtasks,
            artifacts=artifacts,
            runtime_logs=logs,
        )
        room = MAX_FRAME_BYTES - len(self._frame(SNAPSHOT, kept))
        later: list[bytes] = []
        for session_id in ids:
            prompt = data.prompts.get(session_id)
            if prompt is not None:
                if (room := room - _size({session_id: prompt})) >= 0:
                    prompts[session_id] = prompt
                else:
                    later += self.conversation(session_id, [], prompt)
                    room = max(room + _size({session_id: prompt}), 0)
            if (size := _size(steps := data.subtasks.get(session_id, []))) <= room:
                subtasks[session_id], room = steps, room - size
            else:
                later.append(self.subtasks(session_id, steps))
            if (size := _size(files := data.artifacts.get(session_id, []))) <= room:
                artifacts[session_id], room = files, room - size
            else:
                later += self.artifacts(session_id, files)
            if (size := _size(lines := data.runtime_logs.get(session_id, []))) <= room:
                logs[session_id], room = lines, room - size
            else:
                later += self.logs(session_id, lines)
            messages = data.conversations.get(session_id, [])
            first = len(messages)
            while first and (size := _size(messages[first - 1])) <= room:
                first, room = first - 1, room - size
            conversations[session_id] = messages[first:]
            if first:
                later += self.conversation(session_id, messages[:first])
        return [self._frame(SNAPSHOT, kept), *later]

    def _chunks(self, type_: str, session_id: str, items: Sequence[_Item]) -> Iterator[list[_Item]]:
        most = MAX_FRAME_BYTES - len(self._append(type_, session_id, []))
        chunk: list[_Item] = []
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

    def _append(self, type_: str, session_id: str, items: Sequence[_Item], prompt: Prompt | None = None) -> bytes:
        return self._frame(type_, _Append(session_id=session_id, append=items, prompt=prompt))

    def _frame(self, type_: str, data: _Data, request_id: str | int | None = None) -> bytes:
        frame = _Frame(
            type=type_,
            version=VERSION,
            task_name=self.task_name,
            timestamp=self.at_ms,
            request_id=request_id,
            data=data,
        )
        # Numbers as Python writes them, `1e-07`; msgspec writes them otherwise.
        return json_text.dumps(msgspec.to_builtins(frame)).encode()


def _without_previews(message: Message) -> Message:
    """Return a message without the contents of its files."""
    if "attachments" not in message:
        return message
    files = [
        {name: value for name, value in file.items() if name != "contentBase64"} for file in message["attachments"]
    ]
    return {**message, "attachments": cast("list[Attachment]", files)}


def _size(part: Any) -> int:
    """Return the bytes of a part and the comma after it."""
    return len(json_text.dumps(part).encode()) + 1
