"""Streaming a run's events: who may, from where, how many at once, and that every cut resumes exactly."""

import asyncio
import importlib
import re
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from datetime import timedelta
from typing import Any

import anyio
import anyio.to_thread
import pytest
from starlette.types import Message

from tests.integration.runs import uneven_journal
from tests.integration.runs.uneven_journal import END, LINES, finish
from tests.support import virtual_time
from tests.support.divination_runs import THREAD, submit
from tests.support.functions.calls import Context
from tests.support.functions.payloads import Case, with_query
from tests.support.journals import end_of
from yarrow.packages import event_types
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.problems import Code, Problem
from yarrow.runs import lost_runs
from yarrow.runs.stream_events import Subscription, stream_events
from yarrow.settings import settings
from yarrow.store import clock, journal, runs, table
from yarrow.store.limits import stream_slots
from yarrow.web import lambda_http
from yarrow.web.streams import event_stream, journal_polling
from yarrow.web.streams.stream_formats import NATIVE, StreamFormat, agui_format

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

SLOT = stream_slots.Slot("alice", "slot")


@pytest.fixture
def run_key(aws: None) -> str:
    return uneven_journal.begin()


def read(frames: bytes) -> list[tuple[int, str, str]]:
    """Return the frames as (id, event, data), by the plainest reading of the format."""
    found = re.findall(rb"id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n", frames)
    return [(int(number), kind.decode(), data.decode()) for number, kind, data in found]


def frames(
    run_key: str, after: int = 0, *, seconds: float = 5.0, idle: int = 300, is_short: bool = False
) -> AsyncGenerator[bytes]:
    run = runs.must_read(run_key)
    at = journal.position_of(run_key, after) if after else journal.Position()
    assert at is not None
    viewer = Subscription(run_key, after, at, idle, run.last_sequence, SLOT)
    return event_stream._frames(viewer, time.monotonic() + seconds, is_short=is_short)


def replay(run_key: str, after: int = 0, **limits: Any) -> bytes:
    async def collect() -> bytes:
        return b"".join([frame async for frame in frames(run_key, after, **limits)])

    return anyio.run(collect)


def replay_and(run_key: str, after: int, act: Callable[[], object]) -> bytes:
    """Stream to the end; when the first frames have come, act."""

    async def collect() -> bytes:
        parts = []
        async for frame in frames(run_key, after):
            parts.append(frame)
            if len(parts) == 1:
                await anyio.to_thread.run_sync(act)
        return b"".join(parts)

    return anyio.run(collect)


def test_every_cursor_resumes_exactly_after_itself(run_key: str) -> None:
    """EVT-03, EVT-04, EVT-05."""
    finish(run_key)
    whole = read(replay(run_key))
    assert [number for number, _, _ in whole] == list(range(1, 13))
    assert [data for _, _, data in whole[1:]] == [*LINES, END]
    for cut in range(1, 12):
        assert read(replay(run_key, cut)) == whole[cut:]


def test_a_viewer_who_comes_early_sees_the_same_as_one_who_comes_late(run_key: str) -> None:
    """EVT-05: one subscribes while the run goes on, one after its end."""
    early = replay_and(run_key, 0, lambda: finish(run_key))
    assert early == replay(run_key)


def test_a_viewer_who_has_seen_the_end_is_let_go_at_once(run_key: str) -> None:
    """EVT-05: as after any other event, nothing more is coming."""
    finish(run_key)
    assert replay(run_key, 12, seconds=60) == b""


