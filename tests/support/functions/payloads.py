"""The payloads of `events/`, as one test's own user, session and run would cause them."""

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from tests.support.paths import ROOT
from yarrow.store import runs

EVENTS = ROOT / "events"


@dataclass(frozen=True)
class Case:
    """A user, a session of theirs and a run of it, new ones unless they are given."""

    user: str = field(default_factory=lambda: str(uuid.uuid4()))
    thread: str = field(default_factory=lambda: str(uuid.uuid4()))
    run: str = "run_20260403_xxx"

    @property
    def key(self) -> str:
        return runs.key_of(self.user, self.thread, self.run)

    def payload(self, name: str) -> dict[str, Any]:
        """Return the payload of that name, with these in the place of its own."""
        text = (EVENTS / f"{name}.json").read_text(encoding="utf-8")
        for theirs, ours in ((_THEIRS.user, self.user), (_THEIRS.thread, self.thread), (_THEIRS.key, self.key)):
            text = text.replace(theirs, ours)
        payload: dict[str, Any] = json.loads(text)
        return payload


_THEIRS = Case("a1b2c3d4-5678-40ab-9cde-f0123456789a", "550e8400-e29b-41d4-a716-446655440000")


def with_header(event: dict[str, Any], name: str, value: str) -> dict[str, Any]:
    """Return an event of API Gateway with a header added or replaced."""
    return event | {
        "headers": event["headers"] | {name: value},
        "multiValueHeaders": event["multiValueHeaders"] | {name: [value]},
    }


def with_query(event: dict[str, Any], **query: str) -> dict[str, Any]:
    return event | {
        "queryStringParameters": query,
        "multiValueQueryStringParameters": {name: [value] for name, value in query.items()},
    }
