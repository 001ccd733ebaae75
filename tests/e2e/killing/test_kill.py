"""`POST /local/kill` ends functions as a crashed sandbox does, and clients miss nothing (RUN-32, EVT-05, RNR-72)."""

import json
import random
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.stack.app import App, problem
from tests.support.stack.process import running
from tests.support.stack.runs import submit
from tests.support.stack.send_message import body as sent
from yarrow_client import Yarrow

AGENT = Path(__file__).with_name("agent.py")
PIECES = 60
INSTANTS = 10

Line = tuple[int, str, str]


@pytest.fixture(scope="module")
def stack() -> Iterator[str]:
    with running(environment={"AGENT": str(AGENT)}) as url:
        yield url


@pytest.fixture(scope="module")
def undisturbed(user: App) -> list[Line]:
    """The transcript of a run that nobody kills."""
    thread = begin(user)
    return transcript(thread, user.watch(thread, "run-1"))


def begin(user: App, **more: Any) -> str:
    """Submit a run with so many pieces; its thread."""
    thread = str(uuid.uuid4())
    submit(user, "agent", thread, "run-1", json.dumps({"pieces": PIECES, **more}))
    return thread


def kill(user: App, function: str) -> int:
    answer = user.http.post("/local/kill", json={"function": function})
    assert answer.status_code == 200, answer.text
    return int(answer.json()["killed"])


def line(thread: str, event: tuple[int, str, dict[str, Any]]) -> Line:
    """An event without what differs between threads."""
    number, kind, data = event
    data = {name: value for name, value in data.items() if name not in ("threadId", "messageId", "timestamp")}
    return number, kind, json.dumps(data).replace(thread, "THREAD")


def transcript(thread: str, events: Iterator[tuple[int, str, dict[str, Any]]]) -> list[Line]:
    return [line(thread, event) for event in events]


def check(lines: list[Line], undisturbed: list[Line]) -> None:
    """Events are numbered without a gap, and say what the undisturbed run said, once."""
    assert [number for number, _, _ in lines] == list(range(1, len(lines) + 1))
    assert lines == undisturbed


# ---- The worker ------------------------------------------------------------------------------------------------------
def test_a_run_whose_worker_is_killed_ends_as_if_nothing_had_happened(
    user: App, undisturbed: list[Line], tmp_path: Path
) -> None:
    """The worker is killed while its agent waits; the next one goes on."""
    thread = begin(user, holds=[30, str(tmp_path / "held")])
    lines: list[Line] = []
    for event in user.watch(thread, "run-1"):
        lines.append(line(thread, event))
        if "29 " in lines[-1][2]:
            assert kill(user, "execute_run") == 1
    check(lines, undisturbed)


def test_a_run_may_be_killed_at_any_instant(user: App, undisturbed: list[Line]) -> None:
    """Right after any of its events came; whoever reads it later reads the same."""
    chance = random.Random(28)
    killed = 0
    for after in chance.sample(range(1, len(undisturbed)), INSTANTS):
        thread = begin(user)
        lines: list[Line] = []
        for event in user.watch(thread, "run-1"):
            lines.append(line(thread, event))
            if event[0] == after:
                killed += kill(user, "execute_run")
        check(lines, undisturbed)
        assert transcript(thread, user.watch(thread, "run-1")) == lines
    assert killed > 0


def test_a_queued_run_may_be_killed(user: App, undisturbed: list[Line]) -> None:
    """Before anybody watches it."""
    for _ in range(3):
        thread = begin(user)
        kill(user, "execute_run")
        check(transcript(thread, user.watch(thread, "run-1")), undisturbed)


def test_an_agent_that_ends_its_process_ends_nothing_else(user: App, undisturbed: list[Line]) -> None:
    """RNR-72: its run fails after the retries; the stack goes on."""
    thread = begin(user, exits=3)
    lines = transcript(thread, user.watch(thread, "run-1"))
    assert [number for number, _, _ in lines] == list(range(1, len(lines) + 1))
    assert lines[-1][1] == "RUN_ERROR"
    other = begin(user)
    check(transcript(other, user.watch(other, "run-1")), undisturbed)