def test_a_quiet_stream_is_kept_alive_and_ends_with_its_window(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-03: It sends comments, then `retry:`, and no terminal event."""
    monkeypatch.setattr(event_stream, "KEEP_ALIVE_SECONDS", 0.1)
    quiet = replay(run_key, 11, seconds=0.5)
    assert quiet.startswith(b": keep-alive\n\n")
    assert quiet.endswith(b"retry: 500\n\n")
    assert read(quiet) == []


def test_an_idle_stream_ends_by_its_limit(run_key: str) -> None:
    """EVT-06: without a terminal event, so that the client may come back."""
    assert replay(run_key, 11, seconds=60, idle=1) == b"retry: 500\n\n"


def test_a_short_stream_ends_soon_after_its_first_events(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-04, EVT-05: with the number to go on after, for clients that read whole responses."""
    monkeypatch.setattr(event_stream, "GATHER_SECONDS", 0.0)
    first = replay(run_key, seconds=60, is_short=True)
    assert first.endswith(b"retry: 500\n\n")
    outputs = read(first)
    finish(run_key)
    rest = read(replay(run_key, outputs[-1][0], seconds=60, is_short=True))
    assert [*outputs, *rest] == read(replay(run_key))


@pytest.mark.parametrize("wait", ["", "0", "-1", "21", "1.5", "１", "x"])
def test_a_wait_is_a_number_of_seconds(wait: str) -> None:
    """EVT-06."""
    with pytest.raises(Problem) as refused:
        event_stream.read_wait(wait)
    assert (refused.value.status, refused.value.code) == (422, Code.AGENT_EVENTS_QUERY_INVALID)
    assert [event_stream.read_wait(none) for none in (None, "1", "20")] == [None, 1, 20]


def test_lines_end_with_a_line_feed_alone(run_key: str) -> None:
    """EVT-18."""
    finish(run_key)
    assert b"\r" not in replay(run_key)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers that look for life all the time and wait for it hardly."""
    monkeypatch.setattr(lost_runs, "CHECK_EVERY_SECONDS", 0.0)
    for phase in ("queued", "running"):
        monkeypatch.setitem(lost_runs.PATIENCE_SECONDS, phase, 0.3)


@pytest.mark.usefixtures("impatient")
def test_a_reader_ends_a_run_that_shows_no_sign_of_life(run_key: str) -> None:
    """EVT-08, CMP-11: whatever became of the worker, viewers see an end, and the session is free."""
    outputs = read(replay(run_key, 11))
    assert [kind for _, kind, _ in outputs][-1] == "RUN_ERROR"
    assert '"code":"RUN_LOST"' in outputs[-1][2]
    run = runs.must_read(run_key)
    assert (run.phase, run.last_sequence) == ("failed", outputs[-1][0])
    assert submit(runId="run-2").created is False


@pytest.mark.usefixtures("impatient")
def test_a_worker_that_has_nothing_to_say_but_beats_is_left_alone(run_key: str) -> None:
    """CMP-11: signs of life are counted; the clocks of worker and reader are never compared."""
    run = runs.must_read(run_key)

    async def watch() -> bytes:
        collected = b""
        async with anyio.create_task_group() as group:

            async def beat() -> None:
                while True:
                    await anyio.to_thread.run_sync(runs.beat, run)
                    await anyio.sleep(0.05)

            group.start_soon(beat)
            async for frame in frames(run_key, 11, seconds=1.0):
                collected += frame
            group.cancel_scope.cancel()
        return collected

    assert anyio.run(watch) == b"retry: 500\n\n"
    assert not runs.must_read(run_key).ended


# ---- Runs that rest --------------------------------------------------------------------------------------------------
RETRY = re.compile(rb"retry: (\d+)\n\n")


def rest(run_key: str, seconds: float) -> None:
    """Let the worker hand over until its next turn."""
    held = runs.must_read(run_key)
    resumes_at = clock.iso(clock.now() + timedelta(seconds=seconds))
    assert runs.hand_over(held, resumes_at, runs.ModelUse(0, 0)) is not None


def watched(cursor: str | None, format_: StreamFormat = NATIVE, *, seconds: float = 60.0) -> bytes:
    """Return what a viewer gets who subscribes after a cursor, by a format."""

    async def collect() -> bytes:
        subscription = await anyio.to_thread.run_sync(stream_events, "alice", THREAD, "run-1", cursor, None)
        return b"".join(
            [frame async for frame in event_stream._frames(subscription, time.monotonic() + seconds, format_)]
        )

    return anyio.run(collect)


def test_a_viewer_of_a_run_that_rests_comes_back_when_it_goes_on(run_key: str) -> None:
    """EVT-05, STP-05: it gets what is stored, and how long to wait; a stream would cost while nothing comes."""
    whole = read(replay(run_key, seconds=0.2))
    rest(run_key, 3_600)
    early = watched(None)
    assert read(early) == whole
    assert RETRY.findall(early) == [b"500", b"30000"]
    assert RETRY.findall(watched("11")) == [b"500", b"30000"]
    assert runs.claim(run_key, turn=1) is not None
    finish(run_key)
    late = watched("11")
    assert read(early) + read(late) == read(replay(run_key))
    assert RETRY.findall(late) == [b"500"]


def test_a_viewer_comes_back_before_the_run_wakes(run_key: str) -> None:
    rest(run_key, 20)
    (_, milliseconds) = RETRY.findall(watched("11"))
    assert 15_000 <= int(milliseconds) <= 20_000


def test_a_stream_lasts_through_a_short_rest(run_key: str) -> None:
    rest(run_key, journal_polling.SHORTEST_REST_SECONDS - 1)
    assert RETRY.findall(watched("11", seconds=0.3)) == [b"500", b"500"]


def test_a_stream_ends_when_its_run_comes_to_rest(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-05: as soon as its reader sees that."""
    monkeypatch.setattr(lost_runs, "CHECK_EVERY_SECONDS", 0.0)
    seen = replay_and(run_key, 10, lambda: rest(run_key, 3_600))
    assert RETRY.findall(seen) == [b"30000"]


def test_a_client_without_cursors_waits_with_its_stream(run_key: str) -> None:
    """EVT-01: to an AG-UI client, a stream that ends has failed."""
    rest(run_key, 3_600)
    format_ = agui_format(Profile(runs.must_read(run_key).ids, event_types.find))
    assert watched("11", format_, seconds=0.3) == format_.cut


def test_the_owner_subscribes_from_a_cursor(run_key: str) -> None:
    """EVT-02, EVT-04."""
    taken = stream_events("alice", THREAD, "run-1", "7", None)
    assert (taken.run_key, taken.after, taken.idle_seconds) == (run_key, 7, 300)
    assert stream_events("alice", THREAD.upper(), "run-1", None, "1").after == 0


@pytest.mark.usefixtures("run_key")
@pytest.mark.parametrize(
    ("user", "thread", "run", "cursor", "idle", "code"),
    [
        ("bob", THREAD, "run-1", None, None, Code.AGENT_FORBIDDEN),
        ("alice", "650e8400-e29b-41d4-a716-446655440000", "run-1", None, None, Code.AGENT_SESSION_NOT_FOUND),
        ("alice", THREAD, "run-2", None, None, Code.AGENT_RUN_NOT_FOUND),
        ("alice", "thread_001", "run-1", None, None, Code.AGENT_SESSION_ID_INVALID),
        ("alice", THREAD, None, None, None, Code.AGENT_INVALID_RUN_ID),
        ("alice", THREAD, "", None, None, Code.AGENT_INVALID_RUN_ID),
        ("alice", THREAD, "x" * 129, None, None, Code.AGENT_INVALID_RUN_ID),
        ("alice", THREAD, "run-1", "12", None, Code.AGENT_INVALID_LAST_EVENT_ID),
        ("alice", THREAD, "run-1", "-1", None, Code.AGENT_INVALID_LAST_EVENT_ID),
        ("alice", THREAD, "run-1", "run-1:3", None, Code.AGENT_INVALID_LAST_EVENT_ID),
        ("alice", THREAD, "run-1", None, "0", Code.AGENT_EVENTS_QUERY_INVALID),
        ("alice", THREAD, "run-1", None, "3601", Code.AGENT_EVENTS_QUERY_INVALID),
        ("alice", THREAD, "run-1", None, "9" * 5_000, Code.AGENT_EVENTS_QUERY_INVALID),
        ("alice", THREAD, "run-1", None, "0000010", Code.AGENT_EVENTS_QUERY_INVALID),
        ("alice", THREAD, "run-1", None, "1.5", Code.AGENT_EVENTS_QUERY_INVALID),
        ("alice", THREAD, "run-1", None, "", Code.AGENT_EVENTS_QUERY_INVALID),
    ],
)
def test_other_subscriptions_are_refused(
    user: str, thread: str, run: str | None, cursor: str | None, idle: str | None, code: Code
) -> None:
    """EVT-04, EVT-06, SEC-03, ERR-10."""
    with pytest.raises(Problem) as caught:
        stream_events(user, thread, run, cursor, idle)
    assert caught.value.code is code


@contextmanager
def clock_at(monkeypatch: pytest.MonkeyPatch, seconds_from_now: float) -> Iterator[None]:
    with monkeypatch.context() as patched:
        moment = time.time() + seconds_from_now
        patched.setattr(time, "time", lambda: moment)
        yield


def test_a_user_has_so_many_streams_at_once(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-06, ERR-10: one more is 429 until one is given back; other users are not concerned."""
    monkeypatch.setitem(settings.__dict__, "streams_per_user", 2)
    first = stream_events("alice", THREAD, "run-1", None, None)
    stream_events("alice", THREAD, "run-1", None, None)
    with pytest.raises(Problem) as caught:
        stream_events("alice", THREAD, "run-1", None, None)
    assert (caught.value.code, caught.value.status) == (Code.AGENT_SSE_CONNECTION_LIMIT, 429)
    assert stream_slots.acquire("bob", 2) is not None
    stream_slots.release(first.slot)
    stream_events("alice", THREAD, "run-1", None, None)


def test_the_slots_of_crashed_streams_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-06: one that is renewed does not."""
    with clock_at(monkeypatch, -stream_slots.SLOT_SECONDS - 1):
        assert stream_slots.acquire("alice", 3) is not None
        assert stream_slots.acquire("alice", 3) is not None
        alive = stream_slots.acquire("alice", 3)
    assert alive is not None
    stream_slots.renew(alive)
    assert stream_slots.acquire("alice", 3) is not None
    assert stream_slots.acquire("alice", 3) is not None
    assert stream_slots.acquire("alice", 3) is None


@pytest.mark.parametrize("chunks", [1, 2])
def test_a_slot_is_given_back_when_the_stream_ends_or_the_client_leaves(run_key: str, chunks: int) -> None:
    """EVT-06."""
    finish(run_key)
    taken = stream_events("alice", THREAD, "run-1", None, None)
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)
        if len(sent) > chunks:
            raise OSError

    async def receive() -> Message:
        await anyio.sleep_forever()
        return {}

    async def serve() -> None:
        response = event_stream.EventStreamResponse(taken, 5)
        await response({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, send)

    with pytest.raises(Exception):  # noqa: B017, PT011 - however the server words it
        anyio.run(serve)
    assert open_slots() == 0


def open_slots() -> int:
    """How many streams the table counts for the user."""
    item = table.get({"pk": "USER#alice", "sk": "STREAMS"})
    assert item is not None
    return len(item["slots"])


@pytest.mark.parametrize("times", [1, 3])
def test_a_viewer_that_is_gone_in_the_middle_leaves_no_slot_no_task_and_no_thread(run_key: str, times: int) -> None:
    """EVT-06: when asyncio itself cancels the stream, as it does under Lambda's runtime and the local gateway."""
    handler = importlib.import_module("functions.stream_events.app").handler
    event = with_query(Case("alice", THREAD).payload("api_gateway_stream_events"), runId="run-1")
    before = set(threading.enumerate())

    async def watch(seen: asyncio.Event) -> None:
        async with handler.open(event, Context()) as response:
            async for _ in response.body:
                seen.set()

    async def scenario() -> None:
        seen = asyncio.Event()
        viewer = asyncio.create_task(watch(seen))
        await seen.wait()
        assert open_slots() == 1
        for _ in range(times):
            viewer.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await viewer
        assert open_slots() == 0
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scenario())
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=5)
        assert not thread.is_alive(), thread


