"""Frames for the page: the envelope, and what is done when something does not fit in one."""

from typing import Any

from yarrow.formats import json_text
from yarrow.protocol.workspace.errors import CommandError, ErrorCode
from yarrow.protocol.workspace.frames import MAX_FRAME_BYTES, Frames, PageSnapshot
from yarrow.protocol.workspace.models import SessionEntry

FRAMES = Frames("求职AI助手", 1_770_000_000_000)


def decoded(frame: bytes) -> dict[str, Any]:
    assert len(frame) <= MAX_FRAME_BYTES
    read: dict[str, Any] = json_text.loads(frame)
    return read


def message(number: int, size: int = 10, **more: Any) -> Any:
    return {"id": f"m{number}", "role": "user", "content": "卦" * size, "createdAt": number, **more}


def snapshot(**members: Any) -> PageSnapshot:
    """Return a state of two sessions."""
    keys = ("conversations", "subtasks", "subtask_logs", "artifacts", "runtime_logs", "prompts", "runtime_contexts")
    empty: dict[str, Any] = {key: {} for key in (*keys, "execution_states")}
    sessions: list[SessionEntry] = [
        {"id": "s1", "name": "1", "updatedAt": 1},
        {"id": "s2", "name": "2", "updatedAt": 2},
    ]
    return PageSnapshot(sessions=sessions, active_session_id="s1", **empty | members)


def test_every_frame_has_the_envelope() -> None:
    """WSP-01, WSP-02."""
    frame = decoded(FRAMES.subtasks("s1", [{"key": "a", "status": "done", "updatedAt": 1}]))
    data = frame.pop("data")
    assert frame == {
        "type": "agent_subtask_update",
        "version": "1.0",
        "taskName": "求职AI助手",
        "timestamp": 1_770_000_000_000,
    }
    assert data == {"sessionId": "s1", "items": [{"key": "a", "status": "done", "updatedAt": 1}]}


def test_an_error_repeats_the_request_id_at_the_top() -> None:
    """WSP-31."""
    frame = decoded(FRAMES.error(CommandError(ErrorCode.SESSION_NOT_FOUND, "session not found"), "r1"))
    assert frame["requestId"] == "r1"
    assert frame["data"] == {"code": "session_not_found", "message": "session not found"}


def test_appends_are_split_in_order_and_the_prompt_comes_with_the_last() -> None:
    """WSP-37."""
    messages = [message(number, 10_000) for number in range(9)]
    prompt = {"text": "p", "questions": []}
    frames = [decoded(frame) for frame in FRAMES.conversation("s1", messages, prompt)]
    assert len(frames) > 1
    assert [item for frame in frames for item in frame["data"]["append"]] == messages
    assert [frame["data"].get("prompt") for frame in frames] == [None] * (len(frames) - 1) + [prompt]


def test_a_prompt_alone_has_an_empty_append() -> None:
    (frame,) = FRAMES.conversation("s1", [], {"text": "p", "questions": []})
    assert decoded(frame)["data"] == {"sessionId": "s1", "append": [], "prompt": {"text": "p", "questions": []}}


def test_a_large_snapshot_loses_its_pictures_first() -> None:
    """WSP-37, C27."""
    picture = {"name": "a.png", "mimeType": "image/png", "size": 1, "contentBase64": "A" * 80_000}
    messages = [message(1, attachments=[picture]), message(2, attachments=[picture])]
    (frame,) = map(decoded, FRAMES.snapshot(snapshot(conversations={"s1": messages})))
    shown = frame["data"]["conversations"]["s1"]
    assert [item["attachments"] for item in shown] == [[{"name": "a.png", "mimeType": "image/png", "size": 1}]] * 2


def test_what_does_not_fit_in_a_snapshot_follows_it() -> None:
    """WSP-19, WSP-37, C27: it has all its keys; the active session's newest messages are in it."""
    conversations = {
        "s1": [message(number, 3_000) for number in range(30)],
        "s2": [message(number, 3_000) for number in range(100, 130)],
    }
    logs = {"s1": [], "s2": [{"id": str(n), "time": n, "text": "x" * 2_000, "level": "info"} for n in range(60)]}
    value = snapshot(conversations=conversations, runtime_logs=logs, prompts={"s2": {"text": "p" * 20_000}})
    first, *later = [decoded(frame) for frame in FRAMES.snapshot(value)]
    data = first["data"]
    assert tuple(data) == value.__struct_encode_fields__
    assert data["conversations"]["s1"][-1] == conversations["s1"][-1]
    for frame in later:
        of = frame["data"]
        if frame["type"] == "agent_conversation_update":
            data["conversations"][of["sessionId"]] += of["append"]
            if "prompt" in of:
                data["prompts"][of["sessionId"]] = of["prompt"]
        else:
            assert frame["type"] == "agent_runtime_log_update"
            data["runtimeLogs"][of["sessionId"]] += of["append"]
    for messages in data["conversations"].values():
        messages.sort(key=lambda message: message["createdAt"])  # as the page does
    assert data["conversations"] == conversations
    assert data["runtimeLogs"] == logs
    assert data["prompts"] == {"s2": {"text": "p" * 20_000}}