# ---- Streams ---------------------------------------------------------------------------------------------------------
def cut_off(user: App, function: str, response: httpx.Response) -> str:
    """Kill the function of an open stream once its run holds; what came until then."""
    received, chunks = b"", response.iter_bytes()
    while b'"29 "' not in received:
        received += next(chunks)
    assert kill(user, function) == 1
    with pytest.raises(httpx.RemoteProtocolError, match="incomplete"):
        next(chunks)
    return received.decode()


def test_a_stream_that_is_killed_breaks_off_and_can_be_resumed(
    user: App, undisturbed: list[Line], tmp_path: Path
) -> None:
    """EVT-03, EVT-05: without a terminal event; the client resumes after the last event it got."""
    thread = begin(user, holds=[30, str(tmp_path / "held")])
    path = f"/api/v1/agent/runs/{thread}/events"
    with user.http.stream("GET", path, params={"runId": "run-1"}) as response:
        received = cut_off(user, "stream_events", response)
    last = max(int(number) for number in re.findall(r"^id: (\d+)$", received, re.M))
    assert kill(user, "execute_run") == 1
    rest = transcript(thread, user.watch(thread, "run-1", after=last))
    assert rest == undisturbed[last:]


def test_a_client_resumes_a_killed_stream_by_itself(
    stack: str, user: App, undisturbed: list[Line], tmp_path: Path
) -> None:
    thread = begin(user, holds=[30, str(tmp_path / "held")])
    token = user.http.headers["Authorization"].removeprefix("Bearer ")
    numbers = []
    with Yarrow(stack, token) as client:
        for event in client.watch(thread, "run-1"):
            numbers.append(event.id)
            if event.data.get("delta") == "29 ":
                assert kill(user, "stream_events") == 1
                assert kill(user, "execute_run") == 1
    assert numbers == [number for number, _, _ in undisturbed]


def test_the_run_of_a_killed_send_message_goes_on(user: App, undisturbed: list[Line], tmp_path: Path) -> None:
    """EVT-20."""
    question = json.dumps({"pieces": PIECES, "holds": [30, str(tmp_path / "held")]})
    thread = str(uuid.uuid4())
    messages = [{"id": "msg-run-1", "role": "user", "content": question}]
    request = sent("run-1", threadId=thread, messages=messages)
    with user.http.stream("POST", "/send-message", params={"agent": "agent"}, json=request) as response:
        assert response.status_code == 200
        assert "RUN_FINISHED" not in cut_off(user, "send_message", response)
    assert kill(user, "execute_run") == 1
    lines = transcript(thread, user.watch(thread, "run-1"))
    assert [number for number, _, _ in lines] == list(range(1, len(lines) + 1))
    assert [(kind, data) for _, kind, data in lines if kind.startswith("TEXT")] == [
        (kind, data) for _, kind, data in undisturbed if kind.startswith("TEXT")
    ]
    assert lines[-1][1] == "RUN_FINISHED"


# ---- Requests --------------------------------------------------------------------------------------------------------
def test_nothing_is_killed_where_nothing_runs(user: App) -> None:
    assert kill(user, "delete_session") == 0


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (b'{"function": "play"}', (404, "LOCAL_FUNCTION_UNKNOWN")),
        (b'{"function": 7}', (422, "LOCAL_KILL_INVALID")),
        (b'{"function": "execute_run", "signal": 9}', (422, "LOCAL_KILL_INVALID")),
        (b"{}", (422, "LOCAL_KILL_INVALID")),
        (b"execute_run", (422, "LOCAL_KILL_INVALID")),
    ],
)
def test_what_names_no_function_is_a_problem(user: App, content: bytes, answer: tuple[int, str]) -> None:
    assert problem(user.http.post("/local/kill", content=content)) == answer


def test_a_page_of_another_origin_kills_nothing(stack: str, user: App) -> None:
    body = {"function": "execute_run"}
    refused = user.http.post("/local/kill", json=body, headers={"Origin": "https://app.example"})
    assert problem(refused) == (403, "LOCAL_KILL_FORBIDDEN")
    assert user.http.post("/local/kill", json=body, headers={"Origin": stack}).status_code == 200
