"""What an AG-UI client posts to the local stack."""

from typing import Any

from tests.support.example_cast import EXAMPLE

CAST = {"forwardedProps": {"runtime_mode": "chat", "divinationPayload": EXAMPLE}}


def body(run: str, **changes: Any) -> dict[str, Any]:
    return {
        "threadId": "thread_001",
        "runId": run,
        "protocolVersion": "1.0",
        "state": {},
        "messages": [{"id": "msg_1", "role": "user", "content": EXAMPLE["question"]}],
        "tools": [],
        "context": [],
        "forwardedProps": {},
    } | changes
