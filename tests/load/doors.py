"""The traffic: one turn of a user at each door. What must hold of it is checked there and noted in the ledger."""

import asyncio
import json
import time
import uuid
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

import httpx

from tests.load.client import Client, Event
from tests.support.example_cast import EXAMPLE
from tests.support.stack.app import App
from tests.support.uploads import PNG
from tests.support.workspace.live import LivePage

SECONDS: Final = 60.0
"""Longer than anything takes that a turn waits for."""
TERMINAL: Final = ("RUN_FINISHED", "RUN_ERROR")
POLL_SECONDS: Final = 1.0
TRIES: Final = 20
"""To go on with a stream, without any event."""

Turn = Callable[[Client], Awaitable[None]]


async def watched(
    client: Client, thread: str, run: str, drop_after: int = 0, note: Callable[[Event], None] = lambda _: None
) -> list[Event]:
    """A run's events to their end; a stream that breaks off, or is dropped after so many events, goes on after them.

    `note` is given each event as it comes.
    """
    seen: list[Event] = []
    tries = 0
    while not (seen and seen[-1][1]["type"] in TERMINAL) and tries < TRIES:
        tries += 1
        with client.ledger.breaking():
            async with aclosing(client.events(thread, run, seen[-1][0] if seen else 0)) as events:
                async for event in events:
                    seen.append(event)
                    note(event)
                    tries = 0
                    if len(seen) == drop_after:
                        break
    what = f"run {run} of {thread}"
    client.ledger.check_dense(what, [number for number, _ in seen])
    if [data["type"] for _, data in seen if data["type"] in TERMINAL] != [data["type"] for _, data in seen][-1:]:
        client.ledger.wrong.append(f"{what}: its end is not its last event, or comes twice")
    return seen


def text_of(seen: list[Event]) -> str:
    return "".join(data["delta"] for _, data in seen if data["type"] == "TEXT_MESSAGE_CONTENT")


async def check_history(client: Client, thread: str, text: str) -> None:
    """The session's messages end with what the events said."""
    answer = await client.ask("history", "GET", "/api/v1/agent/history", params={"threadId": thread})
    if answer.status_code == httpx.codes.OK and answer.json()["messages"][-1]["content"] != text:
        client.ledger.wrong.append(f"the history of {thread} says something else than its events")


