"""Delivery: reconnects, posts that fail, several pushers, several pages, and the doors beside this one."""

import base64
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.log_lines import LogLines
from tests.support.workspace.agent import AGENT, TASK, Agent, Result, say
from tests.support.workspace.comparison import comparable
from tests.support.workspace.documented import command
from tests.support.workspace.door import ALICE, BOB, Died, Door, Outcome
from tests.support.workspace.frame_shapes import MAX_FRAME_BYTES
from tests.support.workspace.page import Page
from yarrow.protocol.events import events
from yarrow.protocol.problems import Problem
from yarrow.protocol.response_body import to_json
from yarrow.runs.delete_session import delete_session
from yarrow.runs.get_history import whole_session
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.store import journal, runs
from yarrow.store.workspace import connections as leases
from yarrow.store.workspace import log
from yarrow.workspace import delivery
from yarrow.workspace.advance import THINKING_MS

Load = Callable[..., Page]

SLOW_SECONDS = THINKING_MS / 1000 + 1
"""So long a run goes on that its page shows it as thinking; times of entries may be some milliseconds ahead."""


def contents(page: Page) -> list[str]:
    return [message["content"] for message in page.messages()]


def connections(door: Door) -> list[str]:
    keys = [item["sk"]["S"] for item in door.aws.table.items] + [item["pk"]["S"] for item in door.aws.table.items]
    return sorted({key.removeprefix("CONNECTION#") for key in keys if key.startswith("CONNECTION#")})


def submit(thread: str, run: str, text: str) -> TaskAccepted:
    """Submit a run by `POST /runs`."""
    body = {
        "threadId": thread,
        "runId": run,
        "messages": [{"id": f"msg-{run}", "role": "user", "content": text}],
        "forwardedProps": {"runtime_mode": "chat"},
    }
    return submit_run(json.dumps(body).encode(), ALICE, AGENT)


# ---- connecting again


@pytest.mark.parametrize("first", ["heart_beat", "command", "nothing"])
def test_a_page_that_reconnects_is_in_step_again(door: Door, load: Load, first: str) -> None:
    """WSP-38, C35, C54: it sends nothing, and gets list and snapshot by its tag, or with its first frame."""
    page = load()
    door.disconnect(door.line_of(page))
    other = load("renderer-2")
    other.say("meanwhile")
    door.settle()
    assert "meanwhile" not in contents(page)
    door.connect(page)
    if first == "heart_beat":
        page.beat()
    elif first == "command":
        page.init()
    door.settle()
    assert page.messages() == other.messages()
    assert page.state.active == other.state.active


def test_a_connection_that_names_its_task_is_in_step_by_itself(door: Door, load: Load) -> None:
    """C54, WSP-38: a phone's, say, whose URL has the task."""
    page = load()
    page.say("hello")
    door.settle()
    phone = Page(TASK, "phone-1")
    door.connect(phone, task=TASK)
    door.settle()
    assert [frame["type"] for frame in phone.frames] == ["agent_session_list", "agent_state_snapshot"]
    assert phone.messages() == page.messages()


def test_commands_of_the_time_without_a_connection_are_applied_in_order(door: Door, load: Load) -> None:
    """WSP-38, WSP-21: the page's queue, as it comes out; and a frame that is handled twice does no harm."""
    page = load()
    line = door.line_of(page)
    door.disconnect(line, notify=False)
    for number in range(4):
        page.say(str(number))
    line = door.connect(page)
    queued = list(line.inbox)
    door.settle()
    requests = [content for content in contents(page) if content.isdigit()]
    assert requests == ["0", "1", "2", "3"]
    answered = contents(page)
    door.receive(line, queued[0], "again")
    door.receive(line, queued[0], "again")
    door.settle()
    assert contents(page).count("0") <= 2
    assert len(contents(page)) <= len(answered) + 2


def test_a_connection_that_is_gone_is_forgotten(door: Door, load: Load) -> None:
    """WSP-38: with the first post that says so."""
    page, other = load("renderer-1"), load("renderer-2")
    assert len(connections(door)) == 2
    door.disconnect(door.line_of(page), notify=False)
    other.say("hello")
    door.settle()
    assert connections(door) == [door.line_of(other).id]


def test_a_connection_that_says_so_is_forgotten(door: Door, load: Load) -> None:
    """WSP-38: and being told twice, or of one that is not known, is no error."""
    page = load()
    line = door.line_of(page)
    door.disconnect(line)
    assert connections(door) == []
    door.disconnect(line)


