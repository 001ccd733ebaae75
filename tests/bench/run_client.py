"""The one client of every server that `bench_runs` measures: submit a run, read its events to the end.

What differs between servers is only what they are asked: the paths and bodies of `Yarrow` and of `AgentProtocol`, which
Aegra and `langgraph dev` both speak.
"""

import json
import re
import time
import uuid
from dataclasses import dataclass
from typing import Any, Protocol

import httpx

from tests.support.example_cast import EXAMPLE

TIMEOUT = 60.0

# A delta, however its server wraps it: the moment it was said and a space.
_DELTA = re.compile(rb'"(?:delta|content)": ?"(\d+\.\d{5}) "')


@dataclass(frozen=True)
class Watched:
    """What a client saw of the events at `path`: seconds from the start, and from saying each delta to receiving it."""

    path: str
    first_event: float
    first_delta: float
    end: float
    delays: list[float]


def run_input(thread: str, question: str) -> dict[str, Any]:
    """Return the body of a submit to our API."""
    return {
        "threadId": thread,
        "runId": "run-1",
        "state": {},
        "tools": [],
        "context": [],
        "messages": [{"id": "msg-1", "role": "user", "content": question}],
        "forwardedProps": {"runtime_mode": "chat", "divinationPayload": EXAMPLE},
    }


class Server(Protocol):
    http: httpx.Client

    def prepare(self) -> str:
        """Make a thread for a run; not part of the measurement."""

    def submit(self, thread: str, question: str) -> str:
        """Submit a run and return the path of its events."""


class Yarrow:
    """Our API, as a user of its own."""

    def __init__(self, base: str) -> None:
        self.http = httpx.Client(base_url=base, timeout=TIMEOUT, trust_env=False)
        token = self.http.post("/local/token", json={"sub": str(uuid.uuid4())}).raise_for_status().json()["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"

    def prepare(self) -> str:
        return str(uuid.uuid4())

    def submit(self, thread: str, question: str) -> str:
        self.http.post("/api/v1/agent/runs", json=run_input(thread, question)).raise_for_status()
        return f"/api/v1/agent/runs/{thread}/events?runId=run-1"


class AgentProtocol:
    """A server of LangGraph's Agent Protocol with `delta_graph`, streaming one mode."""

    def __init__(self, base: str, mode: str) -> None:
        # From the first event on: a run is under way before its client can ask for it.
        self.http = httpx.Client(base_url=base, timeout=TIMEOUT, trust_env=False, headers={"Last-Event-ID": "-1"})
        self._mode = mode

    def prepare(self) -> str:
        thread: str = self.http.post("/threads", json={}).raise_for_status().json()["thread_id"]
        return thread

    def submit(self, thread: str, question: str) -> str:
        arguments = {"messages": [{"role": "user", "content": question}], "how": self._mode}
        body = {"assistant_id": "deltas", "input": arguments, "stream_mode": [self._mode], "stream_resumable": True}
        run = self.http.post(f"/threads/{thread}/runs", json=body).raise_for_status().json()
        return f"/threads/{thread}/runs/{run['run_id']}/stream"


def run(server: Server, deltas: int, rate: int = 0) -> Watched:
    """Submit a run of so many deltas and watch it to the end."""
    thread = server.prepare()
    start = time.monotonic()
    path = server.submit(thread, json.dumps({"deltas": deltas, "rate": rate}))
    return watch(server, path, deltas, start)


def watch(server: Server, path: str, deltas: int, start: float) -> Watched:
    """Read the events at a path to the end. Raises ValueError unless that many deltas come."""
    first_event = first_delta = None
    delays: list[float] = []
    rest = b""
    with server.http.stream("GET", path) as response:
        response.raise_for_status()
        for chunk in response.iter_raw():
            now = time.monotonic()
            *frames, rest = (rest + chunk).replace(b"\r\n", b"\n").split(b"\n\n")
            for frame in frames:
                if frame.startswith(b":"):
                    continue
                first_event = first_event or now
                if delta := _DELTA.search(frame):
                    first_delta = first_delta or now
                    delays.append(now - float(delta[1]))
    end = time.monotonic()
    if first_event is None or first_delta is None or len(delays) != deltas:
        raise ValueError(f"{len(delays)} of {deltas} deltas came from {path}")
    return Watched(path, first_event - start, first_delta - start, end - start, delays)
