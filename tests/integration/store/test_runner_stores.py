"""What the host keeps for runners, in the table and the bucket: each in its own place, within its bounds."""

import base64
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from local.stack import Stack
from tests.support.functions.deployment import Engine, emulated
from yarrow.formats import json_text
from yarrow.protocol.runner.api import AgentAPIException, ArtifactMetadata, StateScope
from yarrow.settings import settings
from yarrow.store import artifacts, clients, clock, event_log, objects, sessions, table, tool_use, transcript
from yarrow.store.event_log import LoggedEvent
from yarrow.store.items.updates import EXISTS
from yarrow.store.runner import persistent_state
from yarrow.store.runner.persistent_state import StateSpace
from yarrow.store.tool_use import PlacedToolUse, Round, StoredCall, ToolUse

THREAD = "550e8400-e29b-41d4-a716-446655440000"
OTHER = "660e8400-e29b-41d4-a716-446655440000"

BOUNDS = ((99, 99), (100, 100), (101, 100))
"""How many are asked for, and how many a page gives."""


@pytest.fixture(scope="module")
def deployed(stack: Stack, dynamodb: Engine) -> Iterator[None]:
    """One deployment for all of these tests: what they keep is small, and soon removed."""
    clients._s3.cache_clear()
    with emulated(stack, dynamodb, BUCKET_NAME=stack.buckets[0]):
        yield
    clients._s3.cache_clear()


@pytest.fixture(autouse=True)
def emptied(deployed: None) -> Iterator[None]:
    """Nothing is left for the next test."""
    yield
    for item in clients.dynamodb().scan(TableName=settings.table_name, ProjectionExpression="pk, sk")["Items"]:
        clients.dynamodb().delete_item(TableName=settings.table_name, Key=item)
    for key in objects.keys("")[0]:
        objects.delete(key)


def code_of(caught: pytest.ExceptionInfo[AgentAPIException]) -> str:
    return caught.value.error.code


@contextmanager
def out_of_reach(client: Any, operation: str) -> Iterator[None]:
    """Meanwhile this operation of the client fails before it is sent."""

    def fail(**_: Any) -> None:
        raise EndpointConnectionError(endpoint_url="http://nowhere")

    event = f"before-call.{client.meta.service_model.service_name}.{operation}"
    client.meta.events.register(event, fail)
    try:
        yield
    finally:
        client.meta.events.unregister(event, fail)


# ---- State -----------------------------------------------------------------------------------------------------------
SPACE = StateSpace("plugin:acme/demo/main", "binding-1", "conversation", THREAD)
ELSEWHERE = (
    StateSpace("plugin:acme/demo/other", "binding-1", "conversation", THREAD),
    StateSpace("plugin:acme/demo/main", "binding-2", "conversation", THREAD),
    StateSpace("plugin:acme/demo/main", "binding-1", "conversation", OTHER),
    StateSpace("plugin:acme/demo/main", "binding-1", "actor", "alice"),
    StateSpace("plugin:acme/demo/other", "binding-1", "actor", "alice"),
    StateSpace("plugin:acme/demo/main", "binding-2", "actor", "alice"),
    StateSpace("plugin:acme/demo/main", "binding-1", "actor", "ALICE"),
    StateSpace("plugin:acme/demo/main", "binding-1", "subject", "alice"),
    StateSpace("plugin:acme/demo/main", "binding-1", "runner", "alice"),
    StateSpace("plugin:acme/demo/main#binding-1", "", "conversation", THREAD),
)