def slow_run(pieces: int, every: float, streams: int) -> Turn:
    """A run of `pieces * every` seconds with so many streams, of which each fourth drops and each fifth comes late."""

    def timed(client: Client, event: Event) -> None:
        if event[1]["type"] == "TEXT_MESSAGE_CONTENT":
            messages = [float(word) for word in event[1]["delta"].split()]
            client.ledger.seconds["a piece's way to its client"] += [time.monotonic() - message for message in messages]

    async def watch(client: Client, thread: str, number: int) -> list[Event]:
        if number % 5 == 4:
            await asyncio.sleep(pieces * every / 3)
            return await watched(client, thread, "run-1")
        if number % 4 == 1:
            return await watched(client, thread, "run-1", drop_after=pieces // 2)
        return await watched(client, thread, "run-1", note=partial(timed, client))

    async def turn(client: Client) -> None:
        thread = str(uuid.uuid4())
        await client.submit(thread, "run-1", "pacer", json.dumps({"pieces": pieces, "every": every}))
        seen = await asyncio.gather(*(watch(client, thread, number) for number in range(streams)))
        if any(item != seen[0] for item in seen) or [data["type"] for _, data in seen[0]][-1:] != ["RUN_FINISHED"]:
            client.ledger.wrong.append(f"the streams of {thread} saw different events, or no end")
        await check_history(client, thread, text_of(seen[0]))

    return turn


async def cast_run(client: Client) -> None:
    """A divination, read back from the history; its outcome is recorded, then its session is deleted."""
    thread = str(uuid.uuid4())
    await client.submit(thread, "run-1", "divination", str(EXAMPLE["question"]), divinationPayload=EXAMPLE)
    seen = await watched(client, thread, "run-1")
    if seen and seen[-1][1]["type"] == "RUN_ERROR":
        client.ledger.wrong.append(f"the cast of {thread} failed: {seen[-1][1].get('code')}")
    else:
        await check_history(client, thread, text_of(seen))
        await client.ask("outcome", "POST", f"/api/v1/agent/sessions/{thread}/outcome", json={"outcome": "partly"})
    await client.ask("history", "GET", "/api/v1/agent/history")
    await client.ask("delete session", "DELETE", f"/api/v1/agent/sessions/{thread}", 204)
    await client.ask("history", "GET", "/api/v1/agent/history", 404, params={"threadId": thread})


async def send_message(client: Client) -> None:
    """An AG-UI request that breaks off after some events and is sent again: the same run, from its beginning."""
    body: dict[str, Any] = {
        "threadId": f"thread-{uuid.uuid4()}",
        "runId": "run-1",
        "state": {},
        "messages": [{"id": "msg-1", "role": "user", "content": "What can you do?"}],
        "tools": [],
        "context": [],
        "forwardedProps": {},
    }
    async with aclosing(client.send_message(body)) as events:
        async for event in events:
            if event["type"] == "TEXT_MESSAGE_CONTENT":
                break
    with client.ledger.timed("send-message, whole"):
        emitted = [event async for event in client.send_message(body)]
    kinds = [event["type"] for event in emitted]
    if not kinds or kinds[0] != "RUN_STARTED" or [kind for kind in kinds if kind in TERMINAL] != ["RUN_FINISHED"]:
        client.ledger.wrong.append(f"send-message told {kinds[:3]} … {kinds[-2:]}")


async def cancelled_run(client: Client) -> None:
    """A run that is cancelled when it has begun to speak; everyone sees its end."""
    thread = str(uuid.uuid4())
    await client.submit(thread, "run-1", "pacer", json.dumps({"pieces": 1000, "every": 1}))
    async with aclosing(client.events(thread, "run-1")) as events:
        async for _, data in events:
            if data["type"] == "TEXT_MESSAGE_CONTENT":
                break
    path = f"/api/v1/agent/runs/{thread}/cancel"
    await client.ask("cancel", "POST", path, params={"runId": "run-1"})
    with client.ledger.timed("cancelled run, its events"):
        seen = await watched(client, thread, "run-1")
    if seen and seen[-1][1].get("code") != "RUN_CANCELED":
        client.ledger.wrong.append(f"a cancelled run ended with {seen[-1][1]}")


async def upload(client: Client) -> None:
    """Upload a picture by a form through its redirect, read it by its signed URL, and send it in the message of a
    run."""
    thread, picture = str(uuid.uuid4()), PNG + uuid.uuid4().bytes * 1000
    form: dict[str, Any] = {"data": {"threadId": thread}, "files": {"file": ("plate.png", picture, "image/png")}}
    answer = await client.ask("upload", "POST", "/api/v1/agent/attachments", follow_redirects=True, **form)
    if answer.status_code != httpx.codes.OK:
        return
    found = await client.http.get(answer.json()["attachment"]["url"])
    client.ledger.statuses["signed URL", found.status_code] += 1
    if found.content != picture:
        client.ledger.wrong.append("a signed URL answered something else than what was uploaded")


async def job(client: Client) -> None:
    """An automation job that its schedule starts within two minutes, and that is run by hand as well."""
    due = datetime.now(UTC) + timedelta(minutes=2)  # a whole minute and more from now, which creating it may take
    fields = {
        "title": "load",
        "input_template": "/call get_current_time {}",
        "enabled_tools": ["get_current_time"],
        "schedule": {"type": "daily", "run_at": {"hour": due.hour, "minute": due.minute}},
        "timezone": "UTC",
    }
    route = "/api/v1/automation/jobs"
    created = await client.ask("create job", "POST", route, 201, json=fields)
    if created.status_code != httpx.codes.CREATED:
        return
    made = created.json()
    path = f"{route}/{made['id']}"
    run = f"job-{made['id']}-now-1"
    await client.ask("run job", "POST", f"{path}/run", 202, json={"runId": run})
    await watched(client, made["thread_id"], run)
    deadline = time.monotonic() + 4 * SECONDS
    while time.monotonic() < deadline:
        runs = (await client.ask("list job runs", "GET", f"{path}/runs")).json().get("runs", [])
        if fired := [run for run in runs if run["slot"] is not None and run["status"] != "starting"]:
            await watched(client, fired[0]["thread_id"], fired[0]["run_id"])
            break
        await asyncio.sleep(POLL_SECONDS)
    else:
        client.ledger.wrong.append("a job's schedule did not fire")
    if len(fired) > 1:
        client.ledger.wrong.append("a slot has two runs")
    await client.ask("delete job", "DELETE", path, 204)


def workspace(base: str) -> Turn:
    """Return a page of a workspace, on a thread of its own."""

    async def turn(client: Client) -> None:
        await asyncio.to_thread(_page, base, client)

    return turn


def _page(base: str, client: Client) -> None:
    """Ask, beat, drop the connection, come back: the page shows the same, each message once."""
    app = App(base, client.user)
    app.http.timeout = httpx.Timeout(SECONDS)
    try:
        with LivePage(app, "assistant").dial() as page:
            page.start()
            page.wait(partial(_has_snapshot, page, 0), SECONDS)
            before = _answers(page)
            for number in range(2):
                page.beat()
                with client.ledger.timed("workspace, question to answer"):
                    page.say("/call get_current_time {}")
                    page.wait(partial(_is_answered, page, before + number + 1), SECONDS)
            shown, taken = page.messages(), len(page.frames)
            page.hang_up()
            page.dial()
            page.wait(partial(_has_snapshot, page, taken), SECONDS)
            if page.faults or page.messages() != shown:
                client.ledger.wrong.append(f"a workspace shows something else after a break: {page.faults}")
    except (AssertionError, OSError, TimeoutError) as error:
        client.ledger.wrong.append(f"workspace: {error!r:.300}")
    finally:
        app.http.close()


def _has_snapshot(page: LivePage, after: int) -> bool:
    return any(frame["type"] == "agent_state_snapshot" for frame in page.frames[after:])


def _answers(page: LivePage) -> int:
    return sum(message["role"] == "assistant" for message in page.messages())


def _is_answered(page: LivePage, times: int) -> bool:
    return _answers(page) == times and not page.is_thinking()
