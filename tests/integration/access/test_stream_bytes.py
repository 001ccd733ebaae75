"""A user's rate of bytes in event streams, long polls and chunks."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.integration.runs import uneven_journal
from tests.support.divination_runs import THREAD
from tests.support.functions.calls import Answer, invoke
from tests.support.functions.payloads import Case, with_query
from yarrow.access import limits
from yarrow.runs import stream_events
from yarrow.settings import settings
from yarrow.store import clock, table
from yarrow.store.limits import buckets, stream_slots

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

DRAWN = 100
WAYS = {
    "events": ("stream_events", "stream_bytes", {}),
    "sse": ("read_stream", "stream_bytes", {"live": "sse", "offset": "-1"}),
    "long-poll": ("read_stream", "stream_bytes", {"live": "long-poll", "offset": "-1"}),
    "chunk": ("read_stream", "chunk_bytes", {"offset": "-1"}),
}


class Time:
    def __init__(self) -> None:
        self.now = clock.now_ms()

    def __call__(self) -> int:
        return self.now


@pytest.fixture(autouse=True)
def time_(aws: None, monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(clock, "now_ms", time)
    monkeypatch.setattr(limits, "STREAM_BYTES", DRAWN)
    monkeypatch.setitem(settings.__dict__, "long_poll_seconds", 1)
    return time


@pytest.fixture(autouse=True)
def ended_run(aws: None) -> str:
    run_key = uneven_journal.begin()
    uneven_journal.finish(run_key)
    return run_key


def ask(way: str, user: str = "alice") -> Answer:
    function, _, query = WAYS[way]
    case = Case(user, THREAD, "run-1")
    event = with_query(case.payload(f"api_gateway_{function}"), runId=case.run, **query)
    for headers in (event["headers"], event["multiValueHeaders"]):
        headers.pop("Last-Event-ID", None)
    answer: Answer = invoke(function, event)
    return answer


def full_in(of: str) -> int:
    """Milliseconds until the bucket is full."""
    sk = "STREAMS" if of == "stream_bytes" else "RATES"
    item = table.get({"pk": "USER#alice", "sk": sk})
    return 0 if item is None else int(item.get(f"{of}_full_at", clock.now_ms())) - clock.now_ms()


@pytest.mark.parametrize("way", WAYS)
def test_a_stream_counts_by_its_bytes(way: str, time_: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12, EVT-06: what a long one had beyond the rate is waited for, to the second."""
    of = WAYS[way][1]
    monkeypatch.setitem(settings.__dict__, "stream_bytes_per_minute", 1_000_000)
    size = len(ask(way).body)
    counted = full_in(of) * settings.stream_bytes_per_minute / 60_000
    assert counted == pytest.approx(size, rel=0.1)  # or without the commas between events
    monkeypatch.setitem(settings.__dict__, "stream_bytes_per_minute", size // 2)
    time_.now += buckets.CAPACITY
    answers = [ask(way)]
    while answers[-1].status == 200:
        answers.append(ask(way))
        assert len(answers) < 5
    refused = answers[-1]
    assert (refused.status, refused.document["params"]["of"]) == (429, of)
    wait = int(refused.headers["retry-after"])
    time_.now += (wait - 1) * 1_000
    assert ask(way).status == 429
    time_.now += 1_000
    assert ask(way).status == 200


def test_another_user_has_a_rate_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12."""
    monkeypatch.setitem(settings.__dict__, "stream_bytes_per_minute", DRAWN)
    while ask("events").status == 200:
        pass
    assert stream_events.take_slot("bob", "run").user_id == "bob"


def test_bytes_of_many_streams_at_once_all_count(time_: Time) -> None:
    """CMP-12: those that were let in together are paid for together."""
    slots = [stream_events.take_slot("alice", "run") for _ in range(8)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda slot: stream_events.release_slot(slot, 50_000), slots))
    assert full_in("stream_bytes") == pytest.approx(8 * 50_000 * 60_000 / settings.stream_bytes_per_minute, abs=16)
    item = table.get(stream_slots.key("alice"))
    assert item is not None
    assert item["slots"] == {}


def test_a_short_stream_is_released_in_one_write_and_a_slot_once() -> None:
    """CMP-12: and a slot that is gone charges nothing."""
    slot = stream_events.take_slot("alice", "run")
    before = full_in("stream_bytes")
    stream_events.release_slot(slot, DRAWN)
    assert full_in("stream_bytes") == before
    stream_events.release_slot(slot, 1_000_000)
    assert full_in("stream_bytes") == before


def test_without_a_rate_bytes_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12."""
    monkeypatch.setitem(settings.__dict__, "stream_bytes_per_minute", 0)
    for way in WAYS:
        assert ask(way).status == 200
    assert full_in("stream_bytes") == full_in("chunk_bytes") == 0
