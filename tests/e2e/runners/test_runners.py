"""Agents that do not come with Yarrow, from submit to history: an SDK's runner, a function's, one that blocks, and
two that take messages while they work.

The stack finds them as a deployment does: by entry points of a package, by templates of functions, and by a file that
lists the agents.
"""

import asyncio
import json
import os
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from local.environment import KEY
from local.stack import REGION
from tests.support.stack.app import App, Event, SignIn, cancel, problem
from tests.support.stack.runs import body, first_words, submit
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.remote import Callback
from yarrow.sdk.callback import HttpTransport

SOON_SECONDS = 30
"""Far more than it takes, far less than a run may."""


def events_of(app: App, agent: str, thread: str, run: str, text: str) -> list[Event]:
    """Return what a run of an agent tells, from submit to the end."""
    submit(app, agent, thread, run, text)
    return list(app.watch(thread, run))


def text_of(events: list[Event]) -> str:
    return "".join(event["delta"] for _, kind, event in events if kind == "TEXT_MESSAGE_CONTENT")


def kinds(events: list[Event]) -> list[str]:
    return [kind for _, kind, _ in events if kind not in {"TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS"}]


# ---- A runner written with the LangBot SDK ---------------------------------------------------------------------------
def test_an_unmodified_sdk_runner_completes_a_run(alice: App) -> None:
    """CMP-02, CMP-01, HIS-19, RNR-13, RNR-34, RNR-51 … RNR-53: it streams, calls a tool and a model, and is history."""
    thread = str(uuid.uuid4())
    events = events_of(alice, "diary", thread, "run-1", "hello there")
    assert kinds(events) == [
        "RUN_STARTED",
        "STEP_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_END",
        "TOOL_CALL_START",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_END",
        "STEP_FINISHED",
        "RUN_FINISHED",
    ]
    (result,) = (event for _, kind, event in events if kind == "TOOL_CALL_RESULT")
    assert json.loads(result["content"])["time_zone"] == "UTC"
    assert text_of(events).startswith("Run 1. Earlier: []. Zone: UTC. ")
    assert (
        text_of(events).count("hello there") == 1
    )  # of the scripted model, told once though it is sent again and again
    question, *answers = alice.history(threadId=thread)["messages"]
    assert question["content"] == "hello there"
    assert [answer["role"] for answer in answers] == ["assistant"] * 2
    assert text_of(events) == "".join(answer["content"] for answer in answers)


def test_an_sdk_runner_knows_its_state_and_its_history_in_the_next_run(alice: App) -> None:
    """CMP-02, RNR-55, RNR-60, RNR-84."""
    thread = str(uuid.uuid4())
    events_of(alice, "diary", thread, "run-1", "my name is Alice")
    again = text_of(events_of(alice, "diary", thread, "run-2", "who am I?"))
    assert again.startswith("Run 2. Earlier: ['my name is Alice']. ")
    assert text_of(events_of(alice, "diary", str(uuid.uuid4()), "run-1", "who am I?")).startswith(
        "Run 1. Earlier: []. "
    )


def test_every_door_leads_to_the_same_run(alice: App) -> None:
    """CMP-01, CMP-02: the same input and runner give the same transcript, whichever way it came in."""
    by_door = []
    for door in ("/api/v1/agent/runs", "/send-message"):
        thread = str(uuid.uuid4())
        answer = alice.http.post(door, params={"agent": "diary"}, json=body(thread, "run-1", "hello there"))
        assert answer.is_success, answer.text
        events = list(alice.watch(thread, "run-1"))
        messages = alice.history(threadId=thread)["messages"]
        by_door.append(
            (kinds(events), text_of(events), [(message["role"], message["content"]) for message in messages])
        )
    assert by_door[0] == by_door[1]


def test_an_sdk_runner_is_cancelled(alice: App) -> None:
    """CMP-02, RNR-71, CAN-04: and its session takes the next run."""
    thread = str(uuid.uuid4())
    submit(alice, "diary", thread, "run-1", "wait")
    assert first_words(alice, thread, "run-1").startswith("Run 1.")
    assert cancel(alice, thread, "run-1").status_code == 200
    _, kind, event = list(alice.watch(thread, "run-1"))[-1]
    assert (kind, event["code"]) == ("RUN_ERROR", "RUN_CANCELED")
    assert text_of(events_of(alice, "diary", thread, "run-2", "and now?")).startswith("Run 2. Earlier: ['wait']. ")


