"""A run's events as a Durable Stream: offsets, chunks, long polls and frames, as the function answers them."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.integration.runs import uneven_journal
from tests.integration.runs.uneven_journal import END, finish
from tests.support.divination_runs import THREAD
from tests.support.functions.calls import Answer, invoke
from tests.support.functions.payloads import Case, with_header, with_query
from yarrow.protocol.problems import Code
from yarrow.runs import read_stream
from yarrow.settings import settings
from yarrow.store import clock, journal, runs, table
from yarrow.store.limits import stream_slots
from yarrow.web.streams import durable_stream, journal_polling

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

ALICE = Case("alice", THREAD, "run-1")


@pytest.fixture
def run_key(aws: None) -> str:
    return uneven_journal.begin()


@pytest.fixture(autouse=True)
def no_limits(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "long_poll_seconds", 1)
    monkeypatch.setitem(settings.__dict__, "streams_per_minute", 0)


def ask(case: Case = ALICE, /, *, method: str = "GET", if_none_match: str | None = None, **query: Any) -> Answer:
    event = with_query(case.payload("api_gateway_read_stream"), runId=case.run, **query)
    event = event | {"httpMethod": method, "requestContext": event["requestContext"] | {"httpMethod": method}}
    answer: Answer = invoke(
        "read_stream", with_header(event, "If-None-Match", if_none_match) if if_none_match else event
    )
    return answer


def events(answer: Answer) -> list[dict[str, Any]]:
    assert answer.headers["content-type"] == "application/json"
    found: list[dict[str, Any]] = json.loads(answer.body)
    return found


def place(answer: Answer) -> tuple[str, bool, bool]:
    """Where to go on, whether that is the end, and whether for good."""
    headers = answer.headers
    return headers["stream-next-offset"], "stream-up-to-date" in headers, "stream-closed" in headers


def stored(run_key: str) -> list[dict[str, Any]]:
    return [json.loads(line) for batch in journal.read(run_key, journal.Position()) for line in batch.lines]


def frames(answer: Answer) -> Iterator[tuple[str, Any]]:
    """Return the frames with their types, by the plainest reading of the format."""
    assert answer.headers["content-type"] == "text/event-stream"
    rest = answer.body.decode()
    while rest:
        match = re.match(r"event: (data|control)\ndata:(.*)\n\n|: keep-alive\n\n", rest)
        assert match, rest
        if match[1]:
            yield match[1], json.loads(match[2])
        rest = rest[match.end() :]


def test_a_chunk_is_what_is_stored(run_key: str) -> None:
    everything = ask()
    assert (everything.status, place(everything)) == (200, ("0000000011", True, False))
    assert events(everything) == stored(run_key) == events(ask(offset="-1"))
    assert (everything.headers["cache-control"], everything.headers["vary"]) == (
        "private, no-cache",
        "Authorization, Origin" if "Origin" in everything.headers["vary"] else "Authorization",
    )
    later = ask(offset="0000000011")
    assert (later.status, later.body, place(later)) == (200, b"[]", ("0000000011", True, False))
    finish(run_key)
    rest = ask(offset="0000000011")
    assert (events(rest), place(rest)) == ([json.loads(END)], ("0000000012", True, True))
    assert rest.headers["cache-control"] == "private, max-age=3600, immutable"
    over = ask(offset="0000000012")
    assert (over.status, over.body, place(over)) == (200, b"[]", ("0000000012", True, True))


def test_every_offset_goes_on_exactly_after_itself(run_key: str) -> None:
    finish(run_key)
    whole = stored(run_key)
    for after in range(len(whole) + 1):
        assert events(ask(offset=f"{after:010d}")) == whole[after:]


def test_a_long_stream_is_read_in_chunks_that_never_change(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_stream, "CHUNK_BYTES", 150)
    read: list[dict[str, Any]] = []
    offset, closed, chunks = "-1", False, 0
    finish(run_key)
    while not closed:
        chunk = ask(offset=offset)
        read += events(chunk)
        assert chunk.headers["cache-control"] == "private, max-age=3600, immutable"
        assert offset == "-1" or offset < place(chunk)[0]
        offset, up_to_date, closed = place(chunk)
        assert up_to_date is closed
        chunks += 1
    assert (read, chunks) == (stored(run_key), 4)


def test_what_a_client_has_is_not_sent_again(run_key: str) -> None:
    had = ask()
    again = ask(if_none_match=f'"other", W/{had.headers["etag"]}')
    assert (again.status, again.body, place(again)) == (304, b"", place(had))
    finish(run_key)
    changed = ask(if_none_match=had.headers["etag"])
    assert (changed.status, changed.headers["etag"] != had.headers["etag"]) == (200, True)
    assert ask(if_none_match=changed.headers["etag"]).status == 304


def test_the_end_of_the_stream_is_told_without_events(run_key: str) -> None:
    for closed in (False, True):
        if closed:
            finish(run_key)
        head, now = ask(method="HEAD"), ask(offset="now")
        end = f"{11 + closed:010d}"
        assert (head.status, head.body, now.status, now.body) == (200, b"", 200, b"[]")
        for answer in (head, now):
            assert (place(answer)[0], place(answer)[2]) == (end, closed)
            assert (answer.headers["cache-control"], "etag" in answer.headers) == ("no-store", False)
            assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_long_poll_tells_what_is_there_at_once(run_key: str) -> None:
    answer = ask(offset="-1", live="long-poll")
    assert (answer.status, events(answer), place(answer)) == (200, stored(run_key), ("0000000011", True, False))
    assert re.fullmatch(r"\d+", answer.headers["stream-cursor"])
    assert answer.headers["cache-control"] == "no-store"


def test_a_long_poll_without_events_says_so(run_key: str) -> None:
    for offset in ("0000000011", "now"):
        answer = ask(offset=offset, live="long-poll")
        assert (answer.status, answer.body, place(answer)) == (204, b"", ("0000000011", True, False))
        assert "stream-cursor" in answer.headers


def test_a_long_poll_of_an_ended_run_does_not_wait(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "long_poll_seconds", 600)
    finish(run_key)
    for offset in ("0000000012", "now"):
        answer = ask(offset=offset, live="long-poll")
        assert (answer.status, place(answer)) == (204, ("0000000012", True, True))
    ended = ask(offset="0000000011", live="long-poll")
    assert (events(ended), place(ended)) == ([json.loads(END)], ("0000000012", True, True))


@contextmanager
def ended_after(run_key: str, first: Callable[[Sequence[journal.Batch]], bool]) -> Iterator[None]:
    """The run ends once a read of its journal has found that."""
    waiting, read = threading.Event(), journal_polling._read

    def watched(*arguments: Any) -> Sequence[journal.Batch]:
        found = read(*arguments)
        if first(found):
            waiting.set()
        return found

    def end() -> None:
        waiting.wait(60)
        finish(run_key)

    ending = threading.Thread(target=end)
    with patch.object(journal_polling, "_read", watched):
        ending.start()
        yield
        ending.join()


def test_a_long_poll_ends_with_what_it_waits_for(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else would end it: an hour is more than any test may take."""
    monkeypatch.setitem(settings.__dict__, "long_poll_seconds", 3_600)
    with ended_after(run_key, lambda found: not found):
        answer = ask(offset="now", live="long-poll")
    assert (events(answer), place(answer)) == ([json.loads(END)], ("0000000012", True, True))


