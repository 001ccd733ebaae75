"""Builds bodies of `POST /runs`."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias

Line: TypeAlias = Literal["老阴", "少阳", "少阴", "老阳"]


def new_run_id() -> str:
    """Return a unique runId."""
    return f"run-{uuid.uuid4()}"


def text_input(text: str, *, thread_id: str, run_id: str | None = None) -> dict[str, Any]:
    """Return a user's message to an agent; the session has the earlier messages."""
    run = run_id or new_run_id()
    return {
        "threadId": thread_id,
        "runId": run,
        "state": {},
        "messages": [{"id": f"msg_{run}_user_0", "role": "user", "content": text}],
        "tools": [],
        "context": [],
        "forwardedProps": {"runtime_mode": "chat"},
    }


def cast_input(
    question: str,
    lines: Sequence[Line],
    *,
    thread_id: str,
    run_id: str | None = None,
    matter: str = "其他",
    by_hand: bool = False,
    at: datetime | None = None,
    time_zone: str | None = None,
) -> dict[str, Any]:
    """Return a cast of six lines, the lowest first, at an aware date-time, by default now.

    `time_zone` is the IANA name of the user's zone. In a cast by true solar time, it gives the clock's time.
    """
    now = datetime.now().astimezone()
    payload = {
        "divinationMethod": "手动起卦" if by_hand else "自动起卦",
        "questionType": matter,
        "question": question,
        "divinationTimeIso": (at or now).isoformat(timespec="seconds"),
        "yaoLines": list(lines),
    }
    run_input = text_input(question, thread_id=thread_id, run_id=run_id)
    run_input["forwardedProps"]["divinationPayload"] = payload
    if time_zone is not None:
        run_input["forwardedProps"]["client_time"] = {
            "device_timezone": time_zone,
            "client_now_iso": now.isoformat(timespec="seconds"),
            "client_epoch_ms": int(now.timestamp() * 1000),
        }
    return run_input