# ---- A runner in a function of its own -------------------------------------------------------------------------------
def test_the_remote_example_completes_runs(alice: App) -> None:
    """RNR-13, RNR-50, RNR-52, RNR-53, RNR-60: its calls for tool, state and model come back over HTTP."""
    thread = str(uuid.uuid4())
    first = events_of(alice, "notes", thread, "run-1", "buy milk")
    assert kinds(first)[2:5] == ["TOOL_CALL_START", "TOOL_CALL_END", "TOOL_CALL_RESULT"]
    assert text_of(first).startswith("1 note.\n")
    second = events_of(alice, "notes", thread, "run-2", "buy bread")
    assert text_of(second).startswith("2 notes.\n")
    assert "buy milk\nbuy bread" in text_of(second)  # the scripted model reads back what it was asked
    assert kinds(second)[-1] == "RUN_FINISHED"
    assert len(alice.history(threadId=thread)["messages"]) == 4


def test_a_run_of_a_remote_runner_is_not_forked(alice: App) -> None:
    """STP-09: its steps say so beforehand, and a fork is refused where it is asked for."""
    thread, other = str(uuid.uuid4()), str(uuid.uuid4())
    events_of(alice, "notes", thread, "run-1", "buy milk")
    of_run = f"/api/v1/agent/runs/{thread}"
    listed = alice.http.get(f"{of_run}/steps", params={"runId": "run-1"}).json()
    assert listed["notForkable"] == "remote"
    wanted = {"threadId": other, "runId": "fork-1", "step": listed["steps"][-1]["id"]}
    refused = alice.http.post(f"{of_run}/fork", params={"runId": "run-1"}, json=wanted)
    assert (refused.status_code, refused.json()["code"]) == (409, "AGENT_RUN_NOT_FORKABLE")
    assert refused.json()["params"] == {"reason": "remote"}
    assert alice.http.get("/api/v1/agent/history", params={"threadId": other}).status_code == 404


