"""An SQS queue in memory by a clock that a test moves, as an event source mapping reads it."""

import heapq
import itertools
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

VISIBILITY: Final = timedelta(seconds=360)
MAX_RECEIVES: Final = 10
MAX_DELAY: Final = 900
BATCH: Final = 10


class MemoryQueue:
    """Messages by the time from which they can be received; those that came too often are `dead`."""

    def __init__(self, now: Callable[[], datetime], name: str = "WebhookAttempts") -> None:
        self._now, self._name = now, name
        self._numbers = itertools.count()
        self._messages: list[tuple[datetime, int, str, int]] = []
        self.dead: list[str] = []

    def SendMessage(self, QueueUrl: str, MessageBody: str, DelaySeconds: int = 0) -> dict[str, Any]:  # noqa: N802, N803
        assert QueueUrl.endswith(f"/yarrow-{self._name}")
        assert 0 <= DelaySeconds <= MAX_DELAY
        self._put(MessageBody, timedelta(seconds=DelaySeconds))
        return {"MessageId": "1"}

    def put(self, document: Any) -> None:
        """Send a message as a rule or a schedule does."""
        self._put(json.dumps(document) if not isinstance(document, str) else document)

    def receive(self) -> list[tuple[str, int]]:
        """Return a batch of messages that can be received, each with how often it came before."""
        found: list[tuple[str, int]] = []
        while self._messages and self._messages[0][0] <= self._now() and len(found) < BATCH:
            _, _, body, receives = heapq.heappop(self._messages)
            found.append((body, receives))
        return found

    def give_back(self, body: str, receives: int, after: timedelta = VISIBILITY) -> None:
        """Have a message come again, unless it came too often."""
        if receives + 1 >= MAX_RECEIVES:
            self.dead.append(body)
            return
        self._put(body, after, receives + 1)

    @property
    def next_at(self) -> datetime | None:
        return self._messages[0][0] if self._messages else None

    def _put(self, body: str, after: timedelta = timedelta(0), receives: int = 0) -> None:
        heapq.heappush(self._messages, (self._now() + after, next(self._numbers), body, receives))
