"""Reading history against the table: whole sessions, and the list of sessions by their latest answer."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest

from tests.support.divination_runs import THREAD, end, submit
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import to_json
from yarrow.protocol.ui_schema.compiler import ui_schema
from yarrow.protocol.ui_schema.hints import event_card
from yarrow.runs import get_history
from yarrow.runs.get_history import day_of_session, latest_by_session, whole_session
from yarrow.store import clients, clock, journal, runs, sessions, table
from yarrow.store.items.updates import EXISTS, Update

pytestmark = pytest.mark.usefixtures("aws")

OUTPUT = {"status": "success", "answer": "好", "error": None}


def thread(number: int) -> str:
    return f"{number:08d}-e29b-41d4-a716-446655440000"


def answered(thread_id: str, text: str = "好", run_id: str = "run-1", user: str = "alice", output: Any = OUTPUT) -> str:
    accepted = submit(Caller(user), threadId=thread_id, runId=run_id)
    run, session = runs.read(accepted.task_id), sessions.read(thread_id)
    assert run is not None
    assert session is not None
    outcome = runs.RunOutcome((runs.OutputMessage(f"answer-{run_id}", text, output),))
    runs.finish(run, session, outcome, [], journal.Position(1), ["{}"])
    return accepted.task_id


def shown(snapshot: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_json(snapshot))
    return document


def test_a_session_is_read_whole_in_order() -> None:
    """HIS-01, HIS-04, HIS-05, HIS-06, HIS-08, HIS-11, C9."""
    answered(THREAD)
    document = shown(whole_session(THREAD, "alice"))
    messages = document.pop("messages")
    ids = {"scope": "history_session_full", "threadId": THREAD}
    assert document == {**ids, "day": None, "hasMore": False, "agent": "divination"}
    question, answer = messages
    assert question == {
        "id": "msg-1",
        "threadId": THREAD,
        "seq": 1,
        "content": "我最近换工作是否合适?",
        "timestamp": question["timestamp"],
        "role": "user",
        "attachments": [],
    }
    assert answer == {
        "id": "answer-run-1",
        "threadId": THREAD,
        "seq": 2,
        "content": "好",
        "timestamp": answer["timestamp"],
        "role": "assistant",
        "agent_output": OUTPUT,
    }


def test_timestamps_carry_their_offset() -> None:
    """HIS-06, SEC-08."""
    answered(THREAD)
    assert all(item["timestamp"].endswith("+00:00") for item in shown(whole_session(THREAD, "alice"))["messages"])


def test_the_question_of_a_failed_run_stays() -> None:
    """HIS-18."""
    end(submit().task_id)
    assert [item.role for item in whole_session(THREAD, "alice").messages] == ["user"]


def test_the_words_of_blocks_are_joined() -> None:
    """HIS-20."""
    blocks = [{"type": "text", "text": "一"}, {"type": "text", "text": "二"}]
    submit(messages=[{"id": "m", "role": "user", "content": blocks}])
    assert whole_session(THREAD, "alice").messages[0].content == "一\n二"


@pytest.mark.parametrize(("user", "code"), [("bob", Code.AGENT_FORBIDDEN), ("alice", Code.AGENT_SESSION_NOT_FOUND)])
def test_only_the_owner_reads_a_session(user: str, code: Code) -> None:
    """SEC-03, HIS-16, ERR-05."""
    answered(THREAD)
    with pytest.raises(Problem) as caught:
        whole_session(THREAD if user == "bob" else thread(9), user)
    assert caught.value.code is code


def test_the_list_holds_the_latest_answer_of_each_session_last_active_first() -> None:
    """HIS-02, HIS-03, HIS-04, HIS-05."""
    answered(thread(1))
    answered(thread(2))
    answered(thread(1), "更好", "run-2")
    submit(threadId=thread(3))  # no answer yet
    document = shown(latest_by_session("alice", None))
    messages = document.pop("messages")
    assert document == {
        "scope": "history_sessions_latest_assistant",
        "threadId": None,
        "day": None,
        "hasMore": False,
    }
    assert [(item["threadId"], item["content"], item["seq"]) for item in messages] == [
        (thread(1), "更好", 4),
        (thread(2), "好", 2),
    ]
    assert messages[0]["agent_output"] == OUTPUT


def test_nobody_is_shown_the_sessions_of_others() -> None:
    """SEC-03."""
    answered(thread(1), user="alice")
    answered(thread(2), user="bob")
    assert [item.thread_id for item in latest_by_session("bob", None).messages] == [thread(2)]
    assert latest_by_session("carol", None).messages == ()


@pytest.mark.parametrize(
    ("limit", "shown_", "more"), [("1", 1, True), ("2", 2, True), ("3", 3, False), ("4", 3, False)]
)
def test_one_row_past_the_limit_tells_of_more(limit: str, shown_: int, *, more: bool) -> None:
    """HIS-03."""
    for number in range(3):
        answered(thread(number))
    snapshot = latest_by_session("alice", limit)
    assert (len(snapshot.messages), snapshot.has_more) == (shown_, more)


@pytest.mark.parametrize("limit", ["0", "51", "-1", "ten", "", "１", "9" * 5_000])
def test_a_limit_out_of_range_is_refused(limit: str) -> None:
    """Every list is bounded."""
    with pytest.raises(Problem) as caught:
        latest_by_session("alice", limit)
    assert caught.value.code is Code.AGENT_HISTORY_QUERY_INVALID


def test_the_list_goes_on_page_by_page() -> None:
    """HIS-02, HIS-03: Every session comes once, whatever the size of a page."""
    for number in range(5):
        answered(thread(number))
    seen: list[str] = []
    more, after = True, None
    while more:
        snapshot = latest_by_session("alice", "2", after)
        seen += [item.thread_id for item in snapshot.messages]
        more, after = snapshot.has_more, seen[-1]
    assert seen == [thread(number) for number in reversed(range(5))]


def test_the_list_does_not_begin_again_after_a_thread_that_is_none_of_ones_own() -> None:
    """HIS-03, SEC-03: and another's is told as one that is not there."""
    answered(thread(1), user="bob")
    answered(thread(2))
    outputs = set()
    for after in (thread(1), thread(3)):
        with pytest.raises(Problem) as caught:
            latest_by_session("alice", None, after)
        outputs.add((caught.value.code, caught.value.status, caught.value.detail))
    assert outputs == {(Code.AGENT_HISTORY_QUERY_INVALID, 422, "after_thread is not one of your sessions")}