@pytest.mark.parametrize("text", ["end", "wait"])
def test_the_token_of_a_remote_run_ends_with_the_run(alice: App, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-64, RNR-71: whether the run finishes or is cancelled, in which case it was good until then."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    thread = str(uuid.uuid4())
    run_key = submit(alice, "telling", thread, "run-1", text)
    callback = Callback.model_validate_json(first_words(alice, thread, "run-1"))
    if text == "wait":
        assert asyncio.run(known(run_key, callback)) == "wait"
        assert cancel(alice, thread, "run-1").status_code == 200
    assert kinds(list(alice.watch(thread, "run-1")))[-1] == ("RUN_ERROR" if text == "wait" else "RUN_FINISHED")
    with pytest.raises(AgentAPIException) as refused:
        asyncio.run(known(run_key, callback))
    assert refused.value.error.code == "unauthorized"


EXITS = ["raise SystemExit", "raise SystemExit in a task", "raise KeyboardInterrupt", "os._exit"]


@pytest.mark.parametrize("text", EXITS)
def test_a_function_that_exits_ends_its_run_at_once(alice: App, text: str) -> None:
    """RNR-40: with a registered code, and the next run is as any other."""
    thread = str(uuid.uuid4())
    began = time.monotonic()
    _, kind, event = events_of(alice, "telling", thread, "run-1", text)[-1]
    assert (kind, event["code"]) == ("RUN_ERROR", "runner.error")
    assert time.monotonic() - began < SOON_SECONDS
    assert kinds(events_of(alice, "telling", thread, "run-2", "end"))[-1] == "RUN_FINISHED"


async def known(run_key: str, callback: Callback) -> Any:
    """What a call of the run's state is answered."""
    async with HttpTransport(callback, None) as transport:
        return await AgentRunAPIProxy(run_key, transport).state.get("conversation", "known")


# ---- Runners that take messages while they work ----------------------------------------------------------------------
def add(app: App, thread: str, name: str, content: str) -> httpx.Response:
    body = {"id": name, "content": content}
    return app.http.post(f"/api/v1/agent/runs/{thread}/messages", params={"runId": "run-1"}, json=body)


@pytest.mark.parametrize("agent", ["listening", "listening_plugin"])
def test_a_message_reaches_a_run_that_goes_on_and_everyone_who_watches(
    alice: App, sign_in: SignIn, pipes: Path, agent: str
) -> None:
    """RNR-87, EVT-27: in order and once, also for a viewer that resumes; after the end, it is refused."""
    thread = str(uuid.uuid4())
    submit(alice, agent, thread, "run-1", "hello")
    assert first_words(alice, thread, "run-1") == "listening"

    with ThreadPoolExecutor(2) as threads:
        viewers = [threads.submit(lambda: list(alice.watch(thread, "run-1"))) for _ in range(2)]
        places = [add(alice, thread, f"m-{number}", f"text {number}") for number in (1, 2, 1)]
        assert [(answer.status_code, answer.json()["place"]) for answer in places] == [(202, 1), (202, 2), (202, 1)]
        assert problem(add(alice, thread, "m-1", "another text")) == (409, "AGENT_RUN_MESSAGE_CONFLICT")
        assert problem(add(sign_in("bob"), thread, "m-3", "not mine")) == (403, "AGENT_FORBIDDEN")
        (pipes / "next_step").write_bytes(b"")
        first_taken = next(number for number, kind, event in alice.watch(thread, "run-1") if is_taken(kind, event))
        resumed = threads.submit(lambda: list(alice.watch(thread, "run-1", after=first_taken)))
        said = (event.get("delta") for _, _, event in alice.watch(thread, "run-1"))
        assert "heard text 1, text 2" in said
        assert add(alice, thread, "m-3", "too late to be taken").status_code == 202
        (pipes / "next_step").write_bytes(b"")
        one, other = (viewer.result(SOON_SECONDS) for viewer in viewers)

    assert one == other == list(alice.watch(thread, "run-1"))
    assert resumed.result() == [event for event in one if event[0] > first_taken]
    taken = [event["value"]["content"] for _, kind, event in one if is_taken(kind, event)]
    assert taken == ["text 1", "text 2"]
    told = [
        event.get("delta") or event["value"]["content"]
        for _, kind, event in one
        if "delta" in event or is_taken(kind, event)
    ]
    assert told == ["listening", "text 1", "text 2", "heard text 1, text 2"]
    assert (one[-2][2]["name"], one[-2][2]["value"]) == ("yarrow.messages-unread", {"ids": ["m-3"]})
    assert one[-1][1] == "RUN_FINISHED"

    late = add(alice, thread, "m-4", "after the end")
    assert (problem(late), late.json()["params"]) == ((409, "AGENT_RUN_NOT_STEERABLE"), {"reason": "ended"})
    kept = [(message["role"], message["content"]) for message in alice.history(threadId=thread)["messages"]]
    user = [("user", text) for text in ("text 1", "text 2")]
    heard = ("assistant", "heard text 1, text 2")
    assert kept == [("user", "hello"), ("assistant", "listening"), *user, heard, ("user", "too late to be taken")]


def is_taken(kind: str, event: dict[str, Any]) -> bool:
    return kind == "CUSTOM" and event["name"] == "yarrow.message-taken"


# ---- A runner that blocks its thread ---------------------------------------------------------------------------------
def test_a_runner_that_blocks_its_thread_is_abandoned_and_holds_up_nobody(
    alice: App, sign_in: SignIn, pipes: Path
) -> None:
    """RNR-70, RNR-71, RNR-72, RNR-64: by a cancel or at its deadline; what it does afterwards counts for nothing."""
    bob, thread, other = sign_in("bob"), str(uuid.uuid4()), str(uuid.uuid4())
    for app, blocked in ((alice, thread), (bob, other)):
        submit(app, "blocking", blocked, "run-1", "block")
        assert first_words(app, blocked, "run-1") == "in time"

    assert cancel(alice, thread, "run-1").status_code == 200
    cancelled = list(alice.watch(thread, "run-1"))
    assert cancelled[-1][2]["code"] == "RUN_CANCELED"
    for agent, session, run in (("blocking", thread, "run-2"), ("diary", str(uuid.uuid4()), "run-1")):
        assert kinds(events_of(alice, agent, session, run, "go on"))[-1] == "RUN_FINISHED"

    late = list(bob.watch(other, "run-1"))
    assert (late[-1][1], late[-1][2]["code"]) == ("RUN_ERROR", "runner.timeout")

    # Open for writing, too, so that it does not end with the first of the two that write to it.
    with os.fdopen(os.open(pipes / "heard", os.O_RDWR), encoding="utf-8") as heard:
        (pipes / "gate").write_bytes(b"")
        assert [heard.readline() for _ in range(2)] == ["unauthorized\n"] * 2
    assert list(alice.watch(thread, "run-1")) == cancelled
    assert list(bob.watch(other, "run-1")) == late
    assert text_of(cancelled) == text_of(late) == "in time"
