"""What a device is told of an event: ids, and content only if the device asks for it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from yarrow.formats import json_text
from yarrow.notifications.web_push import base64url
from yarrow.protocol.devices.kinds import EventType
from yarrow.store import clock, questions, run_answers
from yarrow.store.devices import StoredDevice

MAX_TEXT_LENGTH: Final = 200
"""Characters of an answer or a question."""

KEPT: Final = timedelta(days=1)
"""How long a push service keeps the end of a run for a browser that is not there."""

MAX_KEPT: Final = timedelta(days=28)
"""Push services keep nothing for longer."""

_TOPIC_BYTES: Final = 24
"""A topic has at most 32 characters (RFC 8030)."""


MAX_BADGE: Final = 99
"""Open questions that are counted."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message for a device; `topic` is the same for all of a session, so that a later one replaces it."""

    type: EventType
    ids: Mapping[str, str]
    """What it is about, and its `type` and `timestamp`."""
    text: str | None
    """The beginning of the answer or the question."""
    expires_at: datetime
    urgency: Literal["normal", "high"]
    topic: str
    badge: int | None = None
    """The open questions of the user, up to MAX_BADGE, for apps."""

    @property
    def document(self) -> bytes:
        """The JSON that a browser gets."""
        if self.text is None:
            return json_text.dumps(self.ids).encode()
        part = "question" if self.type == "interrupt.opened" else "answer"
        return json_text.dumps({**self.ids, part: self.text}).encode()


def is_worth_telling(event: Mapping[str, Any]) -> bool:
    """Return whether there is still something to tell: not of a run that asks, whose question is an event of its own,
    of one that has ended long ago, or of a question that was answered meanwhile.
    """
    if expires_at(event) <= clock.now():
        return False
    data = event["data"]
    if event["type"] == "interrupt.opened":
        (question,) = questions.read(data["userId"], [data["interruptId"]])
        return question is not None and question.ended is None
    return bool(data.get("outcome") != "interrupt")


def expires_at(event: Mapping[str, Any]) -> datetime:
    if event["type"] == "interrupt.opened":
        return datetime.fromisoformat(event["data"]["expiresAt"])
    return datetime.fromisoformat(event["timestamp"]) + KEPT


def message(event: Mapping[str, Any], device: StoredDevice, badge: int | None = None) -> Message:
    """Return the message of an event for a device."""
    data = event["data"]
    members = ("threadId", "runId", "agent", "interruptId", "jobId")
    digest = hashlib.sha256(f"{len(data['userId'])} {data['userId']} {data['threadId']}".encode()).digest()
    return Message(
        type=event["type"],
        ids={
            "type": event["type"],
            **{name: data[name] for name in members if data.get(name)},
            "timestamp": event["timestamp"],
        },
        text=_text(event, device),
        expires_at=min(expires_at(event), clock.now() + MAX_KEPT),
        urgency="high" if event["type"] == "interrupt.opened" else "normal",
        topic=base64url.encode(digest[:_TOPIC_BYTES]),
        badge=badge,
    )


def _text(event: Mapping[str, Any], device: StoredDevice) -> str | None:
    data = event["data"]
    text = None
    if event["type"] == "interrupt.opened" and "question" in device.include:
        (question,) = questions.read(data["userId"], [data["interruptId"]])
        text = None if question is None else question.message
    elif event["type"] == "run.completed" and "answer" in device.include:
        text = run_answers.answer_of(data["userId"], data["threadId"], data["runKey"], data["createdAt"])
    words = " ".join(text.split()) if text else ""
    if len(words) <= MAX_TEXT_LENGTH:
        return words or None
    return f"{words[: MAX_TEXT_LENGTH - 1].rstrip()}…"