def test_a_client_that_leaves_while_its_stream_is_opened_leaves_no_slot(
    run_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVT-06: the thread that takes the slot goes on when the request is cancelled."""
    monkeypatch.setattr(lambda_http, "STOP_SECONDS", 0)
    handler = importlib.import_module("functions.stream_events.app").handler
    entered, gate = threading.Event(), threading.Event()

    def slowly(*arguments: str) -> Subscription:
        entered.set()
        gate.wait(10)
        return stream_events(*arguments)

    monkeypatch.setattr("yarrow.routes.stream_events.stream_events", slowly)
    event = with_query(Case("alice", THREAD).payload("api_gateway_stream_events"), runId="run-1")

    async def scenario() -> None:
        async def watch() -> None:
            async with handler.open(event, Context()):
                raise AssertionError("it was not opened")

        viewer = asyncio.create_task(watch())
        await asyncio.to_thread(entered.wait)
        viewer.cancel()
        done, _ = await asyncio.wait({viewer}, timeout=0.05)  # time for the cancellation to reach the endpoint
        assert not done
        gate.set()
        with pytest.raises(asyncio.CancelledError):
            await viewer

    asyncio.run(scenario())
    assert open_slots() == 0


def test_events_that_are_no_longer_kept_are_gone(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-04: said so, rather than an empty stream; a run that goes on is never too old."""
    monkeypatch.setattr(journal, "EVENT_DAYS", -1)
    stream_events("alice", THREAD, "run-1", None, None)
    finish(run_key)
    with pytest.raises(Problem) as caught:
        stream_events("alice", THREAD, "run-1", None, None)
    assert (caught.value.code, caught.value.status) == (Code.AGENT_RUN_EVENTS_EXPIRED, 410)


def test_the_end_of_a_run_that_has_ended_is_waited_for(run_key: str) -> None:
    """EVT-05: a query may show the last events a moment after the run says that it has ended."""

    async def watch() -> bytes:
        collected = b""
        late = Subscription(run_key, 11, end_of(run_key), 300, 12, SLOT)
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.to_thread.run_sync, finish, run_key)
            async for frame in event_stream._frames(late, time.monotonic() + 5):
                collected += frame
        return collected

    assert [kind for _, kind, _ in read(anyio.run(watch))] == ["RUN_FINISHED"]


@pytest.mark.parametrize(("has_begun", "read_at"), [(False, journal_polling.FIRST_PACE_SECONDS), (True, 0.0)])
def test_a_run_without_a_worker_is_not_read_at_once(
    has_begun: bool, read_at: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RUN_STARTED is sent without a read, and there is nothing else yet."""
    key = submit().task_id
    if has_begun:
        assert runs.claim(key) is not None
    subscription = stream_events("alice", THREAD, "run-1", None, None)
    reads: list[float] = []

    def read_nothing(*_: object) -> list[journal.Batch]:
        reads.append(time.monotonic())
        return []

    async def watch() -> None:
        async with aclosing(journal_polling.read_on(subscription, 1.0)) as readings:
            assert [number for number, _ in (await anext(readings)).events] == [1]
            await anext(readings)

    monkeypatch.setattr(journal_polling, "_read", read_nothing)
    virtual_time.run(watch())
    assert reads == [pytest.approx(read_at)]
