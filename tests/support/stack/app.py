"""A client of the local stack over HTTP, as one user."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from tests.support.example_cast import EXAMPLE
from tests.support.uploads import PNG

Event = tuple[int, str, dict[str, Any]]


class App:
    """A client of the API, as one user."""

    def __init__(self, base: str, sub: str, *, token: str | None = None, **claims: str) -> None:
        """The local stack's issuer makes the token, if there is none yet."""
        self.sub = sub
        self.http = httpx.Client(base_url=base, timeout=10)
        token = token or self.http.post("/local/token", json={"sub": sub, **claims}).json()["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"

    def submit(self, thread: str, run: str, mode: str = "chat", text: str = EXAMPLE["question"]) -> httpx.Response:
        body = {
            "threadId": thread,
            "runId": run,
            "state": {},
            "messages": [{"id": f"msg_{run}_user_0", "role": "user", "content": text}],
            "tools": [],
            "context": [],
            "forwardedProps": {
                "runtime_mode": mode,
                "client_time": {
                    "device_timezone": "Asia/Shanghai",
                    "client_now_iso": "2026-04-03T20:30:00+08:00",
                    "client_epoch_ms": 1775219400000,
                },
                "divinationPayload": EXAMPLE,
            },
        }
        return self.http.post("/api/v1/agent/runs", json=body)

    def watch(self, thread: str, run: str, after: int = 0) -> Iterator[Event]:
        headers = {"Last-Event-ID": str(after)} if after else {}
        path = f"/api/v1/agent/runs/{thread}/events"
        with self.http.stream("GET", path, params={"runId": run}, headers=headers) as response:
            assert response.status_code == 200
            assert response.headers["content-type"].startswith("text/event-stream")
            fields: dict[str, str] = {}
            for line in response.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif "data" in fields:
                    yield int(fields["id"]), fields["event"], json.loads(fields["data"])
                    fields = {}

    def history(self, **query: str) -> dict[str, Any]:
        response = self.http.get("/api/v1/agent/history", params=query)
        assert response.status_code == 200
        document: dict[str, Any] = response.json()
        return document


SignIn = Callable[..., App]


ROUTE = "/api/v1/agent/attachments"


def upload(
    app: App, thread: str, data: bytes = PNG, name: str = "plate.png", kind: str = "image/png"
) -> httpx.Response:
    """By a client that follows redirects, as most do."""
    return app.http.post(ROUTE, data={"threadId": thread}, files={"file": (name, data, kind)}, follow_redirects=True)


def problem(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, response.json()["code"]


def cancel(app: App, thread: str, run: str | None = "run-1") -> httpx.Response:
    params = {} if run is None else {"runId": run}
    return app.http.post(f"/api/v1/agent/runs/{thread}/cancel", params=params)
