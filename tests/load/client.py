"""A client of the stack's HTTP doors, as one user; what it sees goes into a ledger."""

import asyncio
import json
import time
import uuid
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from tests.load.ledger import SERVER_ERROR, TOO_MANY, Ledger

TRIES: Final = 30
LONGEST_WAIT: Final = 5.0
"""Seconds between two tries."""

Event = tuple[int, dict[str, Any]]


@dataclass
class Client:
    """One user. Requests that are told to wait are sent again, as the clients of the project do."""

    http: httpx.AsyncClient
    ledger: Ledger
    user: str = field(default_factory=lambda: f"load-{uuid.uuid4()}")
    _headers: dict[str, str] = field(default_factory=dict)

    async def headers(self) -> dict[str, str]:
        if not self._headers:
            claims = {"sub": self.user, "locale": "en", "zoneinfo": "UTC"}
            answer = await self.http.post("/local/token", json=claims)
            self._headers = {"Authorization": f"Bearer {answer.json()['token']}"}
        return self._headers

    async def ask(self, door: str, method: str, path: str, expected: int = 200, **more: Any) -> httpx.Response:
        """One request, timed; anything but the expected status is wrong."""
        headers = await self.headers()
        for _ in range(TRIES):
            with self.ledger.timed(door):
                answer = await self.http.request(method, path, headers=headers, **more)
            self.ledger.statuses[door, answer.status_code] += 1
            if answer.status_code != TOO_MANY and answer.status_code < SERVER_ERROR:
                break
            await asyncio.sleep(min(float(answer.headers.get("Retry-After", "1")), LONGEST_WAIT))
        if answer.status_code != expected:
            self.ledger.wrong.append(f"{door}: {answer.status_code} {answer.text[:200]}")
        return answer

    async def submit(self, thread: str, run: str, agent: str, text: str, **props: Any) -> None:
        body = {
            "threadId": thread,
            "runId": run,
            "state": {},
            "messages": [{"id": f"msg-{run}", "role": "user", "content": text}],
            "tools": [],
            "context": [],
            "forwardedProps": {"runtime_mode": "chat", **props},
        }
        await self.ask("submit", "POST", "/api/v1/agent/runs", 202, params={"agent": agent}, json=body)

    async def events(self, thread: str, run: str, after: int = 0) -> AsyncGenerator[Event]:
        """The events of a run after a number, until the stream ends; how long the first took is noted."""
        headers = await self.headers() | ({"Last-Event-ID": str(after)} if after else {})
        path = f"/api/v1/agent/runs/{thread}/events"
        async for data in self._stream("stream, first event", "GET", path, headers, params={"runId": run}):
            yield int(data["id"]), json.loads(data["data"])

    async def send_message(self, body: dict[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        headers = await self.headers()
        async for data in self._stream("send-message, first event", "POST", "/send-message", headers, json=body):
            yield json.loads(data["data"])

    async def _stream(
        self, door: str, method: str, path: str, headers: dict[str, str], **more: Any
    ) -> AsyncGenerator[dict[str, str]]:
        for _ in range(TRIES):
            start = time.perf_counter()
            async with self.http.stream(method, path, headers=headers, **more) as answer:
                self.ledger.statuses[door, answer.status_code] += 1
                if answer.status_code == httpx.codes.OK:
                    frame: dict[str, str] = {}
                    async for line in answer.aiter_lines():
                        name, _, value = line.partition(": ")
                        if line:
                            frame[name] = value
                        elif "data" in frame:
                            if start:
                                self.ledger.seconds[door].append(time.perf_counter() - start)
                                start = 0.0
                            yield frame
                            frame = {}
                        else:
                            frame = {}
                    return
                if answer.status_code != TOO_MANY and answer.status_code < SERVER_ERROR:
                    await answer.aread()
                    self.ledger.wrong.append(f"{door}: {answer.status_code} {answer.text[:200]}")
                    return
                wait = float(answer.headers.get("Retry-After", "1"))
            await asyncio.sleep(min(wait, LONGEST_WAIT))
        self.ledger.wrong.append(f"{door}: never let in")