# ---- updates and snapshots


def snapshots(page: Page) -> int:
    return [frame["type"] for frame in page.frames].count("agent_state_snapshot")


def test_quiet_work_is_shown_by_updates_alone(door: Door, agent: Agent) -> None:
    """WSP-19: a snapshot when the page initialises, and no other, however the events of a run are divided."""
    page, phone = Page(TASK), Page(TASK, "phone-1")
    line = door.connect(page)
    door.connect(phone, task=TASK)
    page.init()
    agent.before_each = door.push
    door.settle()
    actions: list[Callable[[], None]] = [
        partial(page.say, "hello"),
        partial(page.answer, "q_salary", "30"),
        partial(page.choose, "track_backend", "q_track"),
        *(partial(page.control, name) for name in ("pause", "resume", "cancel", "retry")),
    ]
    for action in actions:
        action()
        door.handle(line)
        door.settle()
    assert (snapshots(page), snapshots(phone)) == (1, 1)
    assert "found hello" in contents(page)
    expected = comparable(door.fresh())
    assert (comparable(page), comparable(phone)) == (expected, expected)


def test_a_run_that_goes_on_is_shown_as_thinking_at_a_heartbeat(
    door: Door, load: Load, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C55: an agent that is silent changes nothing in the table. Heartbeats read the log only then."""
    page = load()
    line, read, reads, seen = door.line_of(page), log.read, list[str](), list[tuple[bool, bool]]()

    def counted(workspace: str) -> log.Stored | None:
        reads.append(workspace)
        return read(workspace)

    def look() -> None:
        door.push()
        for seconds in (0.0, SLOW_SECONDS, 0.0):
            door.clock.pass_seconds(seconds)
            page.beat()
            reads.clear()
            door.handle(line)
            seen.append((page.is_thinking(), bool(reads)))

    monkeypatch.setattr(log, "read", counted)
    agent.during = look
    before = snapshots(page)
    page.say("hello")
    door.settle()
    assert seen == [(False, False), (True, True), (True, False)]
    assert not page.is_thinking()
    assert snapshots(page) == before + 1
    assert comparable(page) == comparable(door.fresh())


def test_a_run_whose_end_is_late_is_not_shown_as_thinking(door: Door, load: Load) -> None:
    """C55: what ended meanwhile is shown as ended, by updates."""
    page = load()
    before, thinks = snapshots(page), []
    page.say("hello")
    door.handle(door.line_of(page))
    assert door.work()
    door.clock.pass_seconds(SLOW_SECONDS)
    door.during = lambda: thinks.append(page.is_thinking())
    page.beat()
    door.handle(door.line_of(page))
    assert contents(page)[-2:] == ["hello", "found hello"]
    assert snapshots(page) == before
    assert True not in thinks


def test_a_page_that_initialises_while_its_snapshot_is_under_way_gets_one(door: Door, load: Load) -> None:
    """WSP-04: the first snapshot of a connection answers all that it asked until then."""
    load("renderer-2")
    page = Page(TASK)
    line = door.connect(page, task=TASK)
    page.start()
    inits = list(line.inbox)
    line.inbox.clear()

    def initialise() -> None:
        while inits:
            door.receive(line, inits.pop())

    door.during = initialise
    door.settle()
    assert snapshots(page) == 1
    assert comparable(page) == comparable(door.fresh())


def test_a_page_that_is_pushed_what_it_creates_gets_one_snapshot(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """WSP-04: the stream may be faster than the function that appended the entry."""
    page, append = Page(TASK), log.append
    line = door.connect(page, task=TASK)
    door.push()
    assert page.frames == []
    page.init()

    def pushed(*args: Any) -> None:
        append(*args)
        door.push()

    monkeypatch.setattr(log, "append", pushed)
    door.handle(line)
    door.settle()
    assert snapshots(page) == 1
    assert comparable(page) == comparable(door.fresh())


# ---- posts


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize("after", range(6))
def test_a_post_of_unknown_outcome_is_made_good(door: Door, load: Load, outcome: Outcome, after: int) -> None:
    """WSP-19, WSP-21, WSP-27, WSP-30: whichever post it is, the page ends as a fresh one begins."""
    page, other = load("renderer-1"), load("renderer-2")
    door.plan.extend([Outcome.DELIVERED] * after + [outcome] * 2)
    page.say("hello")
    line = door.line_of(page)
    with suppress(Died):
        door.handle(line)
    door.settle()
    door.clock.pass_seconds(30)  # until a dead one's lease is over
    for tab in (page, other):
        tab.beat()
    door.settle()
    fresh = door.fresh()
    for tab in (page, other):
        assert tab.messages() == fresh.messages(page.state.active)
        assert tab.state.subtasks == fresh.state.subtasks
        assert tab.state.runtime_logs == fresh.state.runtime_logs


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize("after", range(6))
def test_an_append_of_unknown_outcome_is_made_good(door: Door, load: Load, outcome: Outcome, after: int) -> None:
    """WSP-21, WSP-30: of a command that no run follows, whose end would bring a snapshot anyway."""
    page, other = load("renderer-1"), load("renderer-2")
    door.plan.extend([Outcome.DELIVERED] * after + [outcome])
    page.control("pause")
    with suppress(Died):
        door.handle(door.line_of(page))
    door.settle()
    door.clock.pass_seconds(30)
    for tab in (page, other):
        tab.beat()
    door.settle()
    expected = comparable(door.fresh())
    assert [comparable(tab) for tab in (page, other)] == [expected, expected]


def test_two_pushers_at_once_deliver_once(door: Door, load: Load) -> None:
    """WSP-21: while one is within a post, another is given the same records."""
    page = load()
    line = door.line_of(page)
    page.say("hello")
    door.handle(line)
    records = door.records()
    busy: list[bool] = []

    def push_too() -> None:
        if not busy:
            busy.append(True)
            door.push(records)
            busy.clear()

    door.during = push_too
    door.push(records)
    door.settle()
    ids = [message["id"] for message in page.messages()]
    assert len(set(ids)) == len(ids)
    assert contents(page)[1:] == ["hello", "found hello"]


def test_a_pusher_that_stalls_until_its_lease_is_over_sends_nothing(
    door: Door, load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WSP-21: between taking it and the first post, say as the table is slow; another has sent a snapshot by then."""
    page = load()
    line = door.line_of(page)
    page.control("pause")
    door.handle(line)
    door.settle()
    take, stalled, started, began = leases.take, list[str](), time.monotonic(), door.clock.time

    def stalling(workspace: str, connection_id: str, holder: str, until_ms: int) -> leases.Lease | None:
        lease = take(workspace, connection_id, holder, until_ms)
        if lease is not None and not stalled:
            stalled.append(holder)
            door.clock.pass_seconds(30)
            page.beat()
            door.handle(line)
        return lease

    monkeypatch.setattr(leases, "take", stalling)
    seconds = SimpleNamespace(monotonic=lambda: started + (door.clock.time - began).total_seconds())
    monkeypatch.setattr(delivery, "time", seconds)
    page.control("resume")
    door.handle(line)
    door.settle()
    assert stalled
    assert page.faults == []
    assert comparable(page) == comparable(door.fresh())


def test_whoever_takes_over_a_lease_reads_what_came_for_the_one_before(
    door: Door, load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WSP-21: a holder dies, somebody with news finds its lease, and one that read the log before takes it over."""
    page = load()
    line, take, stalled = door.line_of(page), leases.take, list[str]()
    page.control("pause")
    door.plan.append(Outcome.DIED_BEFORE)
    with suppress(Died):
        door.handle(line)

    def stalling(workspace: str, connection_id: str, holder: str, until_ms: int) -> leases.Lease | None:
        if not stalled:
            stalled.append(holder)
            page.control("resume")
            door.handle(line)
            door.clock.pass_seconds(30)
        return take(workspace, connection_id, holder, until_ms)

    monkeypatch.setattr(leases, "take", stalling)
    door.push()
    assert stalled
    assert "Resumed." in contents(page)
    assert not page.is_disabled()


def test_records_that_come_again_deliver_nothing_twice(door: Door, load: Load) -> None:
    """WSP-21: a stream may deliver a batch twice, and late."""
    page = load()
    page.say("hello")
    line = door.line_of(page)
    door.handle(line)
    records = door.records()
    door.push(records)
    frames = len(page.frames)
    door.push(records)
    door.push(list(reversed(records)))
    assert len(page.frames) == frames
    door.settle()
    assert contents(page)[1:] == ["hello", "found hello"]


def test_a_page_that_was_away_for_long_gets_a_snapshot(door: Door, load: Load) -> None:
    """WSP-19, WSP-38: more than the log keeps."""
    page, other = load("renderer-1"), load("renderer-2")
    frames = len(page.frames)
    line = door.line_of(other)
    for number in range(120):  # nothing is pushed meanwhile
        other.bind({"mode": "env", "envIds": [str(number)], "walletIds": []})
        door.handle(line)
    assert len(page.frames) == frames
    door.settle()
    assert [frame["type"] for frame in page.frames[frames:]] == ["agent_session_list", "agent_state_snapshot"]
    assert page.state.runtime_contexts == other.state.runtime_contexts
    assert page.messages() == other.messages()


# ---- sizes


def test_a_snapshot_that_is_too_large_is_trimmed_and_followed_by_the_rest(door: Door, load: Load, agent: Agent) -> None:
    """WSP-37, C27: every frame fits, all keys are there, and nothing of the conversation is lost on the page."""

    def reply(_: Any) -> Iterator[Result]:
        for number in range(20):
            yield say(f"{number} " + "字" * 1_500)

    agent.replies["workspace.input"] = reply
    page = load()
    page.say("go")
    door.settle()
    fresh = door.fresh()
    (line,) = [line for line in door.lines.values() if line.page is fresh]
    assert all(len(frame) <= MAX_FRAME_BYTES for frame in line.got)
    (snapshot,) = [frame for frame in fresh.frames if frame["type"] == "agent_state_snapshot"]
    assert len(snapshot["data"]) == 10
    assert fresh.messages(page.state.active) == page.messages()
    assert len(page.messages()) == 22


def test_a_snapshot_repeats_no_file(door: Door, load: Load) -> None:
    """WSP-37, C26: what is shown small is shown once; a snapshot that has no room has no contents."""
    page = load()
    data = b"x" * 60_000
    for name in ("a", "b", "c"):
        encoded = base64.b64encode(data).decode()
        file = {"id": name, "name": f"{name}.txt", "mimeType": "text/plain", "size": len(data), "source": "upload"}
        page.attach({**file, "contentBase64": encoded})
        door.settle()
    assert [message["attachments"][0]["name"] for message in page.messages() if "attachments" in message] == [
        "a.txt",
        "b.txt",
        "c.txt",
    ]
    line = next(line for line in door.lines.values() if line.page is page)
    assert all(len(frame) <= MAX_FRAME_BYTES for frame in line.got)
    assert len(door.fresh().messages(page.state.active)) == len(page.messages())


# ---- several pages, several users


def test_two_pages_and_a_phone_stay_the_same(door: Door, load: Load) -> None:
    """WSP-39: whatever each of them does."""
    pages = [load(f"renderer-{number}") for number in range(2)]
    phone = Page(TASK, "phone-1")
    door.connect(phone, task=TASK)
    door.settle()
    pages[0].say("one")
    door.settle()
    pages[1].answer("q_salary", "30")
    door.settle()
    phone.choose("track_backend", "q_track")
    door.settle()
    pages[1].create("Second")
    pages[0].control("pause")
    door.settle()
    for page in (*pages, phone):
        first = page.state.sessions
        assert [session["name"] for session in first] == [session["name"] for session in phone.state.sessions]
        assert page.state.conversations == phone.state.conversations
        assert page.state.prompts == phone.state.prompts
        assert page.state.execution_states == phone.state.execution_states
        assert comparable(page) == comparable(phone)


def test_two_users_never_meet(door: Door, load: Load) -> None:
    """WSP-39, SEC-04: They have the same task and even the same tag."""
    alice, bob = load("renderer-1", ALICE), load("renderer-1", BOB)
    alice.say("of alice")
    bob.say("of bob")
    door.settle()
    assert "of bob" not in json.dumps(alice.frames)
    assert "of alice" not in json.dumps(bob.frames)
    assert {session["id"] for session in alice.state.sessions}.isdisjoint(
        session["id"] for session in bob.state.sessions
    )


# ---- the doors beside it


def test_a_run_started_here_is_watched_and_read_as_any_other(door: Door, load: Load) -> None:
    """CMP-01, CMP-09: There is one submit, one journal and one history."""
    page = load()
    page.say("hello")
    door.settle()
    session = page.state.active
    run = runs.must_read(door.aws.executions.started[-1])
    assert (run.thread_id, run.user_id, run.agent, run.phase) == (session, "alice", AGENT, "finished")
    lines = [line for batch in journal.read(run.key, journal.Position()) for line in batch.lines]
    assert [type(events.decode(lines[number])).__name__ for number in (0, -1)] == ["RunStarted", "RunFinished"]
    history = to_json(whole_session(session, "alice")).decode()
    assert "hello" in history
    assert "found hello" in history


def test_a_run_started_there_shows_here(door: Door, load: Load, agent: Agent) -> None:
    """CMP-09, C23: on the same thread, by `POST /runs`; its question and its answer, and that the agent thinks."""
    page = load()
    seen: list[bool] = []

    def look() -> None:
        door.push()
        door.clock.pass_seconds(SLOW_SECONDS)
        page.beat()
        door.handle(door.line_of(page))
        seen.append(page.is_thinking())

    agent.during = look
    submit(page.state.active, "run-1", "from elsewhere")
    door.settle()
    assert contents(page)[-2:] == ["from elsewhere", "found from elsewhere"]
    assert [message["role"] for message in page.messages()][-2:] == ["user", "assistant"]
    assert seen == [True]
    assert page.messages() == door.fresh().messages(page.state.active)


def test_the_same_input_gets_the_same_transcript_by_either_door(door: Door, load: Load, agent: Agent) -> None:
    """CMP-01: but for what the events are called."""
    page = load()
    page.say("hello")
    door.settle()
    here = contents(page)[-2:]
    submit(page.state.active, "run-1", "hello")
    door.settle()
    assert contents(page)[-2:] == here


def test_a_run_there_and_a_command_here_take_turns(door: Door, load: Load, agent: Agent) -> None:
    """CMP-01, WSP-09: a session has one run at a time; what is said meanwhile waits."""
    page = load()
    submit(page.state.active, "run-1", "first")
    page.say("second")
    door.settle()
    assert [content for content in contents(page) if content.startswith("found")] == ["found first", "found second"]


def test_a_session_deleted_there_is_gone_here(door: Door, load: Load) -> None:
    """C23, WSP-06: and the last one is followed by a new one, for the page needs one."""
    page = load()
    page.create("Second")
    door.settle()
    first, second = (
        session["id"] for session in sorted(page.state.sessions, key=lambda session: session["name"] == "Second")
    )
    delete_session("alice", second)
    door.settle()
    assert [session["id"] for session in page.state.sessions] == [first]
    assert page.state.active == first
    delete_session("alice", first)
    door.settle()
    (new,) = page.state.sessions
    assert new["id"] not in (first, second)


def test_the_deletion_here_is_the_deletion_there(door: Door, load: Load) -> None:
    """C23, WSP-06."""
    page = load()
    page.say("hello")
    door.settle()
    session = page.state.active
    door.send(page, command("agent_session_delete", session))
    with pytest.raises(Problem):
        whole_session(session, "alice")


# ---- hints and secrets


@pytest.mark.parametrize("value", ["payload", "context"])
def test_a_model_that_is_not_authorised_is_a_hint_and_no_more(door: Door, load: Load, agent: Agent, value: str) -> None:
    """WSP-32: the agent goes without it, and the log says so."""
    page = load()
    hint = {"model": "gpt-99"} if value == "payload" else {"runtimeContext": {"model": "gpt-99"}}
    door.send(page, command("agent_user_input", page.state.active, **hint))
    assert not agent.events[-1].get("model")
    assert "found Start resume search" in contents(page)
    logs = [log["text"] for log in page.state.runtime_logs[page.state.active]]
    assert sum("gpt-99" in text for text in logs) == 1


SECRET = "sk-0123456789abcdef"


@pytest.mark.parametrize("name", ["apiKey", "api_key", "APIKey", "secretKey", "accessToken", "password", "privateKey"])
def test_a_secret_is_nowhere(door: Door, load: Load, agent: Agent, name: str) -> None:
    """WSP-40, C31: not in the table, not in a frame, not in a log, not with the agent, however deep it is."""
    with LogLines.captured() as log:
        page = load()
        context = {"mode": "ai", "provider": "api-key", name: SECRET, "wallets": [{"id": "w", name: SECRET}]}
        page.bind(context)
        door.settle()
        door.send(page, command("agent_user_input", page.state.active, runtimeContext=context))
        door.send(page, command("agent_user_input", page.state.active, **{name: SECRET}))
        door.send(page, json.dumps({"type": 7, name: SECRET}))
    line = door.line_of(page)
    assert page.state.runtime_contexts[page.state.active]["provider"] == "api-key"
    assert SECRET.encode() not in b"".join(line.got)
    assert SECRET not in str(door.aws.table.items)
    assert SECRET not in str([context.model_dump() for context in agent.contexts])
    assert SECRET not in log.text
