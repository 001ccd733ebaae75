"""Runs of any agent on the local stack."""

from typing import Any

from tests.support.stack.app import App


def body(thread: str, run: str, text: str) -> dict[str, Any]:
    return {
        "threadId": thread,
        "runId": run,
        "state": {},
        "messages": [{"id": f"msg-{run}", "role": "user", "content": text}],
        "tools": [],
        "context": [],
        "forwardedProps": {"runtime_mode": "chat"},
    }


def submit(app: App, agent: str, thread: str, run: str, text: str) -> str:
    answer = app.http.post("/api/v1/agent/runs", params={"agent": agent}, json=body(thread, run, text))
    assert answer.status_code == 202, answer.text
    return str(answer.json()["taskId"])


def first_words(app: App, thread: str, run: str) -> str:
    """What a run says first; it need not have ended."""
    return next(str(event["delta"]) for _, kind, event in app.watch(thread, run) if kind == "TEXT_MESSAGE_CONTENT")
