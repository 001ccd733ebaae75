"""The bodies that receivers get: an event, and of its run what the webhook asks for (EVB-04)."""

from typing import Any, Final

from yarrow.formats import json_text
from yarrow.store.run_answers import answer_of
from yarrow.store.webhooks.webhooks import StoredWebhook

MAX_BYTES: Final = 20_000
"""Standard Webhooks asks for less than 20 kB."""

_FRAMING: Final = 64


def body_of(webhook: StoredWebhook, event: dict[str, Any]) -> bytes:
    """Return the body of an event, of at most MAX_BYTES; an answer that has no room is cut and says so."""
    body = {**event, "data": dict(event["data"])}
    if len(_bytes(body)) > MAX_BYTES:
        body["data"].pop("usage", None)
    if "answer" in webhook.include and event["type"] == "run.completed":
        data = event["data"]
        answer = answer_of(data["userId"], data["threadId"], data["runKey"], data["createdAt"])
        if answer is not None:
            room = MAX_BYTES - len(_bytes(body)) - _FRAMING
            kept = _cut(answer, room)
            body["data"] |= {"answer": kept} | ({"answerTruncated": True} if kept != answer else {})
    return _bytes(body)


def _cut(text: str, room: int) -> str:
    """Return as much of a text as JSON writes in so many bytes."""
    if len(_bytes(text)) <= room:
        return text
    low, high = 0, min(len(text), max(0, room))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(_bytes(text[:middle])) <= room else (low, middle - 1)
    return text[:low]


def _bytes(value: Any) -> bytes:
    return json_text.dumps(value).encode()