def kept(text_bytes: int) -> str:
    """A value whose JSON has that many bytes."""
    return "卦" * ((text_bytes - 2) // 3) + "x" * ((text_bytes - 2) % 3)


@pytest.mark.parametrize("scope", ["conversation", "actor"])
def test_a_value_is_kept_read_replaced_and_forgotten(scope: StateScope) -> None:
    """RNR-60, RNR-84: as it was given, with the session or apart."""
    space = StateSpace("plugin:作者/六爻/解卦", "b#1", scope, "who#ever")
    value = {"n": [1, 2.5, None, True], "卦": {"": "乾"}}
    assert persistent_state.get(space, "a/b:c.d-e_1") is None
    persistent_state.set_value(space, "a/b:c.d-e_1", value)
    persistent_state.set_value(space, "other", None)
    assert persistent_state.get(space, "a/b:c.d-e_1") == value
    persistent_state.set_value(space, "a/b:c.d-e_1", 2)
    assert persistent_state.read_all(space) == {"a/b:c.d-e_1": 2, "other": None}
    for _ in range(2):
        persistent_state.delete(space, "a/b:c.d-e_1")
        assert persistent_state.read_all(space) == {"other": None}
    assert persistent_state.keys(space) == (["other"], False)


@pytest.mark.parametrize("scope", ["conversation", "actor"])
def test_a_key_is_text_in_any_script(scope: StateScope) -> None:
    """RNR-36, RNR-60: It may have blanks, signs and emoji, up to 128 characters."""
    space = StateSpace("plugin:acme/demo/main", "b", scope, "who")
    names = ["last seen", "卦 象", "~", "#", "$", "\U0001f600" * 128, "a"]
    for number, key in enumerate(names):
        persistent_state.set_value(space, key, number)
    assert persistent_state.read_all(space) == {key: number for number, key in enumerate(names)}
    assert persistent_state.keys(space, "卦") == (["卦 象"], False)
    assert [persistent_state.delete(space, "卦 象") for _ in range(2)] == [True, False]


def test_nothing_of_a_space_is_seen_or_changed_from_another() -> None:
    """RNR-84, RNR-80: another runner, binding, scope, thread or user, and names that look the same when joined."""
    spaces = (SPACE, *ELSEWHERE)
    for number, space in enumerate(spaces):
        assert persistent_state.get(space, "k") is None
        assert persistent_state.read_all(space) == {}
        assert persistent_state.keys(space) == ([], False)
        persistent_state.set_value(space, "k", number)
    assert [persistent_state.read_all(space) for space in spaces] == [{"k": number} for number in range(len(spaces))]
    persistent_state.delete(SPACE, "k")
    assert [persistent_state.get(space, "k") for space in spaces] == [None, *range(1, len(spaces))]


def test_the_state_of_a_conversation_lies_with_its_session() -> None:
    """RNR-84: it is found by the thread, whatever the case of its letters."""
    persistent_state.set_value(SPACE, "k", 1)
    assert [*table.query(table.session_partition(THREAD), start="STATE#", before="STATE#~")]
    upper = StateSpace(SPACE.runner_id, SPACE.binding_id, "conversation", THREAD.upper())
    assert persistent_state.get(upper, "k") == 1


def test_a_value_may_have_256_kib() -> None:
    """RNR-36: counted in bytes of its JSON; what is refused leaves what was there."""
    for size in (persistent_state.VALUE_BYTES - 1, persistent_state.VALUE_BYTES):
        persistent_state.set_value(SPACE, "k", kept(size))
    with pytest.raises(AgentAPIException) as caught:
        persistent_state.set_value(SPACE, "k", kept(persistent_state.VALUE_BYTES + 1))
    assert code_of(caught) == "payload_too_large"
    assert persistent_state.get(SPACE, "k") == kept(persistent_state.VALUE_BYTES)
    with pytest.raises(AgentAPIException):
        persistent_state.keep(SPACE, {"k": kept(persistent_state.VALUE_BYTES + 1)})


def test_a_space_has_so_many_keys_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-36: a key it has can be replaced still, and one that goes makes room."""
    monkeypatch.setattr(persistent_state, "KEYS_OF_A_SPACE", 3)
    for key in ("a", "b", "c", "a"):
        persistent_state.set_value(SPACE, key, 1)
    assert persistent_state.has_room(SPACE, {"a", "c"})
    assert not persistent_state.has_room(SPACE, {"a", "d"})
    with pytest.raises(AgentAPIException) as caught:
        persistent_state.set_value(SPACE, "d", 1)
    assert code_of(caught) == "payload_too_large"
    assert persistent_state.get(SPACE, "d") is None
    persistent_state.set_value(ELSEWHERE[0], "d", 1)
    persistent_state.delete(SPACE, "b")
    persistent_state.set_value(SPACE, "d", 1)
    assert persistent_state.keys(SPACE) == (["a", "c", "d"], False)


def test_the_bound_of_keys_holds_whoever_writes_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-36: there is no moment between looking and writing."""
    monkeypatch.setattr(persistent_state, "KEYS_OF_A_SPACE", 5)

    def write(writer: int) -> int:
        kept = 0
        for number in range(4):
            try:
                persistent_state.set_value(SPACE, f"{writer}.{number}", 1)
                kept += 1
            except AgentAPIException:
                continue
        return kept

    with ThreadPoolExecutor(3) as writers:
        assert sum(writers.map(write, range(3))) == 5
    assert len(persistent_state.read_all(SPACE)) == 5
    assert persistent_state.keys(SPACE) == (sorted(persistent_state.read_all(SPACE)), False)


def test_values_are_kept_with_the_transaction_they_belong_to() -> None:
    """RNR-36: All are stored or none; repeating changes nothing."""
    refused = table.put({"pk": "RUN#x", "sk": "RUN"}, EXISTS)
    with pytest.raises(table.ConditionFailedError):
        table.transact(refused, *persistent_state.keep(SPACE, {"a": 1, "b": [2]}))
    assert persistent_state.read_all(SPACE) == {}
    for _ in range(2):
        table.transact(*persistent_state.keep(SPACE, {"a": 1, "b": [2]}))
    assert persistent_state.read_all(SPACE) == {"a": 1, "b": [2]}
    assert persistent_state.keys(SPACE) == (["a", "b"], False)
    assert persistent_state.keep(SPACE, {}) == []


def test_keys_are_listed_by_their_beginning() -> None:
    """RNR-60."""
    table.transact(*persistent_state.keep(SPACE, dict.fromkeys(["b.2", "a", "b.3", "b.1"], 0)))
    for prefix, limit, found, more in (
        ("", 100, ["a", "b.1", "b.2", "b.3"], False),
        ("b.", 2, ["b.1", "b.2"], True),
        ("b.", 3, ["b.1", "b.2", "b.3"], False),
        ("c", 1, [], False),
    ):
        assert persistent_state.keys(SPACE, prefix, limit) == (found, more)


# ---- Transcript ------------------------------------------------------------------------------------------------------
def say(*contents: str, thread: str = THREAD, **more: Any) -> None:
    """Store the first messages of a thread, alternately of the user and the assistant."""
    for seq, content in enumerate(contents, 1):
        role = "user" if seq % 2 else "assistant"
        at = f"2026-04-05T12:34:{seq % 60:02d}.000+00:00"
        message = sessions.StoredMessage(f"m{seq}", thread, seq, role, content, at, {"answer": "hidden"})
        table.transact(sessions.add_message(message))


def seqs(page: Any) -> list[int]:
    return [item.seq for item in page.items]


def test_a_message_is_shown_without_what_only_clients_see() -> None:
    """RNR-57."""
    say("问", "答")
    request = table.query(
        table.session_partition(THREAD), start="MESSAGE#", before="MESSAGE#~", attributes=("id", "role")
    )
    assert [*request] == [{"id": "m1", "role": "user"}, {"id": "m2", "role": "assistant"}]
    item = transcript.page(THREAD).items[1]
    assert item.model_dump(exclude={"cursor"}) == {
        "item_id": "m2",
        "seq": 2,
        "role": "assistant",
        "content": "答",
        "created_at": "2026-04-05T12:34:02.000+00:00",
        "artifacts": (),
        "event_id": None,
    }


def test_a_transcript_is_paged_backward_to_its_beginning() -> None:
    """RNR-55, RNR-22: Messages keep the order of the conversation, and each comes once."""
    say(*"abcdefg")
    pages, before = [], None
    while True:
        page = transcript.page(THREAD, before_cursor=before, limit=3)
        pages.append((seqs(page), page.has_more, page.next_cursor is not None))
        before = page.prev_cursor
        if before is None:
            break
    assert pages == [([5, 6, 7], True, False), ([2, 3, 4], True, True), ([1], False, True)]


def test_a_transcript_is_paged_forward_to_its_end() -> None:
    """RNR-55."""
    say(*"abcde")
    first = transcript.page(THREAD, limit=3, direction="forward")
    assert (seqs(first), first.has_more, first.prev_cursor) == ([1, 2, 3], True, None)
    rest = transcript.page(THREAD, after_cursor=first.next_cursor, limit=3, direction="forward")
    assert (seqs(rest), rest.has_more, rest.next_cursor) == ([4, 5], False, None)
    back = transcript.page(THREAD, before_cursor=rest.prev_cursor, limit=3)
    assert seqs(back) == [1, 2, 3]


def test_a_page_may_lie_between_two_cursors() -> None:
    """RNR-55: also where nothing is between them."""
    say(*"abcdef")
    cursors = [item.cursor for item in transcript.page(THREAD).items]
    between = transcript.page(THREAD, after_cursor=cursors[1], before_cursor=cursors[4])
    assert (seqs(between), between.has_more) == ([3, 4], False)
    for after, before in ((2, 3), (4, 1), (5, 5)):
        assert seqs(transcript.page(THREAD, after_cursor=cursors[after], before_cursor=cursors[before])) == []
    assert seqs(transcript.page(THREAD, before_cursor=cursors[0])) == []
    assert seqs(transcript.page(OTHER)) == []


def test_a_page_has_100_messages_at_most() -> None:
    """RNR-55."""
    puts = [
        sessions.add_message(
            sessions.StoredMessage(f"m{seq}", THREAD, seq, "user", "x", "2026-04-05T00:00:00.000+00:00")
        )
        for seq in range(1, 103)
    ]
    table.transact(*puts[:60])
    table.transact(*puts[60:])
    for limit, number in BOUNDS:
        page = transcript.page(THREAD, limit=limit)
        assert (len(page.items), page.items[-1].seq, page.has_more) == (number, 102, True)


def test_a_cursor_serves_its_own_list_only() -> None:
    """RNR-22, RNR-80: neither another thread nor the log of events takes it."""
    say("a", "b")
    say("a", "b", thread=OTHER)
    theirs = transcript.page(OTHER).items[1].cursor
    for wrong in (theirs, "2", "", "AAAA", "é", theirs[:-1]):
        for page in (partial(transcript.page, before_cursor=wrong), partial(transcript.page, after_cursor=wrong)):
            with pytest.raises(AgentAPIException) as caught:
                page(THREAD)
            assert code_of(caught) == "invalid_argument"
    with pytest.raises(AgentAPIException):
        event_log.page(OTHER, theirs)


def test_an_item_shows_4000_characters() -> None:
    """RNR-57."""
    say(*("卦" * characters for characters in (3_999, 4_000, 4_001)))
    shown = [(len(item.content), item.content[-1]) for item in transcript.page(THREAD).items]
    assert shown == [(3_999, "卦"), (4_000, "卦"), (4_000, "…")]


def test_artifacts_of_a_message_are_shown_when_asked_for() -> None:
    """RNR-55."""
    say("看图")
    item = table.get(table.message_key(THREAD, 1))
    assert item is not None
    reference = {"artifact_id": "art_1", "artifact_type": "image"}
    table.transact(table.put({**item, "artifacts": json_text.dumps([reference])}))
    assert transcript.page(THREAD).items[0].artifacts == ()
    assert transcript.page(THREAD, include_artifacts=True).items[0].artifacts == (reference,)


def test_messages_are_found_by_their_words() -> None:
    """RNR-56: The latest come first, in any case and language, of this thread only."""
    say("我想换工作", "A new Job is fine", "the job OFFER", "好", "换工作后薪水如何")
    say("换工作 job", thread=OTHER)
    for query, filters, top_k, found in (
        ("换工作", None, 10, [5, 1]),
        ("JOB", None, 10, [3, 2]),
        ("job offer", None, 10, [3]),
        ("换工作 薪水", None, 10, [5]),
        ("换工作", None, 1, [5]),
        ("job", {"role": "assistant"}, 10, [2]),
        ("离婚", None, 10, []),
        ("   ", None, 10, []),
    ):
        assert [item.seq for item in transcript.search(THREAD, query, filters, top_k)] == found


def test_a_search_takes_no_filter_it_does_not_know() -> None:
    """RNR-56."""
    for filters in ({"role": "system"}, {"role": ["user"]}, {"user_id": "alice"}):
        with pytest.raises(AgentAPIException) as caught:
            transcript.search(THREAD, "x", filters)
        assert code_of(caught) == "invalid_argument"


def test_a_search_looks_through_the_latest_messages_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-56: it is bounded."""
    monkeypatch.setattr(transcript, "SEARCH_DEPTH", 2)
    say("卦一", "卦二", "卦三")
    assert [item.seq for item in transcript.search(THREAD, "卦")] == [3, 2]


def test_a_hit_is_shown_wherever_in_its_message_it_is() -> None:
    """RNR-56, RNR-57."""
    say("卦" * 9_000 + "应期" + "爻" * 9_000, "卦" * 9_000 + "末尾")
    middle, end = (transcript.search(THREAD, word)[0].content for word in ("应期", "末尾"))
    assert "应期" in middle
    assert len(middle) == transcript.CONTENT_CHARACTERS
    assert end.startswith("…")
    assert end.endswith("末尾")


def test_the_tail_ends_with_the_latest_message() -> None:
    """RNR-55: as many as there is room for, by number and by bytes."""
    say("一", "二二", "三")
    for limit, most, found in (
        (10, 100, [1, 2, 3]),
        (2, 100, [2, 3]),
        (10, 9, [2, 3]),
        (10, 8, [3]),
        (10, 2, []),
        (0, 100, []),
    ):
        assert [item.seq for item in transcript.tail(THREAD, limit, most)] == found


def test_a_position_is_before_or_after_something() -> None:
    """RNR-22, RNR-55: what came before the latest message is before its cursor."""
    session = sessions.Session(OTHER, "alice", "echo", "", 0, None, None)
    assert transcript.position(session) == transcript.TranscriptEnd()
    say("a", "b", "c", thread=OTHER)
    transcript_end = transcript.position(replace(session, message_count=3))
    assert transcript_end.transcript_seq == 3
    assert seqs(transcript.page(OTHER, before_cursor=transcript_end.latest_cursor)) == [1, 2]


# ---- Turns -----------------------------------------------------------------------------------------------------------
def test_turns_are_read_latest_first_within_their_bytes_and_told_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """MSG-08, SEC-03: of one thread, however it is spelled; two may come after the same message."""
    kept = [ToolUse((Round(None, (StoredCall(f"c{n}", "t", '{"卦":1}', None),)),), {"x": "y" * 100}) for n in range(4)]
    for number, (after, turn) in enumerate(zip((1, 3, 3, 12), kept, strict=True)):
        monkeypatch.setattr(clock, "now_iso", lambda number=number: f"2026-04-05T00:00:0{number}.000+00:00")
        table.transact(tool_use.keep(THREAD.upper(), after, f"run-{9 - number}", turn))
    placed = [PlacedToolUse(after, turn) for after, turn in zip((1, 3, 3, 12), kept, strict=True)]
    assert tool_use.since(THREAD, 0, 10_000) == placed
    assert tool_use.since(THREAD, 2, 10_000) == placed[1:]
    assert tool_use.since(THREAD, 0, 350) == placed[2:]
    assert tool_use.since(THREAD, 13, 10_000) == tool_use.since(OTHER, 0, 10_000) == []


# ---- Event log -------------------------------------------------------------------------------------------------------
def arrived(number: int, *, thread: str = THREAD, **more: Any) -> LoggedEvent:
    at = f"2026-04-05T12:34:00.{number:03d}+00:00"
    event = {"run_key": f"run-{number}", "event_type": "message.received", "source": "api", **more}
    return LoggedEvent(thread_id=thread, arrived_at=at, **event)


def test_an_event_is_logged_as_a_short_envelope() -> None:
    """RNR-58: what it was, who did it, and where the rest is; idempotent."""
    event = arrived(1, event_time=1_775_000_000, actor_type="user", actor_id="alice", summary="问" * 1_001)
    for _ in range(2):
        table.transact(event_log.record(event))
    envelope = event_log.get(THREAD, event.event_id)
    assert envelope is not None
    assert envelope.model_dump(exclude={"cursor"}) == {
        "event_id": event.event_id,
        "event_type": "message.received",
        "event_time": 1_775_000_000,
        "source": "api",
        "conversation_id": THREAD,
        "actor_type": "user",
        "actor_id": "alice",
        "summary": "问" * 1_000,
        "raw_ref": {"ref_id": "run-1"},
    }
    assert event_log.page(THREAD).items == (envelope,)


def test_an_event_is_found_in_its_own_conversation() -> None:
    """RNR-58, RNR-80: by its whole id."""
    event = arrived(1)
    table.transact(event_log.record(event))
    assert event_log.get(THREAD.upper(), event.event_id) is not None
    assert event_log.get(OTHER, event.event_id) is None
    for wrong in ("", event.event_id[:-1], event.event_id + "0", "X" * 32, "卦" * 512):
        assert event_log.get(THREAD, wrong) is None


def test_events_are_paged_latest_first() -> None:
    """RNR-58, RNR-22: Events of one millisecond come once each."""
    logged = [arrived(number) for number in (1, 2, 3)] + [arrived(4, run_key=f"twin-{one}") for one in range(3)]
    table.transact(*(event_log.record(event) for event in logged))
    found, cursor = [], None
    while True:
        page = event_log.page(THREAD, cursor, limit=2)
        found += [item.event_id for item in page.items]
        cursor = page.next_cursor
        assert page.has_more == (cursor is not None)
        if cursor is None:
            break
    assert found == sorted((event.event_id for event in logged), reverse=True)
    assert [event_log.page(THREAD, event_log.page(THREAD).items[-1].cursor).items] == [()]


def test_a_page_has_100_events_at_most() -> None:
    """RNR-58."""
    for first in (0, 51):
        table.transact(*(event_log.record(arrived(number)) for number in range(first, first + 51)))
    for limit, value in BOUNDS:
        assert len(event_log.page(THREAD, limit=limit).items) == value


def test_a_log_takes_the_cursors_of_its_own_conversation() -> None:
    """RNR-22, RNR-80."""
    table.transact(event_log.record(arrived(1)), event_log.record(arrived(1, thread=OTHER)))
    for wrong in (event_log.page(OTHER).items[0].cursor, "", "x"):
        with pytest.raises(AgentAPIException) as caught:
            event_log.page(THREAD, wrong)
        assert code_of(caught) == "invalid_argument"


# ---- Artifacts -------------------------------------------------------------------------------------------------------
def create(data: bytes = b"0123456789", *, thread: str = THREAD, **more: Any) -> ArtifactMetadata:
    arguments = {"artifact_type": "file", "mime_type": "text/plain", "name": "卦.txt", **more}
    return artifacts.create(
        artifacts.new_id(),
        thread_id=thread,
        user_id="alice",
        run_key="run-1",
        runner_id="plugin:a/b/c",
        data=data,
        **arguments,
    )


def test_an_artifact_is_kept_and_read_in_ranges() -> None:
    """RNR-38, RNR-59: A range ends at the artifact's end."""
    made = create(metadata={"页": 1})
    assert (made.name, made.mime_type, made.size_bytes, made.metadata) == ("卦.txt", "text/plain", 10, {"页": 1})
    assert artifacts.metadata(made.artifact_id, THREAD) == made
    for offset, length, data, more in (
        (0, 4, b"0123", True),
        (4, 5, b"45678", True),
        (4, 6, b"456789", False),
        (4, 7, b"456789", False),
        (9, 1, b"9", False),
        (10, 1, b"", False),
        (11, 1, b"", False),
    ):
        part = artifacts.read_range(made.artifact_id, THREAD, offset, length)
        assert part is not None
        assert base64.b64decode(part.content_base64) == data
        assert (part.offset, part.length, part.has_more) == (offset, len(data), more)


def test_an_empty_artifact_is_one() -> None:
    """RNR-59."""
    part = artifacts.read_range(create(b"").artifact_id, THREAD, 0, 10)
    assert part is not None
    assert (part.length, part.has_more) == (0, False)


def test_an_artifact_is_found_in_its_own_thread() -> None:
    """RNR-38, RNR-59, RNR-80: another thread, of this user or another, has none of that id; ids do not repeat."""
    made = create()
    assert made.artifact_id != create().artifact_id
    assert artifacts.metadata(made.artifact_id, THREAD.upper()) == made
    assert artifacts.metadata(made.artifact_id, OTHER) is None
    assert artifacts.read_range(made.artifact_id, OTHER, 0, 1) is None
    for wrong in ("", "art_1", made.artifact_id + "/", f"../{THREAD}/{made.artifact_id}", "卦" * 512):
        assert artifacts.metadata(wrong, THREAD) is None


def test_an_expired_artifact_is_gone_before_it_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-59: It expires after 30 days."""
    made = create()
    assert made.expires_at is not None
    assert abs(made.expires_at - time.time() - 30 * 86_400) < 60
    for late, found in ((-1, True), (0, False), (1, False)):
        monkeypatch.setattr(artifacts, "time", SimpleNamespace(time=partial(int, made.expires_at + late)))
        assert (artifacts.metadata(made.artifact_id, THREAD) is not None) == found
        assert (artifacts.read_range(made.artifact_id, THREAD, 0, 1) is not None) == found


def test_an_artifact_may_have_10_mib() -> None:
    """RNR-59: A range of one may, too."""
    most = artifacts.ARTIFACT_BYTES
    made = create(b"x" * most)
    part = artifacts.read_range(made.artifact_id, THREAD, 0, artifacts.RANGE_BYTES)
    assert part is not None
    assert (part.length, part.has_more) == (most, False)
    with pytest.raises(AgentAPIException) as caught:
        artifacts.read_range(made.artifact_id, THREAD, 0, artifacts.RANGE_BYTES + 1)
    assert code_of(caught) == "payload_too_large"
    with pytest.raises(AgentAPIException) as caught:
        create(b"x" * (most + 1))
    assert code_of(caught) == "payload_too_large"
    assert len(objects.keys("artifacts/")[0]) == 1


def test_an_artifact_without_its_bytes_is_never_seen() -> None:
    """RNR-38: the bucket fails, and nothing is in the table."""
    with out_of_reach(clients.s3(), "PutObject"), pytest.raises(EndpointConnectionError):
        create()
    assert [*table.query(table.session_partition(THREAD), start="ARTIFACT#", before="ARTIFACT#~")] == []


def test_bytes_without_an_artifact_are_never_seen() -> None:
    """RNR-38: the table fails after the bucket, and what is left nobody can name: the bucket expires it."""
    with out_of_reach(clients.dynamodb(), "PutItem"), pytest.raises(EndpointConnectionError):
        create()
    (left,), _ = objects.keys(f"artifacts/{THREAD}/")
    assert artifacts.metadata(left.rsplit("/", 1)[1], THREAD) is None
    assert artifacts.read_range(left.rsplit("/", 1)[1], THREAD, 0, 1) is None


def test_an_artifact_whose_bytes_the_bucket_has_expired_is_gone() -> None:
    """RNR-59: S3 counts days otherwise than the table."""
    made = create()
    objects.delete(f"artifacts/{THREAD}/{made.artifact_id}")
    assert artifacts.read_range(made.artifact_id, THREAD, 0, 1) is None