def test_of_a_session_too_long_for_one_answer_the_newest_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every list is bounded; `hasMore` says so."""
    answered(THREAD, "一")
    answered(THREAD, "二", "run-2")
    monkeypatch.setattr(get_history, "MAX_BYTES", 700)
    document = shown(whole_session(THREAD, "alice"))
    assert document["hasMore"] is True
    assert document["messages"][-1]["content"] == "二"
    assert 0 < len(document["messages"]) < 4


@pytest.fixture
def three_days(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Store questions and answers of a thread on the 1st, 2nd and 4th of March, late in the evening of UTC."""
    for number, day in enumerate((1, 2, 4)):
        moment = f"2026-03-0{day}T22:00:00.000+00:00"
        monkeypatch.setattr(clock, "now_iso", lambda moment=moment: moment)
        answered(THREAD, f"答{day}", f"run-{number}")


UTC, SHANGHAI = Caller("alice"), Caller("alice", "zh-CN", "Asia/Shanghai")


@pytest.mark.usefixtures("three_days")
@pytest.mark.parametrize(
    ("caller", "before", "day", "answers", "more"),
    [
        (UTC, None, "2026-03-04", ["答4"], True),
        (UTC, "2026-03-05", "2026-03-04", ["答4"], True),
        (UTC, "2026-03-04", "2026-03-02", ["答2"], True),
        (UTC, "2026-03-02", "2026-03-01", ["答1"], False),
        (UTC, "2026-03-01", None, [], False),
        (SHANGHAI, None, "2026-03-05", ["答4"], True),
        (SHANGHAI, "2026-03-03", "2026-03-02", ["答1"], False),
    ],
)
def test_the_older_view_shows_the_last_day_before_one(
    caller: Caller, before: str | None, day: str | None, answers: list[str], *, more: bool
) -> None:
    """HIS-12, HIS-13, C8, C37: Days are those of the caller's time zone."""
    document = shown(day_of_session(caller, THREAD, before))
    messages, cursor = document.pop("messages"), document.pop("nextCursor", None)
    assert cursor == (str(messages[0]["seq"]) if more else None)
    assert document == {"scope": "history_day", "threadId": THREAD, "day": day, "hasMore": more}
    assert [item["role"] for item in messages] == ["user", "assistant"] * len(answers)
    assert [item["content"] for item in messages[1::2]] == answers
    assert all(item["threadId"] == THREAD for item in messages)
    assert [item["ui_schema"] for item in messages[1::2]] == [None] * len(answers)
    assert not any("agent_output" in item for item in messages)