def test_long_polls_gather_while_events_come(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a viewer asks once a second, not once an event."""
    monkeypatch.setattr(durable_stream, "GATHER_SECONDS", 3_600.0)
    monkeypatch.setitem(settings.__dict__, "long_poll_seconds", 3_600)
    with ended_after(run_key, bool):
        answer = ask(offset="0000000007", live="long-poll")
    assert events(answer) == stored(run_key)[7:]


def test_frames_tell_events_and_the_place_after_them(run_key: str) -> None:
    finish(run_key)
    data, control = frames(ask(offset="-1", live="sse"))
    assert data == ("data", stored(run_key))
    assert control == ("control", {"streamNextOffset": "0000000012", "upToDate": True, "streamClosed": True})
    (control,) = frames(ask(offset="now", live="sse"))
    assert control == ("control", {"streamNextOffset": "0000000012", "upToDate": True, "streamClosed": True})


def test_a_stream_without_events_begins_with_its_place(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_stream, "DEFAULT_IDLE_SECONDS", 0.2)
    answer = ask(offset="now", live="sse", cursor="5")
    (control,) = frames(answer)
    cursor = control[1].pop("streamCursor")
    assert int(cursor) > 5
    assert control == ("control", {"streamNextOffset": "0000000011", "upToDate": True})
    assert (answer.headers["cache-control"], answer.headers["x-content-type-options"]) == ("no-cache", "nosniff")


def test_a_long_stream_comes_in_several_frames(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_polling, "BATCHES_PER_READ", 2)
    finish(run_key)
    events = list(frames(ask(offset="-1", live="sse")))
    assert [kind for kind, _ in events] == ["data", "control"] * (len(events) // 2)
    assert [event for kind, item in events if kind == "data" for event in item] == stored(run_key)
    offsets = [item["streamNextOffset"] for kind, item in events if kind == "control"]
    assert offsets == sorted(set(offsets))
    assert [item.get("streamClosed", False) for kind, item in events if kind == "control"][-1]


@hypothesis_settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ways=st.lists(st.sampled_from(["", "long-poll", "sse"]), min_size=1, max_size=4), size=st.integers(1, 400))
def test_any_way_of_reading_reads_the_same(run_key: str, ways: list[str], size: int) -> None:
    """From offset to offset, whichever way each is read."""
    if not runs.must_read(run_key).ended:
        finish(run_key)
    read: list[dict[str, Any]] = []
    offset, closed = "-1", False
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(read_stream, "CHUNK_BYTES", size)
        patched.setattr(durable_stream, "CHUNK_BYTES", size)
        patched.setattr(journal_polling, "BATCHES_PER_READ", 1)
        turn = 0
        while not closed:
            live = ways[turn % len(ways)]
            answer = ask(offset=offset, **({"live": live} if live else {}))
            if live == "sse":
                emitted = list(frames(answer))
                # As if the connection were lost then; what no control frame follows does not count.
                taken = emitted[: 1 + next(number for number, (kind, _) in enumerate(emitted) if kind == "control")]
                read += [event for kind, item in taken if kind == "data" for event in item]
                offset, closed = taken[-1][1]["streamNextOffset"], taken[-1][1].get("streamClosed", False)
            else:
                read += events(answer) if answer.status == 200 else []
                offset, _, closed = place(answer)
            turn += 1
    assert read == stored(run_key)


@pytest.mark.parametrize(
    "query",
    [
        *({"offset": text} for text in ("", "0,1", "0 1", "-2", "12", "NOW", "0" * 11, "9" * 10, "٠" * 10)),
        *({"live": name} for name in ("sse", "long-poll")),
        {"offset": "-1", "live": "poll"},
        {"offset": "-1", "live": "sse", "cursor": "x"},
        {"offset": "-1", "live": "sse", "cursor": "9" * 16},
    ],
    ids=str,
)
@pytest.mark.usefixtures("run_key")
def test_other_queries_are_refused(query: dict[str, str]) -> None:
    """ERR-03."""
    answer = ask(**query)
    assert (answer.status, answer.document["code"]) == (400, "AGENT_STREAM_QUERY_INVALID")
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.usefixtures("run_key")
def test_a_parameter_is_given_once() -> None:
    event = with_query(ALICE.payload("api_gateway_read_stream"), runId="run-1", offset="-1")
    event["multiValueQueryStringParameters"]["offset"] = ["-1", "now"]
    assert invoke("read_stream", event).document["code"] == "AGENT_STREAM_QUERY_INVALID"


@pytest.mark.usefixtures("run_key")
@pytest.mark.parametrize("query", [{}, {"offset": "-1", "live": "sse"}, {"offset": "now", "live": "long-poll"}])
@pytest.mark.parametrize(
    ("case", "code"),
    [
        (Case("bob", THREAD, "run-1"), Code.AGENT_FORBIDDEN),
        (Case("alice", "650e8400-e29b-41d4-a716-446655440000", "run-1"), Code.AGENT_SESSION_NOT_FOUND),
        (Case("alice", THREAD, "run-2"), Code.AGENT_RUN_NOT_FOUND),
        (Case("alice", "thread_001", "run-1"), Code.AGENT_SESSION_ID_INVALID),
        (Case("alice", THREAD, ""), Code.AGENT_INVALID_RUN_ID),
    ],
)
def test_only_the_owner_reads(case: Case, code: Code, query: dict[str, str]) -> None:
    """SEC-03: as the events route has it."""
    answer = ask(case, **query)
    assert (answer.status, answer.document["code"]) == (code.status, code.name)


def test_events_that_are_no_longer_kept_are_gone(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(run_key)
    monkeypatch.setattr(clock, "since", lambda _: timedelta(days=journal.EVENT_DAYS, seconds=1))
    for query in ({}, {"offset": "-1", "live": "sse"}):
        assert ask(**query).document["code"] == "AGENT_RUN_EVENTS_EXPIRED"


def test_live_reads_take_a_slot_and_give_it_back(run_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-06: The slots are those of the events route."""
    monkeypatch.setitem(settings.__dict__, "streams_per_user", 1)
    for live in ("long-poll", "sse"):
        monkeypatch.setattr(read_stream, "DEFAULT_IDLE_SECONDS", 0.2)
        assert ask(offset="now", live=live).status in (200, 204)
    item = table.get(stream_slots.key("alice"))
    assert item is not None
    assert item["slots"] == {}
    assert stream_slots.acquire("alice", 1, run_key) is not None
    for live in ("long-poll", "sse"):
        assert ask(offset="now", live=live).document["code"] == "AGENT_SSE_CONNECTION_LIMIT"
    assert ask().status == ask(method="HEAD").status == 200


@pytest.mark.usefixtures("run_key")
def test_reads_are_limited_per_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute's reads at once, and another's after a pause; they do not count as streams."""
    monkeypatch.setitem(settings.__dict__, "streams_per_minute", 2)
    moment = time.time()
    monkeypatch.setattr(time, "time", lambda: moment)
    assert [ask().status for _ in range(3)] + [ask(method="HEAD").status] == [200] * 4
    refused = ask()
    assert (refused.status, refused.document["code"]) == (429, "AGENT_RATE_LIMIT")
    assert refused.headers["retry-after"] == "30"
    assert ask(offset="-1", live="long-poll").status == 200
