"""AGT-01: AG-UI agents behind the local stack: one of another framework at a URL, one in process, and Yarrow itself."""

import asyncio
import json
import socket
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tests.e2e.adapters.agui_server import Server, deleted
from tests.support.functions.emulated_aws import served
from tests.support.stack.process import running

PATIENCE_SECONDS = 60
IN_PROCESS = Path(__file__).with_name("in_process.py")

AGENTS = """
agents:
  support:
    runner: plugin:yarrow/agui/default
    modes: {{ chat: {{ context: {{ source: latest_chat, window_mode: number, window_count: 20 }} }} }}
    resources: {{ tools: [{tools}] }}
    config: {{ url: "{url}", headers: {{ {header}: {{ secret: upstream }} }} }}
  nowhere:
    runner: plugin:yarrow/agui/default
    modes: {{ chat: {{}} }}
    config: {{ url: "http://127.0.0.1:1/run" }}
  inside:
    runner: plugin:yarrow/agui/default
    modes: {{ chat: {{}} }}
    config: {{ url: "http://169.254.169.254/latest/meta-data" }}
"""


class Stack(NamedTuple):
    client: httpx.Client
    server: Server

    def send(self, agent: str, text: str, thread_id: str, run_id: str = "run-1") -> list[dict[str, Any]]:
        message = {"id": f"message-{run_id}", "role": "user", "content": text}
        body = {"threadId": thread_id, "runId": run_id, "messages": [message]}
        lines = self.client.post("/send-message", params={"agent": agent}, json=body).text.splitlines()
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


