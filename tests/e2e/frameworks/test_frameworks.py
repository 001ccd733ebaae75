"""Agents written with frameworks: ten runs in a row on one server, each with a client that its module keeps.

The model is a server on loopback that keeps its connections open, as providers do.
"""

import json
import re
import threading
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.stack.process import running

AGENTS = Path(__file__).with_name("agents")
RUNS = 10
PATIENCE_SECONDS = 100

FRAMEWORKS = {
    "pydantic_ai": ("pydantic_ai", "pydantic-ai-slim[openai]"),
    "openai": ("openai", "openai"),
    "langchain": ("langchain", "langchain langchain-openai"),
    "langgraph": ("langchain_openai", "langgraph langchain-openai"),
    "openai_agents": ("agents", "openai-agents"),
    "strands": ("strands", "'strands-agents[openai]'"),
    "google_adk": ("litellm", "google-adk litellm"),
    "crewai": ("crewai", "crewai"),
}


class Model(ThreadingHTTPServer):
    """Answers chat completions, whole or streamed, with what it was asked last."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests = 0
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Model
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.server.requests += 1
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = f"You said: {_text(request['messages'][-1]['content'])}"
        if not request.get("stream"):
            message = {"role": "assistant", "content": text}
            self._send("application/json", json.dumps(_completion("chat.completion", message=message)))
            return
        deltas = [{"role": "assistant", "content": word} for word in text.split(" ")]
        deltas = [deltas[0], *({"content": f" {delta['content']}"} for delta in deltas[1:])]
        chunks = [_completion("chat.completion.chunk", delta=delta, finish_reason=None) for delta in deltas]
        chunks.append(_completion("chat.completion.chunk", delta={}))
        self._send(
            "text/event-stream", "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
        )

    def _send(self, kind: str, body: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base's signature)
        pass


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _completion(kind: str, **choice: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    choices = [{"index": 0, "finish_reason": "stop", **choice}]
    return {"id": "c1", "object": kind, "created": 1, "model": "fake", "choices": choices, "usage": usage}


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_ten_runs_in_a_row_are_answered(framework: str, model: Model) -> None:
    """RNR-72: by one worker process, so that the second run finds what the first has kept."""
    module, packages = FRAMEWORKS[framework]
    if find_spec(module) is None:
        pytest.skip(f"needs {framework}: pip install {packages}")
    agent = f"{framework}_agent"
    environment = {
        "AGENT": str(AGENTS / f"{agent}.py"),
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_BASE": model.url,
        "OPENAI_API_KEY": "key",
        "RUN_CONCURRENCY": "1",
        "CREWAI_DISABLE_TELEMETRY": "true",
        "OTEL_SDK_DISABLED": "true",
    }
    with running(environment=environment) as url, httpx.Client(base_url=url, timeout=PATIENCE_SECONDS) as client:
        token = client.post("/local/token", json={"sub": "alice"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        for number in range(RUNS):
            events = _run(client, agent, f"number {number}")
            text = "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")
            assert events[-1]["type"] == "RUN_FINISHED", events[-1]
            assert re.fullmatch(rf"You said: .*\bnumber {number}\b.*", text, re.DOTALL)  # some frame the user's text
    assert model.requests == RUNS


def _run(client: httpx.Client, agent: str, text: str) -> list[dict[str, Any]]:
    message = {"id": "msg-1", "role": "user", "content": text}
    body = {"threadId": str(uuid.uuid4()), "runId": "run-1", "messages": [message]}
    lines = client.post("/send-message", params={"agent": agent}, json=body).text.splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