def pages(caller: Caller, cursor: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the session by days, the latest first, each response continuing the one before."""
    while True:
        page = shown(day_of_session(caller, THREAD, None, cursor))
        yield page
        if not page["hasMore"]:
            return
        cursor = page["nextCursor"]


@pytest.mark.usefixtures("three_days")
def test_a_session_is_read_day_by_day_with_a_cursor() -> None:
    """HIS-12: Each day comes whole, also one that two days of another time zone share."""
    found = [(page["day"], [item["seq"] for item in page["messages"]]) for page in pages(UTC)]
    assert found == [("2026-03-04", [5, 6]), ("2026-03-02", [3, 4]), ("2026-03-01", [1, 2])]


@pytest.mark.usefixtures("three_days")
def test_a_day_too_long_for_one_answer_goes_on_with_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    """HIS-12: no message of it is skipped; `before` alone would skip them."""
    monkeypatch.setattr(get_history, "MAX_BYTES", 250)
    found = [(page["day"], [item["seq"] for item in page["messages"]]) for page in pages(UTC)]
    days = ["2026-03-04"] * 2 + ["2026-03-02"] * 2 + ["2026-03-01"] * 2
    assert found == list(zip(days, [[6], [5], [4], [3], [2], [1]], strict=True))


@pytest.mark.parametrize("cursor", ["", "0", "-1", "x", "1.5", "12345678901", "٣"])
def test_a_cursor_that_is_none_is_refused(cursor: str) -> None:
    """HIS-14."""
    with pytest.raises(Problem) as caught:
        day_of_session(UTC, THREAD, None, cursor)
    assert caught.value.code is Code.AGENT_HISTORY_QUERY_INVALID


DAYS, A_DAY = 60, 4


@pytest.fixture
def sixty_days(aws: None) -> None:
    """Store four messages of a thread on each of sixty days from the 1st of January."""
    answered(THREAD)
    messages = [
        sessions.StoredMessage(
            f"m{seq}", THREAD, seq, "user", "x" * 500, f"{date(2026, 1, 1) + timedelta((seq - 1) // A_DAY)}T12:00:00Z"
        )
        for seq in range(1, DAYS * A_DAY + 1)
    ]
    for message in messages:
        table.put_alone(sessions._item(message))
    table.update_returning(table.session_key(THREAD), Update().set(message_count=DAYS * A_DAY), EXISTS)


@contextmanager
def messages_read() -> Iterator[list[int]]:
    """Yield how many messages each request to DynamoDB returns meanwhile."""
    counts: list[int] = []

    def add(parsed: dict[str, Any], **_: object) -> None:
        counts.append(len(parsed.get("Items", ())))

    events = clients.dynamodb().meta.events
    events.register("after-call.dynamodb.Query", add)
    try:
        yield counts
    finally:
        events.unregister("after-call.dynamodb.Query", add)


@pytest.mark.usefixtures("sixty_days")
@pytest.mark.parametrize(
    "before", [None, "2027-01-01", "2026-03-01", "2026-02-28", "2026-02-01", "2026-01-31", "2026-01-02", "2026-01-01"]
)
def test_a_day_is_found_without_reading_what_is_newer(before: str | None) -> None:
    """HIS-12: by a binary search among the messages, which are in order of time; of 240, 30 are read at most."""
    with messages_read() as counts:
        found = shown(day_of_session(UTC, THREAD, before))
    last = DAYS if before is None else min(DAYS, (date.fromisoformat(before) - date(2026, 1, 1)).days)
    assert [item["seq"] for item in found["messages"]] == [
        seq for seq in range(1, 1 + last * A_DAY) if seq > (last - 1) * A_DAY
    ]
    assert found["day"] == (str(date(2026, 1, 1) + timedelta(last - 1)) if last else None)
    assert found["hasMore"] is (last > 1)
    assert sum(counts) <= 30


@pytest.mark.usefixtures("three_days")
def test_the_older_view_without_a_thread_is_of_the_session_last_answered() -> None:
    """HIS-12."""
    assert day_of_session(UTC, None, None).thread_id == THREAD
    empty = shown(day_of_session(Caller("carol"), None, "2026-03-04"))
    assert empty == {"scope": "history_day", "threadId": None, "day": None, "hasMore": False, "messages": []}


@pytest.mark.parametrize("before", ["2026-3-1", "2026-02-30", "20260301", "yesterday", "", "2026-03-01T00:00:00Z"])
def test_a_day_that_is_none_is_refused(before: str) -> None:
    """HIS-14."""
    with pytest.raises(Problem) as caught:
        day_of_session(UTC, None, before)
    assert (caught.value.code, caught.value.status) == (Code.AGENT_HISTORY_QUERY_INVALID, 422)


def test_what_tools_and_systems_said_stays_inside() -> None:
    """HIS-15, MSG-08."""
    answered(THREAD)
    hidden = sessions.StoredMessage("t", THREAD, 3, "tool", "secret", "2026-03-01T00:00:00.000+00:00")
    table.transact(sessions.add_message(hidden))
    assert [item.seq for item in whole_session(THREAD, "alice").messages] == [1, 2]
    assert b"secret" not in to_json(day_of_session(UTC, THREAD, None))


HINTS = {"cards": [event_card("created", "站会", "2026-03-17 09:00")], "locale": "zh-CN"}


def cards(snapshot: Any) -> list[Any]:
    return [item["ui_schema"] for item in shown(snapshot)["messages"] if item["role"] == "assistant"]


def test_the_older_view_shows_the_card_of_a_message() -> None:
    """HIS-13, UIS-04: The card is compiled, or null."""
    answered(THREAD, output={"ui_hints": HINTS})
    answered(THREAD, run_id="run-2", output={**OUTPUT, "ui_hints": {"cards": "broken"}})
    answered(THREAD, run_id="run-3")
    first, *others = cards(day_of_session(Caller("alice"), THREAD, None))
    assert first == ui_schema({"ui_hints": HINTS}) is not None
    assert first["root"]["children"][0] == {"type": "text", "content": "日程已创建", "role": "title"}
    assert others == [None, None]


def test_both_scopes_show_cards_to_a_client_that_asks() -> None:
    """UIS-04, HIS-11: with `ui=2.0`; without it they are as they were before there were cards."""
    answered(THREAD, output={"ui_hints": HINTS})
    answered(thread(1), output={**OUTPUT, "ui_hints": HINTS})
    schema = ui_schema({"ui_hints": HINTS})
    assert cards(whole_session(THREAD, "alice", ui=True)) == [schema]
    assert cards(latest_by_session("alice", ui=True)) == [schema, schema]
    plain = [shown(whole_session(THREAD, "alice")), shown(latest_by_session("alice"))]
    requests = [shown(whole_session(THREAD, "alice", ui=True)), shown(latest_by_session("alice", ui=True))]
    assert "ui_" not in json.dumps(plain)
    for document in requests:
        for item in document["messages"]:
            item.pop("ui_schema", None)
    assert requests == plain
    outputs = [item.get("agent_output") for item in plain[1]["messages"]]
    assert outputs == [OUTPUT, None]


@pytest.mark.parametrize("version", ["", "2", "1.0", "2.0 "])
def test_another_version_of_cards_is_refused(version: str) -> None:
    """UIS-01, ERR-09."""
    with pytest.raises(Problem, match=r"ui must be 2\.0") as refused:
        get_history.wants_ui(version)
    assert refused.value.code is Code.AGENT_HISTORY_QUERY_INVALID
    assert (get_history.wants_ui(None), get_history.wants_ui("2.0")) == (False, True)