@contextmanager
def stack_before(url: str, folder: Path, header: str, secret: str, tools: str = "") -> Iterator[httpx.Client]:
    """A client of a stack whose agent `support` is the AG-UI server at this URL."""
    file = folder / "agents.yaml"
    file.write_text(AGENTS.format(url=url, header=header, tools=tools), encoding="utf-8")
    environment = {
        "SYSTEM_AGENTS": str(file),
        "DEFAULT_AGENT": "support",
        "RUNNER_SECRET_UPSTREAM": secret,
        "AGENT": str(IN_PROCESS),
    }
    with (
        running(environment=environment) as base,
        httpx.Client(base_url=base, timeout=PATIENCE_SECONDS) as client,
    ):
        token = client.post("/local/token", json={"sub": "alice"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        yield client


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    server = Server()
    with socket.create_server(("127.0.0.1", 0)) as listener, served(server.app, listener):
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/run"
        with stack_before(url, tmp_path_factory.mktemp("agents"), "X-Key", "a key", "get_current_time") as client:
            yield Stack(client, server)


def text_of(events: Sequence[dict[str, Any]]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


def thread() -> str:
    return str(uuid.uuid4())


@pytest.mark.parametrize("agent", ["support", "in_process"])
def test_text_streams_and_the_run_finishes(stack: Stack, agent: str) -> None:
    """AGT-01."""
    events = stack.send(agent, "hello", thread())
    assert text_of(events) == "You said: hello"
    assert events[-1]["type"] == "RUN_FINISHED"


def test_headers_have_their_secrets(stack: Stack) -> None:
    stack.send("support", "hello", thread())
    assert stack.server.headers[-1]["x-key"] == "a key"


@pytest.mark.parametrize("agent", ["support", "in_process"])
def test_the_agents_own_tools_are_shown(stack: Stack, agent: str) -> None:
    events = stack.send(agent, "weather", thread())
    kinds = [event["type"] for event in events]
    assert text_of(events) == "I look. It is sunny in Rome."
    assert kinds.index("TOOL_CALL_RESULT") > kinds.index("TOOL_CALL_END") > kinds.index("TEXT_MESSAGE_END")
    (result,) = (event for event in events if event["type"] == "TOOL_CALL_RESULT")
    assert result["content"] == "sunny in Rome"


def test_tools_of_the_host_are_called_for_the_agent(stack: Stack) -> None:
    """It offers them as a client would, so the agent's run ends with the call, and another goes on."""
    events = stack.send("support", "time", thread())
    first, second = stack.server.bodies[-2:]
    assert "get_current_time" in [tool["name"] for tool in first["tools"]]
    assert [message["role"] for message in second["messages"]] == ["user", "assistant", "tool"]
    assert first["runId"] != second["runId"]
    assert text_of(events).startswith("It is ")
    assert "time" in text_of(events)
    assert events[-1]["type"] == "RUN_FINISHED"


def test_the_conversation_is_sent_under_the_agents_own_ids(stack: Stack) -> None:
    """An agent that keeps its conversation finds each message once."""
    thread_id = thread()
    stack.send("support", "weather", thread_id, "run-1")
    stack.send("support", "hello", thread_id, "run-2")
    stack.send("support", "again", thread_id, "run-3")
    second, third = (body["messages"] for body in stack.server.bodies[-2:])
    assert [message["role"] for message in second] == ["user", "assistant", "tool", "assistant", "user"]
    assert [message["id"] for message in third][: len(second)] == [message["id"] for message in second]
    assert [message["id"] for message in third if message["role"] == "user"] == [
        *("message-run-1", "message-run-2", "message-run-3"),
    ]
    assert len({message["id"] for message in third}) == len(third)


def test_a_server_that_is_busy_is_asked_again(stack: Stack) -> None:
    stack.server.refuses = 2
    assert text_of(stack.send("support", "hello", thread())) == "You said: hello"
    stack.server.refuses = 3
    *_, last = stack.send("support", "hello", thread())
    assert (last["type"], last["code"]) == ("RUN_ERROR", "agui.http_error")
    assert last["message"] == "the agent's server answered with status 503"


@pytest.mark.parametrize(("agent", "code"), [("nowhere", "agui.unreachable"), ("inside", "agui.forbidden_host")])
def test_a_server_that_cannot_be_reached_fails_the_run(stack: Stack, agent: str, code: str) -> None:
    *_, last = stack.send(agent, "hello", thread())
    assert (last["type"], last["code"]) == ("RUN_ERROR", code)


def test_an_error_of_the_agent_is_the_runs(stack: Stack) -> None:
    *_, last = stack.send("support", "fail", thread())
    assert last["type"] == "RUN_ERROR"


@pytest.mark.parametrize(
    ("payload", "expected", "done"),
    [
        ({"approved": True}, "It is without notes.", ["notes"]),
        ({"approved": False, "reason": "I need them"}, "It is ", []),
    ],
)
def test_an_interrupt_asks_the_user_and_the_answer_goes_on(
    stack: Stack, payload: dict[str, Any], expected: str, done: list[str]
) -> None:
    """The agent's approval is a question in the user's inbox; its answer comes as `resume`, and the tool acts once."""
    deleted.clear()
    thread_id = thread()
    *_, last = stack.send("support", "delete", thread_id)
    (interrupt,) = last["outcome"]["interrupts"]
    assert interrupt["responseSchema"]["properties"].keys() >= {"approved"}
    answer = {"status": "resolved", "payload": payload}
    accepted = stack.client.post(f"/api/v1/agent/interrupts/{interrupt['id']}", json=answer)
    assert accepted.status_code == 202, accepted.text
    run_id = accepted.json()["runId"]
    path = f"/api/v1/agent/runs/{thread_id}/events"
    lines = stack.client.get(path, params={"runId": run_id}).text.splitlines()
    events = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    assert text_of(events).startswith(expected)
    assert events[-1]["type"] == "RUN_FINISHED"
    assert deleted == done
    request, resumed = stack.server.bodies[-2:]
    assert "resume" not in request
    assert [(entry["status"], entry["payload"]["approved"]) for entry in resumed["resume"]] == [
        ("resolved", payload["approved"]),
    ]


def test_a_cancel_closes_the_agents_stream(stack: Stack) -> None:
    """And the run's terminal event comes at once, though the agent waits for an hour."""
    thread_id = thread()
    message = {"id": "m", "role": "user", "content": "wait"}
    body = {"threadId": thread_id, "runId": "run-1", "messages": [message]}
    seen = []
    with stack.client.stream("POST", "/send-message", params={"agent": "support"}, json=body) as response:
        for line in response.iter_lines():
            if line.startswith("data: "):
                seen.append(json.loads(line.removeprefix("data: ")))
                if text_of(seen) == "I wait" and seen[-1]["type"] == "TEXT_MESSAGE_CONTENT":
                    stack.client.post(
                        f"/api/v1/agent/runs/{thread_id}/cancel", params={"runId": "run-1"}
                    ).raise_for_status()
    assert stack.server.closed.wait(PATIENCE_SECONDS)
    assert seen[-1]["type"] in ("RUN_FINISHED", "RUN_ERROR")


def test_a_deployment_of_this_project_is_an_agent_too(stack: Stack, tmp_path: Path) -> None:
    """Its stream passes through another one: an agent in front of an agent."""
    own = str(stack.client.base_url)
    token = stack.client.headers["Authorization"]
    with stack_before(f"{own}/send-message?agent=support", tmp_path, "Authorization", token) as client:
        events = Stack(client, stack.server).send("support", "weather", thread())
    assert text_of(events) == "I look. It is sunny in Rome."
    assert [event["type"] for event in events].count("TOOL_CALL_RESULT") == 1
    assert events[-1]["type"] == "RUN_FINISHED"


class KeepsConversations:
    """A server that answers each message once, as Google ADK's: a request without a new one is an empty run."""

    def __init__(self) -> None:
        self.answered: set[str] = set()
        self.app = Starlette(routes=[Route("/run", self.run, methods=["POST"])])

    async def run(self, request: Request) -> Response:
        body = json.loads(await request.body())
        own = {"threadId": body["threadId"], "runId": body["runId"]}
        is_new = body["messages"][-1]["id"] not in self.answered
        self.answered.add(body["messages"][-1]["id"])

        async def events() -> AsyncIterator[str]:
            yield sse({"type": "RUN_STARTED", **own})
            if is_new:
                yield sse({"type": "TEXT_MESSAGE_START", "messageId": "a", "role": "assistant"})
                yield sse({"type": "TEXT_MESSAGE_CONTENT", "messageId": "a", "delta": "Half of"})
                if body["messages"][-1]["content"] == "wait":
                    await asyncio.sleep(3_600)
                yield sse({"type": "TEXT_MESSAGE_END", "messageId": "a"})
            yield sse({"type": "RUN_FINISHED", **own})

        return StreamingResponse(events(), media_type="text/event-stream")


def sse(event: dict[str, Any]) -> str:
    return f"data: {json.dumps(event)}\n\n"


def test_half_an_answer_whose_end_is_lost_is_no_success(tmp_path: Path) -> None:
    """RUN-10: its worker dies, and the server answers the request of the next one with an empty run."""
    server, thread_id = KeepsConversations(), thread()
    with socket.create_server(("127.0.0.1", 0)) as listener, served(server.app, listener):
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/run"
        with stack_before(url, tmp_path, "X-Key", "a key") as client:
            message = {"id": "m", "role": "user", "content": "wait"}
            body = {"threadId": thread_id, "runId": "run-1", "messages": [message]}
            seen: list[dict[str, Any]] = []
            with client.stream("POST", "/send-message", params={"agent": "support"}, json=body) as response:
                for line in response.iter_lines():
                    if line.startswith("data: "):
                        seen.append(json.loads(line.removeprefix("data: ")))
                        if seen[-1]["type"] == "TEXT_MESSAGE_CONTENT":
                            client.post("/local/kill", json={"function": "execute_run"}).raise_for_status()
            assert text_of(seen) == "Half of"
            assert (seen[-1]["type"], seen[-1]["code"]) == ("RUN_ERROR", "agui.not_repeated")
            assert text_of(Stack(client, Server()).send("support", "again", thread_id, "run-2")) == "Half of"
