"""The request of `divination-run.md`, an example in the description of the API."""

from typing import Any, Final

REQUEST: Final[dict[str, Any]] = {
    "threadId": "550e8400-e29b-41d4-a716-446655440000",
    "runId": "run_20260403_xxx",
    "state": {},
    "messages": [{"id": "msg_run_20260403_xxx_user_0", "role": "user", "content": "我最近换工作是否合适?"}],
    "tools": [],
    "context": [],
    "forwardedProps": {
        "runtime_mode": "chat",
        "client_time": {
            "device_timezone": "Asia/Shanghai",
            "client_now_iso": "2026-04-03T20:30:00+08:00",
            "client_epoch_ms": 1775219400000,
        },
        "divinationPayload": {
            "divinationMethod": "手动起卦",
            "questionType": "事业",
            "question": "我最近换工作是否合适?",
            "divinationTimeIso": "2026-04-03T20:30:00+08:00",
            "yaoLines": ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
        },
    },
}
