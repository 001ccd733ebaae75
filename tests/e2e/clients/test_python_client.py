"""`clients/python` over a network that breaks every stream off, async and sync."""

import asyncio
import uuid
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from tests.clients.dropping_proxy import Cut, DroppingProxy, Ending, dropping, random_cuts
from tests.support.effort import examples
from tests.support.stack.app import App, SignIn
from yarrow_client import AsyncYarrow, Event, Refused, Yarrow, text_input
from yarrow_client.watching import TERMINAL

RUNS = examples(5)
"""By each of the clients; `EFFORT=40` makes it 200."""
RUNS_OF_A_USER = 4
AT_ONCE = 8
TEXTS = ("北京天气怎么样?", "two at once", "你好", "fail")


@pytest.fixture
def proxy(stack: str) -> Iterator[DroppingProxy]:
    """Yield a bad network before the stack."""
    with dropping(stack) as server:
        yield server


def token_of(app: App) -> str:
    return str(app.http.headers["Authorization"]).removeprefix("Bearer ")


def numbered(events: list[Event]) -> list[tuple[int, dict[str, Any]]]:
    return [(event.id, event.data) for event in events]


def check(events: list[Event], app: App) -> None:
    """All of them, once, in order, to the one that ends the run."""
    start = events[0].data
    stored = [(number, data) for number, _, data in app.watch(start["threadId"], start["runId"])]
    assert numbered(events) == stored
    assert events[-1].type in TERMINAL


def users(sign_in: SignIn) -> list[App]:
    return [sign_in(f"user-{number}", locale="zh-CN") for number in range(-(-RUNS // RUNS_OF_A_USER))]


def run_input(number: int) -> dict[str, Any]:
    return text_input(TEXTS[number % len(TEXTS)], thread_id=str(uuid.uuid4()))


def test_async_nothing_is_lost_or_repeated(sign_in: SignIn, proxy: DroppingProxy) -> None:
    """EVT-04, EVT-05."""
    proxy.cuts = random_cuts(18, 4 * RUNS)
    apps = users(sign_in)

    async def watched() -> list[list[Event]]:
        some = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> list[Event]:
            async with some:
                client = clients[number % len(apps)]
                return [event async for event in client.run(run_input(number), agent="scenes")]

        async with httpx2.AsyncClient(timeout=10) as http:
            clients = [AsyncYarrow(proxy.url, token_of(app), http=http) for app in apps]
            return await asyncio.gather(*map(one, range(RUNS)))

    for number, events in enumerate(asyncio.run(watched())):
        check(events, apps[number % len(apps)])
    assert len(proxy.cursors) >= 2 * RUNS


def test_sync_nothing_is_lost_or_repeated(sign_in: SignIn, proxy: DroppingProxy) -> None:
    """EVT-04, EVT-05."""
    proxy.cuts = random_cuts(19, 4 * RUNS)
    apps = users(sign_in)
    with httpx2.Client(timeout=10) as http, ThreadPoolExecutor(AT_ONCE) as pool:
        clients = [Yarrow(proxy.url, token_of(app), http=http) for app in apps]

        def one(number: int) -> list[Event]:
            return list(clients[number % len(apps)].run(run_input(number), agent="scenes"))

        for number, events in enumerate(pool.map(one, range(RUNS))):
            check(events, apps[number % len(apps)])
    assert len(proxy.cursors) >= 2 * RUNS


def test_every_frame_may_be_the_last_of_its_stream(alice: App, proxy: DroppingProxy) -> None:
    """EVT-04, EVT-24: cut between frames and within them, in turns; a snapshot is asked for until more came."""
    with Yarrow(proxy.url, token_of(alice)) as yarrow:
        events = list(yarrow.run(run_input(2), agent="scenes"))
        check(events, alice)
        assert len(proxy.cursors) >= len(events)
        start = events[0].data
        proxy.cuts = deque([Cut(400, Ending.CLEAN), Cut(400, Ending.RESET)])
        shown = list(yarrow.watch(start["threadId"], start["runId"], profile="snapshot"))
    assert shown[-1].type == "RUN_FINISHED"
    assert [event.type for event in shown].count("MESSAGES_SNAPSHOT") == 1


def test_what_one_does_with_a_session(stack: str, alice: App) -> None:
    """CMP-01, CAN-04, ATT-03, AUT-02: against the service itself."""
    with Yarrow(stack, token_of(alice)) as yarrow:
        thread = str(uuid.uuid4())
        attachment = yarrow.upload(thread, b"plain words", "note.txt")
        assert attachment["mimeType"] == "application/octet-stream"
        first, *rest = yarrow.run(text_input("Hello", thread_id=thread), agent="assistant")
        assert [event.id for event in yarrow.watch(thread, first.data["runId"], after=3)] == [
            event.id for event in rest if event.id > 3
        ]
        assert [message["role"] for message in yarrow.history(thread)["messages"]] == ["user", "assistant"]
        assert yarrow.sessions(limit=1)["messages"][0]["threadId"] == thread
        with pytest.raises(Refused) as caught:
            yarrow.record_outcome(thread, "partly")
        assert (caught.value.status, caught.value.code) == (422, "AGENT_OUTCOME_NO_READING")
        yarrow.cancel(thread, first.data["runId"])
        yarrow.delete_session(thread)
        job = yarrow.create_job(
            {
                "input_template": "Hello",
                "schedule": {"type": "daily", "run_at": {"hour": 7, "minute": 30}},
                "timezone": "Asia/Shanghai",
            }
        )
        assert [job["id"] for job in yarrow.list_jobs()] == [job["id"]]
        changed = yarrow.change_job(job["id"], {"status": "disabled"}, etag=job["etag"])
        assert changed["status"] == "disabled"
        with pytest.raises(Refused) as caught:
            yarrow.change_job(job["id"], {"status": "active"}, etag=job["etag"])
        assert (caught.value.status, caught.value.code) == (412, "AUTOMATION_JOB_CHANGED")
        started = yarrow.run_job(job["id"])
        assert list(yarrow.watch(started["threadId"], started["runId"]))[-1].type == "RUN_FINISHED"
        assert [run["run_id"] for run in yarrow.job_runs(job["id"])["runs"]] == [started["runId"]]
        yarrow.delete_job(job["id"])
        assert yarrow.list_jobs() == []
