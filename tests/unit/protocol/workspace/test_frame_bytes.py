"""Frames, byte for byte as pages always got them: `tests/vectors/workspace_frames.json`, the hash of large ones."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any, Final

import pytest

from tests.support.paths import ROOT
from yarrow.protocol.workspace.errors import CommandError, ErrorCode
from yarrow.protocol.workspace.frames import Frames, PageSnapshot
from yarrow.protocol.workspace.models import Artifact, Log, Message, SessionEntry, Subtask

RECORDED: Final[dict[str, list[str]]] = json.loads((ROOT / "tests/vectors/workspace_frames.json").read_bytes())
FRAMES: Final = Frames("求职AI助手", 1_770_000_000_000)
TEXT: Final = '世爻\r\n\t\b\f\x01\x7f\u2028"\\/<é😀'
PICTURE: Final[Any] = {"name": "a.png", "mimeType": "image/png", "size": 1, "contentBase64": "A" * 70_000}
MESSAGE: Final[Message] = {"id": "m", "role": "user", "content": TEXT, "createdAt": 1, "maxSizeMB": 1e-7}
LONG: Final[list[Message]] = [
    {"id": str(number), "role": "assistant", "content": "卦" * 3_000, "createdAt": number} for number in range(30)
]
LOG: Final[Log] = {"id": "l", "time": 1, "text": TEXT, "level": "info", "source": "user", "key": "k"}
SUBTASK: Final[Subtask] = {"key": "k", "status": "done", "updatedAt": 1}
ARTIFACT: Final[Artifact] = {"id": "a", "type": "t", "title": TEXT, "filePath": "f", "relativePath": "r"}
SESSIONS: Final[list[SessionEntry]] = [
    {"id": "s1", "name": TEXT, "updatedAt": 1},
    {"id": "s2", "name": "2", "updatedAt": 2},
]
PROMPT: Final[dict[str, Any]] = {"text": TEXT, "questions": [{"id": "q", "text": "?", "maxSizeMB": 1e16}]}
REFUSED: Final = CommandError(ErrorCode.SESSION_NOT_FOUND, "session not found")


def snapshot(**members: Any) -> PageSnapshot:
    empty: dict[str, Any] = {"subtasks": {}, "artifacts": {}, "runtime_logs": {}, "conversations": {}, "prompts": {}}
    empty |= {"subtask_logs": {"s1": {}}, "runtime_contexts": {"s1": {"a": None, "b": [1.0]}}}
    execution = {"s2": {"paused": False, "canceled": True, "started": True}}
    arguments = {**empty, "execution_states": execution, **members}
    return PageSnapshot(sessions=SESSIONS, active_session_id="s1", **arguments)


MADE: Final[dict[str, Iterable[bytes]]] = {
    "an error": [FRAMES.error(REFUSED)],
    "an error of a request": [FRAMES.error(REFUSED, "r-1"), FRAMES.error(REFUSED, 7), FRAMES.error(REFUSED, "")],
    "the sessions": [FRAMES.session_list(SESSIONS, "s1"), FRAMES.session_list([], "")],
    "messages": list(FRAMES.conversation("s1", [MESSAGE])),
    "a prompt": list(FRAMES.conversation("s1", [], PROMPT)),
    "no prompt": list(FRAMES.conversation("s1", [MESSAGE], {})),
    "many messages": list(FRAMES.conversation("s1", LONG * 2, PROMPT)),
    "artifacts": list(FRAMES.artifacts("s1", [ARTIFACT, ARTIFACT])),
    "no artifacts": list(FRAMES.artifacts("s1", [])),
    "lines of the log": list(FRAMES.logs("s1", [LOG])),
    "subtasks": [FRAMES.subtasks("s1", [SUBTASK]), FRAMES.subtasks("s1", ())],
    "the state of the work": [FRAMES.execution("s1", {"paused": True, "canceled": False, "started": True})],
    "an empty snapshot": FRAMES.snapshot(snapshot()),
    "a snapshot": FRAMES.snapshot(
        snapshot(
            conversations={"s1": [MESSAGE], "s2": []},
            subtasks={"s1": [SUBTASK]},
            artifacts={"s1": [ARTIFACT]},
            runtime_logs={"s1": [LOG]},
            prompts={"s1": PROMPT},
        )
    ),
    "a snapshot without pictures": FRAMES.snapshot(
        snapshot(conversations={"s1": [{**MESSAGE, "attachments": [PICTURE, PICTURE]}]})
    ),
    "a snapshot with the rest after it": FRAMES.snapshot(
        snapshot(
            conversations={"s1": LONG, "s2": LONG},
            subtasks={"s2": [SUBTASK] * 300},
            artifacts={"s2": [ARTIFACT] * 300},
            runtime_logs={"s2": [{**LOG, "text": "x" * 2_000}] * 60},
            prompts={"s2": {"text": "p" * 20_000}},
        )
    ),
}


def as_recorded(frames: Iterable[bytes]) -> list[str]:
    return [frame.decode() if len(frame) < 2_000 else hashlib.sha256(frame).hexdigest() for frame in frames]


def test_every_kind_of_frame_is_recorded() -> None:
    assert RECORDED.keys() == MADE.keys()


@pytest.mark.parametrize("name", MADE)
def test_a_frame_is_as_it_was(name: str) -> None:
    assert as_recorded(MADE[name]) == RECORDED[name]
