"""Receivers of webhooks in memory: what came where, when and how it was signed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from yarrow.outbound.posting import PostResult


@dataclass(frozen=True)
class Received:
    """A request. `at` is the time of the test's clock."""

    at: datetime
    url: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.raw)
        return body


class Receivers:
    """`answer` says what a receiver does with a request: a status, or an error instead of an answer."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self.requests: list[Received] = []
        self.answer: Callable[[Received], PostResult] = lambda _: PostResult(1, 200)

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], *, allows_loopback: bool = False
    ) -> PostResult:
        """Stand in for `yarrow.outbound.posting.post`."""
        assert not allows_loopback or url
        received = Received(self._now(), url, dict(headers), body)
        self.requests.append(received)
        return self.answer(received)

    def to(self, url: str) -> list[Received]:
        return [request for request in self.requests if request.url == url]

    def ids(self, url: str) -> list[str]:
        """Return the ids of what a receiver got, without repetitions, in the order in which they came first."""
        return list(dict.fromkeys(request.id for request in self.to(url)))
